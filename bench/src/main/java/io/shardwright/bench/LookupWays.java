package io.shardwright.bench;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.LookupIndexes;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * What does a lookup index cost? Reads and writes of one table on four shards in turn, one thread:
 * by the route key, which is the yardstick, and through each kind of index. Medians.
 */
final class LookupWays implements AutoCloseable {
  private static final int SHARDS = 4;
  private static final int BUCKETS = 1024;
  private static final int PAGE = 20;
  private static final int BULK_ROUNDS = 3;
  private static final long POLL_NANOS = 2_000_000;

  /** Rows that are there before; those of one seller fill a page. */
  private static final int ROWS = 400;

  private static final String TABLE =
      """
      CREATE TABLE %1$s (
        bucket_id int NOT NULL, order_id bigint NOT NULL, buyer_id bigint NOT NULL,
        seller_id bigint NOT NULL, order_no text NOT NULL, cached_no text NOT NULL,
        PRIMARY KEY (bucket_id, order_id));
      CREATE INDEX %1$s_buyer ON %1$s (bucket_id, buyer_id);
      CREATE INDEX %1$s_no ON %1$s (bucket_id, order_no);
      CREATE INDEX %1$s_cached ON %1$s (bucket_id, cached_no);
      """;

  private static final String GROUP =
      """
      groups:
        plain:
          key: [buyer_id]
          buckets: 1024
          id: {column: order_id}
          tables: {plain: {}}
        orders:
          key: [buyer_id]
          buckets: 1024
          id: {column: order_id}
          tables: {orders: {}}
          indexes:
            by_order_no: {columns: [order_no], unique: true}
        listed:
          key: [buyer_id]
          buckets: 1024
          id: {column: order_id}
          tables: {listed: {}}
          indexes:
            by_cached_no: {columns: [cached_no], unique: true, cache: {}}
            by_seller: {columns: [seller_id, order_id], unique: false}
        told:
          key: [buyer_id]
          buckets: 1024
          id: {column: order_id}
          tables: {told: {}}
          indexes:
            by_seller: {columns: [seller_id, order_id], unique: false}
      """;

  private final ShardwrightDataSource database;
  private final List<Shard> shards;
  private final int rounds;
  private final Map<String, double[]> micros = new LinkedHashMap<>();

  /** One call. */
  private interface Work {
    void run(int round) throws SQLException;
  }

  /**
   * Beside the driver.
   *
   * @param bucket one that it has
   */
  private record Shard(String url, String user, String password, int bucket) {
    Connection open() throws SQLException {
      return DriverManager.getConnection(url, user, password);
    }
  }

  private LookupWays(ShardwrightDataSource database, List<Shard> shards, int rounds) {
    this.database = database;
    this.shards = shards;
    this.rounds = rounds;
  }

  static LookupWays open(int rounds) throws SQLException {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();
    String login = "\", user: " + server.user() + ", password: " + server.password() + "}\n";
    List<Shard> shards = new ArrayList<>();
    StringBuilder yaml = new StringBuilder("version: 1\ncatalog: {url: \"");
    yaml.append(server.createDatabase("bench_catalog")).append(login).append("shards:\n");
    for (int i = 0; i < SHARDS; i++) {
      String url = server.createDatabase("bench_lookup");
      shards.add(new Shard(url, server.user(), server.password(), i * BUCKETS / SHARDS));
      try (Connection connection =
              DriverManager.getConnection(url, server.user(), server.password());
          Statement statement = connection.createStatement()) {
        statement.execute(TABLE.formatted("plain"));
        statement.execute(TABLE.formatted("orders"));
        statement.execute(TABLE.formatted("listed"));
        statement.execute(TABLE.formatted("told"));
      }
      yaml.append("  s").append(i).append(": {url: \"").append(url).append(login);
    }
    Configuration file = ConfigurationReader.parse("bench", yaml + GROUP, Map.of());
    ApplyReport applied = Apply.run(file, Apply.Options.DEFAULT);
    if (!applied.ok()) {
      throw new SQLException("the schema of the benchmark: " + applied.problems());
    }
    LookupWays ways = new LookupWays(Shardwright.open(file), shards, rounds);
    ways.fill();
    return ways;
  }

  private void fill() throws SQLException {
    for (int i = 0; i < ROWS; i++) {
      insert("plain", i);
      insert("orders", i);
      insert("listed", i);
      insert("told", i);
    }
    LookupIndexes indexes = database.lookupIndexes();
    for (String index : indexes.names()) {
      indexes.create(index, 0, (done, all, report) -> {});
    }
  }

