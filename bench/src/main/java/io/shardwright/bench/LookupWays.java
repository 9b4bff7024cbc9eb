package io.shardwright.bench;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.LookupIndexes;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What does a lookup index cost? Reads and writes of one table on four shards in turn, one thread:
 * by the route key, which is the yardstick, and through each kind of index. Medians.
 */
final class LookupWays implements AutoCloseable {
  private static final int SHARDS = 4;
  private static final int PAGE = 20;

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
      """;

  private final ShardwrightDataSource database;
  private final int rounds;
  private final Map<String, double[]> micros = new LinkedHashMap<>();

  /** One call. */
  private interface Work {
    void run(int round) throws SQLException;
  }

  private LookupWays(ShardwrightDataSource database, int rounds) {
    this.database = database;
    this.rounds = rounds;
  }

  static LookupWays open(int rounds) throws SQLException {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();
    String login = "\", user: " + server.user() + ", password: " + server.password() + "}\n";
    StringBuilder yaml = new StringBuilder("version: 1\ncatalog: {url: \"");
    yaml.append(server.createDatabase("bench_catalog")).append(login).append("shards:\n");
    for (int i = 0; i < SHARDS; i++) {
      String url = server.createDatabase("bench_lookup");
      try (Connection connection =
              DriverManager.getConnection(url, server.user(), server.password());
          Statement statement = connection.createStatement()) {
        statement.execute(TABLE.formatted("plain"));
        statement.execute(TABLE.formatted("orders"));
        statement.execute(TABLE.formatted("listed"));
      }
      yaml.append("  s").append(i).append(": {url: \"").append(url).append(login);
    }
    Configuration file = ConfigurationReader.parse("bench", yaml + GROUP, Map.of());
    ApplyReport applied = Apply.run(file, Apply.Options.DEFAULT);
    if (!applied.ok()) {
      throw new SQLException("the schema of the benchmark: " + applied.problems());
    }
    LookupWays ways = new LookupWays(Shardwright.open(file), rounds);
    ways.fill();
    return ways;
  }

  private void fill() throws SQLException {
    for (int i = 0; i < ROWS; i++) {
      insert("plain", i);
      insert("orders", i);
      insert("listed", i);
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
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    micros.forEach(
        (way, times) -> {
          Arrays.sort(times);
          medians.put(way, times[times.length / 2]);
        });
    return medians;
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
