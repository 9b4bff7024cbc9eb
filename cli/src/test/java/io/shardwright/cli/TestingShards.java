package io.shardwright.cli;

import io.shardwright.testkit.EmbeddedPostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A catalog and empty shards, databases of one real server, and the shardwright.yaml for them. */
final class TestingShards {
  static final String SCHEMA =
      """
      CREATE TABLE countries (country_id integer PRIMARY KEY, name text NOT NULL);
      CREATE TABLE orders (
        bucket_id integer NOT NULL, order_id bigint NOT NULL, tenant_id bigint NOT NULL,
        buyer_id bigint NOT NULL, note text, amount numeric(12, 3), paid boolean, raw bytea,
        created_at timestamptz(6), seen_at timestamp(6), day date, ratio float8,
        PRIMARY KEY (bucket_id, tenant_id, buyer_id, order_id));
      CREATE TABLE addresses (
        bucket_id integer NOT NULL, tenant_id bigint NOT NULL, customer_id bigint NOT NULL,
        city text, PRIMARY KEY (bucket_id, tenant_id, customer_id));
      """;

  private static final EmbeddedPostgresServer SERVER = EmbeddedPostgresServer.shared();

  private final List<String> urls = new ArrayList<>();
  private final Path file;

  /**
   * @param indexes of group orders, as the file has them
   */
  private TestingShards(Path directory, int shards, String indexes) {
    StringBuilder yaml = new StringBuilder("version: 1\ncatalog: ");
    yaml.append(endpoint(SERVER.createDatabase("catalog"))).append("\nshards:\n");
    for (int i = 0; i < shards; i++) {
      urls.add(SERVER.createDatabase("shard"));
      yaml.append("  s").append(i).append(": ").append(endpoint(urls.get(i))).append('\n');
    }
    yaml.append(
        """
        groups:
          orders:
            key: [tenant_id, buyer_id]
            buckets: 1024
            tables:
              orders: {}
              addresses: {key: [tenant_id, customer_id]}
            indexes: %s
        reference: [countries]
        """
            .formatted(indexes));
    this.file = directory.resolve("shardwright.yaml");
    try {
      Files.writeString(file, yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without tables, and apply not run. */
  static TestingShards empty(Path directory, int shards) {
    return new TestingShards(directory, shards, "{}");
  }

  /** With the tables, applied. */
  static TestingShards ready(Path directory, int shards) {
    return ready(directory, shards, "{}");
  }

  /** The same with lookup indexes that are declared and not created. */
  static TestingShards ready(Path directory, int shards, String indexes) {
    TestingShards ready = new TestingShards(directory, shards, indexes);
    Shell.run("apply", "-c", ready.file());
    Shell.Run created = Shell.withInput(SCHEMA, "sql", "-c", ready.file(), "-f", "-");
    Shell.Run applied = Shell.run("apply", "-c", ready.file());
    if (created.exit() != 0 || applied.exit() != 0) {
      throw new AssertionError(created + "\n" + applied);
    }
    return ready;
  }

  String file() {
    return file.toString();
  }

  /** Past Shardwright, on one shard. */
  void execute(int shard, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(urls.get(shard), SERVER.user(), SERVER.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String endpoint(String url) {
    return "{url: \""
        + url
        + "\", user: "
        + SERVER.user()
        + ", password: "
        + SERVER.password()
        + "}";
  }
}
