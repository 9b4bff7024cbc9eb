package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The only connection of shard s1 is in use, and its pool is patient. */
class LeaseWaitTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final TestingShards shards =
      TestingShards.open(3, "{max: 1, timeout: " + PATIENCE.toSeconds() + "s}");

  private final String onS1 = "SELECT id FROM samples WHERE k = " + shards.keyOn(1, 0);
  private Connection holder;
  private Connection connection;
  private Statement statement;

  @BeforeEach
  void hold() throws SQLException {
    holder = shards.connect();
    holder.setAutoCommit(false);
    TestingShards.rows(holder, onS1);
    connection = shards.connect();
    statement = connection.createStatement();
  }

  @AfterEach
  void everythingWasGivenBack() throws SQLException {
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    holder.close();
    assertThat(TestingShards.rows(connection, onS1)).as("the connection is usable").isEmpty();
    connection.close();
    shards.assertIdle();
  }

  @AfterAll
  static void close() {
    shards.close();
  }

  private static void assertEnded(String why, ThrowingCallable wait) {
    long start = System.nanoTime();
    assertThatThrownBy(wait)
        .isInstanceOf(SQLTimeoutException.class)
        .hasMessageStartingWith(
            "SW406: the statement waited for a connection of shard s1 (max 1, in use 1, idle 0,"
                + " waiting 0) when "
                + why
                + "; nothing was sent to it; close result sets");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE.dividedBy(2));
  }

  @Test
  void hint_boundsTheWait() {
    String hint = "/* shardwright: timeout=100ms */ ";
    assertEnded("its timeout of 100 ms (hint) was up", () -> statement.executeQuery(hint + onS1));
    assertEnded(
        "its timeout of 100 ms (hint) was up",
        () ->
            statement.executeUpdate(
                hint + "UPDATE samples SET i4 = 1 WHERE k = " + shards.keyOn(1, 0)));
  }

  @Test
  void settingOfTheConnection_boundsTheWaitInATransactionToo() throws SQLException {
    connection.unwrap(ShardwrightSession.class).set("timeout", "100ms");
    connection.setAutoCommit(false);
    assertEnded("its timeout of 100 ms (connection) was up", () -> statement.executeQuery(onS1));
    connection.rollback();
    connection.setAutoCommit(true);
    connection.unwrap(ShardwrightSession.class).set("timeout", null);
  }

  @Test
  void queryTimeout_boundsTheWait() throws SQLException {
    statement.setQueryTimeout(1);
    assertEnded("its query timeout of 1 s was up", () -> statement.executeQuery(onS1));
  }

  @Test
  void queryTimeout_isForTheWaitAndTheExecutionTogether() throws Exception {
    statement.setQueryTimeout(3);
    CompletableFuture<Long> released =
        CompletableFuture.supplyAsync(
            this::release, CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS));
    assertThatThrownBy(
            () ->
                statement.executeQuery(
                    "SELECT count(*), pg_sleep(20) FROM samples WHERE k = " + shards.keyOn(1, 0)))
        .isInstanceOf(SQLTimeoutException.class)
        .hasMessageStartingWith("SW406: the statement did not end within its query timeout of 3 s");
    assertThat(Duration.ofNanos(System.nanoTime() - released.get()))
        .isLessThan(Duration.ofSeconds(3));
  }

  private long release() {
    try {
      holder.rollback();
      return System.nanoTime();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void severalShards_giveBackWhatTheyHave() throws SQLException {
    statement.setQueryTimeout(1);
    assertEnded(
        "its query timeout of 1 s was up",
        () -> statement.executeQuery("SELECT count(*) FROM samples"));
    assertThat(shards.source().activeConnections().values().stream().mapToInt(n -> n).sum())
        .as("only the holder's")
        .isEqualTo(1);
  }

  @Test
  void partialAnswer_isMadeOfTheShardsWithFreeConnections() throws SQLException {
    TestingShards.rows(connection, "SELECT id FROM samples WHERE k = " + shards.keyOn(2, 0));
    statement.setQueryTimeout(1);
    try (ResultSet rows =
        statement.executeQuery("/* shardwright: partial=allow */ SELECT count(*) FROM samples")) {
      assertThat(rows.unwrap(Completeness.class).missing().toString())
          .startsWith("{s1=SW406: the statement waited for a connection of shard s1");
      assertThat(rows.unwrap(Completeness.class).answered()).hasSize(2);
    }
  }

  @Test
  void batch_isBoundedToo() throws SQLException {
    connection.unwrap(ShardwrightSession.class).set("timeout", "100ms");
    statement.addBatch("UPDATE samples SET i4 = 1 WHERE k = " + shards.keyOn(1, 0));
    assertEnded("its timeout of 100 ms (connection) was up", statement::executeBatch);
    connection.unwrap(ShardwrightSession.class).set("timeout", null);
  }

  @Test
  void cancel_endsTheWait() throws Exception {
    CompletableFuture<Thread> waiter = new CompletableFuture<>();
    CompletableFuture<ResultSet> answer =
        CompletableFuture.supplyAsync(
            () -> {
              waiter.complete(Thread.currentThread());
              try {
                return statement.executeQuery(onS1);
              } catch (SQLException e) {
                throw new AssertionError(e);
              }
            },
            task -> new Thread(task).start());
    while (waiter.get().getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    statement.cancel();
    assertEnded(
        "it was cancelled",
        () -> {
          try {
            answer.get();
          } catch (ExecutionException e) {
            throw e.getCause().getCause();
          }
        });
  }
}
