package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shardwright.driver.ShardPool.Purpose;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Transactions over several shards: {@code transaction=multi}. */
abstract class MultiTransactionContract extends FourShards {
  static final String INSERT = "INSERT INTO samples (k, id, t) VALUES (?, ?, ?)";
  static final String UPDATE = "UPDATE samples SET t = ? WHERE k = ?";
  static final String ALL = "SELECT id, t FROM samples ORDER BY id";
  private static final long PATIENCE_SECONDS = 120;

  final Connection begin() throws SQLException {
    Connection connection = shards.connect();
    ShardwrightSession session = connection.unwrap(ShardwrightSession.class);
    session.set("transaction", "multi");
    session.set("lock_timeout", "500ms");
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    connection.setAutoCommit(false);
    return connection;
  }

  final long key(int shard) {
    return shards.keyOn(shard, 0);
  }

  final void insertOnEach(Connection connection) throws SQLException {
    // Against the order of the shards, which is that of the commits only.
    for (int shard = 3; shard >= 0; shard--) {
      TestingShards.update(connection, INSERT, key(shard), shard, "a");
    }
  }

  static List<ShardId> ids(String... names) {
    List<ShardId> ids = new ArrayList<>();
    for (String name : names) {
      ids.add(new ShardId(name));
    }
    return ids;
  }

  @Test
  void commit_appliesOnEveryShardAndRollbackOnNone() throws SQLException {
    try (Connection connection = begin()) {
      insertOnEach(connection);
      assertThat(shards.rows(ALL)).isEmpty();
      assertThat(TestingShards.rows(connection, ALL)).as("it sees its own writes").hasSize(4);
      connection.commit();
      shards.assertIdle();
      assertThat(shards.rows(ALL)).containsExactly("0|a", "1|a", "2|a", "3|a");
      TestingShards.update(connection, "DELETE FROM samples /* shardwright: scatter=allow */");
      TestingShards.update(connection, "INSERT INTO countries VALUES ('fr', 'France')");
      connection.rollback();
      shards.assertIdle();
    }
    assertThat(shards.rows(ALL)).containsExactly("0|a", "1|a", "2|a", "3|a");
    assertThat(shards.rows("SELECT count(*) FROM countries")).containsExactly("0");
  }

