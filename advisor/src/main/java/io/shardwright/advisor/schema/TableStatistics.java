package io.shardwright.advisor.schema;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a database counts or estimates of one table; it may be old, and is never exact.
 *
 * @param bytes of rows, large values and indexes, all partitions
 * @param rows estimated; empty when the database never looked
 * @param columns those that it has figures of
 */
public record TableStatistics(
    long bytes, OptionalLong rows, Map<String, ColumnStatistics> columns) {
  public TableStatistics {
    columns = Map.copyOf(columns);
  }

  /**
   * Of one column.
   *
   * @param distinct different values
   * @param nullShare of rows, 0 to 1
   * @param hottestShare rows of the most frequent value, of all rows
   */
  public record ColumnStatistics(
      OptionalLong distinct, OptionalDouble nullShare, OptionalDouble hottestShare) {}
}
