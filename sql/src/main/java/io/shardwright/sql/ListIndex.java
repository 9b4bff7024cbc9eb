package io.shardwright.sql;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.sql.Schema.Sharding;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A lookup index whose values may have many rows, and which may lag behind its table. Its entries
 * are read through a view, which is sharded by the first columns of the index. The view has the
 * columns bucket_id, {@link #ROW_BUCKET}, and those of the index and of the primary key by their
 * own names.
 *
 * @param entries how the view is sharded: its group is {@code group.index}, its key the first of
 *     {@code columns}
 * @param columns that are indexed, in index order
 * @param covering further columns of an entry: whether a statement may show what the entry has
 * @param primaryKey of the table, without bucket_id
 */
public record ListIndex(
    String view,
    Sharding entries,
    List<String> columns,
    Map<String, Covering> covering,
    List<String> primaryKey) {
  /** The column of the view with the bucket of an entry's row. */
  public static final String ROW_BUCKET = "shardwright_row_bucket";

  public ListIndex {
    columns = List.copyOf(columns);
    covering = Map.copyOf(covering);
    primaryKey = List.copyOf(primaryKey);
  }

  /** What a statement may do with a column that an entry has beside the indexed ones. */
  public enum Covering {
    /** Show it. */
    STALE_OK,
    /** Choose rows by it, which are then asked themselves. */
    CHECK
  }

  /** From the values of the view's key to the buckets of their entries. Thread-safe. */
  public interface EntryBuckets {
    /**
     * @return one bucket, or several of a value with very many rows; none when no row can have it
     * @throws ShardwrightException SW302 when a value is not of its column's type
     */
    List<BucketId> of(List<?> values);

    /** True when there are values with several buckets. */
    boolean isSpread();
  }

  /**
   * A row as an entry names it.
   *
   * @param primaryKey without bucket_id, as the database's driver takes it; no value is null
   */
  public record Row(BucketId bucket, List<Object> primaryKey) {
    public Row {
      primaryKey = Collections.unmodifiableList(primaryKey);
    }
  }

  /** {@code group.index}, by which its map is known. */
  public String name() {
    return entries.group();
  }

  /** For reasons of routes. */
  String describe(String table) {
    return "list index " + name() + " (" + String.join(", ", entries.key()) + ") of " + table;
  }

  /** Whether a statement may choose rows by the column. */
  boolean holds(String column) {
    return columns.contains(column) || covering.containsKey(column) || primaryKey.contains(column);
  }

  /** Whether a statement may show the column's values without asking the rows. */
  boolean shows(String column) {
    return holds(column) && covering.getOrDefault(column, Covering.STALE_OK) == Covering.STALE_OK;
  }

  ListIndex folded(Dialect dialect) {
    return new ListIndex(
        view,
        entries.folded(dialect),
        columns.stream().map(dialect::foldStored).toList(),
        covering.entrySet().stream()
            .collect(
                Collectors.toMap(
                    column -> dialect.foldStored(column.getKey()), Map.Entry::getValue)),
        primaryKey.stream().map(dialect::foldStored).toList());
  }
}
