package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Index;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A shard of its own for each test, whose table orders has the lookup index shop.by_no. */
abstract class IndexFixture {
  static final long VERSION = 7;

  final List<Connection> opened = new ArrayList<>();
  String url;

  /** The url of an empty database. */
  abstract String newDatabase();

  /** What a driver does once per connection. */
  abstract String marker(long version);

  /** What a driver does before a statement whose changes it wants, in a transaction. */
  abstract String ask();

  /** {@code bucket|primary key|old or null|new or null} for each change of the transaction. */
  abstract List<String> changes(Connection connection) throws SQLException;

  /** The query that counts sessions which wait for a lock. */
  abstract String waiting();

  /** Of a column that is compared byte by byte. */
  abstract String exactText();

  @BeforeEach
  void createDatabase() {
    url = newDatabase();
  }

  @AfterEach
  void closeSessions() throws SQLException {
    for (Connection connection : opened) {
      connection.close();
    }
  }

  void createOrders() throws SQLException {
    TestingConfiguration.execute(
        url,
        "CREATE TABLE orders (bucket_id int NOT NULL, order_id bigint NOT NULL, order_no "
            + exactText()
            + ", seller int, note varchar(10), PRIMARY KEY (bucket_id, order_id))");
  }

  /** On orders (order_no), with its tables and triggers. */
  IndexObjects installed() throws SQLException {
    createOrders();
    return installed("{columns: [order_no], unique: true}");
  }

  IndexObjects installed(String declared) throws SQLException {
    IndexObjects objects = objects(index("orders", declared).orElseThrow());
    Connection connection = session("SELECT 1");
    objects.createTables(connection);
    objects.installTriggers(connection, VERSION, IndexObjects.LockWait.DEFAULT);
    return objects;
  }

  IndexObjects objects(LookupIndex index) {
    return IndexObjects.of(index, configuration("orders", ""));
  }

  Optional<LookupIndex> index(String table, String declared) throws SQLException {
    Group group = configuration(table, ", indexes: {by_no: " + declared + "}").groups().get("shop");
    Index index = group.indexes().get("by_no");
    ShardSchema schema = ShardInspector.inspect(session("SELECT 1"), List.of(table));
    return LookupIndex.find(configuration(table, "").product(), group, index, schema);
  }

  private Configuration configuration(String table, String indexes) {
    return TestingConfiguration.of(
        url,
        List.of(url.replaceFirst("\\?.*", "")),
        "groups: {shop: {key: [order_id], buckets: 16, tables: {'"
            + table
            + "': }"
            + indexes
            + "}}");
  }

  /** A connection in autocommit after the statements. */
  Connection session(String... statements) throws SQLException {
    Connection connection = TestingConfiguration.connect(url);
    opened.add(connection);
    run(connection, statements);
    return connection;
  }

  /** A driver's connection, in a transaction in which changes were asked for. */
  Connection writer(String... statements) throws SQLException {
    Connection connection = session(marker(VERSION));
    connection.setAutoCommit(false);
    run(connection, ask());
    run(connection, statements);
    return connection;
  }

  static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  List<String> query(String sql) throws SQLException {
    return TestingConfiguration.query(url, sql);
  }

  List<String> changesOf(String... statements) throws SQLException {
    Connection connection = writer(statements);
    List<String> changes = changes(connection);
    connection.commit();
    return changes;
  }

  static void assertRefused(Connection connection, String sql, String message) {
    SQLException e = catchThrowableOfType(SQLException.class, () -> run(connection, sql));
    assertThat((Throwable) e).as(sql).isNotNull();
    assertThat(e.getMessage()).as(sql).contains("SW419").contains(message);
    assertThat(e.getSQLState()).isIn("SW419", "45000");
  }

  /** Waits until the work waits for a lock, then ends it by what releases the lock. */
  void assertWaitsUntil(Work work, Work release) throws Exception {
    CompletableFuture<Void> waiter = CompletableFuture.runAsync(() -> quietly(work));
    while (query(waiting()).equals(List.of("0"))) {
      assertThat(waiter).as("it should wait").isNotDone();
      Thread.onSpinWait();
    }
    release.run();
    waiter.get();
  }

  interface Work {
    void run() throws SQLException;
  }

  private static void quietly(Work work) {
    try {
      work.run();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
