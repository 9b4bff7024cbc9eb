package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.ConfigurationReader;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class FailureContract {
  static final String INSERT = "INSERT INTO samples (k, id, t) VALUES (?, ?, ?)";
  TestingShards shards;

  abstract TestingDatabase database();

  @BeforeEach
  void open() {
    shards = TestingShards.open(database(), 3, "{max: 2, timeout: 500ms}", "");
  }

  @AfterEach
  void close() {
    shards.assertIdle();
    shards.close();
  }

  @Test
  void wrongPassword_isSaidAndNotShown() {
    String yaml = shards.yaml().replace("password: \"", "password: \"wrong");
    assertThatThrownBy(() -> open(yaml.replaceFirst("password: \"wrong", "password: \"")))
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SHARD_LOGIN_FAILED))
        .hasMessageContaining("shards.s")
        .message()
        .doesNotContain("wrong");
    assertThatThrownBy(() -> open(yaml))
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_LOGIN_FAILED));
  }

  private static void open(String yaml) {
    Shardwright.open(ConfigurationReader.parse("test.yaml", yaml, Map.of())).close();
  }

  @Test
  void swappedUrls_areRefused() {
    String swapped =
        shards
            .yaml()
            .replace("  s0: ", "  other: ")
            .replace("  s1: ", "  s0: ")
            .replace("  other: ", "  s1: ");
    try (ShardwrightDataSource source =
            Shardwright.open(ConfigurationReader.parse("test.yaml", swapped, Map.of()));
        Connection connection = source.getConnection()) {
      assertRefused(
          ErrorCode.SHARD_IDENTITY_MISMATCH,
          () -> TestingShards.update(connection, INSERT, shards.keyOn(0, 0), 1, "a"));
    } catch (ShardwrightException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.SHARD_IDENTITY_MISMATCH);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shardWithoutIdentity_isNotUsed() {
    shards.onEveryShard("DROP TABLE shardwright_shard");
    assertThatThrownBy(() -> Shardwright.open(shards.configuration()))
        .isInstanceOfSatisfying(
            ShardwrightException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_APPLIED))
        .hasMessageContaining("shardwright apply");
  }

  @Test
  void catalogDown_whenOpened_isAnError() {
    shards.catalogProxy().refuse();
    shards.catalogProxy().cut();
    assertThatThrownBy(() -> Shardwright.open(shards.configuration()))
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_UNAVAILABLE));
  }

  @Test
  void catalogDown_afterwards_changesNothing() throws SQLException {
    shards.catalogProxy().refuse();
    shards.catalogProxy().cut();
    shards.source().refreshMaps();
    shards.update(INSERT, 1, 1, "a");
    assertThat(shards.rows("SELECT t FROM samples")).containsExactly("a");
  }

  @Test
  void exhaustedPool_isNamedWithItsCounters() throws SQLException {
    long key = shards.keyOn(0, 0);
    shards.update(INSERT, key, 1, "a");
    try (Connection connection = shards.connect();
        Statement first = connection.createStatement();
        Statement second = connection.createStatement();
        Statement third = connection.createStatement()) {
      String sql = "SELECT t FROM samples WHERE k = " + key;
      ResultSet open = first.executeQuery(sql);
      second.executeQuery(sql);
      assertThatThrownBy(() -> third.executeQuery(sql))
          .isInstanceOf(java.sql.SQLTransientException.class)
          .hasMessageContaining("SW402")
          .hasMessageContaining("shard s0")
          .hasMessageContaining("max 2, in use 2")
          .hasMessageContaining("shards.s0.pool.max");
      open.close();
      assertThat(third.executeQuery(sql).next()).isTrue();
    }
  }

  @Test
  void brokenConnection_duringAnAutocommitWrite_isAnUnknownOutcome() throws Exception {
    long key = shards.keyOn(2, 0);
    shards.update(INSERT, key, 1, "a");
    whileLocked(
        2,
        key,
        () ->
            assertThatThrownBy(() -> shards.update("UPDATE samples SET t = 'b' WHERE k = ?", key))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasMessageStartingWith("SW404: ")
                .hasMessageContaining("shard s2")
                .hasMessageContaining("before repeating")
                .hasCauseInstanceOf(SQLException.class));
  }

  @Test
  void brokenConnection_duringARead_mayBeRepeated() throws Exception {
    long key = shards.keyOn(2, 0);
    shards.update(INSERT, key, 1, "a");
    whileLocked(
        2,
        key,
        () ->
            assertRefused(
                ErrorCode.SHARD_UNAVAILABLE,
                () -> shards.rows("SELECT t FROM samples WHERE k = ? FOR UPDATE", key)));
  }

  @Test
  void brokenConnection_insideATransaction_rollsItBack() throws Exception {
    long key = shards.keyOn(1, 0);
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      TestingShards.update(connection, INSERT, key, 1, "a");
      shards.proxy(1).cut();
      assertRefused(
          ErrorCode.SHARD_UNAVAILABLE, () -> TestingShards.update(connection, INSERT, key, 2, "b"));
      assertRefused(
          ErrorCode.SHARD_UNAVAILABLE, () -> TestingShards.update(connection, INSERT, key, 3, "c"));
      assertRefused(ErrorCode.SHARD_UNAVAILABLE, connection::commit);
      TestingShards.update(connection, INSERT, key, 4, "d");
      connection.commit();
    }
    assertThat(shards.rows("SELECT id FROM samples")).containsExactly("4");
  }

  @Test
  void writeToSeveralShards_ofWhichOneBreaks_appliesNothing() throws Exception {
    long key = shards.keyOn(2, 0);
    long other = shards.keyOn(0, 0);
    shards.update(INSERT, key, 1, "a");
    shards.update(INSERT, other, 2, "a");
    whileLocked(
        2,
        key,
        () ->
            assertRefused(
                ErrorCode.SHARD_UNAVAILABLE,
                () -> shards.update("UPDATE samples SET t = 'x' WHERE k IN (?, ?)", key, other)));
    assertThat(shards.rows("SELECT t FROM samples")).containsExactly("a", "a");
  }

  @Test
  void brokenConnection_betweenTheCommitsOfSeveralShards_namesEachShardsState()
      throws SQLException {
    shards
        .proxy(1)
        .beforeRequest(
            () -> {
              if (hasRows(0)) {
                shards.proxy(1).cut();
              }
            });
    assertThatThrownBy(
            () ->
                shards.update(
                    "INSERT INTO samples (k, id) VALUES (?, 1), (?, 2), (?, 3)",
                    shards.keyOn(0, 0),
                    shards.keyOn(1, 0),
                    shards.keyOn(2, 0)))
        .hasMessageStartingWith("SW405: ")
        .hasMessageContaining("applied on [s0], not applied on [s2], unknown on [s1]");
    shards.assertIdle();
    assertThat(shards.shardRows(0, "SELECT id FROM samples")).containsExactly("1");
    assertThat(shards.shardRows(2, "SELECT id FROM samples")).isEmpty();
  }

  /** Committed ones. */
  private boolean hasRows(int shard) {
    try {
      return !shards.shardRows(shard, "SELECT id FROM samples").isEmpty();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void scatterTimeout_namesTheShard() throws Exception {
    long slow = shards.keyOn(2, 0);
    long other = shards.keyOn(0, 0);
    shards.update(INSERT, slow, 1, "a");
    shards.update(INSERT, other, 2, "a");
    try (Connection blocker = shards.shard(2);
        Statement lock = blocker.createStatement();
        Connection connection = shards.connect();
        PreparedStatement update =
            connection.prepareStatement("UPDATE samples SET t = 'x' WHERE k IN (?, ?)")) {
      blocker.setAutoCommit(false);
      lock.execute("SELECT * FROM samples FOR UPDATE");
      update.setLong(1, slow);
      update.setLong(2, other);
      update.setQueryTimeout(1);
      assertThatThrownBy(update::executeUpdate)
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessageContaining("SW406")
          .hasMessageContaining("shard s2");
      blocker.rollback();
    }
    assertThat(shards.rows("SELECT t FROM samples")).containsExactly("a", "a");
  }

  @Test
  void queryTimeout_endsAStatementAndABatchAlike() throws Exception {
    long key = shards.keyOn(2, 0);
    shards.update(INSERT, key, 1, "a");
    try (Connection blocker = shards.shard(2);
        Statement lock = blocker.createStatement();
        Connection connection = shards.connect();
        PreparedStatement update =
            connection.prepareStatement("UPDATE samples SET t = 'x' WHERE k = ?")) {
      blocker.setAutoCommit(false);
      lock.execute("SELECT * FROM samples FOR UPDATE");
      update.setQueryTimeout(1);
      update.setLong(1, key);
      assertTimedOut(update::executeUpdate, "nothing of it was applied");
      update.addBatch();
      assertTimedOut(update::executeBatch, "its cause tells what of the batch was applied");
      blocker.rollback();
    }
    assertThat(shards.rows("SELECT t FROM samples")).containsExactly("a");
  }

  private static void assertTimedOut(ThrowingCallable statement, String outcome) {
    assertThatThrownBy(statement)
        .isInstanceOf(SQLTimeoutException.class)
        .hasMessageStartingWith(
            "SW406: the statement did not end within its query timeout of 1 s and was cancelled; "
                + outcome);
  }

  @Test
  void cancel_fromAnotherThread_endsTheStatementOnAllShards() throws Exception {
    long slow = shards.keyOn(2, 0);
    shards.update(INSERT, slow, 1, "a");
    try (Connection blocker = shards.shard(2);
        Statement lock = blocker.createStatement();
        Connection connection = shards.connect();
        Statement update = connection.createStatement()) {
      blocker.setAutoCommit(false);
      lock.execute("SELECT * FROM samples FOR UPDATE");
      whenWaiting(
          2,
          update::cancel,
          () ->
              assertThatThrownBy(
                      () ->
                          update.executeUpdate(
                              "UPDATE samples SET t = 'x' WHERE k IN ("
                                  + slow
                                  + ", "
                                  + shards.keyOn(0, 0)
                                  + ")"))
                  .isInstanceOfSatisfying(
                      SQLException.class,
                      e -> assertThat(e.getSQLState()).isEqualTo(shards.database().cancelled())));
      blocker.rollback();
    }
  }

  interface Action {
    void run() throws Exception;
  }

  /** The statement waits for a row lock on the shard, and then its connection breaks. */
  private void whileLocked(int shard, long key, Action statement) throws Exception {
    try (Connection blocker = shards.shard(shard);
        Statement lock = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      lock.execute("SELECT * FROM samples WHERE k = " + key + " FOR UPDATE");
      cutWhenWaiting(shard, statement);
      blocker.rollback();
    }
  }

  final void cutWhenWaiting(int shard, Action statement) throws Exception {
    whenWaiting(shard, () -> shards.proxy(shard).cut(), statement);
  }

  /** Acts once a session of the shard waits for a lock, while {@code statement} runs. */
  private void whenWaiting(int shard, Action action, Action statement) throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      Future<?> acting =
          executor.submit(
              () -> {
                List<String> waiting = new ArrayList<>();
                while (waiting.isEmpty()) {
                  waiting = shards.shardRows(shard, shards.database().waitingSessions());
                }
                action.run();
                return null;
              });
      statement.run();
      acting.get();
    } finally {
      executor.shutdownNow();
    }
  }
}