  private void insert(String table, int number) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO "
                    + table
                    + " (buyer_id, seller_id, order_no, cached_no) VALUES (?, ?, ?, ?)")) {
      insert.setLong(1, number);
      insert.setLong(2, number / PAGE);
      insert.setString(3, "N-" + number);
      insert.setString(4, "N-" + number);
      insert.executeUpdate();
    }
  }

  private void read(String sql, Object value, int rows) throws SQLException {
    int found = 0;
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setObject(1, value);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          found++;
        }
      }
    }
    if (found != rows) {
      throw new SQLException(found + " rows: " + sql);
    }
  }

  /** Median microseconds by way. */
  Map<String, Double> run() throws SQLException {
    for (int round = -rounds / 4; round < rounds; round++) {
      long number = Math.floorMod(round * 31L, (long) ROWS);
      measure("key", round, r -> read("SELECT order_id FROM orders WHERE buyer_id = ?", number, 1));
      measure(
          "index",
          round,
          r -> read("SELECT order_id FROM orders WHERE order_no = ?", "N-" + number, 1));
      measure(
          "cache",
          round,
          r -> read("SELECT order_id FROM listed WHERE cached_no = ?", "N-" + number, 1));
      measure(
          "page",
          round,
          r ->
              read(
                  "SELECT order_id FROM listed WHERE seller_id = ? ORDER BY order_id DESC LIMIT "
                      + PAGE,
                  number / PAGE,
                  PAGE));
      measure("insert", round, r -> insert("plain", fresh(r)));
      measure("insert, unique index", round, r -> insert("orders", fresh(r)));
      measure("insert, list index", round, r -> insert("told", fresh(r)));
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    micros.forEach(
        (way, times) -> {
          Arrays.sort(times);
          medians.put(way, times[times.length / 2]);
        });
    return medians;
  }

  /**
   * Microseconds a row, of rows that one statement inserts on each shard beside the driver.
   *
   * @param rows in each of these statements
   */
  Map<String, Double> bulk(int rows) throws SQLException {
    double plain = Double.MAX_VALUE;
    double told = Double.MAX_VALUE;
    double delivered = Double.MAX_VALUE;
    for (int round = 0; round < BULK_ROUNDS; round++) {
      plain = Math.min(plain, micros(rows, insertMany("plain", round, rows)));
      long start = System.nanoTime();
      told = Math.min(told, micros(rows, insertMany("told", round, rows)));
      while (isWaiting()) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      delivered = Math.min(delivered, micros(rows, System.nanoTime() - start));
    }
    return Map.of("plain", plain, "told", told, "delivered", delivered);
  }

  private static double micros(int rows, long nanos) {
    return nanos / 1e3 / SHARDS / rows;
  }

  /** Nanoseconds that it took. */
  private long insertMany(String table, int round, int rows) throws SQLException {
    GeneIdLayout layout = GeneIdLayout.forBuckets(BUCKETS);
    long start = System.nanoTime();
    for (Shard shard : shards) {
      try (Connection connection = shard.open();
          Statement insert = connection.createStatement()) {
        insert.executeUpdate(
            "INSERT INTO %s SELECT %d, ((%d + g)::bigint << %d) | %d, g, g %% 500, 'B' || g, 'B' || g"
                    .formatted(
                        table,
                        shard.bucket(),
                        (long) round * rows,
                        layout.geneShift() + Integer.numberOfTrailingZeros(BUCKETS),
                        (long) shard.bucket() << layout.geneShift())
                + " FROM generate_series(1, "
                + rows
                + ") g");
      }
    }
    return System.nanoTime() - start;
  }

  private boolean isWaiting() throws SQLException {
    for (Shard shard : shards) {
      try (Connection connection = shard.open();
          Statement select = connection.createStatement();
          ResultSet row =
              select.executeQuery(
                  "SELECT EXISTS (SELECT 1 FROM shardwright_outbox_told_by_seller)")) {
        row.next();
        if (row.getBoolean(1)) {
          return true;
        }
      }
    }
    return false;
  }

  private int fresh(int round) {
    return 1_000_000 + rounds + round;
  }

  private void measure(String way, int round, Work work) throws SQLException {
    long start = System.nanoTime();
    work.run(round);
    long end = System.nanoTime();
    if (round >= 0) {
      micros.computeIfAbsent(way, w -> new double[rounds])[round] = (end - start) / 1e3;
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
