package io.shardwright.bench.compare;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.LookupIndexes;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import io.shardwright.testkit.EmbeddedPostgresServer;
import io.shardwright.testkit.TcpProxy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * The databases: one embedded PostgreSQL server that waits for the disk, each shard a database of
 * it, and one more database with all rows of each set. So both ways have the same processors,
 * memory and disk: what sharding gains by more machines is not measured here, what it costs is.
 */
final class Stand implements AutoCloseable {
  static final int SHARDS = 8;
  static final int POOL_MAX = 8;

  /** Behind the name of a set whose connections are counted. */
  static final String COUNTED = "~counted";

  private static final Duration FAR = Duration.ofMillis(1);
  private static final int COPY_BYTES = 256 * 1024;
  private static final long NEW_IDS = 1_000_000_000L;
  private static final List<String> SETTINGS =
      List.of(
          "server_version",
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "wal_sync_method",
          "shared_buffers",
          "work_mem",
          "max_connections",
          "max_wal_size");

  private final Scale scale;
  private final EmbeddedPostgresServer server;
  private final List<AutoCloseable> proxies = new ArrayList<>();
  private final Map<Side, List<WireCounter>> counters = new EnumMap<>(Side.class);
  private final Map<String, List<String>> shards = new TreeMap<>();
  private final Map<String, String> oneServer = new TreeMap<>();
  private String catalogUrl = "";

  private Stand(Scale scale) {
    this.scale = scale;
    this.server =
        EmbeddedPostgresServer.start(
            EmbeddedPostgresServer.Options.durable()
                .with("max_connections", "1000")
                .with("shared_buffers", "512MB")
                .with("max_wal_size", "8GB"));
  }

  /**
   * @param sets of shards that are needed
   */
  static Stand start(Scale scale, Set<String> sets) throws SQLException, IOException {
    Stand stand = new Stand(scale);
    boolean ready = false;
    try {
      for (String set : sets) {
        stand.create(set);
      }
      ready = true;
    } finally {
      if (!ready) {
        stand.close();
      }
    }
    return stand;
  }

  private void create(String set) throws SQLException, IOException {
    switch (set) {
      case Workloads.FAR -> {
        if (!shards.containsKey("8")) {
          create("8");
        }
        put(set, far(shards.get("8")), far(List.of(oneServer.get("8"))).get(0));
      }
      case Workloads.LOOKUP -> createLookup();
      case Workloads.STUB -> {
        List<String> urls = databases("stub", SHARDS, OrderTables.ofShard());
        apply(OrderTables.configuration(urls, server.user(), server.password(), POOL_MAX));
        shards.put(set, urls);
      }
      default -> {
        if (!shards.containsKey(set)) {
          createOrders(set);
        }
      }
    }
  }

  private void createOrders(String set) throws SQLException, IOException {
    int count = Integer.parseInt(set);
    int rows = count == SHARDS ? scale.rows() : scale.rowsOfOtherSets();
    List<String> urls = databases("shard", count, OrderTables.ofShard());
    apply(OrderTables.configuration(urls, server.user(), server.password(), POOL_MAX));
    load(urls, rows, true);
    String one = databases("one", 1, OrderTables.ofOneServer()).get(0);
    load(List.of(one), rows, false);
    put(set, urls, one);
  }

  private void createLookup() throws SQLException {
    catalogUrl = server.createDatabase("catalog");
    List<String> urls = databases("lookup", SHARDS, Numbered.ofShard());
    String yaml =
        Numbered.configuration(catalogUrl, urls, server.user(), server.password(), POOL_MAX);
    // The second run finds the tables that the first one prepared, and ties ids to buckets.
    apply(yaml);
    Configuration file = apply(yaml);
    String one = databases("one", 1, Numbered.ofOneServer()).get(0);
    try (ShardwrightDataSource source = Shardwright.open(file);
        Connection connection = source.getConnection();
        Connection other = connect(one)) {
      Numbered.write(connection, scale.numbered());
      LookupIndexes indexes = source.lookupIndexes();
      for (String index : indexes.names()) {
        indexes.create(index, 0, (done, all, report) -> {});
      }
      Numbered.copy(connection, other);
    }
    for (String url : urls) {
      execute(url, "VACUUM ANALYZE");
    }
    execute(one, "VACUUM ANALYZE");
    put(Workloads.LOOKUP, urls, one);
  }

  private void put(String set, List<String> urls, String one) {
    shards.put(set, urls);
    oneServer.put(set, one);
  }

  private List<String> counted(Side side, List<String> urls) {
    List<String> others = new ArrayList<>();
    for (String url : urls) {
      WireCounter counter = new WireCounter(server.port());
      counters.computeIfAbsent(side, s -> new ArrayList<>()).add(counter);
      proxies.add(counter);
      others.add(url.replace(":" + server.port() + "/", ":" + counter.port() + "/"));
    }
    return others;
  }

