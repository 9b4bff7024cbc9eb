package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.DriverLease;
import io.shardwright.driver.ScriptedMover.Step;
import io.shardwright.testkit.TestingClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements while a bucket goes from one shard to another, at each step of the move. */
abstract class MovingBucketContract {
  // Long because: each step of one move is looked at in the same ways.

  private static final int SHARDS = 3;
  private static final Map<TestingDatabase, TestingShards> OPENED =
      new EnumMap<>(TestingDatabase.class);

  /** Of the first shard, of which each test moves another. */
  private static final Map<TestingDatabase, Integer> USED = new EnumMap<>(TestingDatabase.class);

  private static final List<String> STATEMENTS =
      List.of(
          "SELECT id, t FROM samples ORDER BY id LIMIT 20",
          "SELECT count(*), sum(id), min(t), max(t) FROM samples",
          "SELECT t, count(*) FROM samples GROUP BY t ORDER BY t",
          "SELECT count(*) FROM samples a JOIN samples b ON a.k = b.k",
          "SELECT count(*) FROM samples a LEFT JOIN samples b ON a.k = b.k AND b.id > 0 WHERE a.id"
              + " > 0",
          "SELECT count(*) FROM samples a WHERE EXISTS (SELECT 1 FROM samples b WHERE b.k = a.k)",
          "SELECT count(*) FROM samples a JOIN samples b ON a.t = b.t",
          "SELECT id FROM samples WHERE id > 0 UNION ALL SELECT id FROM samples ORDER BY id",
          "SELECT DISTINCT t FROM samples ORDER BY t",
          "SELECT t FROM samples GROUP BY t HAVING count(*) > 0 ORDER BY t",
          "SELECT count(*) FROM (SELECT k, count(*) AS c FROM samples GROUP BY k) x",
          "SELECT sum(x.id) FROM (SELECT id FROM samples WHERE t IS NOT NULL) x");

  final TestingShards shards = OPENED.computeIfAbsent(database(), MovingBucketContract::opened);
  private long moved;
  private long neighbour;
  private ScriptedMover mover;

  abstract TestingDatabase database();

  private static TestingShards opened(TestingDatabase database) {
    return TestingShards.open(
        database, SHARDS, "{max: 4, timeout: 1s}", "moves: {cutover_wait: 1s}\n");
  }

  @BeforeEach
  void rows() throws SQLException {
    int nth = USED.merge(database(), 1, Integer::sum);
    moved = keyOn(0, nth);
    neighbour = keyOn(0, nth + 1);
    mover = new ScriptedMover(shards, shards.samplesBucket(moved), 0, 1);
    String insert = "INSERT INTO samples (k, id, t) VALUES (?, ?, ?)";
    shards.both(insert, moved, 1, "a");
    shards.both(insert, moved, 2, "b");
    shards.both(insert, neighbour, 3, "a");
    shards.both(insert, keyOn(1, 0), 4, "c");
    shards.both(insert, keyOn(2, 0), 5, "b");
  }

  /** The first key of the {@code nth} bucket that is on the shard by the first map. */
  private long keyOn(int shard, int nth) {
    int bucket = (64 * shard + SHARDS - 1) / SHARDS + nth;
    long key = 0;
    while (shards.samplesBucket(key) != bucket) {
      key++;
    }
    return key;
  }

  @AfterEach
  void everythingWasGivenBack() throws SQLException {
    mover.end("done");
    shards.source().refreshMaps();
    shards.assertIdle();
    shards.clear();
  }

