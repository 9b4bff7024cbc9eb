package io.shardwright.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One item of a select list.
 *
 * @param expression without the alias
 * @param alias the output column's name; empty when there is none
 */
record SelectItem(Range expression, Optional<String> alias) {
  /** Words that end an expression and are no alias. */
  private static final Set<String> NO_ALIAS =
      Set.of(
          "NULL",
          "TRUE",
          "FALSE",
          "END",
          "ISNULL",
          "NOTNULL",
          "UNKNOWN",
          "PRECISION",
          "ZONE",
          "VARYING");

  private static final Set<String> INTERVAL_FIELDS =
      Set.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND");

  /** The items of a select list, without DISTINCT or ALL in front. */
  static List<SelectItem> of(SqlTokens tokens, Range list) {
    List<SelectItem> items = new ArrayList<>();
    for (Range item : list.items(tokens)) {
      items.add(of(item, tokens));
    }
    return items;
  }

  private static SelectItem of(Range item, SqlTokens tokens) {
    int last = item.to() - 1;
    if (item.size() >= 3 && tokens.isAt(last - 1, "AS") && isAlias(tokens, last)) {
      return new SelectItem(
          new Range(item.from(), last - 1),
          Optional.of(tokens.dialect().label(tokens.get(last).text())));
    }
    boolean alias =
        item.size() >= 2
            && isAlias(tokens, last)
            && !NO_ALIAS.contains(tokens.get(last).keyword())
            && endsOperand(tokens, last - 1)
            && !endsInterval(tokens, item);
    if (alias) {
      return new SelectItem(
          new Range(item.from(), last),
          Optional.of(tokens.dialect().label(tokens.get(last).text())));
    }
    return new SelectItem(item, Optional.empty());
  }

  private static boolean isAlias(SqlTokens tokens, int index) {
    return tokens.get(index).isName() || tokens.dialect().isStringAlias(tokens, index);
  }

  /** {@code INTERVAL '1' DAY}, and with any expression where the database takes one. */
  private static boolean endsInterval(SqlTokens tokens, Range item) {
    int last = item.to() - 1;
    String unit = tokens.get(last).keyword();
    boolean field =
        INTERVAL_FIELDS.stream().anyMatch(f -> unit.equals(f) || unit.endsWith("_" + f));
    if (!field || tokens.get(last - 1).kind() == SqlTokens.Kind.STRING) {
      return field;
    }
    for (int i = last - 1; i >= item.from(); i--) {
      if (tokens.get(i).depth() == tokens.get(last).depth()) {
        if (tokens.isAt(i, "INTERVAL")) {
          return true;
        }
        if (INTERVAL_FIELDS.contains(tokens.get(i).keyword())) {
          return false;
        }
      }
    }
    return false;
  }

  private static boolean endsOperand(SqlTokens tokens, int index) {
    return switch (tokens.get(index).kind()) {
      case WORD ->
          !tokens.dialect().keywords().beforeOperand().contains(tokens.get(index).keyword());
      case QUOTED, STRING, NUMBER, PARAMETER -> true;
      case SYMBOL -> tokens.isSymbolAt(index, ")") || tokens.isSymbolAt(index, "]");
    };
  }

  boolean isStar(SqlTokens tokens) {
    return tokens.isSymbolAt(expression.to() - 1, "*")
        && (expression.size() == 1 || tokens.isSymbolAt(expression.to() - 2, "."));
  }
}
