package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import io.shardwright.testkit.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Shards for a test: databases of the shared server, each behind a proxy of its own, a catalog
 * behind another, and one plain database with the same tables, whose answers are what the driver
 * should answer.
 */
final class TestingShards implements AutoCloseable {
  // Long because: what tests see and break of the shards is in one place.

  /** Most tests are about what statements on all shards give, not about whether they may run. */
  private static final String SCATTER = "scatter: {reads: allow}\n";

  static final String GROUPS =
      """
      groups:
        orders:
          key: [tenant_id, buyer_id]
          buckets: 1024
          id: {column: order_id}
          tables:
            orders: {}
            items: {}
        samples:
          key: [k]
          buckets: 64
          tables:
            samples: {unique: {samples_pkey: id}}
      reference: [countries]
      single: {s0: [jobs]}
      """;

  private static final String SAMPLES_BUCKETS = "    buckets: 64\n";

  /** Far more than a shard needs to be found again: the pool's pauses between attempts grow. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TestingDatabase database;
  private final List<String> urls = new ArrayList<>();
  private final List<TcpProxy> proxies = new ArrayList<>();
  private final TcpProxy catalogProxy;
  private final String plainUrl;
  private final String poolYaml;
  private final String moreYaml;
  private final UnaryOperator<String> groups;
  private ShardwrightDataSource source;

  private TestingShards(
      TestingDatabase database,
      int shards,
      String poolYaml,
      String moreYaml,
      UnaryOperator<String> groups) {
    this.database = database;
    database.makeMover();
    this.poolYaml = poolYaml;
    this.moreYaml = moreYaml;
    this.groups = groups;
    for (int i = 0; i < shards; i++) {
      String url = database.create("shard");
      execute(url, database.tables());
      urls.add(url);
      proxies.add(proxy());
    }
    plainUrl = database.create("plain");
    execute(
        plainUrl,
        database.tables().replace("bucket_id int NOT NULL", "bucket_id int DEFAULT 0 NOT NULL"));
    urls.add(database.create("catalog"));
    catalogProxy = proxy();
    applyAgain();
  }

  void applyAgain() {
    ApplyReport report = Apply.run(configuration("direct"), Apply.Options.DEFAULT);
    assertThat(report.ok()).as("%s", report).isTrue();
  }

  /** Opened, with pools of 4 connections and a second of patience. */
  static TestingShards open(int shards) {
    return open(shards, "{max: 4, timeout: 1s}");
  }

  static TestingShards open(int shards, String poolYaml) {
    return open(shards, poolYaml, "");
  }

  static TestingShards open(TestingDatabase database, int shards) {
    return open(database, shards, "{max: 4, timeout: 1s}", "");
  }

  /**
   * @param moreYaml further top-level lines of the configuration
   */
  static TestingShards open(int shards, String poolYaml, String moreYaml) {
    return open(TestingDatabase.POSTGRESQL, shards, poolYaml, moreYaml);
  }

  static TestingShards open(
      TestingDatabase database, int shards, String poolYaml, String moreYaml) {
    TestingShards opened =
        new TestingShards(database, shards, poolYaml, moreYaml, groups -> groups);
    opened.source = Shardwright.open(opened.configuration());
    return opened;
  }

  /**
   * With lookup indexes of group samples.
   *
   * @param indexes in braces
   */
  static TestingShards withIndexes(
      TestingDatabase database, int shards, String poolYaml, String indexes) {
    return withIndexes(database, shards, poolYaml, indexes, "");
  }

  /**
   * @param moreYaml further top-level lines of the configuration
   */
  static TestingShards withIndexes(
      TestingDatabase database, int shards, String poolYaml, String indexes, String moreYaml) {
    TestingShards opened =
        new TestingShards(database, shards, poolYaml, moreYaml, ofSamples("indexes: " + indexes));
    opened.source = Shardwright.open(opened.configuration());
    return opened;
  }

  /**
   * @param groups changes what the file says of them
   */
  static TestingShards withGroups(
      TestingDatabase database, int shards, UnaryOperator<String> groups) {
    TestingShards opened = new TestingShards(database, shards, "{max: 4, timeout: 1s}", "", groups);
    opened.source = Shardwright.open(opened.configuration());
    return opened;
  }

  /** Adds a line to what the file says of group samples. */
  static UnaryOperator<String> ofSamples(String line) {
    return groups -> groups.replace(SAMPLES_BUCKETS, SAMPLES_BUCKETS + "    " + line + "\n");
  }

  /** Another process, whose ways to the shards are its own. */
  final class OtherProcess {
    private final List<TcpProxy> ways = new ArrayList<>();
    private final ShardwrightDataSource source;

    OtherProcess() {
      this(ways -> {});
    }

