package io.shardwright.sql;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The forms of DDL that MariaDB has beside those of {@link DdlStatement}: what would move, change
 * or delete rows of the tables that Shardwright governs, and what belongs to the server.
 */
final class MariaDbDdl {
  private static final Set<String> OF_SERVER = Set.of("DATABASE", "SCHEMA", "SERVER", "EVENT");

  /** Actions of ALTER TABLE that delete or swap rows. */
  private static final Set<String> ON_ROWS =
      Set.of("TRUNCATE", "EXCHANGE", "DISCARD", "IMPORT", "COALESCE", "REORGANIZE", "REMOVE");

  /** What DROP and RENAME of ALTER TABLE may name that is no column. */
  private static final Set<String> NO_COLUMNS =
      Set.of("CONSTRAINT", "PRIMARY", "INDEX", "KEY", "FOREIGN", "CHECK");

  private final Schema schema;
  private final SqlTokens tokens;

  private MariaDbDdl(Schema schema, SqlTokens tokens) {
    this.schema = schema;
    this.tokens = tokens;
  }

  /**
   * @throws io.shardwright.errors.ShardwrightException SW503
   */
  static void check(Schema schema, SqlTokens tokens) {
    MariaDbDdl ddl = new MariaDbDdl(schema, tokens);
    ddl.checkServer();
    int table = ddl.wordBehind("TABLE");
    switch (tokens.get(0).keyword()) {
      case "CREATE" -> ddl.checkCreate(table);
      case "RENAME" -> ddl.checkRename();
      case "ALTER" -> {
        if (table > 0) {
          ddl.checkAlter(table + 1);
        }
      }
      default -> {}
    }
  }

  private void checkServer() {
    for (int i = 1; i < Math.min(tokens.size(), 4); i++) {
      if (OF_SERVER.contains(tokens.get(i).keyword()) && !tokens.isSymbolAt(i - 1, ".")) {
        throw DdlStatement.refused(
            tokens.get(0).keyword()
                + " "
                + tokens.get(i).keyword()
                + " belongs to the server; run it on each server with the database's own client");
      }
    }
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.isAt(i, "IDENTIFIED")) {
        throw DdlStatement.refused(
            "IDENTIFIED would show a password in the log of schema changes; run it on each server"
                + " with the database's own client");
      }
    }
  }

  /** Index of a word among the first of the statement, or -1. */
  private int wordBehind(String word) {
    for (int i = 1; i < Math.min(tokens.size(), 5); i++) {
      if (tokens.isAt(i, word)) {
        return i;
      }
    }
    return -1;
  }

  private void checkCreate(int table) {
    if (table < 0) {
      return;
    }
    for (int i = 1; i < table; i++) {
      if (tokens.isAt(i, "TEMPORARY")) {
        throw DdlStatement.refused(
            "a temporary table lives in one physical connection; create a plain table instead");
      }
      if (tokens.isAt(i, "REPLACE")) {
        governed(table + 1).ifPresent(found -> refuseName(found));
      }
    }
    for (int i = table; i < tokens.size(); i++) {
      if (tokens.isAt(i, "SELECT")) {
        throw DdlStatement.refused(
            "CREATE TABLE ... SELECT would leave each shard with other rows; create the table, then"
                + " insert");
      }
    }
  }

  /** {@code RENAME TABLE a TO b, c TO d}. */
  private void checkRename() {
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.get(i).isName()) {
        governed(i).ifPresent(MariaDbDdl::refuseName);
      }
    }
  }

  /** The governed table whose name starts at a token, qualified or not. */
  private Optional<Schema.Table> governed(int name) {
    int at = behindIfExists(name);
    if (tokens.isSymbolAt(at + 1, ".") && tokens.dialect().isHome(tokens.tableName(at))) {
      at += 2;
    }
    return at < tokens.size() && tokens.get(at).isName() && !tokens.isSymbolAt(at + 1, ".")
        ? schema.table(tokens.tableName(at))
        : Optional.empty();
  }

  private int behindIfExists(int at) {
    return tokens.isAt(at, "IF") && tokens.isAt(at + 1, "EXISTS") ? at + 2 : at;
  }

  private static void refuseName(Schema.Table table) {
    throw DdlStatement.refused(
        "table "
            + table.name()
            + " is named in shardwright.yaml and keeps its name and rows for life; create another"
            + " table, name it in the file and copy the rows");
  }

  private void checkAlter(int name) {
    Optional<Schema.Table> table = governed(name);
    if (table.isEmpty()) {
      return;
    }
    int action = behindIfExists(name) + 1;
    while (tokens.isSymbolAt(action, ".")) {
      action += 2;
    }
    for (Range part : new Range(action, tokens.size()).items(tokens)) {
      if (part.size() > 0) {
        checkAction(table.get(), part.from());
      }
    }
  }

  private void checkAction(Schema.Table table, int action) {
    String word = tokens.get(action).keyword();
    boolean partition = word.equals("DROP") && tokens.isAt(action + 1, "PARTITION");
    if (ON_ROWS.contains(word) || partition) {
      throw DdlStatement.refused(
          "ALTER TABLE "
              + table.name()
              + " ... "
              + word
              + " changes rows, and the log of schema changes would repeat it later on a shard that"
              + " lacks it; run it on each shard with the database's own client");
    }
    if (word.equals("CONVERT")) {
      columnsThatDecide(table).forEach(column -> DdlStatement.refuseFixed(table, column));
    }
    boolean rename = word.equals("RENAME");
    if (rename && !tokens.isAt(action + 1, "COLUMN") && !isNoColumn(action + 1)) {
      refuseName(table);
    }
    boolean named = List.of("CHANGE", "MODIFY", "ALTER", "DROP").contains(word) || rename;
    if (named && !isNoColumn(action + 1)) {
      int column = tokens.isAt(action + 1, "COLUMN") ? action + 2 : action + 1;
      column = behindIfExists(column);
      if (column < tokens.size()) {
        DdlStatement.refuseFixed(table, tokens.name(column));
      }
    }
  }

  private boolean isNoColumn(int index) {
    return index < tokens.size() && NO_COLUMNS.contains(tokens.get(index).keyword());
  }

  private static List<String> columnsThatDecide(Schema.Table table) {
    return table.sharding().map(Schema.Sharding::key).orElse(List.of());
  }
}
