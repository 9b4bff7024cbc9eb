package io.shardwright.sql;

/**
 * Columns that a database adds to each table by itself, such as {@code ctid}: where a row is, who
 * wrote it. Two rows on two shards may have equal ones.
 */
final class RowColumns {
  private RowColumns() {}

  /**
   * @throws io.shardwright.errors.ShardwrightException SW208 when the statement names one
   */
  static void refuse(SqlTokens tokens) {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).isName()
          && tokens.dialect().catalogs().rowColumns().contains(tokens.name(i))
          && !tokens.isAt(i - 1, "AS")
          && !tokens.isSymbolAt(i + 1, "(")) {
        throw SelectMerge.refused(
            "column " + tokens.name(i), "each shard places and numbers its rows by itself");
      }
    }
  }
}
