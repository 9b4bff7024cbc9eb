package io.shardwright.bench;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/**
 * What do reads of eight shards cost on top of the same statements sent by hand? Rounds in turn:
 * the driver, then one statement per shard by hand, all at once and without a merge; for the scan
 * one shard after the other through one raw connection each. Medians.
 */
final class WideReads {
  static final int SHARDS = 8;
  private static final int KEYS = 100;
  private static final int FETCH_SIZE = 1_000;

  private final DataSource shardwright;
  private final HandRouter byHand;
  private final int rounds;

  /** Medians. */
  record Result(double shardwrightMicros, double byHandMicros) {
    double ratio() {
      return shardwrightMicros / byHandMicros;
    }
  }

  /** What one shard is asked. */
  private record Part(HikariDataSource shard, String sql, List<Long> parameters) {}

  private interface Work {
    long rows() throws SQLException, InterruptedException, ExecutionException;
  }

  WideReads(DataSource shardwright, HandRouter byHand, int rounds) {
    this.shardwright = shardwright;
    this.byHand = byHand;
    this.rounds = rounds;
  }

  /**
   * 100 orders by their keys. By hand with their buckets, as the driver does it: without them a
   * shard reads its whole table.
   */
  Result inList() throws SQLException, InterruptedException, ExecutionException {
    List<Long> all = new ArrayList<>();
    List<List<Long>> byShard = new ArrayList<>();
    byHand.pools().forEach(pool -> byShard.add(new ArrayList<>()));
    for (int row = 0; row < KEYS; row++) {
      Workload.OrderKey key = Workload.OrderKey.ofRow(row);
      List<Long> values = List.of(key.tenantId(), key.buyerId(), key.orderId());
      int bucket = HandRouter.bucket(key.tenantId(), key.buyerId());
      List<Long> shard = byShard.get(byHand.shard(bucket));
      shard.add((long) bucket);
      shard.addAll(values);
      all.addAll(values);
    }
    List<Part> parts = new ArrayList<>();
    for (int shard = 0; shard < byShard.size(); shard++) {
      List<Long> values = byShard.get(shard);
      if (!values.isEmpty()) {
        parts.add(new Part(byHand.pools().get(shard), inList("bucket_id, ", 4, values), values));
      }
    }
    String logical = inList("", 3, all);
    return together(() -> read(shardwright, logical, all), parts, KEYS);
  }

  private static String inList(String first, int columns, List<Long> values) {
    String tuple = "(?" + ", ?".repeat(columns - 1) + ")";
    return "SELECT order_id, status, total_amount FROM orders WHERE ("
        + first
        + "tenant_id, buyer_id, order_id) IN ("
        + String.join(", ", Collections.nCopies(values.size() / columns, tuple))
        + ")";
  }

  /** The newest 100 of all, against the newest 100 of each. */
  Result top() throws SQLException, InterruptedException, ExecutionException {
    List<Part> parts =
        byHand.pools().stream().map(pool -> new Part(pool, Workload.TOP_100, List.of())).toList();
    return together(() -> read(shardwright, Workload.TOP_100, List.of()), parts, 0);
  }

  /** Every row of every shard, some at a time. */
  Result scan() throws SQLException, InterruptedException, ExecutionException {
    return measure(
        () -> scan(shardwright),
        () -> {
          long rows = 0;
          for (HikariDataSource shard : byHand.pools()) {
            rows += scan(shard);
          }
          return rows;
        });
  }

  /**
   * @param expected rows by hand, 0: not compared, since every shard gives its own
   */
  private Result together(Work driver, List<Part> parts, long expected)
      throws SQLException, InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(parts.size());
    try {
      return measure(
          driver,
          () -> {
            List<Future<Long>> reads = new ArrayList<>();
            for (Part part : parts) {
              reads.add(threads.submit(() -> read(part.shard(), part.sql(), part.parameters())));
            }
            long rows = 0;
            for (Future<Long> read : reads) {
              rows += read.get();
            }
            return expected == 0 ? -1 : rows;
          });
    } finally {
      threads.shutdownNow();
    }
  }

  private Result measure(Work driver, Work yardstick)
      throws SQLException, InterruptedException, ExecutionException {
    double[] ours = new double[rounds];
    double[] hand = new double[rounds];
    for (int round = -rounds / 2; round < rounds; round++) {
      long start = System.nanoTime();
      long rows = driver.rows();
      long middle = System.nanoTime();
      long handRows = yardstick.rows();
      long end = System.nanoTime();
      if (rows == 0 || (handRows >= 0 && rows != handRows)) {
        throw new SQLException(rows + " rows, by hand " + handRows);
      }
      if (round >= 0) {
        ours[round] = (middle - start) / 1e3;
        hand[round] = (end - middle) / 1e3;
      }
    }
    return new Result(ColdStart.median(ours), ColdStart.median(hand));
  }

  private static long read(DataSource source, String sql, List<Long> parameters)
      throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.size(); i++) {
        statement.setLong(i + 1, parameters.get(i));
      }
      try (ResultSet rows = statement.executeQuery()) {
        return count(rows);
      }
    }
  }

  private static long scan(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      long rows;
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(FETCH_SIZE);
        try (ResultSet all = statement.executeQuery(Workload.SCAN)) {
          rows = count(all);
        }
      }
      connection.commit();
      return rows;
    }
  }

  private static long count(ResultSet rows) throws SQLException {
    long count = 0;
    while (rows.next()) {
      if (rows.getLong(1) >= 0) {
        count++;
      }
    }
    return count;
  }
}
