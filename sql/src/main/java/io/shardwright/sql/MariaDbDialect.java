package io.shardwright.sql;

import java.util.Locale;

/**
 * MariaDB 11.4: names of columns, aliases and functions are compared without case, those of tables
 * as they are written; NULLs are the smallest values.
 */
final class MariaDbDialect extends Dialect {
  private final String database;

  MariaDbDialect(String database) {
    super(MariaDbFunctions.NAMES, MariaDbFunctions.VALUES);
    this.database = database;
  }

  @Override
  Lexer lexer(String sql) {
    return new MariaDbLexer(this, sql);
  }

  @Override
  String fold(String identifier) {
    return foldTable(identifier).toLowerCase(Locale.ROOT);
  }

  @Override
  String foldTable(String identifier) {
    if (identifier.length() >= 2 && identifier.charAt(0) == '`') {
      return identifier.substring(1, identifier.length() - 1).replace("``", "`");
    }
    return identifier;
  }

  @Override
  boolean isHome(String qualifier) {
    return qualifier.equals(database);
  }

  @Override
  String quote(String label) {
    return "`" + label.replace("`", "``") + "`";
  }

  @Override
  boolean nullsFirst(boolean descending) {
    return !descending;
  }
}
