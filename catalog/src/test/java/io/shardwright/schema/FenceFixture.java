package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.config.Configuration;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;

/** Two shards with a fence: s0 owns buckets 0 to 7, s1 8 to 15. Tests are about s0. */
abstract class FenceFixture {
  static final String MOVER = "fence_mover";

  private static final String GROUPS =
      """
      groups:
        shop:
          key: [buyer]
          buckets: 16
          tables:
            orders: {unique: {orders_pkey: id}}
            notes: {unique: {notes_pkey: id}}
      mover: {user: fence_mover, password: mover-password}
      """;

  static final int OPEN = 5;
  static final int OTHER = 6;
  static final int AWAY = 9;

  final List<Connection> opened = new ArrayList<>();
  OrderShards shards;

  /** With a catalog; their tables are orders and notes, whose key is numbered by the database. */
  abstract OrderShards newShards() throws SQLException;

  /** Everything that the mover needs. */
  abstract void createMover() throws SQLException;

  /**
   * Starts to change the row of a bucket as a mover does, and holds writers of it back until the
   * connection is closed.
   *
   * @return false when a writer has it
   */
  abstract boolean begin(Connection mover, int bucket, String set) throws SQLException;

  /** Commits what {@link #begin} did, and lets the writers go on. */
  abstract void commit(Connection mover, int bucket) throws SQLException;

  /** The query that counts sessions which wait for a lock. */
  abstract String waiting();

  String groups() {
    return GROUPS;
  }

  void create() throws SQLException {
    shards = newShards();
    createMover();
    assertThat(shards.applyWith(groups()).problems()).isEmpty();
  }

  @AfterEach
  void closeSessions() throws SQLException {
    for (Connection connection : opened) {
      connection.close();
    }
  }

  Configuration configuration() {
    return shards.configuration(groups());
  }

  /** A connection to s0 in autocommit. */
  Connection session() throws SQLException {
    Connection connection = TestingConfiguration.connect(shards.shards().get(0));
    opened.add(connection);
    return connection;
  }

  Connection session(int isolation) throws SQLException {
    Connection connection = session();
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(isolation);
    return connection;
  }

  static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  static String insert(int bucket, long id) {
    return "INSERT INTO orders (bucket_id, order_id, buyer, amount) VALUES (%d, %d, 1, 10)"
        .formatted(bucket, id);
  }

  /** Of s0. */
  List<String> query(String sql) throws SQLException {
    return shards.query(0, sql);
  }

  /** As a mover does when no writer has the bucket. */
  void change(int bucket, String set) throws SQLException {
    Connection mover = session();
    assertThat(begin(mover, bucket, set)).as("no writer has bucket %s", bucket).isTrue();
    commit(mover, bucket);
    mover.close();
  }

  static SQLException failure(Connection connection, String sql) {
    SQLException e = catchThrowableOfType(SQLException.class, () -> run(connection, sql));
    assertThat((Throwable) e).as(sql).isNotNull();
    return e;
  }

  static void assertStale(Connection connection, String sql, String... words) {
    SQLException e = failure(connection, sql);
    assertThat(e.getSQLState()).as(sql + ": " + e.getMessage()).isEqualTo(Fence.STALE);
    assertThat(e.getMessage()).contains(Fence.STALE).contains(words);
  }

  /** What a writer's statement ends in while another session waits to let it go on. */
  CompletableFuture<SQLException> inBackground(Connection connection, String sql) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            run(connection, sql);
            return null;
          } catch (SQLException e) {
            return e;
          }
        });
  }

  void awaitWaiter() throws SQLException {
    while (query(waiting()).equals(List.of("0"))) {
      Thread.onSpinWait();
    }
  }
}
