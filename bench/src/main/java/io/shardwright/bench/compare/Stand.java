package io.shardwright.bench.compare;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.LookupIndexes;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
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

/**
 * The databases: one embedded server that waits for the disk once it is loaded, each shard a
 * database of it, and one more database with all rows of each set. So both ways have the same
 * processors, memory and disk: what sharding gains by more machines is not measured here, what it
 * costs is.
 */
final class Stand implements AutoCloseable {
  static final int SHARDS = 8;
  static final int POOL_MAX = 8;

  /** Behind the name of a set whose connections are counted. */
  static final String COUNTED = "~counted";

  private static final Duration FAR = Duration.ofMillis(1);
  private static final int LOADED_BYTES = 1024 * 1024;
  private static final long NEW_IDS = 1_000_000_000L;
  private final Database database;
  private final Scale scale;
  private final Database.Server server;
  private final List<AutoCloseable> proxies = new ArrayList<>();
  private final Map<Side, List<WireCounter>> counters = new EnumMap<>(Side.class);
  private final Map<String, List<String>> shards = new TreeMap<>();
  private final Map<String, String> oneServer = new TreeMap<>();
  private String catalogUrl = "";

  private Stand(Database database, Scale scale) {
    this.database = database;
    this.scale = scale;
    this.server = database.start();
  }

  /**
   * @param sets of shards that are needed
   */
  static Stand start(Database database, Scale scale, Set<String> sets)
      throws SQLException, IOException {
    Stand stand = new Stand(database, scale);
    boolean ready = false;
    try {
      for (String set : sets) {
        stand.create(set);
      }
      stand.execute(stand.anyUrl(), database.durable());
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
        if (!shards.containsKey("8")) {
          create("8");
        }
        // They are asked what a side asks when it opens, and nothing else.
        shards.put(set, shards.get("8"));
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
    catalogUrl = server.databases().create("catalog");
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
      execute(url, database.analyze(List.of("numbered")));
    }
    execute(one, database.analyze(List.of("numbered")));
    put(Workloads.LOOKUP, urls, one);
  }

  private void put(String set, List<String> urls, String one) {
    shards.put(set, urls);
    oneServer.put(set, one);
  }

  private List<String> counted(Side side, List<String> urls) {
    List<String> others = new ArrayList<>();
    for (String url : urls) {
      WireCounter counter = new WireCounter(database, server.port());
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
      String url = server.databases().create(prefix);
      execute(url, database.ddl(ddl).strip().split(";\\s*"));
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

  private void execute(String url, String... statements) throws SQLException {
    try (Connection connection = connect(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private void load(List<String> urls, int rows, boolean bucketed)
      throws SQLException, IOException {
    List<Target> targets = new ArrayList<>();
    for (String url : urls) {
      targets.add(new Target(connect(url), bucketed));
    }
    for (int buyer = 1; buyer <= scale.buyers(); buyer++) {
      int bucket = OrderTables.bucket(buyer);
      targets
          .get(OrderTables.shard(bucket, urls.size()))
          .add("buyers", bucket, buyer, "Buyer " + buyer, buyer % 5);
    }
    for (Target target : targets) {
      target.flush("buyers");
    }
    for (int row = 0; row < rows; row++) {
      int buyer = 1 + row % scale.buyers();
      int bucket = OrderTables.bucket(buyer);
      targets
          .get(OrderTables.shard(bucket, urls.size()))
          .add(
              "orders",
              bucket,
              buyer,
              row,
              OrderTables.STATUSES.get(row % OrderTables.STATUSES.size()),
              row / 100 + "." + (row / 10) % 10 + row % 10,
              database.time(Workloads.FIRST_ORDER.plusSeconds(row)));
    }
    for (Target target : targets) {
      target.flush("orders");
      target.connection.close();
    }
    for (String url : urls) {
      execute(url, database.analyze(List.of("buyers", "orders")));
    }
  }

  /** Rows on their way into one database. */
  private final class Target {
    private final Connection connection;
    private final boolean bucketed;
    private final StringBuilder lines = new StringBuilder();

    Target(Connection connection, boolean bucketed) {
      this.connection = connection;
      this.bucketed = bucketed;
    }

    void add(String table, int bucket, Object... values) throws SQLException, IOException {
      if (bucketed) {
        lines.append(bucket).append('\t');
      }
      for (int i = 0; i < values.length; i++) {
        lines.append(values[i]).append(i + 1 == values.length ? '\n' : '\t');
      }
      if (lines.length() > LOADED_BYTES) {
        flush(table);
      }
    }

    void flush(String table) throws SQLException, IOException {
      database.load(connection, table, lines.toString().getBytes(StandardCharsets.UTF_8));
      lines.setLength(0);
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
              if (isCounted(set)) {
                sets.put(set + COUNTED, counted(side, urls));
              }
            });
    return direct.with(sets);
  }

  static boolean isCounted(String set) {
    return !set.equals(Workloads.FAR) && !set.equals(Workloads.STUB);
  }

  Setup setup(Side side) {
    Map<String, List<String>> sets = new TreeMap<>(shards);
    if (side == Side.ONE_SERVER) {
      sets.clear();
      oneServer.forEach((set, url) -> sets.put(set, List.of(url)));
    }
    return new Setup(
        database,
        side,
        server.user(),
        server.password(),
        POOL_MAX,
        scale,
        newIds(side),
        sets,
        catalogUrl);
  }

  /** What stands between the shards and this side. */
  List<WireCounter> counters(Side side) {
    return counters.getOrDefault(side, List.of());
  }

  private String anyUrl() {
    return shards.values().iterator().next().get(0);
  }

  /** What the server says of itself. */
  Map<String, String> settings() throws SQLException {
    Map<String, String> values = new LinkedHashMap<>();
    try (Connection connection = connect(anyUrl());
        Statement statement = connection.createStatement()) {
      for (String setting : database.settings()) {
        try (ResultSet row = statement.executeQuery(database.setting(setting))) {
          row.next();
          values.put(setting, row.getString(1));
        }
      }
    }
    return values;
  }

  /** How many orders of skewed buyers this side has created on each of the eight shards. */
  List<Long> skewedOrders(Side side) throws SQLException {
    long first = newIds(side);
    List<Long> orders = new ArrayList<>();
    for (String url : shards.get("8")) {
      try (Connection connection = connect(url);
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT COUNT(*) FROM order_events WHERE kind = '%s'".formatted(Operations.SKEWED)
                      + " AND order_id >= %d AND order_id < %d"
                          .formatted(first, first + NEW_IDS))) {
        row.next();
        orders.add(row.getLong(1));
      }
    }
    return orders;
  }

  private static long newIds(Side side) {
    return NEW_IDS * (1 + Arrays.asList(Side.values()).indexOf(side));
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
