package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.Catalog;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import io.shardwright.testkit.EmbeddedMariaDbServer;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shards with two tables and a mover: databases of their own on one real server. */
final class MovingShards {
  static final int BUCKETS = 64;
  private static final String MOVER = "shardwright_mover";
  private static final String PASSWORD = "mover-password";

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE orders (bucket_id int NOT NULL, buyer_id bigint NOT NULL,"
              + " order_id bigint NOT NULL, amount numeric(12,2),"
              + " PRIMARY KEY (bucket_id, buyer_id, order_id))",
          "CREATE TABLE items (bucket_id int NOT NULL, buyer_id bigint NOT NULL,"
              + " order_id bigint NOT NULL, line int NOT NULL,"
              + " PRIMARY KEY (bucket_id, buyer_id, order_id, line))",
          "CREATE TABLE countries (code int NOT NULL PRIMARY KEY, name varchar(20) NOT NULL)");

  private final Server server;
  private final Path file;
  private final Map<String, String> urls = new TreeMap<>();

  /** A database server that tests share. */
  interface Server {
    String newDatabase();

    String user();

    String password();

    /** Statements that give the mover its rights in the database of the connection. */
    List<String> grants(String database);
  }

  static final Server POSTGRES =
      new Server() {
        @Override
        public String newDatabase() {
          return EmbeddedPostgresServer.shared().createDatabase("moves");
        }

        @Override
        public String user() {
          return EmbeddedPostgresServer.shared().user();
        }

        @Override
        public String password() {
          return EmbeddedPostgresServer.shared().password();
        }

        @Override
        public List<String> grants(String database) {
          return List.of(
              "DO $$ BEGIN CREATE ROLE shardwright_mover LOGIN PASSWORD 'mover-password';"
                  + " EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$",
              "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO shardwright_mover",
              "ALTER DEFAULT PRIVILEGES IN SCHEMA public"
                  + " GRANT ALL ON SEQUENCES TO shardwright_mover");
        }
      };

  static final Server MARIADB =
      new Server() {
        @Override
        public String newDatabase() {
          return EmbeddedMariaDbServer.shared().createDatabase("moves");
        }

        @Override
        public String user() {
          return EmbeddedMariaDbServer.shared().user();
        }

        @Override
        public String password() {
          return EmbeddedMariaDbServer.shared().password();
        }

        @Override
        public List<String> grants(String database) {
          return List.of(
              "CREATE USER IF NOT EXISTS shardwright_mover@'%' IDENTIFIED BY 'mover-password'",
              "GRANT SELECT, INSERT, UPDATE, DELETE, ALTER, CREATE TEMPORARY TABLES ON "
                  + database
                  + ".* TO shardwright_mover@'%'",
              "GRANT PROCESS ON *.* TO shardwright_mover@'%'");
        }
      };

  MovingShards(Server server, Path directory, int shards) throws IOException, SQLException {
    this.server = server;
    StringBuilder yaml = new StringBuilder("# Ours.\nversion: 1\ncatalog: ");
    yaml.append(endpoint(server.newDatabase())).append("\n\nshards:\n");
    for (int i = 0; i < shards; i++) {
      String url = newShard("s" + i);
      yaml.append("  s").append(i).append(": ").append(endpoint(url));
      yaml.append("  # number ").append(i).append('\n');
    }
    yaml.append("\n# Who moves.\nmover: {user: " + MOVER + ", password: " + PASSWORD + "}\n");
    yaml.append(
        "groups: {orders: {key: [buyer_id], buckets: 64, tables: {orders: {}, items: {}}}}\n"
            + "reference: [countries]\n");
    this.file = Files.writeString(directory.resolve("shardwright.yaml"), yaml);
    run("apply");
    for (String shard : List.copyOf(urls.keySet())) {
      createTables(shard);
    }
    Shell.Run applied = run("apply");
    assertThat(applied.exit()).as(applied.out()).isZero();
  }

  private String endpoint(String url) {
    return "{url: \"%s\", user: %s, password: \"%s\"}"
        .formatted(url, server.user(), server.password());
  }

  /** An empty database with a mover. */
  String newShard(String name) throws SQLException {
    String url = server.newDatabase();
    urls.put(name, url);
    try (Connection connection = connect(name)) {
      for (String grant : server.grants(connection.getCatalog())) {
        execute(name, grant);
      }
    }
    return url;
  }

  void createTables(String shard) throws SQLException {
    for (String table : TABLES) {
      execute(shard, table);
    }
  }

  /** By command, with the password that the test's servers want. */
  Shell.Run add(String shard, String url, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("shard", "add", shard, "--url", url, "-c", file.toString()));
    arguments.addAll(List.of(more));
    return Shell.run(arguments.toArray(String[]::new));
  }

  String file() {
    return file.toString();
  }

  String text() throws IOException {
    return Files.readString(file);
  }

  String user() {
    return server.user();
  }

  Shell.Run run(String words, String... more) {
    List<String> arguments = new ArrayList<>(Arrays.asList(words.split(" ")));
    arguments.addAll(List.of(more));
    arguments.addAll(List.of("-c", file.toString()));
    return Shell.run(arguments.toArray(String[]::new));
  }

  /** An order with two items for each of the buyers, and three countries. */
  void fill(int buyers) throws SQLException {
    try (ShardwrightDataSource database = Shardwright.open(file);
        Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO countries VALUES (1, 'France'), (2, 'Malta'), (3, 'Peru')");
      for (int i = 1; i <= buyers; i++) {
        statement.execute(
            "INSERT INTO orders (buyer_id, order_id, amount) VALUES (%d, %d, 1.5)".formatted(i, i));
        for (int line = 1; line <= 2; line++) {
          statement.execute(
              "INSERT INTO items (buyer_id, order_id, line) VALUES (%d, %d, %d)"
                  .formatted(i, i, line));
        }
      }
    }
  }

  /** Rows of the table, by way of the driver. */
  long count(String table) throws SQLException {
    try (ShardwrightDataSource database = Shardwright.open(file);
        Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  Configuration configuration() {
    return ConfigurationReader.read(file);
  }

  BucketMap map() {
    try (Catalog catalog = Catalog.open(configuration())) {
      return catalog.load().maps().get("orders");
    }
  }

  int bucketsOf(String shard) {
    return map().bucketsOf(new ShardId(shard)).size();
  }

  Connection connect(String shard) throws SQLException {
    return DriverManager.getConnection(urls.get(shard), server.user(), server.password());
  }

  void execute(String shard, String sql) throws SQLException {
    try (Connection connection = connect(shard);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
