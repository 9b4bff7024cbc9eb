package io.shardwright.bench;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import io.shardwright.testkit.EmbeddedMariaDbServer;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Two shards and a catalog on a server of their own that waits for the disk. Table orders is moved
 * and fenced; table bare has the same columns and no guard. Shard s0 owns the first half of the
 * buckets.
 */
final class MoveShards implements AutoCloseable {
  static final int BUCKETS = 1024;
  private static final int ROWS_OF_A_STATEMENT = 500;
  private static final String MOVER = "shardwright_mover";
  private static final String TABLE =
      "CREATE TABLE %s (bucket_id int NOT NULL, buyer_id bigint NOT NULL, order_id bigint NOT NULL,"
          + " amount bigint NOT NULL, note varchar(200) NOT NULL,"
          + " PRIMARY KEY (bucket_id, buyer_id, order_id))";

  private final DatabaseProduct product;
  private final Server server;
  private final List<String> urls = new ArrayList<>();
  private final Configuration configuration;

  /** An embedded one of either product. */
  private record Server(
      UnaryOperator<String> databases, String user, String password, Path directory, Runnable stop)
      implements AutoCloseable {
    String newDatabase() {
      return databases.apply("bench_moves");
    }

    @Override
    public void close() {
      stop.run();
    }
  }

  MoveShards(DatabaseProduct product) throws SQLException {
    this.product = product;
    this.server = product == DatabaseProduct.POSTGRESQL ? postgres() : mariaDb();
    boolean ready = false;
    try {
      String yaml = "version: 1\ncatalog: " + endpoint(server.newDatabase()) + "shards:\n";
      for (int i = 0; i < 2; i++) {
        urls.add(server.newDatabase());
        yaml += "  s" + i + ": " + endpoint(urls.get(i));
        try (Connection connection = connect(i)) {
          execute(connection, TABLE.formatted("orders"));
          execute(connection, TABLE.formatted("bare"));
          createMover(connection);
        }
      }
      yaml += "mover: {user: " + MOVER + ", password: " + MOVER + "}\n";
      yaml += "groups: {orders: {key: [buyer_id], buckets: 1024, tables: {orders: {}}}}\n";
      this.configuration = ConfigurationReader.parse("bench", yaml, Map.of());
      ApplyReport applied = Apply.run(configuration, Apply.Options.DEFAULT);
      if (!applied.ok()) {
        throw new SQLException("the schema of the benchmark: " + applied.problems());
      }
      ready = true;
    } finally {
      if (!ready) {
        server.close();
      }
    }
  }

  private static Server postgres() {
    EmbeddedPostgresServer server =
        EmbeddedPostgresServer.start(EmbeddedPostgresServer.Options.durable());
    return new Server(
        server::createDatabase,
        server.user(),
        server.password(),
        server.directory(),
        server::close);
  }

  private static Server mariaDb() {
    EmbeddedMariaDbServer server =
        EmbeddedMariaDbServer.start(EmbeddedMariaDbServer.Options.durable());
    return new Server(
        server::createDatabase,
        server.user(),
        server.password(),
        server.directory(),
        server::close);
  }

  private void createMover(Connection connection) throws SQLException {
    if (product == DatabaseProduct.MARIADB) {
      execute(
          connection, "CREATE USER IF NOT EXISTS " + MOVER + "@'%' IDENTIFIED BY '" + MOVER + "'");
      execute(
          connection,
          "GRANT SELECT, INSERT, UPDATE, DELETE, ALTER, CREATE TEMPORARY TABLES ON "
              + connection.getCatalog()
              + ".* TO "
              + MOVER
              + "@'%'");
      execute(connection, "GRANT PROCESS ON *.* TO " + MOVER + "@'%'");
    } else if (urls.size() == 1) {
      // Roles are the server's.
      execute(connection, "CREATE ROLE " + MOVER + " LOGIN PASSWORD '" + MOVER + "'");
    }
  }

  private String endpoint(String url) {
    return "{url: \"%s\", user: %s, password: \"%s\"}\n"
        .formatted(url, server.user(), server.password());
  }

  DatabaseProduct product() {
    return product;
  }

  Configuration configuration() {
    return configuration;
  }

  /** Where the server's files are. */
  Path directory() {
    return server.directory();
  }

  /** To a shard, as the application. */
  Connection connect(int shard) throws SQLException {
    return DriverManager.getConnection(urls.get(shard), server.user(), server.password());
  }

  /** Rows of some 200 bytes in all buckets of s0, of which {@code first} is the first number. */
  void fill(String table, long first, int rows) throws SQLException {
    try (Connection connection = connect(0)) {
      connection.setAutoCommit(false);
      for (int from = 0; from < rows; from += ROWS_OF_A_STATEMENT) {
        StringBuilder insert = new StringBuilder("INSERT INTO " + table + " VALUES ");
        int count = Math.min(ROWS_OF_A_STATEMENT, rows - from);
        for (int i = 0; i < count; i++) {
          long number = first + from + i;
          insert.append(i == 0 ? "(" : ", (").append(number % (BUCKETS / 2)).append(", ");
          insert.append(number).append(", ").append(number).append(", 7, '");
          insert.append("n".repeat(150)).append("')");
        }
        execute(connection, insert.toString());
      }
      connection.commit();
    }
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
