package io.shardwright.sql;

/**
 * Constructs of MariaDB that the planner must not pass over: session state, which belongs to a
 * pooled connection, and clauses whose tables or rows it would not see.
 */
final class MariaDbRefusals {
  private final SqlTokens tokens;

  private MariaDbRefusals(SqlTokens tokens) {
    this.tokens = tokens;
  }

  /**
   * @throws io.shardwright.errors.ShardwrightException SW202
   */
  static void check(SqlTokens tokens) {
    MariaDbRefusals refusals = new MariaDbRefusals(tokens);
    for (int i = 0; i < tokens.size(); i++) {
      refusals.check(i);
    }
  }

  private void check(int index) {
    if (tokens.isSymbolAt(index, "@") && !isSetting(index)) {
      throw BlockReader.unsupported(
          "a variable of the session (@name, @@name), which belongs to a pooled connection,");
    }
    switch (tokens.get(index).keyword()) {
      case "SQL_CALC_FOUND_ROWS" ->
          throw BlockReader.unsupported(
              "SQL_CALC_FOUND_ROWS, whose number stays in a pooled connection,");
      case "SYSTEM_TIME" -> {
        if (tokens.isAt(index - 1, "FOR")) {
          throw BlockReader.unsupported("FOR SYSTEM_TIME");
        }
      }
      case "FOR" -> {
        if (!isNameAt(index) && !isOfLock(index) && !isOfSubstring(index)) {
          throw BlockReader.unsupported("FOR in this place");
        }
      }
      case "PROCEDURE" -> {
        if (!isNameAt(index)) {
          throw BlockReader.unsupported("PROCEDURE in a query");
        }
      }
      default -> {}
    }
  }

  /** {@code @@name} or {@code @@session.name} of what is alike everywhere. */
  private boolean isSetting(int index) {
    int first = tokens.isSymbolAt(index - 1, "@") ? index - 1 : index;
    int name = first + 2;
    if (tokens.isSymbolAt(name + 1, ".")) {
      name += 2;
    }
    return tokens.isSymbolAt(first + 1, "@")
        && name < tokens.size()
        && tokens.get(name).isName()
        && tokens.dialect().catalogs().settings().contains(tokens.name(name));
  }

  private boolean isNameAt(int index) {
    return tokens.isSymbolAt(index - 1, ".") || tokens.isAt(index - 1, "AS");
  }

  private boolean isOfLock(int index) {
    return tokens.isAt(index + 1, "UPDATE");
  }

  /** {@code SUBSTRING(x FROM 1 FOR 2)}. */
  private boolean isOfSubstring(int index) {
    int depth = tokens.get(index).depth();
    int open = index - 1;
    while (open > 0 && tokens.get(open).depth() >= depth) {
      open--;
    }
    return tokens.isAt(open - 1, "SUBSTRING")
        || tokens.isAt(open - 1, "SUBSTR")
        || tokens.isAt(open - 1, "MID");
  }
}
