package io.shardwright.sql;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Why a statement on sharded tables goes to every shard: what its conditions lack. Read from the
 * text alone, as advice for people; routing does not depend on it.
 */
public enum ScatterReason {
  /** Nothing is said about the route key. */
  NO_KEY("no condition on the route key %s of %s"),
  /** Some columns of the route key have a value and others none. */
  KEY_INCOMPLETE("conditions on some columns of the route key %s of %s only"),
  /** The key is compared by {@code <}, BETWEEN or LIKE. */
  KEY_IN_RANGE("a range of the route key %s of %s, which hashing spreads over all shards"),
  /** The key stands in a function, in arithmetic, or beside a value that cannot be read. */
  KEY_IN_EXPRESSION("the route key %s of %s only in an expression"),
  /** An OR has a branch that says nothing about the key. */
  OR_WITHOUT_KEY("an OR with a branch without the route key %s of %s"),
  /** The key is given for one table, and another one is not tied to it. */
  TABLE_NOT_TIED("a table that is not tied to the route key %s of %s");

  private static final Set<String> RANGES = Set.of("<", ">", "BETWEEN", "LIKE", "NOT", "!");
  private static final Set<String> ENDS =
      Set.of("GROUP", "ORDER", "LIMIT", "OFFSET", "FETCH", "HAVING", "RETURNING", "FOR");

  private final String text;

  ScatterReason(String text) {
    this.text = text;
  }

  String describe(String key, String tables) {
    return text.formatted(key, tables);
  }

  /** How a column is used in the conditions, from useless to best. */
  private enum Use {
    NONE,
    EXPRESSION,
    RANGE,
    VALUE
  }

  static ScatterReason of(SqlTokens tokens, Placement placement) {
    Schema.Sharding sharding = placement.tables().get(0).sharding().orElseThrow();
    int values = 0;
    int ranges = 0;
    int expressions = 0;
    for (int i = 0; i < sharding.key().size(); i++) {
      int position = i;
      List<String> names =
          placement.tables().stream()
              .map(table -> table.sharding().orElseThrow().key().get(position))
              .toList();
      switch (use(tokens, names)) {
        case VALUE -> values++;
        case RANGE -> ranges++;
        case EXPRESSION -> expressions++;
        case NONE -> {}
      }
    }
    boolean or = conditionsHoldOr(tokens);
    boolean complete = values == sharding.key().size();
    boolean id =
        sharding.id().filter(i -> use(tokens, List.of(i.column())) == Use.VALUE).isPresent();
    if (complete || id) {
      boolean several = placement.tables().size() > 1;
      return or ? OR_WITHOUT_KEY : several ? TABLE_NOT_TIED : KEY_IN_EXPRESSION;
    }
    if (ranges > 0) {
      return KEY_IN_RANGE;
    }
    if (expressions > 0) {
      return KEY_IN_EXPRESSION;
    }
    return values > 0 ? KEY_INCOMPLETE : NO_KEY;
  }

  private static Use use(SqlTokens tokens, List<String> names) {
    Use best = Use.NONE;
    int from = conditions(tokens);
    int depth = from < tokens.size() ? tokens.get(from).depth() : 0;
    for (int i = from; i < tokens.size() && !ends(tokens, i, depth); i++) {
      if (isColumn(tokens, i, names)) {
        Use use = use(tokens, i);
        best = use.compareTo(best) > 0 ? use : best;
      }
    }
    return best;
  }

  /** The token where FROM, or the WHERE of an UPDATE, begins. */
  private static int conditions(SqlTokens tokens) {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isAt(i, "FROM") || tokens.isAt(i, "WHERE")) {
        return i;
      }
    }
    return tokens.size();
  }

  private static boolean ends(SqlTokens tokens, int index, int depth) {
    SqlTokens.Token token = tokens.get(index);
    return token.depth() <= depth && ENDS.contains(token.keyword());
  }

  private static boolean conditionsHoldOr(SqlTokens tokens) {
    for (int i = conditions(tokens); i < tokens.size(); i++) {
      if (tokens.isAt(i, "OR")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isColumn(SqlTokens tokens, int index, List<String> names) {
    SqlTokens.Token token = tokens.get(index);
    return token.isName()
        && !tokens.isSymbolAt(index + 1, ".")
        && !tokens.isSymbolAt(index + 1, "(")
        && names.contains(token.text().replace("\"", "").toLowerCase(Locale.ROOT));
  }

  private static Use use(SqlTokens tokens, int column) {
    int first = column;
    while (tokens.isSymbolAt(first - 1, ".")) {
      first -= 2;
    }
    if (tokens.isAt(column + 1, "IN")) {
      return Use.VALUE;
    }
    if (tokens.isSymbolAt(column + 1, "=")) {
      return other(tokens, column + 2, column + 3);
    }
    if (tokens.isSymbolAt(first - 1, "=") && !isRange(tokens, first - 2)) {
      return other(tokens, first - 2, first - 3);
    }
    boolean range =
        isRange(tokens, column + 1) || isRange(tokens, first - 1) || isRange(tokens, first - 2);
    return range ? Use.RANGE : Use.EXPRESSION;
  }

  /** The other side of {@code =}: a value alone, another column (a join), or more than that. */
  private static Use other(SqlTokens tokens, int value, int beyond) {
    if (value < 0 || value >= tokens.size()) {
      return Use.EXPRESSION;
    }
    boolean more =
        beyond >= 0
            && beyond < tokens.size()
            && tokens.get(beyond).kind() == SqlTokens.Kind.SYMBOL
            && !tokens.isSymbolAt(beyond, "(")
            && !tokens.isSymbolAt(beyond, ")")
            && !tokens.isSymbolAt(beyond, "::")
            && !tokens.isSymbolAt(beyond, ",");
    return switch (tokens.get(value).kind()) {
      case PARAMETER, NUMBER, STRING -> more ? Use.EXPRESSION : Use.VALUE;
      case WORD, QUOTED -> isCall(tokens, value) ? Use.EXPRESSION : Use.NONE;
      case SYMBOL -> Use.EXPRESSION;
    };
  }

  private static boolean isCall(SqlTokens tokens, int name) {
    return tokens.isSymbolAt(name + 1, "(") || tokens.isAt(name, "ANY");
  }

  private static boolean isRange(SqlTokens tokens, int index) {
    return index >= 0
        && index < tokens.size()
        && (RANGES.contains(tokens.get(index).text())
            || RANGES.contains(tokens.get(index).keyword()));
  }
}
