package io.shardwright.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One item of a select list.
 *
 * @param expression without the alias
 * @param alias folded; empty when there is none
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

  /** Words that another operand follows. */
  private static final Set<String> BEFORE_OPERAND =
      Set.of(
          "IS",
          "NOT",
          "AND",
          "OR",
          "DISTINCT",
          "COLLATE",
          "ZONE",
          "CASE",
          "ELSE",
          "THEN",
          "WHEN",
          "OVER",
          "LIKE",
          "ILIKE",
          "SIMILAR",
          "TO",
          "FROM",
          "BETWEEN",
          "IN",
          "ANY",
          "ALL",
          "SOME",
          "ESCAPE",
          "AT",
          "TIME",
          "BY",
          "AS",
          "OPERATOR",
          "INTERVAL",
          "SYMMETRIC");

  private static final Set<String> INTERVAL_FIELDS =
      Set.of("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND");

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
    if (item.size() >= 3 && tokens.isAt(last - 1, "AS") && tokens.get(last).isName()) {
      return new SelectItem(new Range(item.from(), last - 1), Optional.of(fold(tokens, last)));
    }
    boolean alias =
        item.size() >= 2
            && tokens.get(last).isName()
            && !NO_ALIAS.contains(tokens.get(last).keyword())
            && endsOperand(tokens, last - 1)
            && !(INTERVAL_FIELDS.contains(tokens.get(last).keyword())
                && tokens.get(last - 1).kind() == SqlTokens.Kind.STRING);
    if (alias) {
      return new SelectItem(new Range(item.from(), last), Optional.of(fold(tokens, last)));
    }
    return new SelectItem(item, Optional.empty());
  }

  private static boolean endsOperand(SqlTokens tokens, int index) {
    return switch (tokens.get(index).kind()) {
      case WORD -> !BEFORE_OPERAND.contains(tokens.get(index).keyword());
      case QUOTED, STRING, NUMBER, PARAMETER -> true;
      case SYMBOL -> tokens.isSymbolAt(index, ")") || tokens.isSymbolAt(index, "]");
    };
  }

  private static String fold(SqlTokens tokens, int index) {
    return tokens.name(index);
  }

  boolean isStar(SqlTokens tokens) {
    return tokens.isSymbolAt(expression.to() - 1, "*")
        && (expression.size() == 1 || tokens.isSymbolAt(expression.to() - 2, "."));
  }
}
