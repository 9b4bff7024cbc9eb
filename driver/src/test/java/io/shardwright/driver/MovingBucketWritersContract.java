package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.driver.ScriptedMover.Step;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writers and readers at full speed while a bucket goes forth and back. */
abstract class MovingBucketWritersContract {
  private static final int ROUNDS = 4;
  private static final String INSERT = "INSERT INTO samples (k, id, i8, t) VALUES (?, ?, 0, 'w')";

  private static final long ROWS_MAX = 20_000;

  final TestingShards shards =
      TestingShards.open(database(), 3, "{max: 12, timeout: 5s}", "moves: {cutover_wait: 20s}\n");

  private final long moved = shards.keyOn(0, 0);
  private final long other = shards.keyOn(2, 0);
  private final AtomicLong ids = new AtomicLong(100);
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong increments = new AtomicLong();
  private final AtomicLong serializations = new AtomicLong();
  private final AtomicBoolean on = new AtomicBoolean(true);
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  abstract TestingDatabase database();

  @AfterEach
  void close() {
    shards.assertIdle();
    shards.close();
  }

  private interface Work {
    void run(Connection connection) throws SQLException;
  }

  private CompletableFuture<Void> repeatedly(ExecutorService executor, Work work) {
    return CompletableFuture.runAsync(
        () -> {
          try (Connection connection = shards.connect()) {
            while (on.get()) {
              work.run(connection);
            }
          } catch (SQLException | RuntimeException | AssertionError e) {
            failures.add(e);
          }
        },
        executor);
  }

  /** Of rows that nobody else knows. */
  private void inserting(int rows, Work work, Connection connection) throws SQLException {
    begun.addAndGet(rows);
    work.run(connection);
    acknowledged.addAndGet(rows);
  }

  /** So that the mover, which copies by plain statements, keeps up with a fast machine. */
  private Work whileFew(Work work) {
    return connection -> (begun.get() < ROWS_MAX ? work : (Work) this::increment).run(connection);
  }

  private void insert(Connection connection) throws SQLException {
    inserting(1, c -> TestingShards.update(c, INSERT, moved, ids.incrementAndGet()), connection);
  }

  private void insertSeveral(Connection connection) throws SQLException {
    String sql = INSERT + ", (?, ?, 0, 'w')";
    inserting(
        2,
        c ->
            TestingShards.update(
                c, sql, moved, ids.incrementAndGet(), other, ids.incrementAndGet()),
        connection);
  }

  private void insertBatch(Connection connection) throws SQLException {
    try (PreparedStatement batch = connection.prepareStatement(INSERT)) {
      for (long key : List.of(moved, other, moved)) {
        batch.setLong(1, key);
        batch.setLong(2, ids.incrementAndGet());
        batch.addBatch();
      }
      inserting(3, c -> assertThat(batch.executeBatch()).hasSize(3), connection);
    }
  }

  private void increment(Connection connection) throws SQLException {
    assertThat(
            TestingShards.update(
                connection, "UPDATE samples SET i8 = i8 + 1 WHERE k = ? AND id = 1", moved))
        .isEqualTo(1);
    increments.incrementAndGet();
  }

  /** Everywhere at once, with a condition that is about the moved row and one that stays. */
  private void incrementOnAll(Connection connection) throws SQLException {
    assertThat(
            TestingShards.update(
                connection,
                "/* shardwright: scatter=allow */ UPDATE samples SET i8 = i8 + 1 WHERE id IN (1,"
                    + " 2)"))
        .isEqualTo(2);
    increments.incrementAndGet();
  }

  private void transaction(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
    }
    try {
      TestingShards.rows(connection, "SELECT i8 FROM samples WHERE k = ? AND id = 1", moved);
      TestingShards.update(
          connection, "UPDATE samples SET i8 = i8 + 1 WHERE k = ? AND id = 1", moved);
      connection.commit();
      increments.incrementAndGet();
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as("%s", e).isEqualTo("40001");
      serializations.incrementAndGet();
      connection.rollback();
    }
  }

  private void read(Connection connection) throws SQLException {
    long before = acknowledged.get();
    long counted =
        Long.parseLong(
            TestingShards.rows(connection, "SELECT count(*) FROM samples WHERE t = 'w'").get(0));
    assertThat(counted).isBetween(before, begun.get());
    long incremented = increments.get();
    assertThat(
            Long.parseLong(
                TestingShards.rows(
                        connection, "SELECT i8 FROM samples WHERE k = ? AND id = 1", moved)
                    .get(0)))
        .isGreaterThanOrEqualTo(incremented);
  }

  private void list(Connection connection) throws SQLException {
    long before = acknowledged.get();
    List<Long> seen = new ArrayList<>();
    try (PreparedStatement select =
        connection.prepareStatement("SELECT id FROM samples WHERE t = 'w' ORDER BY id")) {
      select.setFetchSize(50);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          seen.add(rows.getLong(1));
        }
      }
    }
    assertThat(new HashSet<>(seen)).hasSameSizeAs(seen);
    assertThat((long) seen.size()).isBetween(before, begun.get());
  }

  @Test
  void writersAndReaders_noticeNothing() throws Exception {
    shards.update(INSERT.replace("'w'", "'c'"), moved, 1);
    shards.update(INSERT.replace("'w'", "'c'"), other, 2);
    ExecutorService executor = Executors.newCachedThreadPool();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (Work work :
        List.<Work>of(
            whileFew(this::insert),
            whileFew(this::insertSeveral),
            whileFew(this::insertBatch),
            this::increment,
            this::incrementOnAll,
            this::transaction,
            this::read,
            this::list)) {
      all.add(repeatedly(executor, work));
    }
    try {
      moveForthAndBack();
    } finally {
      on.set(false);
    }
    all.forEach(CompletableFuture::join);
    executor.shutdown();

    assertThat(failures).isEmpty();
    // Each id once: 101 to the last one.
    long last = ids.get();
    assertThat(shards.rows("SELECT count(*), min(id), max(id) FROM samples WHERE t = 'w'"))
        .containsExactly(acknowledged.get() + "|101|" + last);
    assertThat(acknowledged.get()).isEqualTo(last - 100);
    assertThat(shards.rows("SELECT sum(id) FROM samples WHERE t = 'w'"))
        .containsExactly(String.valueOf((last * (last + 1) - 100 * 101) / 2));
    assertThat(shards.rows("SELECT i8 FROM samples WHERE k = ? AND id = 1", moved))
        .containsExactly(String.valueOf(increments.get()));
    assertThat(shards.source().moveStatistics().repeats()).isPositive();
  }

  private void moveForthAndBack() throws SQLException {
    for (int round = 0; round < ROUNDS; round++) {
      ScriptedMover mover =
          new ScriptedMover(shards, shards.samplesBucket(moved), round % 2, 1 - round % 2);
      for (Step step : Step.values()) {
        mover.run(step);
        if (step == Step.ANNOUNCED || step == Step.DONE) {
          shards.source().refreshMaps();
        }
        long seen = acknowledged.get() + increments.get() + 20;
        boolean writable = step.compareTo(Step.CLOSED) < 0 || step.compareTo(Step.OPEN) >= 0;
        while (writable && acknowledged.get() + increments.get() < seen && failures.isEmpty()) {
          Thread.onSpinWait();
        }
      }
    }
  }
}
