package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.BucketHeat;
import io.shardwright.catalog.IndexState;
import io.shardwright.lookup.DuplicateValueException;
import io.shardwright.lookup.Reconciliation.Report;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A unique lookup index on column v of table samples, through the driver. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LookupIndexContract {
  // Long because: what an index promises is read in one piece.

  private static final String NAME = "samples.by_v";
  private static final String INSERT = "INSERT INTO samples (k, id, v) VALUES (?, ?, ?)";
  private static final String BY_V = "SELECT id FROM samples WHERE v = ?";

  private final TestingDatabase database;
  private TestingShards shards;

  LookupIndexContract(TestingDatabase database) {
    this.database = database;
  }

  @BeforeAll
  void open() throws SQLException {
    shards =
        TestingShards.withIndexes(
            database, 3, "{max: 8, timeout: 3s}", "{by_v: {columns: [v], unique: true}}");
    // Rows from before the index.
    for (long i = 0; i < 50; i++) {
      shards.update(INSERT, i, i, "old-" + i);
    }
    shards.source().lookupIndexes().create(NAME, 0, (done, all, report) -> {});
  }

  @AfterAll
  void close() {
    shards.close();
  }

  @BeforeEach
  void clear() throws SQLException {
    shards.update("DELETE /* shardwright: scatter=allow */ FROM samples WHERE id >= 1000");
  }

  @AfterEach
  void nothingIsLeft() throws SQLException {
    shards.assertIdle();
    Report report = shards.source().lookupIndexes().verify(NAME, true, 0, (done, all, soFar) -> {});
    assertThat(report.missing()).as("rows without entry").isZero();
    assertThat(report.conflicts()).isZero();
    assertThat(report.busy()).isZero();
    Report again = shards.source().lookupIndexes().verify(NAME, false, 0, (done, all, soFar) -> {});
    assertThat(again.extra()).isZero();
    assertThat(again.candidates()).isEqualTo(again.rows());
  }

  private long on(int shard, int nth) {
    return shards.keyOn(shard, nth);
  }

  private static void insert(Connection connection, long k, long id, String v) throws SQLException {
    TestingShards.update(connection, INSERT, k, id, v);
  }

  @Test
  void aValueOfAnotherType_isToldByItsColumnAndIndex() {
    assertThatThrownBy(() -> shards.rows(BY_V, new byte[] {1}))
        .hasMessageStartingWith("SW302: the value for column v of lookup index samples.by_v: ");
  }

  @Test
  void rowsFromBeforeAreFound() throws SQLException {
    assertThat(shards.source().lookupIndexes().states().get(NAME).state())
        .isEqualTo(IndexState.READABLE);
    for (int i = 0; i < 50; i++) {
      assertThat(shards.rows(BY_V, "old-" + i)).containsExactly("" + i);
    }
  }

  @Test
  void lookUpsAndInserts_countForBucketsOfTheIndex() throws SQLException {
    BucketHeat before = heatOfIndex();
    shards.update(INSERT, on(0, 0), 1_000, "warm");
    assertThat(shards.rows(BY_V, "warm")).containsExactly("1000");
    BucketHeat after = heatOfIndex();

    assertThat(after.writes() - before.writes()).isEqualTo(1);
    assertThat(after.reads() - before.reads()).isEqualTo(1);
    assertThat(after.rows() - before.rows()).isEqualTo(2);
    assertThat(after.nanos()).isGreaterThan(before.nanos());
  }

  /** Of the value's bucket: entries that other tests gave up are removed behind their backs. */
  private BucketHeat heatOfIndex() {
    int bucket =
        new BucketFunction(List.of(KeyType.TEXT), HashAlgorithm.XXH64, 64)
            .bucket(List.of("warm"))
            .orElseThrow()
            .value();
    return shards.source().heat().stream()
        .filter(heat -> heat.group().equals(NAME) && heat.bucket() == bucket)
        .reduce(
            new BucketHeat(NAME, 0, 0, 0, 0, 0),
            (a, b) ->
                new BucketHeat(
                    NAME,
                    0,
                    a.reads() + b.reads(),
                    a.writes() + b.writes(),
                    a.rows() + b.rows(),
                    a.nanos() + b.nanos()));
  }

  @Test
  void aLookUpIsOneStatementOnTheIndexAndOneOnTheRow() throws SQLException {
    List<StatementTrace> traces = new ArrayList<>();
    StatementListener listener = traces::add;
    shards.source().addListener(listener);
    try {
      assertThat(shards.rows(BY_V, "old-7")).containsExactly("7");
      assertThat(shards.rows(BY_V, "none")).isEmpty();
    } finally {
      shards.source().removeListener(listener);
    }
    assertThat(traces).extracting(StatementTrace::physicalStatements).containsExactly(2, 2);
    assertThat(traces.get(0).reason()).isEqualTo("lookup index samples.by_v (v) of samples");
  }

  /**
   * Beside the statement itself: the entry and its commit, and the COMMIT of the row. What pools
   * and sweepers send meanwhile only adds to it, so the least of many counts.
   */
  @Test
  void aPlainInsertCostsTheEntryAndACommit() throws SQLException {
    AtomicInteger messages = new AtomicInteger();
    for (int shard = 0; shard < 3; shard++) {
      shards.proxy(shard).beforeRequest(messages::incrementAndGet);
    }
    int least = Integer.MAX_VALUE;
    int leastOfAPart = Integer.MAX_VALUE;
    try (Connection connection = shards.connect()) {
      for (int i = 0; i < 100; i++) {
        messages.set(0);
        insert(connection, on(0, 0), 1_000 + i, "alone-" + i);
        least = Math.min(least, messages.get());
      }
      connection.setAutoCommit(false);
      for (int i = 0; i < 100; i++) {
        messages.set(0);
        insert(connection, on(0, 0), 2_000 + i, "part-" + i);
        leastOfAPart = Math.min(leastOfAPart, messages.get());
      }
      connection.commit();
    } finally {
      for (int shard = 0; shard < 3; shard++) {
        shards.proxy(shard).beforeRequest(() -> {});
      }
    }
    assertThat(least).isEqualTo(messagesOfAnInsert());
    assertThat(leastOfAPart).as("in a transaction").isEqualTo(2);
    assertThat(shards.rows(BY_V, "part-7")).containsExactly("2007");
  }

  abstract int messagesOfAnInsert();

  /** Stores v in upper case. */
  abstract String shoutTrigger();

  abstract String dropShoutTrigger();

  /** Triggers of a user may store other values than the statement gave. */
  @Test
  void aTableWithTriggersOfItsOwn_isRight() throws SQLException {
    for (int shard = 0; shard < 3; shard++) {
      shards.onShard(shard, shoutTrigger());
    }
    TestingShards.OtherProcess process = shards.new OtherProcess();
    try (Connection connection = process.source().getConnection()) {
      insert(connection, on(1, 0), 1_000, "shout");
      insert(connection, on(1, 0), 1_001, "Shout-2");
      assertThat(shards.rows(BY_V, "SHOUT")).containsExactly("1000");
      assertThat(shards.rows(BY_V, "SHOUT-2")).containsExactly("1001");
    } finally {
      process.bury();
      for (int shard = 0; shard < 3; shard++) {
        shards.onShard(shard, dropShoutTrigger());
      }
    }
  }

  @Test
  void rowsOfAnInsertWithoutLimit_areAllKnown() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO samples (k, id, v) VALUES (1, 1000, 'l-0'), (1, 1001, 'l-1')")) {
      insert.setMaxRows(1);
      assertThat(insert.executeUpdate()).isEqualTo(2);
    }
    assertThat(shards.rows(BY_V, "l-1")).containsExactly("1001");
  }

  @Test
  void severalValuesAndOtherConditions() throws SQLException {
    assertThat(
            shards.rows(
                "SELECT id FROM samples WHERE v IN ('old-1', 'old-2', 'none', ?) ORDER BY id",
                "old-3"))
        .containsExactly("1", "2", "3");
    assertThat(shards.rows("SELECT count(*) FROM samples WHERE v = 'old-4'")).containsExactly("1");
    assertThat(shards.rows("SELECT count(*) FROM samples WHERE v = 'none'")).containsExactly("0");
    assertThat(shards.rows("SELECT id FROM samples WHERE v = 'old-4' AND id = 5")).isEmpty();
    assertThat(shards.rows("SELECT id FROM samples WHERE v = ?", (Object) null)).isEmpty();
  }

  @Test
  void valuesAreUniqueOverAllShards() throws SQLException {
    shards.update(INSERT, on(0, 0), 1000, "a");
    for (int shard = 0; shard < 3; shard++) {
      long k = on(shard, 1);
      assertThatThrownBy(() -> shards.update(INSERT, k, 1001, "a"))
          .isInstanceOf(DuplicateValueException.class)
          .hasMessageContaining("samples.by_v")
          .hasMessageContaining("(v)=(a)");
    }
    assertThat(shards.rows("SELECT id FROM samples WHERE id >= 1000")).containsExactly("1000");
  }

  @Test
  void oneStatementCannotInsertAValueTwice() throws SQLException {
    long k = on(0, 0);
    assertThatThrownBy(
            () ->
                shards.update(
                    "INSERT INTO samples (k, id, v) VALUES (?, 1000, 'x'), (?, 1001, 'x')", k, k))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("samples.by_v");
    assertThat(shards.rows("SELECT id FROM samples WHERE id >= 1000")).isEmpty();
    shards.update("INSERT INTO samples (k, id, v) VALUES (?, 1000, 'x')", on(1, 0));
  }

  @Test
  void nullsAreNotUnique() throws SQLException {
    shards.update(INSERT, on(0, 0), 1000, null);
    shards.update(INSERT, on(1, 0), 1001, null);
    assertThat(shards.rows("SELECT id FROM samples WHERE id >= 1000")).hasSize(2);
    shards.update("UPDATE samples SET v = 'was null' WHERE k = ? AND id = 1000", on(0, 0));
    assertThat(shards.rows(BY_V, "was null")).containsExactly("1000");
  }

  @Test
  void whatIsGivenUpIsFree() throws SQLException {
    shards.update(INSERT, on(0, 0), 1000, "a");
    shards.update("UPDATE samples SET v = 'b' WHERE v = 'a'");
    assertThat(shards.rows(BY_V, "a")).isEmpty();
    assertThat(shards.rows(BY_V, "b")).containsExactly("1000");
    shards.update(INSERT, on(1, 0), 1001, "a");
    shards.update("DELETE FROM samples WHERE v = 'b'");
    shards.update(INSERT, on(2, 0), 1002, "b");
    assertThat(shards.rows(BY_V, "a")).containsExactly("1001");
    assertThat(shards.rows(BY_V, "b")).containsExactly("1002");
  }

  /** What stands behind the VALUES of an INSERT that takes over v from the new row. */
  abstract String updatingV();

  @Test
  void anUpsertGivesUpTheValueOfTheRowThatItFinds() throws SQLException {
    long k = on(0, 0);
    shards.update(INSERT, k, 1000, "a");
    shards.update(INSERT + updatingV(), k, 1000, "b");
    assertThat(shards.rows(BY_V, "a")).isEmpty();
    assertThat(shards.rows(BY_V, "b")).containsExactly("1000");
    shards.update(INSERT + updatingV(), on(1, 0), 1001, "a");
    assertThat(shards.rows(BY_V, "a")).containsExactly("1001");
    assertThatThrownBy(() -> shards.update(INSERT + updatingV(), k, 1000, "a"))
        .isInstanceOf(DuplicateValueException.class);
    assertThat(shards.rows(BY_V, "b")).containsExactly("1000");
  }

  @Test
  void aRolledBackTransactionLeavesValuesFree() throws SQLException {
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      insert(connection, on(0, 0), 1000, "a");
      assertThat(TestingShards.rows(connection, BY_V, "a")).containsExactly("1000");
      assertThat(shards.rows(BY_V, "a")).isEmpty();
      connection.rollback();
    }
    shards.update(INSERT, on(1, 0), 1001, "a");
    assertThat(shards.rows(BY_V, "a")).containsExactly("1001");
  }

  @Test
  void aSavepointTakesBackWhatCameAfterIt() throws SQLException {
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      insert(connection, on(0, 0), 1000, "a");
      Savepoint savepoint = connection.setSavepoint();
      TestingShards.update(
          connection, "UPDATE samples SET v = 'b' WHERE k = ? AND id = 1000", on(0, 0));
      connection.rollback(savepoint);
      connection.commit();
    }
    assertThat(shards.rows(BY_V, "a")).containsExactly("1000");
    shards.update(INSERT, on(1, 0), 1001, "b");
    assertThat(shards.rows(BY_V, "b")).containsExactly("1001");
  }

  @Test
  void oneTransactionMovesAValueFromRowToRow() throws SQLException {
    shards.update(INSERT, on(0, 0), 1000, "a");
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      TestingShards.update(connection, "DELETE FROM samples WHERE k = ? AND id = 1000", on(0, 0));
      insert(connection, on(0, 1), 1001, "a");
      connection.commit();
    }
    assertThat(shards.rows(BY_V, "a")).containsExactly("1001");
  }

  @Test
  void oneStatementSwapsTwoValues() throws SQLException {
    long k = on(0, 0);
    shards.update(INSERT, k, 1000, "a");
    shards.update(INSERT, k, 1001, "b");
    shards.update(
        "UPDATE samples SET v = CASE v WHEN 'a' THEN 'b' ELSE 'a' END WHERE k = ? AND id >= 1000",
        k);
    assertThat(shards.rows(BY_V, "a")).containsExactly("1001");
    assertThat(shards.rows(BY_V, "b")).containsExactly("1000");
  }

  @Test
  void aDuplicateEndsTheTransaction() throws SQLException {
    shards.update(INSERT, on(0, 0), 1000, "a");
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      insert(connection, on(1, 0), 1001, "b");
      assertThatThrownBy(() -> insert(connection, on(1, 0), 1002, "a"))
          .isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> insert(connection, on(1, 0), 1003, "c"))
          .hasMessageContaining("call rollback()");
      connection.rollback();
    }
    assertThat(shards.rows("SELECT id FROM samples WHERE id >= 1000")).containsExactly("1000");
  }

  @Test
  void batchesAndSeveralShards() throws SQLException {
    try (Connection connection = shards.connect();
        var batch = connection.prepareStatement(INSERT)) {
      for (int i = 0; i < 20; i++) {
        batch.setLong(1, i);
        batch.setLong(2, 1000 + i);
        batch.setString(3, "batch-" + i);
        batch.addBatch();
      }
      batch.executeBatch();
    }
    for (int i = 0; i < 20; i++) {
      assertThat(shards.rows(BY_V, "batch-" + i)).containsExactly("" + (1000 + i));
    }
    assertThat(shards.update("DELETE FROM samples WHERE v IN ('batch-1', 'batch-2', 'batch-3')"))
        .isEqualTo(3);
    assertThat(shards.rows(BY_V, "batch-2")).isEmpty();
  }

  @Test
  void writersBesideTheDriverAreRefused() {
    assertThatThrownBy(
            () -> {
              try (Connection direct = shards.shard(0)) {
                TestingShards.update(
                    direct, "INSERT INTO samples (bucket_id, k, id, v) VALUES (1, 1, 2000, 'x')");
              }
            })
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("SW419");
  }

  @Test
  void rivalsForOneValueHaveOneWinner() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      for (int round = 0; round < 10; round++) {
        String value = "round-" + round;
        AtomicInteger ids = new AtomicInteger(1000 + 10 * round);
        List<Callable<Boolean>> rivals = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          int shard = i % 3;
          rivals.add(() -> wins(on(shard, 0), ids.getAndIncrement(), value));
        }
        int won = 0;
        for (Future<Boolean> rival : threads.invokeAll(rivals)) {
          won += rival.get() ? 1 : 0;
        }
        assertThat(won).as("winners of round %s", round).isEqualTo(1);
        assertThat(shards.rows(BY_V, value)).hasSize(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private boolean wins(long k, long id, String value) {
    try {
      shards.update(INSERT, k, id, value);
      return true;
    } catch (DuplicateValueException e) {
      return false;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