    /**
     * @param before the process opens, what is done with its ways to the shards
     */
    OtherProcess(Consumer<List<TcpProxy>> before) {
      for (int i = 0; i < shardCount(); i++) {
        ways.add(proxy());
      }
      before.accept(ways);
      source = Shardwright.open(ConfigurationReader.parse("test.yaml", yaml(ways), Map.of()));
    }

    ShardwrightDataSource source() {
      return source;
    }

    /** Runs before each message to a shard. */
    void beforeMessage(Runnable hook) {
      ways.forEach(way -> way.beforeRequest(hook));
    }

    /** As the shards see the death of a process: all its connections are reset, none comes. */
    void die() {
      ways.forEach(TcpProxy::refuse);
      ways.forEach(TcpProxy::cut);
    }

    /** Frees what a dead process would not hold; pools that cannot connect take their time. */
    void bury() {
      source.close();
      ways.forEach(TcpProxy::close);
    }
  }

  /** Another process that no proxy harms. */
  ShardwrightDataSource openDirect() {
    return Shardwright.open(configuration("direct"));
  }

  TestingDatabase database() {
    return database;
  }

  /** This process has nothing open meanwhile. */
  void whileClosed(Work work) throws Exception {
    source.close();
    work.run();
    source = Shardwright.open(configuration());
  }

  interface Work {
    void run() throws Exception;
  }

  /** Another way to the server of all shards. */
  TcpProxy proxy() {
    return new TcpProxy("localhost", database.port());
  }

  ShardwrightDataSource source() {
    return source;
  }

  Connection connect() throws SQLException {
    return source.getConnection();
  }

  /** What the data source was opened with: all urls lead through the proxies. */
  Configuration configuration() {
    return ConfigurationReader.parse("test.yaml", yaml(), Map.of());
  }

  String yaml() {
    return yaml("proxied");
  }

  Configuration configuration(String way) {
    return ConfigurationReader.parse("test.yaml", yaml(way), Map.of());
  }

  private String yaml(String way) {
    return yaml(way.equals("proxied") ? proxies : List.of());
  }

  /** A file of fixed maps: without a catalog nothing can move. */
  String yamlWithoutCatalog() {
    return yaml().replaceFirst("(?m)^catalog: .*\\n", "").replaceFirst("(?m)^mover: .*\\n", "");
  }

  /**
   * @param ways to the shards; none: straight
   */
  String yaml(List<TcpProxy> ways) {
    boolean proxied = !ways.isEmpty();
    StringBuilder yaml = new StringBuilder("version: 1\ncatalog: ");
    yaml.append(endpoint(proxied ? via(catalogProxy, shardCount()) : urls.get(shardCount()), ""));
    yaml.append("shards:\n");
    for (int i = 0; i < shardCount(); i++) {
      yaml.append("  s").append(i).append(": ");
      yaml.append(endpoint(proxied ? via(ways.get(i), i) : urls.get(i), ", pool: " + poolYaml));
    }
    return yaml
        + (moreYaml.contains("scatter:") ? "" : SCATTER)
        + groups.apply(database.groups(GROUPS))
        + moreYaml
        + "mover: {user: "
        + TestingDatabase.MOVER
        + ", password: "
        + TestingDatabase.MOVER
        + "}\n";
  }

  private int shardCount() {
    return proxies.size();
  }

  private String via(TcpProxy proxy, int place) {
    return urls.get(place).replace(":" + database.port() + "/", ":" + proxy.port() + "/");
  }

  private String endpoint(String url, String more) {
    return "{url: \""
        + url
        + "\", user: "
        + database.user()
        + ", password: \""
        + database.password()
        + "\""
        + more
        + "}\n";
  }

  TcpProxy proxy(int shard) {
    return proxies.get(shard);
  }

  TcpProxy catalogProxy() {
    return catalogProxy;
  }

  /** Behind the driver's back. */
  Connection shard(int shard) throws SQLException {
    return login(urls.get(shard));
  }

  /** The one database whose answers are right. */
  Connection plain() throws SQLException {
    return login(plainUrl);
  }

  /** Whom the guards of tables leave alone. */
  Connection asMover(int shard) throws SQLException {
    return DriverManager.getConnection(
        urls.get(shard), TestingDatabase.MOVER, TestingDatabase.MOVER);
  }

  private Connection login(String url) throws SQLException {
    return DriverManager.getConnection(url, database.user(), database.password());
  }

