package io.shardwright.examples.orders;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One PostgreSQL server per shard, s0 .., each with an empty database; the catalog database is on
 * the server of s0; and the shardwright.yaml that names them all.
 */
final class DemoShards implements AutoCloseable {
  /** Two starting servers keep two cores busy. */
  private static final int STARTS_AT_ONCE = 2;

  /** The role that moves buckets, on every server. */
  private static final String MOVER = "shardwright_mover";

  private final List<EmbeddedPostgresServer> servers;
  private final Map<String, String> urls = new LinkedHashMap<>();
  private final boolean keep;
  private final Path file;
  private volatile boolean handedOver;

  private DemoShards(List<EmbeddedPostgresServer> servers, boolean keep) {
    this.servers = new CopyOnWriteArrayList<>(servers);
    this.keep = keep;
    // Beside the data of s0, so that it goes when that goes.
    this.file = servers.get(0).directory().resolve("shardwright.yaml");
  }

  static DemoShards start(int shards, boolean keep) throws InterruptedException {
    List<EmbeddedPostgresServer> servers = startServers(shards, keep);
    try {
      DemoShards started = new DemoShards(servers, keep);
      started.createDatabases();
      if (keep) {
        // The servers themselves stop at the end of the JVM only when they are not kept.
        Runtime.getRuntime().addShutdownHook(new Thread(started::close, "stop-demo"));
      }
      return started;
    } catch (IOException | RuntimeException e) {
      servers.forEach(DemoShards::stop);
      throw e instanceof RuntimeException unchecked
          ? unchecked
          : new UncheckedIOException((IOException) e);
    }
  }

