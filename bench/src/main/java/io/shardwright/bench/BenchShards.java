package io.shardwright.bench;

import io.shardwright.bench.stub.StubDatabase;
import io.shardwright.bench.stub.StubDriver;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Four shards, set up as a user would, and the file that leads to them: four databases of this
 * process's one embedded server, or stubs that answer from memory.
 */
final class BenchShards implements AutoCloseable {
  private static final Instant FIRST_ORDER = Instant.parse("2026-01-01T00:00:00Z");
  private static final int BATCH_ROWS = 1_000;

  private final EmbeddedPostgresServer server;
  private final List<String> urls;
  private final Path configuration;

  private BenchShards(EmbeddedPostgresServer server, List<String> urls) throws IOException {
    this.server = server;
    this.urls = List.copyOf(urls);
    this.configuration = Files.createTempFile("shardwright-bench", ".yaml");
    Files.writeString(
        configuration, Workload.configuration(urls, server.user(), server.password()));
  }

  /**
   * @param rows orders to load, spread by the hash of their keys
   */
  static BenchShards real(int rows) throws SQLException, IOException {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();
    List<String> urls = databases(server, Workload.SHARDS);
    load(server, urls, rows);
    return new BenchShards(server, urls);
  }

  /**
   * @param rows orders to load, spread by the hash of their keys
   * @param scanned rows of one tenant that are added, evenly, wherever their key belongs: for reads
   *     of everything
   */
  static BenchShards wide(int shards, int rows, int scanned) throws SQLException, IOException {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();
    List<String> urls = databases(server, shards);
    load(server, urls, rows);
    for (String url : urls) {
      try (Connection connection =
              DriverManager.getConnection(url, server.user(), server.password());
          Statement statement = connection.createStatement()) {
        statement.execute(
            "INSERT INTO orders SELECT 0, 0, 0, 1000000000 + i, 'PAID', i, '2020-01-01'"
                + " FROM generate_series(1, "
                + scanned / shards
                + ") i");
        statement.execute("VACUUM ANALYZE orders");
      }
    }
    return new BenchShards(server, urls);
  }

  /** Stubs that ask a server what they do not know until {@link #seal()}. */
  static BenchShards stub() throws SQLException, IOException {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();
    List<String> stubs = new ArrayList<>();
    for (String real : databases(server, Workload.SHARDS)) {
      stubs.add(StubDriver.add(real, server.user(), server.password()));
    }
    return new BenchShards(server, stubs);
  }

  /** The same shards behind other urls. */
  BenchShards through(List<String> otherUrls) throws IOException {
    return new BenchShards(server, otherUrls);
  }

  /** Cuts the stubs off: from here on nothing leaves the memory of this process. */
  void seal() {
    stubs().forEach(StubDatabase::seal);
  }

  List<String> urls() {
    return urls;
  }

  List<StubDatabase> stubs() {
    return urls.stream().map(StubDriver::database).toList();
  }

  String user() {
    return server.user();
  }

  String password() {
    return server.password();
  }

  int port() {
    return server.port();
  }

  /** Path of shardwright.yaml. */
  Path configuration() {
    return configuration;
  }

  HandRouter handRouter() {
    return new HandRouter(urls, user(), password());
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(configuration);
  }

  private static List<String> databases(EmbeddedPostgresServer server, int shards)
      throws SQLException, IOException {
    List<String> urls = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      String url = server.createDatabase("bench");
      urls.add(url);
      try (Connection connection =
              DriverManager.getConnection(url, server.user(), server.password());
          Statement statement = connection.createStatement()) {
        for (String table : Workload.TABLES) {
          statement.execute(table);
        }
      }
    }
    Path file = Files.createTempFile("shardwright-bench", ".yaml");
    Files.writeString(file, Workload.configuration(urls, server.user(), server.password()));
    ApplyReport report = Apply.run(ConfigurationReader.read(file), Apply.Options.DEFAULT);
    Files.delete(file);
    if (!report.problems().isEmpty()) {
      throw new IllegalStateException("apply: " + report.problems());
    }
    return urls;
  }

  private static void load(EmbeddedPostgresServer server, List<String> urls, int rows)
      throws SQLException {
    for (int shard = 0; shard < urls.size(); shard++) {
      try (Connection connection =
              DriverManager.getConnection(urls.get(shard), server.user(), server.password());
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)");
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        int pending = 0;
        for (int row = 0; row < rows; row++) {
          Workload.OrderKey key = Workload.OrderKey.ofRow(row);
          int bucket = HandRouter.bucket(key.tenantId(), key.buyerId());
          if (bucket * urls.size() / Workload.BUCKETS == shard) {
            bind(insert, bucket, key, row);
            if (++pending % BATCH_ROWS == 0) {
              insert.executeBatch();
            }
          }
        }
        insert.executeBatch();
        connection.commit();
        connection.setAutoCommit(true);
        statement.execute("VACUUM ANALYZE orders");
      }
    }
  }

  private static void bind(PreparedStatement insert, int bucket, Workload.OrderKey key, int row)
      throws SQLException {
    insert.setInt(1, bucket);
    insert.setLong(2, key.tenantId());
    insert.setLong(3, key.buyerId());
    insert.setLong(4, key.orderId());
    insert.setString(5, "PAID");
    insert.setBigDecimal(6, BigDecimal.valueOf(row, 2));
    insert.setTimestamp(7, Timestamp.from(FIRST_ORDER.plusSeconds(row)));
    insert.addBatch();
  }
}
