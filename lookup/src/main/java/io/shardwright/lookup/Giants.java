package io.shardwright.lookup;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.TextTable.Field;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.LookupIndex;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the values that very many rows have. */
public final class Giants {
  /** A value with more of the rows is spread: one part in so many. */
  private static final int ROWS_PER_GIANT = 20;

  /** Fewer entries are no load for one shard. */
  private static final int ROWS_MIN = 1_000;

  private final IndexShards shards;
  private final BucketFunction function;
  private final TextTable table;

  private Giants(IndexShards shards, ListIndex index) {
    this.shards = shards;
    this.function = index.function();
    List<Field> columns =
        index.shardBy().stream().map(column -> Field.of(column, column.name())).toList();
    this.table = new TextTable(index.product(), index.table(), columns, List.of());
  }

  /**
   * Counts them, on all shards.
   *
   * @param index nothing of it but table and columns is used
   * @return hashes of their values ({@link BucketFunction#hash})
   */
  public static List<Long> count(IndexShards shards, ListIndex index) throws SQLException {
    Giants giants = new Giants(shards, index);
    List<ShardId> all = shards.map(index.name().group()).shards();
    long rows = 0;
    Set<List<Object>> candidates = new LinkedHashSet<>();
    for (ShardId shard : all) {
      long here = giants.rows(shard);
      rows += here;
      // What has more than a part of all rows has more than that part on one of the shards.
      candidates.addAll(giants.above(shard, here / ROWS_PER_GIANT));
    }
    Map<Long, Long> counts = new HashMap<>();
    for (ShardId shard : all) {
      giants.count(shard, candidates, counts);
    }
    long least = Math.max(ROWS_MIN, rows / ROWS_PER_GIANT);
    return counts.entrySet().stream()
        .filter(count -> count.getValue() > least)
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Of values that the file gives.
   *
   * @throws ShardwrightException SW302 when one is not of its columns' types
   */
  public static List<Long> of(LookupIndex index, List<List<String>> values) {
    List<Long> hashes = new ArrayList<>();
    for (List<String> value : values) {
      index.function().hash(value).ifPresent(hashes::add);
    }
    return hashes;
  }

  private long rows(ShardId shard) throws SQLException {
    try (Connection connection = shards.open(shard, Lane.LISTS)) {
      return new TextTable(
              table.product(), table.name(), List.of(Field.expression("count(*)")), List.of())
          .query(connection, " WHERE " + notNull(), to -> {}).stream()
              .mapToLong(row -> Long.parseLong((String) row.key().get(0)))
              .sum();
    }
  }

  private Set<List<Object>> above(ShardId shard, long count) throws SQLException {
    try (Connection connection = shards.open(shard, Lane.LISTS)) {
      return table
          .query(
              connection,
              " WHERE " + notNull() + " GROUP BY " + columns() + " HAVING count(*) > " + count,
              to -> {})
          .stream()
          .map(TextTable.Row::key)
          .collect(Collectors.toSet());
    }
  }

  /** Texts that a collation takes for one have one hash. */
  private void count(ShardId shard, Set<List<Object>> values, Map<Long, Long> counts)
      throws SQLException {
    if (values.isEmpty()) {
      return;
    }
    TextTable counted =
        new TextTable(
            table.product(), table.name(), table.key(), List.of(Field.expression("count(*)")));
    try (Connection connection = shards.open(shard, Lane.LISTS)) {
      List<TextTable.Row> rows =
          counted.query(
              connection,
              " WHERE " + table.anyOf(values.size()) + " GROUP BY " + columns(),
              to -> table.addKeys(to, values));
      for (TextTable.Row row : rows) {
        function
            .hash(row.key())
            .ifPresent(
                hash -> counts.merge(hash, Long.valueOf((String) row.values().get(0)), Long::sum));
      }
    }
  }

  private String columns() {
    return table.names(table.key());
  }

  private String notNull() {
    return table.key().stream()
        .map(field -> table.quoted(field.name()) + " IS NOT NULL")
        .collect(Collectors.joining(" AND "));
  }
}
