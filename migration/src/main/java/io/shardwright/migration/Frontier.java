package io.shardwright.migration;

import io.shardwright.schema.ShardSchema;
import io.shardwright.schema.ShardSchema.Column;
import java.util.List;
import java.util.Optional;

/**
 * How far rows are copied: tables one after the other, each in the order of its primary key.
 *
 * @param table position of the table that is being copied; those before it are done
 * @param bucket all rows of buckets up to this one are copied; -1: of none
 * @param key literals of the last key that is copied, in a later bucket
 */
record Frontier(int table, int bucket, Optional<List<String>> key) {
  /** All rows of all tables. */
  static final Frontier END = startOf(Integer.MAX_VALUE);

  static Frontier startOf(int table) {
    return new Frontier(table, -1, Optional.empty());
  }

  Frontier throughBucket(int last) {
    return new Frontier(table, last, Optional.empty());
  }

  Frontier throughKey(List<String> last) {
    return new Frontier(table, bucket, Optional.of(last));
  }

  /**
   * A condition for the rows of a table that are copied.
   *
   * @param position of the table
   * @param alias of the table in the query
   */
  String copied(int position, MovedTable of, String alias, MoverConnection connection) {
    if (position != table) {
      return position < table ? "1 = 1" : "1 = 0";
    }
    String buckets = alias + "." + ShardSchema.BUCKET_COLUMN + " <= " + bucket;
    return key.map(
            last ->
                "("
                    + buckets
                    + " OR "
                    + connection.compare(key(of, alias, connection), "<=", last)
                    + ")")
        .orElse(buckets);
  }

  /** A condition for the rows of the table that are not. */
  String rest(MovedTable of, String alias, MoverConnection connection) {
    return key.map(last -> connection.compare(key(of, alias, connection), ">", last))
        .orElse(alias + "." + ShardSchema.BUCKET_COLUMN + " > " + bucket);
  }

  private static List<String> key(MovedTable table, String alias, MoverConnection connection) {
    return table.key().stream()
        .map(Column::name)
        .map(name -> alias + "." + connection.quote(name))
        .toList();
  }
}
