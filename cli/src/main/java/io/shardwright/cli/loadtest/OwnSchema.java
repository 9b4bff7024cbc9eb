package io.shardwright.cli.loadtest;

import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Orders and lines on databases of the load test's own, and the configuration for them. */
final class OwnSchema {
  /** Of those who are admitted. */
  static final int CONCURRENCY = 256;

  /** Of the role that a burst does not fit into; as many more wait. */
  static final int NARROW = 1;

  static final Duration SHARD_TIMEOUT = Duration.ofSeconds(1);

  private static final String TABLES =
      """
      CREATE TABLE orders (
        bucket_id int NOT NULL, order_id bigint NOT NULL, buyer_id bigint NOT NULL,
        status int NOT NULL, amount_cent bigint NOT NULL, created_at MOMENT NOT NULL,
        PRIMARY KEY (bucket_id, order_id));
      CREATE INDEX orders_created ON orders (created_at, order_id, bucket_id);
      CREATE INDEX orders_buyer ON orders (buyer_id, created_at, order_id);
      CREATE TABLE order_lines (
        bucket_id int NOT NULL, line_id bigint NOT NULL, order_id bigint NOT NULL,
        buyer_id bigint NOT NULL, quantity int NOT NULL, price_cent bigint NOT NULL,
        created_at MOMENT NOT NULL, PRIMARY KEY (bucket_id, line_id));
      CREATE INDEX order_lines_created ON order_lines (created_at, line_id, bucket_id)
      """;

  private static final DatabaseLogin LOGIN =
      new DatabaseLogin(Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofSeconds(305));

  private final Configuration configuration;
  private final String token = UUID.randomUUID().toString();
  private final String narrowToken = UUID.randomUUID().toString();

  /**
   * @param databases that were created
   */
  OwnSchema(OwnDatabases databases, Configuration servers) {
    Map<String, String> variables = new HashMap<>();
    StringBuilder yaml = new StringBuilder("version: 1\ncatalog: ");
    yaml.append(endpoint("CATALOG", databases.catalog(), variables)).append("}\nshards:\n");
    int number = 0;
    for (Shard shard : servers.shards().values()) {
      String name = "S" + number++;
      yaml.append("  ").append(shard.id()).append(": ");
      yaml.append(endpoint(name, databases.shards().get(shard.id()), variables));
      yaml.append(", pool: {max: ").append(shard.pool().max()).append("}}\n");
    }
    boolean postgres = servers.product() == DatabaseProduct.POSTGRESQL;
    yaml.append(
        """
        groups:
          orders:
            key: [buyer_id]
            buckets: 1024
            tables:
              orders: {unique: {%s: id}}
              order_lines: {unique: {%s: id}}
        query:
          timeout: 2s
          shard_timeout: %dms
          rows: 1000
          rate: 10000
          cursor_keys: ["%s"]
          tables:
            orders:
              id: [order_id]
              times: {created: created_at}
              select: [order_id, buyer_id, status, amount_cent, created_at]
              filter: [buyer_id, status]
              order: [amount_cent]
              span: 8784h
            order_lines:
              id: [line_id]
              times: {created: created_at}
              select: [line_id, buyer_id, quantity, price_cent, created_at]
              span: 8784h
          roles:
            traffic: {concurrency: %d}
            narrow: {concurrency: %d}
          tokens:
          - {name: traffic, role: traffic, hash: "sha256:%s"}
          - {name: narrow, role: narrow, hash: "sha256:%s"}
        """
            .formatted(
                postgres ? "orders_pkey" : "PRIMARY",
                postgres ? "order_lines_pkey" : "PRIMARY",
                SHARD_TIMEOUT.toMillis(),
                UUID.randomUUID(),
                CONCURRENCY,
                NARROW,
                hash(token),
                hash(narrowToken)));
    configuration = ConfigurationReader.parse("loadtest", yaml.toString(), variables);
  }

  private static String endpoint(String name, Endpoint endpoint, Map<String, String> variables) {
    variables.put(name + "_URL", endpoint.url());
    variables.put(name + "_USER", endpoint.user());
    variables.put(name + "_PASSWORD", endpoint.password());
    return "{url: \"${%1$s_URL}\", user: \"${%1$s_USER}\", password: \"${%1$s_PASSWORD}\""
        .formatted(name);
  }

  private static String hash(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  Configuration configuration() {
    return configuration;
  }

  /** Of a caller who is admitted. */
  String token() {
    return token;
  }

  /** Of a caller of whose queries {@link #NARROW} run at a time. */
  String narrowToken() {
    return narrowToken;
  }

  /** Creates the tables, and what belongs to them. */
  void create() throws SQLException {
    boolean postgres = configuration.product() == DatabaseProduct.POSTGRESQL;
    String tables = TABLES.replace("MOMENT", postgres ? "timestamptz" : "datetime(6)");
    onEachShard(List.of(tables.split(";\\n", -1)));
    ApplyReport report = Apply.run(configuration, Apply.Options.DEFAULT);
    if (!report.ok()) {
      throw new ShardwrightException(
          report.problems().get(0).code(),
          "the databases of the load test cannot be used: "
              + String.join("; ", report.problems().stream().map(Object::toString).toList()));
    }
  }

  /** So that plans are those of a database in use. */
  void analyze() throws SQLException {
    boolean postgres = configuration.product() == DatabaseProduct.POSTGRESQL;
    onEachShard(
        List.of(
            postgres ? "VACUUM ANALYZE orders" : "ANALYZE TABLE orders",
            postgres ? "VACUUM ANALYZE order_lines" : "ANALYZE TABLE order_lines"));
  }

  private void onEachShard(List<String> statements) throws SQLException {
    for (Shard shard : configuration.shards().values()) {
      try (Connection connection = LOGIN.open(shard.endpoint());
          Statement statement = connection.createStatement()) {
        for (String sql : statements) {
          statement.execute(sql);
        }
      } catch (SQLException e) {
        throw new SQLException(
            "shard " + shard.id() + ": " + e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
      }
    }
  }
}
