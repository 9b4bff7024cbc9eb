package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
}