  private void assertAllRight(Connection connection, boolean scatters) throws SQLException {
    List<Object> keys = List.of(moved, neighbour, keyOn(1, 0), keyOn(2, 0));
    same(connection, "SELECT id, t FROM samples WHERE k = ? ORDER BY id", moved);
    same(connection, "SELECT sum(id) FROM samples WHERE k = ?", moved);
    if (!scatters) {
      return;
    }
    same(
        connection,
        "SELECT id, t FROM samples WHERE k IN (?, ?, ?, ?) ORDER BY id",
        keys.toArray());
    same(
        connection,
        "SELECT id, t FROM samples WHERE k = ? OR (k = ? AND id > 0) OR k = ? ORDER BY id",
        moved,
        neighbour,
        keyOn(1, 0));
    for (String statement : STATEMENTS) {
      same(connection, statement);
    }
    try (PreparedStatement streaming = connection.prepareStatement("SELECT id FROM samples")) {
      streaming.setFetchSize(1);
      List<String> ids = new ArrayList<>();
      try (ResultSet rows = streaming.executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getString(1));
        }
      }
      assertThat(ids)
          .containsExactlyInAnyOrderElementsOf(shards.plainRows("SELECT id FROM samples"));
    }
  }

  private void same(Connection connection, String sql, Object... parameters) throws SQLException {
    assertThat(TestingShards.rows(connection, sql, parameters))
        .as(sql)
        .isEqualTo(shards.plainRows(sql, parameters));
  }

  @Test
  void answers_areThoseOfOneDatabase_atEachStep() throws SQLException {
    int id = 10;
    for (Step step : Step.values()) {
      mover.run(step);
      if (step == Step.ANNOUNCED || step == Step.DONE) {
        // Whoever announces waits for this.
        shards.source().refreshMaps();
      }
      try (Connection connection = shards.connect()) {
        assertAllRight(connection, true);
      }
      if (isWritable(step)) {
        shards.both("UPDATE samples SET t = ? WHERE k = ?", step.name(), moved);
        shards.both("UPDATE samples SET f8 = 1 WHERE id > 0 /* shardwright: scatter=allow */");
        shards.both("INSERT INTO samples (k, id, t) VALUES (?, ?, 'new')", moved, id++);
        try (Connection connection = shards.connect()) {
          assertAllRight(connection, true);
        }
      }
    }
    assertThat(shards.source().moveStatistics().checks()).isPositive();
  }

  private static boolean isWritable(Step step) {
    return step.compareTo(Step.CLOSED) < 0 || step.compareTo(Step.OPEN) >= 0;
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
      })
  void answersInTransactions_areThoseOfOneDatabase_atEachStep(int isolation) throws SQLException {
    for (Step step : Step.values()) {
      mover.run(step);
      if (step == Step.ANNOUNCED || step == Step.DONE) {
        shards.source().refreshMaps();
      }
      if (isWritable(step)) {
        try (Connection connection = shards.connect()) {
          connection.setTransactionIsolation(isolation);
          connection.setAutoCommit(false);
          assertAllRight(connection, isolation == Connection.TRANSACTION_READ_COMMITTED);
          same(connection, "SELECT id FROM samples WHERE k = ? ORDER BY id FOR UPDATE", moved);
          TestingShards.update(
              connection, "UPDATE samples SET t = ? WHERE k = ?", step.name(), moved);
          connection.commit();
        }
        try (Connection plain = shards.plain()) {
          TestingShards.update(plain, "UPDATE samples SET t = ? WHERE k = ?", step.name(), moved);
        }
      }
    }
  }

  @Test
  void abortedMove_leavesNoRowTwice() throws SQLException {
    for (Step step : List.of(Step.ANNOUNCED, Step.COPIED, Step.CAPTURED, Step.CLOSED)) {
      mover.run(step);
      shards.source().refreshMaps();
    }
    CompletableFuture<Void> write = updateInAnotherThread("after");
    mover.reopen();
    write.join();
    try (Connection connection = shards.connect()) {
      assertAllRight(connection, true);
      mover.cancel();
      assertAllRight(connection, true);
      shards.source().refreshMaps();
      assertAllRight(connection, true);
    }
  }

  private CompletableFuture<Void> updateInAnotherThread(String text) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            shards.both("UPDATE samples SET t = ? WHERE k = ?", text, moved);
          } catch (SQLException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void writeDuringTheCutover_waitsAndGoesToTheNewShard() throws Exception {
    mover.run(Step.ANNOUNCED);
    shards.source().refreshMaps();
    mover.run(Step.COPIED);
    mover.run(Step.CAPTURED);
    mover.run(Step.CLOSED);
    long before = shards.source().moveStatistics().repeats();
    CompletableFuture<Void> write = updateInAnotherThread("later");
    while (shards.source().moveStatistics().repeats() == before) {
      Thread.onSpinWait();
    }
    mover.run(Step.PUBLISHED);
    mover.run(Step.AWAY);
    mover.run(Step.OPEN);
    write.get(10, TimeUnit.SECONDS);

    try (Connection connection = shards.connect()) {
      assertAllRight(connection, true);
    }
    assertThat(shards.shardRows(1, "SELECT DISTINCT t FROM samples WHERE k = " + moved))
        .containsExactly("later");
  }

  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"AWAY", "OPEN", "CLEANED", "DONE"})
  void driverThatCannotReadTheCatalog_neverGivesTheOldRow(Step last) throws SQLException {
    mover.run(Step.ANNOUNCED);
    try (ShardwrightDataSource other = shards.openDirect();
        Connection connection = shards.connect();
        PreparedStatement select =
            connection.prepareStatement("SELECT t FROM samples WHERE k = ? AND id = 1")) {
      shards.source().refreshMaps();
      shards.catalogProxy().refuse();
      shards.catalogProxy().cut();
      try {
        for (Step step : Step.values()) {
          if (step != Step.ANNOUNCED && step.compareTo(last) <= 0) {
            mover.run(step);
          }
        }
        if (isWritable(last)) {
          other.refreshMaps();
          try (Connection writer = other.getConnection()) {
            TestingShards.update(writer, "UPDATE samples SET t = 'new' WHERE k = ?", moved);
          }
        }
        assertMoved(() -> TestingShards.rows(select.executeQuery()), select);
        assertThatThrownBy(
                () -> TestingShards.update(connection, "DELETE FROM samples WHERE k = ?", moved))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("SW001");
        assertThatThrownBy(() -> TestingShards.rows(connection, "SELECT sum(id) FROM samples"))
            .hasMessageContaining("SW001");
        // The others go on.
        assertThat(TestingShards.rows(connection, "SELECT t FROM samples WHERE k = ?", neighbour))
            .containsExactly("a");
      } finally {
        shards.catalogProxy().heal();
      }
      if (isWritable(last)) {
        select.setLong(1, moved);
        assertThat(TestingShards.rows(select.executeQuery())).containsExactly("new");
      }
    }
  }

  private interface Question {
    List<String> ask() throws SQLException;
  }

  private void assertMoved(Question question, PreparedStatement select) throws SQLException {
    select.setLong(1, moved);
    assertThatThrownBy(question::ask)
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo("40001");
              assertThat(e.getMessage()).contains("SW001");
            });
  }

  @Test
  void driverWhoseLeaseLapsed_isRightOrRefuses() throws SQLException {
    TestingClock clock = new TestingClock(Instant.now());
    DriverLease lease = new DriverLease(clock, () -> clock.instant().toEpochMilli() * 1_000_000L);
    try (ShardwrightDataSource asleep =
            new ShardwrightDataSource(new Cluster("asleep", shards::configuration, lease));
        ShardwrightDataSource other = shards.openDirect();
        Connection connection = asleep.getConnection();
        PreparedStatement select =
            connection.prepareStatement("SELECT t FROM samples WHERE k = ? AND id = 1")) {
      shards.catalogProxy().refuse();
      shards.catalogProxy().cut();
      try {
        clock.step(Duration.ofSeconds(11));
        for (Step step : Step.values()) {
          mover.run(step);
          other.refreshMaps();
          if (isWritable(step)) {
            try (Connection writer = other.getConnection();
                Connection plain = shards.plain()) {
              String update = "UPDATE samples SET t = '" + step + "' WHERE k = ?";
              TestingShards.update(writer, update, moved);
              TestingShards.update(plain, update, moved);
            }
          }
          if (step.compareTo(Step.CLOSED) < 0) {
            assertAllRight(connection, true);
          } else if (step.compareTo(Step.AWAY) >= 0) {
            assertMoved(() -> TestingShards.rows(select.executeQuery()), select);
            for (String statement : STATEMENTS) {
              assertThatThrownBy(() -> TestingShards.rows(connection, statement))
                  .as(statement)
                  .hasMessageContaining("SW001");
            }
          }
        }
      } finally {
        shards.catalogProxy().heal();
      }
      asleep.refreshMaps();
      assertAllRight(connection, true);
    }
  }

  @Test
  void transactionThatRead_isWaitedForByTheCutover() throws Exception {
    mover.run(Step.ANNOUNCED);
    shards.source().refreshMaps();
    mover.run(Step.COPIED);
    mover.run(Step.CAPTURED);
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      TestingShards.rows(connection, "SELECT t FROM samples WHERE k = ?", moved);
      CompletableFuture<Void> close =
          CompletableFuture.runAsync(
              () -> {
                try {
                  mover.run(Step.CLOSED);
                } catch (SQLException e) {
                  throw new AssertionError(e);
                }
              });
      int before = mover.refusedLocks();
      while (mover.refusedLocks() < before + 2) {
        assertThat(close).isNotDone();
      }
      TestingShards.update(connection, "UPDATE samples SET t = 'mine' WHERE k = ?", moved);
      connection.commit();
      close.get(10, TimeUnit.SECONDS);
    }
    mover.run(Step.PUBLISHED);
    mover.run(Step.AWAY);
    mover.run(Step.OPEN);
    assertThat(shards.rows("SELECT DISTINCT t FROM samples WHERE k = ?", moved))
        .containsExactly("mine");
  }

  @Test
  void transactionThatWrote_meetsAMovedBucket_failsAs40001() throws SQLException {
    try (Connection connection = shards.connect()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      TestingShards.update(connection, "UPDATE samples SET t = 'x' WHERE k = ?", neighbour);
      mover.runTo(Step.OPEN);
      shards.source().refreshMaps();

      assertThatThrownBy(
              () -> TestingShards.rows(connection, "SELECT t FROM samples WHERE k = ?", moved))
          .isInstanceOf(SQLTransactionRollbackException.class)
          .hasMessageContaining("SW001");
      connection.rollback();
      assertThat(TestingShards.rows(connection, "SELECT id FROM samples WHERE k = ?", moved))
          .hasSize(2);
      connection.rollback();
    }
  }

  @Test
  void transactionThatOnlyRead_goesOnWhereTheBucketIs() throws SQLException {
    try (Connection connection = shards.connect()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      TestingShards.rows(connection, "SELECT t FROM samples WHERE k = ?", neighbour);
      mover.runTo(Step.OPEN);
      shards.source().refreshMaps();

      assertThat(TestingShards.update(connection, "UPDATE samples SET t = 'x' WHERE k = ?", moved))
          .isEqualTo(2);
      connection.commit();
    }
    assertThat(shards.shardRows(1, "SELECT count(*) FROM samples WHERE t = 'x'"))
        .containsExactly("2");
  }

  @Test
  void updateThatFindsNoRow_asksWhetherTheBucketMoved() throws SQLException {
    mover.run(Step.ANNOUNCED);
    shards.source().refreshMaps();
    for (Step step : Step.values()) {
      if (step != Step.ANNOUNCED && step.compareTo(Step.CLEANED) <= 0) {
        mover.run(step);
      }
    }
    assertThat(shards.update("UPDATE samples SET t = 'x' WHERE k = ?", moved)).isEqualTo(2);
  }

  @Test
  void explain_showsWhatAShardLeavesOut() throws SQLException {
    mover.run(Step.ANNOUNCED);
    shards.source().refreshMaps();

    Map<String, String> texts = new TreeMap<>();
    shards
        .source()
        .explain("SELECT t FROM samples WHERE id > 0 OR id < -5", List.of())
        .statements()
        .forEach(to -> texts.put(to.shard().name(), to.text().sql()));

    assertThat(texts)
        .containsEntry("s0", "SELECT t FROM samples WHERE id > 0 OR id < -5")
        .containsEntry(
            "s1",
            "SELECT t FROM samples WHERE samples.bucket_id NOT IN (?) AND ( id > 0 OR id < -5)");
  }

  @Test
  void statementsWithoutAnnouncedBuckets_askNothing() throws SQLException {
    long before = shards.source().moveStatistics().checks();
    assertThat(shards.rows("SELECT count(*) FROM samples")).containsExactly("5");
    mover.run(Step.ANNOUNCED);
    shards.source().refreshMaps();
    assertThat(shards.rows("SELECT t FROM samples WHERE k = ?", neighbour)).containsExactly("a");
    assertThat(shards.update("UPDATE samples SET t = 'x' WHERE k = ?", neighbour)).isEqualTo(1);
    assertThat(shards.source().moveStatistics().checks()).isEqualTo(before);
  }
}
