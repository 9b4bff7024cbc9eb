package io.shardwright.schema;

/** Text of SQL statements. */
final class Sql {
  private Sql() {}

  /** An identifier as the database stores it, in quotes. */
  static String quote(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }
}
