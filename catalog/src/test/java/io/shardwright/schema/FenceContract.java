package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.Catalog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may write which bucket, by every kind of statement, and what a mover can rely on. */
abstract class FenceContract extends FenceFixture {
  private static final int RC = Connection.TRANSACTION_READ_COMMITTED;
  private static final int RR = Connection.TRANSACTION_REPEATABLE_READ;
  private static final int SER = Connection.TRANSACTION_SERIALIZABLE;

  @BeforeEach
  void createShards() throws SQLException {
    create();
  }

  /** What refuses a snapshot that is older than the close. */
  abstract List<String> tooOld(int isolation);

  /** {@code INSERT} of a row of orders that is there already, changing its amount. */
  abstract String upsert(int bucket, long id);

  /** Leaves the transaction of the session prepared, under this name. */
  abstract void prepare(Connection connection, String name) throws SQLException;

  abstract void commitPrepared(String name) throws SQLException;

  /** Makes s0's triggers of orders check less, and says how verify calls that. */
  abstract String weaken() throws SQLException;

  @Test
  void write_openBucket_isTakenAndOthersAreRefused() throws SQLException {
    Connection writer = session();

    run(writer, insert(OPEN, 1), "UPDATE orders SET amount = 11", upsert(OPEN, 1));
    assertStale(writer, insert(AWAY, 1), "bucket 9", "shop", "is away", "at epoch 1", "read the");
    assertStale(writer, upsert(AWAY, 1), "is away");
    assertStale(writer, insert(99, 1), "bucket 99", "has no row", "run shardwright apply");

    assertThat(query("SELECT bucket_id, order_id, amount FROM orders")).containsExactly("5|1|12");
  }

  @Test
  void write_rowsOfAnAbortedMove_cannotBeChangedOrDeleted() throws SQLException {
    Connection writer = session();
    run(writer, insert(OPEN, 1));
    change(OPEN, "state = 'away', epoch = 2");

    assertStale(writer, "UPDATE orders SET amount = 0", "is away", "at epoch 2");
    assertStale(writer, "DELETE FROM orders", "is away");
    run(writer, "UPDATE orders SET amount = 0 WHERE bucket_id = 6");
  }

  @Test
  void write_keyOrBucketChanged_isRefusedAndOtherColumnsAreNot() throws SQLException {
    Connection writer = session();
    run(writer, insert(OPEN, 1));

    assertThat(failure(writer, "UPDATE orders SET bucket_id = 6").getMessage())
        .contains("SW206", "bucket_id and key [buyer] of table orders cannot change");
    assertThat(failure(writer, "UPDATE orders SET buyer = buyer + 1").getMessage())
        .contains("SW206");
    run(writer, "UPDATE orders SET buyer = 1, bucket_id = 5, amount = 3");
    run(writer, "UPDATE orders SET order_id = 7");
    assertThat(query("SELECT order_id, amount FROM orders")).containsExactly("7|3");
  }

  @ParameterizedTest
  @ValueSource(ints = {RC, RR, SER})
  void interleaving_snapshotThenCloseThenWrite_isRefused(int isolation) throws SQLException {
    Connection writer = session(isolation);
    run(writer, "SELECT count(*) FROM notes");

    change(OPEN, "state = 'closed'");

    assertThat(failure(writer, insert(OPEN, 1)).getSQLState()).isIn(tooOld(isolation));
    writer.rollback();
    assertThat(query("SELECT count(*) FROM orders")).containsExactly("0");
  }

  @ParameterizedTest
  @ValueSource(ints = {RC, RR, SER})
  void interleaving_uncommittedWriteThenClose_waitsForTheWriter(int isolation) throws SQLException {
    Connection writer = session(isolation);
    run(writer, insert(OPEN, 1));
    Connection mover = session();

    assertThat(begin(mover, OPEN, "state = 'closed'")).as("an idle writer has it").isFalse();
    run(writer, insert(OPEN, 2));
    writer.commit();

    change(OPEN, "state = 'closed'");
    assertThat(query("SELECT count(*) FROM orders")).containsExactly("2");
    assertThat(failure(writer, insert(OPEN, 3)).getSQLState()).isEqualTo(Fence.STALE);
  }

  @ParameterizedTest
  @ValueSource(ints = {RC, RR, SER})
  void interleaving_snapshotThenWriteDuringClose_waitsAndIsRefused(int isolation) throws Exception {
    Connection writer = session(isolation);
    run(writer, "SELECT count(*) FROM notes");
    Connection mover = session();
    assertThat(begin(mover, OPEN, "state = 'closed'")).isTrue();

    CompletableFuture<SQLException> write = inBackground(writer, insert(OPEN, 1));
    awaitWaiter();
    commit(mover, OPEN);

    assertThat(write.get().getSQLState()).isIn(tooOld(isolation));
    writer.rollback();
    assertThat(query("SELECT count(*) FROM orders")).containsExactly("0");
  }

