package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A thousand connections at once over pools of 16: each statement finishes or says why not. */
class ManyConnectionsTest {
  private static final int CONNECTIONS = 1_000;
  private static final int STEPS = 4;
  private static final long STACK_BYTES = 192 * 1024;

  /** Of the pools; a wait for one shard, then for the next, must not add up without end. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private enum Work {
    POINT_READ,
    POINT_WRITE,
    SCATTER,
    SORTED_SCATTER,
    TRANSACTION,
    SCATTER_IN_TRANSACTION,
    WRITE_TO_SEVERAL
  }

  @Test
  void thousandConnections_finishOrTimeOut() throws Exception {
    try (TestingShards shards =
        TestingShards.open(3, "{max: 16, timeout: " + PATIENCE.toSeconds() + "s}")) {
      for (int key = 0; key < 60; key++) {
        shards.update("INSERT INTO samples (k, id, i4) VALUES (?, ?, 0)", key, key);
      }
      ConcurrentLinkedQueue<SQLException> failures = new ConcurrentLinkedQueue<>();
      AtomicInteger done = new AtomicInteger();
      CountDownLatch go = new CountDownLatch(1);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        int number = i;
        Thread thread =
            new Thread(
                null,
                () -> run(shards, number, go, failures, done),
                "connection-" + number,
                STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
      }
      long start = System.nanoTime();
      go.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE.multipliedBy(4));
      assertThat(failures)
          .allSatisfy(
              e ->
                  assertThat(e.getMessage())
                      .containsPattern(
                          "SW402: .*max 16, .*in use \\d+, idle \\d+, waiting \\d+|SW409: |deadlock detected"));
      assertThat(done.get() + failures.size()).isEqualTo(CONNECTIONS * STEPS);
      assertThat(failures)
          .as("waits that nobody ends but the clock")
          .hasSizeLessThan(CONNECTIONS * STEPS / 10);
      shards.assertIdle();
    }
  }

  @Test
  void transactionsAndWrites_leaveConnectionsToReads() throws Exception {
    try (TestingShards shards = TestingShards.open(2, "{max: 8, timeout: 300ms}")) {
      List<Connection> transactions = new ArrayList<>();
      long key = shards.keyOn(0, 0);
      String pin = "SELECT id FROM samples WHERE k = ? FOR UPDATE";
      try {
        for (int i = 0; i < 7; i++) {
          Connection connection = shards.connect();
          transactions.add(connection);
          connection.setAutoCommit(false);
          TestingShards.rows(connection, pin, key);
        }
        assertThatThrownBy(() -> shards.update("UPDATE samples SET i4 = 1 WHERE k = ?", key))
            .hasMessageContaining(
                "SW402: shard s0: no connection became free within 300 ms (max 8, 1 of them for"
                    + " reads only, in use 7, idle ")
            .hasMessageContaining(", waiting 0)");
        for (Connection connection : transactions) {
          TestingShards.rows(connection, "SELECT count(*) FROM samples");
        }
        assertThat(shards.rows("SELECT count(*) FROM samples WHERE k = ?", key))
            .containsExactly("0");
        transactions.remove(0).abort(Runnable::run);
        shards.update("UPDATE samples SET i4 = 1 WHERE k = ?", key);
      } finally {
        for (Connection connection : transactions) {
          connection.close();
        }
      }
      shards.assertIdle();
    }
  }

  private static void run(
      TestingShards shards,
      int number,
      CountDownLatch go,
      ConcurrentLinkedQueue<SQLException> failures,
      AtomicInteger done) {
    Random random = new Random(number);
    try {
      go.await();
    } catch (InterruptedException e) {
      return;
    }
    for (int step = 0; step < STEPS; step++) {
      Work work = Work.values()[random.nextInt(Work.values().length)];
      try {
        step(shards, work, random.nextInt(60));
        done.incrementAndGet();
      } catch (SQLException e) {
        failures.add(e);
      }
    }
  }

  private static void step(TestingShards shards, Work work, long key) throws SQLException {
    try (Connection connection = shards.connect()) {
      switch (work) {
        case POINT_READ ->
            TestingShards.rows(connection, "SELECT i4 FROM samples WHERE k = ?", key);
        case POINT_WRITE ->
            TestingShards.update(connection, "UPDATE samples SET i4 = 1 WHERE k = ?", key);
        case SCATTER -> TestingShards.rows(connection, "SELECT count(*) FROM samples");
        case SORTED_SCATTER ->
            TestingShards.rows(connection, "SELECT id FROM samples ORDER BY id LIMIT 10");
        case TRANSACTION -> {
          connection.setAutoCommit(false);
          TestingShards.update(connection, "UPDATE samples SET i4 = 2 WHERE k = ?", key);
          TestingShards.rows(connection, "SELECT i4 FROM samples WHERE k = ?", key);
          connection.commit();
        }
        case SCATTER_IN_TRANSACTION -> {
          connection.setAutoCommit(false);
          TestingShards.rows(connection, "SELECT i4 FROM samples WHERE k = ? FOR SHARE", key);
          TestingShards.rows(connection, "SELECT count(*) FROM samples");
          connection.rollback();
        }
        case WRITE_TO_SEVERAL ->
            TestingShards.update(
                connection,
                "UPDATE samples SET i4 = 3 WHERE k IN (?, ?, ?)",
                key,
                key + 1,
                key + 2);
      }
    }
  }
}
