package io.shardwright.sql;

import java.util.Locale;

/** PostgreSQL 17: unquoted identifiers become lower case, NULLs are the largest values. */
final class PostgreSqlDialect extends Dialect {
  static final PostgreSqlDialect INSTANCE = new PostgreSqlDialect();

  private PostgreSqlDialect() {
    super(PostgreSqlFunctions.NAMES, PostgreSqlFunctions.VALUES);
  }

  @Override
  Lexer lexer(String sql) {
    return new PostgreSqlLexer(this, sql);
  }

  @Override
  String fold(String identifier) {
    if (identifier.length() >= 2 && identifier.charAt(0) == '"') {
      return identifier.substring(1, identifier.length() - 1).replace("\"\"", "\"");
    }
    return identifier.toLowerCase(Locale.ROOT);
  }

  @Override
  String foldTable(String identifier) {
    return fold(identifier);
  }

  @Override
  boolean isHome(String qualifier) {
    return qualifier.equals("public");
  }

  @Override
  String quote(String label) {
    return "\"" + label.replace("\"", "\"\"") + "\"";
  }

  @Override
  boolean nullsFirst(boolean descending) {
    return descending;
  }
}
