package io.shardwright.examples.frameworks;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.examples.orders.OrderIds;
import io.shardwright.examples.orders.SchemaScript;
import io.shardwright.ids.GeneIdGenerator;
import io.shardwright.ids.NodeLease;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Two shards and a catalog on the server of this JVM, with the tables of the orders example. */
final class TestingOrdersDatabase implements AutoCloseable {
  private static final EmbeddedPostgresServer SERVER = EmbeddedPostgresServer.shared();

  private final Path file;
  private final ShardwrightDataSource source;
  private final OrderIds ids;
  private volatile boolean closed;

  private static TestingOrdersDatabase shared;

  private TestingOrdersDatabase(Path file, ShardwrightDataSource source) {
    this.file = file;
    this.source = source;
    BucketFunction buckets =
        source.schema().table("orders").orElseThrow().sharding().orElseThrow().function();
    GeneIdLayout layout = GeneIdLayout.forBuckets(buckets.buckets());
    this.ids =
        new OrderIds(
            buckets, new GeneIdGenerator(layout, 0, NodeLease.fixed(1), InstantSource.system()));
  }

  /** One for all classes that run together; where each runs for itself, one for each. */
  static synchronized TestingOrdersDatabase shared() {
    if (shared == null || shared.closed) {
      shared = create();
    }
    return shared;
  }

  /** Closes the shared one when all tests have run. */
  static final class Closing implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
      context
          .getRoot()
          .getStore(ExtensionContext.Namespace.create(Closing.class))
          .getOrComputeIfAbsent("shared", key -> shared());
    }
  }

  private static TestingOrdersDatabase create() {
    try {
      Path file = emptyShards(ordersGroup());
      Configuration configuration = ConfigurationReader.read(file);
      // The tables do not exist yet, and that is all that may be missing.
      Apply.run(configuration, Apply.Options.DEFAULT);
      ShardwrightDataSource source = Shardwright.open(file);
      SchemaScript.run(source);
      ApplyReport report = Apply.run(configuration, Apply.Options.DEFAULT);
      if (!report.ok()) {
        throw new IllegalStateException(report.toString());
      }
      source.refreshSchema();
      SchemaScript.fillCountries(source);
      return new TestingOrdersDatabase(file, source);
    } catch (IOException | SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The groups and reference tables of the orders example. */
  static String ordersGroup() throws IOException {
    try (InputStream group = SchemaScript.class.getResourceAsStream("group.yaml")) {
      return new String(group.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * A shardwright.yaml for two new databases without tables.
   *
   * @param groups the rest of the file
   */
  static Path emptyShards(String groups) throws IOException {
    StringBuilder yaml = new StringBuilder("version: 1\ncatalog: ");
    yaml.append(endpoint("catalog")).append("}\nshards:\n");
    for (String shard : new String[] {"s0", "s1"}) {
      yaml.append("  ").append(shard).append(": ").append(endpoint("orders"));
      yaml.append(", pool: {max: 4}}\n");
    }
    Path file = Files.createTempFile("shardwright", ".yaml");
    file.toFile().deleteOnExit();
    return Files.writeString(file, yaml + groups);
  }

  private static String endpoint(String database) {
    // Liquibase would set the search path of the session otherwise.
    String url = SERVER.createDatabase(database) + "?currentSchema=public";
    return "{url: \"" + url + "\", user: " + SERVER.user() + ", password: " + SERVER.password();
  }

  String url() {
    return "jdbc:shardwright:" + file;
  }

  ShardwrightDataSource source() {
    return source;
  }

  OrderIds ids() {
    return ids;
  }

  @Override
  public void close() {
    closed = true;
    source.close();
  }
}
