package io.shardwright.migration;

import io.shardwright.catalog.Database;
import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Rows and bytes of each bucket of a group, as its owners have them now. Rows are counted by one
 * scan of each table's primary key; bytes are rows by the average size of a row with its part of
 * the indexes, as the server knows it.
 */
public final class BucketSizes {
  /** A table that takes longer to count than this is not planned by: say so, rather than guess. */
  private static final Duration COUNT_MAX = Duration.ofMinutes(5);

  private static final DatabaseLogin LOGIN =
      new DatabaseLogin(Duration.ofSeconds(5), COUNT_MAX, COUNT_MAX.plusMinutes(1));

  private final long[] rows;
  private final long[] bytes;

  private BucketSizes(int buckets) {
    this.rows = new long[buckets];
    this.bytes = new long[buckets];
  }

  /**
   * @throws ShardwrightException SW401 when a shard cannot be counted
   */
  public static BucketSizes read(Configuration configuration, BucketMap map) {
    BucketSizes sizes = new BucketSizes(map.buckets());
    List<String> tables = new MovingTables(configuration, map.group()).names();
    for (Shard shard : configuration.shards().values()) {
      if (map.shards().contains(shard.id())) {
        try (Connection connection = LOGIN.open(shard.endpoint())) {
          for (String table : tables) {
            sizes.add(connection, configuration.product(), new Place(shard, map, table));
          }
        } catch (SQLException e) {
          throw new ShardwrightException(
              ErrorCode.SHARD_UNAVAILABLE,
              "the rows of group "
                  + map.group()
                  + " on shard "
                  + shard.id()
                  + " cannot be counted ("
                  + e.getMessage()
                  + "); try again, or name the buckets yourself: shardwright move",
              e);
        }
      }
    }
    return sizes;
  }

  private record Place(Shard shard, BucketMap map, String table) {}

  private void add(Connection connection, DatabaseProduct product, Place place)
      throws SQLException {
    String quoted = Database.of(product).quote(place.table);
    TreeMap<Integer, Long> counts = new TreeMap<>();
    long all = 0;
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT bucket_id, count(*) FROM " + quoted + " GROUP BY bucket_id")) {
      while (row.next()) {
        counts.put(row.getInt(1), row.getLong(2));
        all += row.getLong(2);
      }
    }
    long stored = stored(connection, product, place.table).orElse(all);
    for (var count : counts.entrySet()) {
      int bucket = count.getKey();
      // Rows that a move has left, or has brought too early, are not counted twice.
      if (bucket >= 0
          && bucket < rows.length
          && place.map.shardOf(new BucketId(bucket)).equals(place.shard.id())) {
        rows[bucket] += count.getValue();
        bytes[bucket] += (long) ((double) count.getValue() * stored / all);
      }
    }
  }

  /** With indexes and large values. */
  private static Optional<Long> stored(Connection connection, DatabaseProduct product, String table)
      throws SQLException {
    String sql =
        switch (product) {
          case POSTGRESQL -> "SELECT pg_total_relation_size(to_regclass(quote_ident(?)))";
          case MARIADB ->
              "SELECT data_length + index_length FROM information_schema.tables"
                  + " WHERE table_schema = database() AND table_name = ?";
        };
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setString(1, table);
      try (ResultSet row = select.executeQuery()) {
        return row.next() && row.getLong(1) > 0 ? Optional.of(row.getLong(1)) : Optional.empty();
      }
    }
  }

  /** By bucket number. */
  public List<Long> rows() {
    return Arrays.stream(rows).boxed().toList();
  }

  /** By bucket number. */
  public List<Long> bytes() {
    return Arrays.stream(bytes).boxed().toList();
  }
}