  @Test
  void write_bulkOverAllBuckets_holdsEachOfThem() throws SQLException {
    Connection writer = session();
    for (int bucket = 0; bucket < 8; bucket++) {
      run(writer, insert(bucket, 1), insert(bucket, 2));
    }
    writer.setAutoCommit(false);
    run(writer, "UPDATE orders SET amount = amount + 1");

    for (int bucket = 0; bucket < 8; bucket++) {
      Connection mover = session();
      assertThat(begin(mover, bucket, "state = 'closed'")).isFalse();
      mover.close();
    }
    writer.commit();
    change(3, "state = 'closed'");
    assertStale(writer, "UPDATE orders SET amount = amount + 1", "bucket 3");
    writer.rollback();
    assertThat(query("SELECT DISTINCT amount FROM orders")).containsExactly("11");
  }

  @Test
  void write_batchAndPreparedFromBefore_areRefusedAfterTheClose() throws SQLException {
    Connection writer = session();
    try (PreparedStatement insert =
        writer.prepareStatement(
            "INSERT INTO orders (bucket_id, order_id, buyer, amount) VALUES (?, ?, 1, 10)")) {
      for (long id = 1; id <= 20; id++) {
        insert.setInt(1, OPEN);
        insert.setLong(2, id);
        insert.executeUpdate();
      }
      change(OPEN, "state = 'closed'");
      insert.setInt(1, OPEN);
      insert.setLong(2, 21);
      assertThat(
              org.assertj.core.api.Assertions.catchThrowableOfType(
                      SQLException.class, insert::executeUpdate)
                  .getSQLState())
          .isEqualTo(Fence.STALE);
      for (long id = 30; id < 40; id++) {
        insert.setInt(1, OTHER);
        insert.setLong(2, id);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(10);
      insert.setInt(1, OPEN);
      insert.setLong(2, 50);
      insert.addBatch();
      assertThat(
              org.assertj.core.api.Assertions.catchThrowableOfType(
                      SQLException.class, insert::executeBatch)
                  .getSQLState())
          .isEqualTo(Fence.STALE);
    }
    assertThat(query("SELECT bucket_id, count(*) FROM orders GROUP BY bucket_id ORDER BY 1"))
        .containsExactly("5|20", "6|10");
  }

  /** Where the lock goes with the savepoint, what spares later checks has to go, too. */
  @Test
  void write_afterASavepointWasRolledBack_isCheckedAnew() throws SQLException {
    Connection writer = session(RC);
    run(writer, insert(OTHER, 1));
    Savepoint savepoint = writer.setSavepoint();
    run(writer, insert(OPEN, 1));
    writer.rollback(savepoint);

    Connection mover = session();
    if (begin(mover, OPEN, "state = 'closed'")) {
      commit(mover, OPEN);
      assertStale(writer, insert(OPEN, 2), "is closed");
      writer.rollback();
    } else {
      run(writer, insert(OPEN, 2));
      writer.commit();
      change(OPEN, "state = 'closed'");
      assertThat(query("SELECT order_id FROM orders WHERE bucket_id = 5")).containsExactly("2");
    }
    mover.close();
  }

  @Test
  void write_preparedTransaction_isSeenByTheMoverOrListed() throws SQLException {
    Connection writer = session();
    prepare(writer, "moved");
    Connection mover = session();

    if (begin(mover, OPEN, "state = 'closed'")) {
      // MariaDB lets go of locks at XA PREPARE: whoever closes waits for those that are listed.
      commit(mover, OPEN);
      assertThat(query("XA RECOVER")).hasSize(1);
    }
    mover.close();
    commitPrepared("moved");
    assertThat(query("SELECT count(*) FROM orders")).containsExactly("1");
  }

  /** A server that took over from another one may lack what that one had acknowledged. */
  @Test
  void write_rowOfAnotherIncarnation_isRefusedUntilItWasCompared() throws SQLException {
    Connection writer = session();
    run(writer, insert(OPEN, 1));
    change(OPEN, "incarnation = 'before'");

    for (String write :
        List.of(
            insert(OPEN, 2),
            upsert(OPEN, 1),
            "UPDATE orders SET amount = 0",
            "DELETE FROM orders")) {
      SQLException e = failure(writer, write);
      assertThat(e.getSQLState()).as(write).isEqualTo(Fence.OTHER_INCARNATION);
      assertThat(e.getMessage()).contains("bucket 5 of ", "shop", "before");
    }
    run(writer, insert(OTHER, 1));
    assertThat(query("SELECT bucket_id, amount FROM orders ORDER BY 1"))
        .containsExactly("5|10", "6|10");
  }

  @Test
  void verify_fenceThatChecksLess_isAProblemUntilAppliedAnew() throws SQLException {
    assertThat(verify().problems()).isEmpty();
    String how = weaken();

    assertThat(verify().problems())
        .singleElement()
        .asString()
        .contains("fence of table orders is not as apply makes it (" + how + ")", "shard s0");
    assertThat(shards.applyWith(groups()).problems()).isEmpty();
    assertThat(verify().ok()).isTrue();
  }

  PlacementReport verify() {
    try (Catalog catalog = Catalog.open(configuration())) {
      return PlacementCheck.run(configuration(), catalog.load());
    }
  }

  @Test
  void capture_changesOfKeysAndNumbersOfTheDatabase_areNotedOldAndNew() throws SQLException {
    Connection writer = session();
    run(writer, insert(OPEN, 1));
    change(OPEN, "captured = TRUE");

    run(
        writer,
        insert(OTHER, 1),
        "UPDATE orders SET order_id = 7 WHERE bucket_id = 5",
        "UPDATE orders SET amount = 3 WHERE order_id = 7",
        insert(OPEN, 8),
        upsert(OPEN, 8),
        "DELETE FROM orders WHERE order_id = 7",
        "INSERT INTO notes (bucket_id, buyer) VALUES (5, 1), (5, 1), (6, 1)");
    assertThat(query("SELECT bucket_id, p1 FROM shardwright_capture_orders ORDER BY n"))
        .containsSubsequence("5|1", "5|7", "5|7", "5|8", "5|8", "5|7")
        .allMatch(note -> note.startsWith("5|"));
    assertThat(query("SELECT bucket_id, p1 FROM shardwright_capture_notes ORDER BY n"))
        .isEqualTo(query("SELECT bucket_id, n FROM notes WHERE bucket_id = 5 ORDER BY n"));

    change(OPEN, "captured = FALSE");
    run(writer, "DELETE FROM shardwright_capture_orders", insert(OPEN, 9));
    assertThat(query("SELECT count(*) FROM shardwright_capture_orders")).containsExactly("0");
  }

  /** Whatever differs from what there was when capture began has been noted. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void capture_beganAmongWriters_missesNothing(long seed) throws Exception {
    AtomicBoolean began = new AtomicBoolean();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int isolation : List.of(RC, RR, SER)) {
      RandomWriter writer =
          new RandomWriter(session(isolation), new Random(seed * 31 + isolation), began);
      writers.add(CompletableFuture.runAsync(writer));
    }

    Connection mover = session();
    try {
      while (!begin(mover, OPEN, "captured = TRUE")) {
        Thread.onSpinWait();
      }
      commit(mover, OPEN);
    } finally {
      began.set(true);
    }
    String rows = "SELECT order_id, amount FROM orders WHERE bucket_id = 5";
    Set<String> before = new HashSet<>(query(rows));
    for (CompletableFuture<Void> writer : writers) {
      writer.get();
    }
    Set<String> after = new HashSet<>(query(rows));

    Set<String> noted = new HashSet<>(query("SELECT p1 FROM shardwright_capture_orders"));
    assertThat(after).isNotEqualTo(before);
    assertThat(Stream.concat(before.stream(), after.stream()))
        .filteredOn(row -> !(before.contains(row) && after.contains(row)))
        .allMatch(row -> noted.contains(row.substring(0, row.indexOf('|'))));
  }

  /** Of one bucket, in transactions of a few statements, until some time after capture began. */
  private final class RandomWriter implements Runnable {
    private static final int IDS = 40;
    private static final int AFTERWARDS = 60;

    private final Connection connection;
    private final Random random;
    private final AtomicBoolean began;

    RandomWriter(Connection connection, Random random, AtomicBoolean began) {
      this.connection = connection;
      this.random = random;
      this.began = began;
    }

    @Override
    public void run() {
      try {
        for (int after = 0; after < AFTERWARDS; ) {
          after += began.get() ? 1 : 0;
          transaction();
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    private void transaction() throws SQLException {
      try {
        for (int statements = 1 + random.nextInt(3); statements > 0; statements--) {
          FenceFixture.run(connection, statement());
        }
        if (random.nextInt(8) == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
      } catch (SQLException e) {
        connection.rollback();
        // Others have the row or its key; any other failure is one of the fence.
        assertThat(e.getSQLState())
            .as(e.getMessage())
            .isIn("40001", "40P01", "23505", "23000", "HY000");
      }
    }

    private String statement() {
      int id = random.nextInt(IDS);
      String here = " WHERE bucket_id = 5 AND order_id = " + id;
      return switch (random.nextInt(5)) {
        case 0 -> insert(OPEN, id);
        case 1 -> upsert(OPEN, id);
        case 2 -> "UPDATE orders SET amount = " + random.nextInt(1_000_000) + here;
        case 3 -> "UPDATE orders SET order_id = " + random.nextInt(IDS) + here;
        default -> "DELETE FROM orders" + here;
      };
    }
  }
}
