package io.shardwright.examples.frameworks;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.examples.orders.OrderIds;
import io.shardwright.examples.orders.SchemaScript;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.GeneIdGenerator;
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

/** Two shards and a catalog on the server of this JVM, with the tables of the orders example. */
final class TestingOrdersDatabase {
  private static final EmbeddedPostgresServer SERVER = EmbeddedPostgresServer.shared();

  private final Path file;
  private final ShardwrightDataSource source;
  private final OrderIds ids;

  private static final class Shared {
    static final TestingOrdersDatabase DATABASE = create();
  }

  private TestingOrdersDatabase(Path file, ShardwrightDataSource source) {
    this.file = file;
    this.source = source;
    BucketFunction buckets =
        source.schema().table("orders").orElseThrow().sharding().orElseThrow().function();
    GeneIdLayout layout = GeneIdLayout.forBuckets(buckets.buckets());
    this.ids = new OrderIds(buckets, new GeneIdGenerator(layout, 0, 1, InstantSource.system()));
  }

  /** Opened once; it goes with the JVM. */
  static TestingOrdersDatabase shared() {
    return Shared.DATABASE;
  }

  private static TestingOrdersDatabase create() {
    try {
      Path file = emptyShards("");
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

  /**
   * A shardwright.yaml for two new databases without tables.
   *
   * @param more appended to the file
   */
  static Path emptyShards(String more) throws IOException {
    StringBuilder yaml = new StringBuilder("version: 1\ncatalog: ");
    yaml.append(endpoint("catalog")).append("}\nshards:\n");
    for (String shard : new String[] {"s0", "s1"}) {
      yaml.append("  ").append(shard).append(": ").append(endpoint("orders"));
      yaml.append(", pool: {max: 4}}\n");
    }
    try (InputStream group = SchemaScript.class.getResourceAsStream("group.yaml")) {
      yaml.append(new String(group.readAllBytes(), StandardCharsets.UTF_8));
    }
    Path directory = Files.createTempDirectory("frameworks");
    directory.toFile().deleteOnExit();
    Path file = directory.resolve("shardwright.yaml");
    Files.writeString(file, yaml + more);
    file.toFile().deleteOnExit();
    return file;
  }

  private static String endpoint(String database) {
    String url = SERVER.createDatabase(database);
    return "{url: \"" + url + "\", user: " + SERVER.user() + ", password: " + SERVER.password();
  }

  Path file() {
    return file;
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
}