  private static List<EmbeddedPostgresServer> startServers(int count, boolean keep)
      throws InterruptedException {
    EmbeddedPostgresServer.Options bare =
        EmbeddedPostgresServer.Options.fast()
            .with("max_connections", "300")
            .with("wal_level", "minimal")
            .with("max_wal_senders", "0");
    EmbeddedPostgresServer.Options options = keep ? bare.kept() : bare;
    ExecutorService threads = Executors.newFixedThreadPool(STARTS_AT_ONCE);
    List<Future<EmbeddedPostgresServer>> starts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      starts.add(threads.submit(() -> EmbeddedPostgresServer.start(options)));
    }
    threads.shutdown();
    List<EmbeddedPostgresServer> servers = new ArrayList<>();
    ShardwrightException failure = null;
    for (Future<EmbeddedPostgresServer> start : starts) {
      try {
        servers.add(start.get());
      } catch (ExecutionException e) {
        failure =
            e.getCause() instanceof ShardwrightException known
                ? known
                : new ShardwrightException(
                    ErrorCode.EMBEDDED_SERVER_FAILED, "a server did not start", e.getCause());
      }
    }
    if (failure != null) {
      servers.forEach(DemoShards::stop);
      throw failure;
    }
    return servers;
  }

  private void createDatabases() throws IOException {
    EmbeddedPostgresServer first = servers.get(0);
    StringBuilder yaml = new StringBuilder("version: 1\ncatalog: ");
    yaml.append(endpoint(first, first.createDatabase("catalog"))).append("}\nshards:\n");
    for (int i = 0; i < servers.size(); i++) {
      yaml.append("  s").append(i).append(": ").append(createShard(i)).append('\n');
    }
    yaml.append("mover: {user: " + MOVER + ", password: ").append(first.password()).append("}\n");
    try (InputStream group = DemoShards.class.getResourceAsStream("group.yaml")) {
      yaml.append(new String(group.readAllBytes(), StandardCharsets.UTF_8));
    }
    Files.writeString(file, yaml);
  }

  /**
   * A database and the mover's role on a server.
   *
   * @return the shard's entry in shardwright.yaml
   */
  private String createShard(int number) {
    EmbeddedPostgresServer server = servers.get(number);
    String url = server.createDatabase("orders");
    urls.put("s" + number, url);
    try (Connection connection =
            DriverManager.getConnection(url, server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE ROLE " + MOVER + " LOGIN PASSWORD '" + servers.get(0).password() + "'");
    } catch (SQLException e) {
      throw new ShardwrightException(
          ErrorCode.EMBEDDED_SERVER_FAILED, "the mover's role cannot be created", e);
    }
    // A batch of items becomes one multi-row INSERT.
    return endpoint(server, url + "?reWriteBatchedInserts=true") + ", pool: {max: 8}}";
  }

  /** Starts more servers, each with an empty database; entries of shardwright.yaml by shard. */
  Map<String, String> startMore(int count) throws InterruptedException {
    Map<String, String> entries = new LinkedHashMap<>();
    for (EmbeddedPostgresServer server : startServers(count, keep)) {
      int number = servers.size();
      servers.add(server);
      entries.put("s" + number, createShard(number));
    }
    return entries;
  }

  /**
   * Databases beside the demo's own, dealt out over its servers, each with these tables, and a
   * catalog.
   *
   * @return the lines of a shardwright.yaml that name them
   */
  String moreShards(String prefix, int count, String tables) throws SQLException {
    EmbeddedPostgresServer first = servers.get(0);
    StringBuilder yaml = new StringBuilder("version: 1\ncatalog: ");
    yaml.append(endpoint(first, first.createDatabase(prefix + "_catalog"))).append("}\nshards:\n");
    for (int i = 0; i < count; i++) {
      EmbeddedPostgresServer server = servers.get(i % servers.size());
      String url = server.createDatabase(prefix);
      try (Connection connection =
              DriverManager.getConnection(url, server.user(), server.password());
          Statement statement = connection.createStatement()) {
        statement.execute(tables);
      }
      yaml.append("  s").append(i).append(": ").append(endpoint(server, url));
      yaml.append(", pool: {max: 3}}\n");
    }
    return yaml.toString();
  }

  private static String endpoint(EmbeddedPostgresServer server, String url) {
    return "{url: \"" + url + "\", user: " + server.user() + ", password: " + server.password();
  }

  /** The shardwright.yaml. */
  Path file() {
    return file;
  }

  /** In the order s0, s1, ... */
  List<String> names() {
    return List.copyOf(urls.keySet());
  }

  /** Past Shardwright, to the shard's own database. */
  Connection connect(String shard) throws SQLException {
    EmbeddedPostgresServer server = servers.get(names().indexOf(shard));
    return DriverManager.getConnection(urls.get(shard), server.user(), server.password());
  }

  /**
   * From here on kept servers outlive the demo; until then a failure or an interrupt stops them.
   *
   * @return how to go on with them
   */
  List<String> handOver() {
    handedOver = true;
    List<String> lines = new ArrayList<>();
    lines.add("the servers go on; all shards through Shardwright:");
    lines.add("  ./shardwright sql -c " + quoted(file) + " \"SELECT COUNT(*) FROM orders\"");
    lines.add("one shard alone:");
    for (String shard : names()) {
      EmbeddedPostgresServer server = servers.get(names().indexOf(shard));
      String login = server.user() + ":" + server.password() + "@";
      String url = urls.get(shard).substring("jdbc:".length()).replace("//", "//" + login);
      lines.add("  " + shard + ": psql " + url);
    }
    lines.add("stop them and delete their data:");
    lines.add("  ./shardwright demo --stop " + quoted(file.getParent()));
    return lines;
  }

  private static String quoted(Path path) {
    return path.toString().contains(" ") ? "\"" + path + "\"" : path.toString();
  }

  @Override
  public void close() {
    if (!handedOver) {
      servers.parallelStream().forEach(keep ? DemoShards::stop : EmbeddedPostgresServer::close);
    }
  }

  /** Kept ones too: for demos that failed or were interrupted. */
  private static void stop(EmbeddedPostgresServer server) {
    server.stop();
    server.close();
  }
}