  private void execute(String url, String sql) {
    try (Connection connection = login(database.scriptUrl(url));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** On one shard, behind the driver's back. */
  void onShard(int shard, String sql) {
    execute(urls.get(shard), sql);
  }

  void onPlain(String sql) {
    execute(plainUrl, sql);
  }

  void onEveryShard(String sql) {
    for (int shard = 0; shard < shardCount(); shard++) {
      onShard(shard, sql);
    }
  }

  /** Rows of all tables are gone, on the shards and in the plain database. */
  void clear() {
    for (int shard = 0; shard < shardCount(); shard++) {
      try (Connection mover = asMover(shard)) {
        for (String table : List.of("items", "orders", "samples", "countries", "jobs")) {
          update(mover, database.truncate(table));
        }
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }
    execute(plainUrl, database.truncate("items", "orders", "samples", "countries", "jobs"));
  }

  /** The same statement through the driver and on the plain database. */
  void both(String sql, Object... parameters) throws SQLException {
    try (Connection logical = connect();
        Connection plain = plain()) {
      update(logical, sql, parameters);
      update(plain, sql, parameters);
    }
  }

  static int update(Connection connection, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, parameters);
      return statement.executeUpdate();
    }
  }

  int update(String sql, Object... parameters) throws SQLException {
    try (Connection connection = connect()) {
      return update(connection, sql, parameters);
    }
  }

  private static void set(PreparedStatement statement, Object... parameters) throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
  }

  /** Rows as text, columns separated by a bar. */
  static List<String> rows(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, parameters);
      try (ResultSet rows = statement.executeQuery()) {
        return rows(rows);
      }
    }
  }

  static List<String> rows(ResultSet rows) throws SQLException {
    List<String> all = new ArrayList<>();
    int columns = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      List<String> row = new ArrayList<>();
      for (int column = 1; column <= columns; column++) {
        // The text of a float depends on whether the physical driver got it in binary.
        boolean floating = rows.getMetaData().getColumnType(column) == Types.DOUBLE;
        row.add(floating ? String.valueOf(rows.getObject(column)) : rows.getString(column));
      }
      all.add(String.join("|", row.stream().map(String::valueOf).toList()));
    }
    return all;
  }

  List<String> rows(String sql, Object... parameters) throws SQLException {
    try (Connection connection = connect()) {
      return rows(connection, sql, parameters);
    }
  }

  List<String> plainRows(String sql, Object... parameters) throws SQLException {
    try (Connection connection = plain()) {
      return rows(connection, sql, parameters);
    }
  }

  List<String> shardRows(int shard, String sql) throws SQLException {
    try (Connection connection = shard(shard)) {
      return rows(connection, sql);
    }
  }

  /** A key of table samples, the {@code nth} (from 0) whose row belongs on the shard. */
  long keyOn(int shard, int nth) {
    int found = 0;
    for (long key = 0; ; key++) {
      if (shardOf(key).equals("s" + shard) && found++ == nth) {
        return key;
      }
    }
  }

  /** Of a key of table samples; the plain database gets the same number as the shards. */
  int samplesBucket(long key) {
    return source
        .schema()
        .table("samples")
        .orElseThrow()
        .sharding()
        .orElseThrow()
        .function()
        .bucket(List.of(key))
        .orElseThrow()
        .value();
  }

  /** The shard of a key of table samples. */
  String shardOf(long key) {
    return source
        .explain("SELECT 1 FROM samples WHERE k = ?", List.of(key))
        .statements()
        .get(0)
        .shard()
        .name();
  }

  /** Waits until the driver has found by itself that the shard answers again. */
  void awaitReachable(int shard) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (source.isDown(new ShardId("s" + shard))) {
      assertThat(System.nanoTime()).as("shard %s is back in time", shard).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  /** Whatever the test opened was given back, and no shard has a transaction open. */
  void assertIdle() {
    assertThat(source.activeConnections())
        .allSatisfy((shard, active) -> assertThat(active).isZero());
    try (Connection connection = plain()) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      List<String> open =
          database.mayHaveOpenTransactions(connection) ? openTransactions(connection) : List.of();
      // A server notices a moment later that a client is gone.
      while (!open.isEmpty() && System.nanoTime() < deadline) {
        open = openTransactions(connection);
      }
      assertThat(open).as("transactions left open").isEmpty();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> openTransactions(Connection connection) throws SQLException {
    String databases =
        urls.stream()
            .map(url -> "'" + url.substring(url.lastIndexOf('/') + 1) + "'")
            .collect(Collectors.joining(", "));
    return rows(connection, database.openTransactions(databases));
  }

  @Override
  public void close() {
    source.close();
    proxies.forEach(TcpProxy::close);
    catalogProxy.close();
    urls.forEach(this::drop);
    drop(plainUrl);
  }

  /** Hundreds of databases, with hundreds of files each, would take long to delete in the end. */
  private void drop(String url) {
    String name = url.substring(url.lastIndexOf('/') + 1);
    try {
      execute(database.adminUrl(), "DROP DATABASE " + name + database.dropOptions());
    } catch (AssertionError e) {
      // MariaDB has dropped all tables, and at times keeps a file: it goes with the server's.
      if (!e.getMessage().contains("Directory not empty")) {
        throw e;
      }
    }
  }
}