  @Test
  void withoutMulti_theSecondShardIsRefusedAsBefore() throws SQLException {
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      TestingShards.update(connection, INSERT, key(0), 0, "a");
      assertRefused(
          ErrorCode.SECOND_SHARD_IN_TRANSACTION,
          () -> TestingShards.update(connection, INSERT, key(1), 1, "a"));
      assertRefused(
          ErrorCode.JDBC_CALL_INVALID,
          () -> connection.unwrap(ShardwrightSession.class).set("transaction", "multi"));
    }
  }

  @Test
  void batchAndSeveralRows_arePartOfIt() throws SQLException {
    try (Connection connection = begin();
        Statement batch = connection.createStatement()) {
      for (int shard = 0; shard < 4; shard++) {
        batch.addBatch("INSERT INTO samples (k, id, t) VALUES (" + key(shard) + ", 0, 'a')");
      }
      assertThat(batch.executeBatch()).containsExactly(1, 1, 1, 1);
      assertThat(
              TestingShards.update(
                  connection, "INSERT INTO samples (k, id) VALUES (?, 7), (?, 8)", key(1), key(2)))
          .isEqualTo(2);
      assertThat(shards.rows(ALL)).isEmpty();
      connection.rollback();
      assertThat(shards.rows(ALL)).isEmpty();
    }
  }

  @Test
  void failedStatement_endsItOnEveryShard() throws SQLException {
    try (Connection connection = begin()) {
      TestingShards.update(connection, INSERT, key(0), 0, "a");
      TestingShards.update(connection, INSERT, key(1), 1, "a");
      assertThatThrownBy(() -> TestingShards.update(connection, INSERT, key(1), 1, "a"))
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> assertThat(e.getSQLState()).isEqualTo(shards.database().duplicateKey()));
      for (int shard = 0; shard < 3; shard++) {
        long key = key(shard);
        assertRefused(
            ErrorCode.TRANSACTION_ABORTED,
            () -> TestingShards.update(connection, INSERT, key, 9, "b"));
      }
      assertRefused(ErrorCode.TRANSACTION_ABORTED, () -> TestingShards.rows(connection, ALL));
      assertRefused(ErrorCode.TRANSACTION_ABORTED, connection::commit);
      shards.assertIdle();
      assertThat(shards.rows(ALL)).isEmpty();
      insertOnEach(connection);
      connection.commit();
    }
    assertThat(shards.rows(ALL)).hasSize(4);
  }

  @Test
  void failedPartOfAWrite_endsItOnEveryShard() throws SQLException {
    try (Connection connection = begin()) {
      TestingShards.update(connection, INSERT, key(2), 2, "a");
      assertThatThrownBy(
              () ->
                  TestingShards.update(
                      connection,
                      "INSERT INTO samples (k, id) VALUES (?, 7), (?, 2)",
                      key(0),
                      key(2)))
          .isInstanceOf(SQLException.class);
      assertRefused(ErrorCode.TRANSACTION_ABORTED, connection::commit);
    }
    assertThat(shards.rows(ALL)).isEmpty();
  }

  @Test
  void savepoint_holdsOnEveryShardThoseThatJoinLaterToo() throws SQLException {
    try (Connection connection = begin()) {
      TestingShards.update(connection, INSERT, key(0), 0, "a");
      Savepoint before = connection.setSavepoint("before");
      TestingShards.update(connection, UPDATE, "b", key(0));
      TestingShards.update(connection, INSERT, key(1), 1, "b");
      Savepoint inner = connection.setSavepoint();
      TestingShards.update(connection, INSERT, key(2), 2, "b");
      connection.rollback(inner);
      assertThat(TestingShards.rows(connection, ALL)).containsExactly("0|b", "1|b");
      assertThatThrownBy(() -> TestingShards.update(connection, INSERT, key(1), 1, "b"))
          .isInstanceOf(SQLException.class);
      connection.rollback(before);
      assertThat(TestingShards.rows(connection, ALL)).containsExactly("0|a");
      TestingShards.update(connection, INSERT, key(2), 2, "c");
      connection.releaseSavepoint(before);
      connection.commit();
    }
    assertThat(shards.rows(ALL)).containsExactly("0|a", "2|c");
  }

  // Commit

  final void insertOnEach2() throws SQLException {
    try (Connection connection = shards.connect()) {
      insertOnEach(connection);
      TestingShards.update(connection, INSERT, key(2), 12, "a");
    }
  }

  @Test
  void brokenConnection_ofOneShard_losesIt() throws SQLException {
    try (Connection connection = begin()) {
      insertOnEach(connection);
      shards.proxy(1).cut();
      assertRefused(
          ErrorCode.SHARD_UNAVAILABLE, () -> TestingShards.update(connection, UPDATE, "b", key(1)));
      assertRefused(
          ErrorCode.SHARD_UNAVAILABLE, () -> TestingShards.update(connection, UPDATE, "b", key(0)));
      assertRefused(ErrorCode.SHARD_UNAVAILABLE, connection::commit);
      shards.assertIdle();
    }
    assertThat(shards.rows(ALL)).isEmpty();
  }

  @Test
  void brokenConnection_foundAtCommit_appliesNothing() throws SQLException {
    try (Connection connection = begin()) {
      insertOnEach(connection);
      shards.proxy(3).cut();
      assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
      shards.assertIdle();
    }
    assertThat(shards.rows(ALL)).isEmpty();
  }

  /** The wire of one shard is cut in the moment in which its COMMIT is sent. */
  @Test
  void brokenConnection_whileItCommits_leavesItsShardUnknown() throws SQLException {
    List<Lease> leases = new ArrayList<>();
    try (ShardwrightConnection connection = (ShardwrightConnection) shards.connect()) {
      for (int shard = 0; shard < 3; shard++) {
        Lease lease =
            connection
                .cluster()
                .pool(new ShardId("s" + shard))
                .lease(Purpose.LOCK, LeaseWait.UNENDED);
        lease.connection().setAutoCommit(false);
        PhysicalDatabase.execute(lease.connection(), "UPDATE samples SET t = 'b'");
        Connection seen = shard == 1 ? cutAtCommit(lease.connection(), 1) : lease.connection();
        leases.add(new Lease(lease.pool(), seen, Purpose.LOCK));
      }
      MultiCommit commit =
          new MultiCommit(connection.cluster().executor(), shards.database().product(), leases);
      MultiTransactionException e =
          catchThrowableOfType(MultiTransactionException.class, commit::run);
      assertThat(e.committed()).isEqualTo(ids("s0"));
      assertThat(e.unknown()).isEqualTo(ids("s1"));
      assertThat(e.rolledBack()).isEqualTo(ids("s2"));
    } finally {
      shards.proxy(1).heal();
      Lease.releaseAll(leases);
    }
    shards.awaitReachable(1);
  }

  private Connection cutAtCommit(Connection connection, int shard) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commit")) {
                shards.proxy(shard).cut();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  // Waiting

  @Test
  void crossingTransactions_finishOrFailInTime() throws Exception {
    insertOnEach2();
    CyclicBarrier together = new CyclicBarrier(2);
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try {
      List<Future<Integer>> writers = new ArrayList<>();
      for (List<Integer> order : List.of(List.of(0, 3), List.of(3, 0))) {
        writers.add(executor.submit(() -> cross(order, together)));
      }
      int committed = 0;
      for (Future<Integer> writer : writers) {
        committed += writer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      assertThat(committed).as("both repeat until they are through").isEqualTo(2);
    } finally {
      executor.shutdownNow();
    }
    assertThat(shards.rows("SELECT DISTINCT t FROM samples WHERE id IN (0, 3)")).hasSize(1);
  }

  /** The first meeting is a deadlock over two servers; then each goes on alone. */
  private int cross(List<Integer> order, CyclicBarrier together) throws Exception {
    String mine = "order " + order;
    try (Connection connection = begin()) {
      boolean met = false;
      while (true) {
        try {
          TestingShards.update(connection, UPDATE, mine, key(order.get(0)));
          if (!met) {
            met = true;
            together.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
          }
          TestingShards.update(connection, UPDATE, mine, key(order.get(1)));
          connection.commit();
          return 1;
        } catch (SQLTransactionRollbackException e) {
          assertThat(e.getMessage()).startsWith("SW409").contains("500 ms");
          connection.rollback();
        }
      }
    }
  }

  @Test
  void poolsThatRunDry_failWithinTheirTimeout() throws SQLException {
    List<Connection> holders = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        Connection holder = begin();
        holders.add(holder);
        TestingShards.update(holder, INSERT, key(1), i, "a");
      }
      try (Connection connection = begin()) {
        TestingShards.update(connection, INSERT, key(0), 9, "a");
        assertRefused(
            ErrorCode.SHARD_POOL_EXHAUSTED,
            () -> TestingShards.update(connection, INSERT, key(1), 9, "a"));
        connection.commit();
      }
    } finally {
      for (Connection holder : holders) {
        holder.close();
      }
    }
    assertThat(shards.rows(ALL)).as("nothing was sent, so the rest stands").hasSize(1);
  }

  @Test
  void repeatableRead_keepsTheSnapshotOfEachShard() throws SQLException {
    insertOnEach2();
    try (Connection connection = begin()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      List<String> first = TestingShards.rows(connection, ALL);
      shards.update("DELETE FROM samples WHERE k = ?", key(2));
      assertThat(TestingShards.rows(connection, ALL)).isEqualTo(first);
      connection.commit();
      assertThat(TestingShards.rows(connection, ALL)).hasSize(3);
    }
  }
}
