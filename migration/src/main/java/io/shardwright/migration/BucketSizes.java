package io.shardwright.migration;

import io.shardwright.catalog.Database;
import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.config.Configuration;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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

  /** One table over all shards. */
  private static final class Counted {
    private final long[] rows;

    /** With those that moves have left, or brought too early. */
    private long all;

    private long stored;

    Counted(int buckets) {
      this.rows = new long[buckets];
    }
  }

  /**
   * @throws ShardwrightException SW401 when a shard cannot be counted
   */
  public static BucketSizes read(Configuration configuration, BucketMap map) {
    Map<String, Counted> tables = new TreeMap<>();
    for (String table : new MovingTables(configuration, map.group()).names()) {
      tables.put(table, new Counted(map.buckets()));
    }
    for (ShardId owner : map.shards()) {
      try (Connection connection = LOGIN.open(configuration.shards().get(owner).endpoint())) {
        for (Map.Entry<String, Counted> table : tables.entrySet()) {
          count(connection, owner, map, table.getKey(), table.getValue());
        }
      } catch (SQLException e) {
        throw new ShardwrightException(
            ErrorCode.SHARD_UNAVAILABLE,
            "the rows of group "
                + map.group()
                + " on shard "
                + owner
                + " cannot be counted ("
                + e.getMessage()
                + "); try again, or name the buckets yourself: shardwright move",
            e);
      }
    }
    BucketSizes sizes = new BucketSizes(map.buckets());
    tables.values().forEach(sizes::add);
    return sizes;
  }

  private static void count(
      Connection connection, ShardId shard, BucketMap map, String table, Counted counted)
      throws SQLException {
    DatabaseProduct product = Database.product(connection);
    String quoted = Database.of(product).quote(table);
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT bucket_id, count(*) FROM " + quoted + " GROUP BY bucket_id")) {
      while (row.next()) {
        int bucket = row.getInt(1);
        counted.all += row.getLong(2);
        if (bucket >= 0
            && bucket < map.buckets()
            && map.shardOf(new BucketId(bucket)).equals(shard)) {
          counted.rows[bucket] += row.getLong(2);
        }
      }
    }
    counted.stored += stored(connection, product, table);
  }

  /** By one average over all shards: so a bucket does not change its size when it moves. */
  private void add(Counted counted) {
    double average = counted.all == 0 ? 0 : Math.max(1, (double) counted.stored / counted.all);
    for (int bucket = 0; bucket < rows.length; bucket++) {
      rows[bucket] += counted.rows[bucket];
      bytes[bucket] += Math.round(counted.rows[bucket] * average);
    }
  }

  /** With indexes and large values. */
  private static long stored(Connection connection, DatabaseProduct product, String table)
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
        return row.next() ? row.getLong(1) : 0;
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
