package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.shardwright.config.Configuration;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * What the driver adds to a prepared point SELECT over a pool, in allocated bytes, which are exact
 * where time is not. Time is measured by the benchmarks.
 */
class PointSelectCostTest extends FourShards {
  private static final String SQL = "SELECT t FROM samples WHERE bucket_id = ? AND k = ?";
  private static final int WARM_UP = 8_000;
  private static final int RUNS = 1_000;

  /** Code that is not compiled yet allocates more: the least of so many rounds is what it needs. */
  private static final int ROUNDS = 8;

  private static final long MAX_ADDED_BYTES = 1_024;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void pointSelect_addsAboutAKilobyte() throws SQLException {
    long key = shards.keyOn(1, 0);
    shards.update("INSERT INTO samples (k, id, t) VALUES (?, 1, 'x')", key);
    Configuration.Shard shard =
        shards.configuration().shards().values().stream().skip(1).findFirst().orElseThrow();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(shard.endpoint().url());
    config.setUsername(shard.endpoint().user());
    config.setPassword(shard.endpoint().password());
    config.setMaximumPoolSize(1);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      int bucket =
          shards
              .source()
              .explain("SELECT 1 FROM samples WHERE k = ?", java.util.List.of(key))
              .statements()
              .get(0)
              .buckets()
              .get(0)
              .value();
      byHand(pool, bucket, key, WARM_UP);
      throughDriver(shards.source(), key, WARM_UP);

      long added = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) {
        long start = THREADS.getCurrentThreadAllocatedBytes();
        byHand(pool, bucket, key, RUNS);
        long middle = THREADS.getCurrentThreadAllocatedBytes();
        throughDriver(shards.source(), key, RUNS);
        long end = THREADS.getCurrentThreadAllocatedBytes();
        added = Math.min(added, ((end - middle) - (middle - start)) / RUNS);
      }
      assertThat(added).isLessThanOrEqualTo(MAX_ADDED_BYTES);
    }
  }

  private static void byHand(DataSource pool, int bucket, long key, int runs) throws SQLException {
    for (int i = 0; i < runs; i++) {
      try (Connection connection = pool.getConnection();
          PreparedStatement select = connection.prepareStatement(SQL)) {
        select.setLong(1, bucket);
        select.setLong(2, key);
        read(select);
      }
    }
  }

  private static void throughDriver(DataSource source, long key, int runs) throws SQLException {
    for (int i = 0; i < runs; i++) {
      try (Connection connection = source.getConnection();
          PreparedStatement select =
              connection.prepareStatement("SELECT t FROM samples WHERE k = ?")) {
        select.setLong(1, key);
        read(select);
      }
    }
  }

  private static void read(PreparedStatement select) throws SQLException {
    try (ResultSet rows = select.executeQuery()) {
      if (!rows.next() || !rows.getString(1).equals("x")) {
        throw new AssertionError("the row is missing");
      }
    }
  }
}