  private List<String> far(List<String> urls) {
    List<String> others = new ArrayList<>();
    for (String url : urls) {
      TcpProxy proxy = new TcpProxy("127.0.0.1", server.port());
      proxy.delay(FAR);
      proxies.add(proxy);
      others.add(url.replace(":" + server.port() + "/", ":" + proxy.port() + "/"));
    }
    return others;
  }

  private List<String> databases(String prefix, int count, String ddl) throws SQLException {
    List<String> urls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String url = server.createDatabase(prefix);
      execute(url, ddl);
      urls.add(url);
    }
    return urls;
  }

  private static Configuration apply(String yaml) throws SQLException {
    Configuration file = ConfigurationReader.parse("bench", yaml, Map.of());
    ApplyReport applied = Apply.run(file, Apply.Options.DEFAULT);
    if (!applied.ok()) {
      throw new SQLException("the schema of the benchmark: " + applied.problems());
    }
    return file;
  }

  private Connection connect(String url) throws SQLException {
    return DriverManager.getConnection(url, server.user(), server.password());
  }

  private void execute(String url, String sql) throws SQLException {
    try (Connection connection = connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void load(List<String> urls, int rows, boolean bucketed)
      throws SQLException, IOException {
    List<Target> targets = new ArrayList<>();
    for (String url : urls) {
      targets.add(new Target(connect(url)));
    }
    for (Target target : targets) {
      target.begin("COPY buyers FROM STDIN");
    }
    for (int buyer = 1; buyer <= scale.buyers(); buyer++) {
      int bucket = OrderTables.bucket(buyer);
      String line = buyer + "\tBuyer " + buyer + "\t" + buyer % 5;
      targets
          .get(OrderTables.shard(bucket, urls.size()))
          .line(bucketed ? bucket + "\t" + line : line);
    }
    for (Target target : targets) {
      target.end();
      target.begin("COPY orders FROM STDIN");
    }
    for (int row = 0; row < rows; row++) {
      int buyer = 1 + row % scale.buyers();
      int bucket = OrderTables.bucket(buyer);
      String line =
          buyer
              + "\t"
              + row
              + "\t"
              + OrderTables.STATUSES.get(row % OrderTables.STATUSES.size())
              + "\t"
              + row / 100
              + "."
              + (row / 10) % 10
              + row % 10
              + "\t"
              + Workloads.FIRST_ORDER.plusSeconds(row);
      targets
          .get(OrderTables.shard(bucket, urls.size()))
          .line(bucketed ? bucket + "\t" + line : line);
    }
    for (Target target : targets) {
      target.end();
      target.connection.close();
    }
    for (String url : urls) {
      execute(url, "VACUUM ANALYZE");
    }
  }

  /** Rows on their way into one database. */
  private static final class Target {
    private final Connection connection;
    private final StringBuilder lines = new StringBuilder();
    private CopyIn copy;

    Target(Connection connection) {
      this.connection = connection;
    }

    void begin(String sql) throws SQLException {
      copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
    }

    void line(String line) throws SQLException {
      lines.append(line).append('\n');
      if (lines.length() > COPY_BYTES) {
        flush();
      }
    }

    private void flush() throws SQLException {
      byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
      copy.writeToCopy(bytes, 0, bytes.length);
      lines.setLength(0);
    }

    void end() throws SQLException {
      flush();
      long unused = copy.endCopy();
    }
  }

  /** Each set comes directly, and with all connections counted. */
  Setup countedSetup(Side side) {
    Setup direct = setup(side);
    Map<String, List<String>> sets = new TreeMap<>(direct.sets());
    direct
        .sets()
        .forEach(
            (set, urls) -> {
              if (!set.equals(Workloads.FAR) && !set.equals(Workloads.STUB)) {
                sets.put(set + COUNTED, counted(side, urls));
              }
            });
    return direct.with(sets);
  }

  Setup setup(Side side) {
    Map<String, List<String>> sets = new TreeMap<>(shards);
    if (side == Side.ONE_SERVER) {
      sets.clear();
      oneServer.forEach((set, url) -> sets.put(set, List.of(url)));
    }
    return new Setup(
        side,
        server.user(),
        server.password(),
        POOL_MAX,
        scale,
        NEW_IDS * (1 + Arrays.asList(Side.values()).indexOf(side)),
        sets,
        catalogUrl);
  }

  /** What stands between the shards and this side. */
  List<WireCounter> counters(Side side) {
    return counters.getOrDefault(side, List.of());
  }

  /** What the server says of itself. */
  Map<String, String> settings() throws SQLException {
    Map<String, String> values = new LinkedHashMap<>();
    try (Connection connection = connect(server.url("postgres"));
        Statement statement = connection.createStatement()) {
      for (String setting : SETTINGS) {
        try (ResultSet row = statement.executeQuery("SHOW " + setting)) {
          row.next();
          values.put(setting, row.getString(1));
        }
      }
    }
    return values;
  }

  @Override
  public void close() {
    for (AutoCloseable proxy : proxies) {
      try {
        proxy.close();
      } catch (Exception e) {
        throw new IllegalStateException("a proxy cannot be closed", e);
      }
    }
    server.close();
  }
}
