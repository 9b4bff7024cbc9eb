package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.IndexState;
import io.shardwright.lookup.FeedStatus;
import io.shardwright.lookup.Reconciliation.Report;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What reaches an index that is not unique, on column i4 and ts of table samples. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ListIndexContract {
  private static final String INSERT = "INSERT INTO samples (k, id, i4, t) VALUES (?, ?, ?, ?)";
  private static final int SHARDS = 3;

  final TestingDatabase database;
  ListFixture lists;
  TestingShards shards;

  ListIndexContract(TestingDatabase database) {
    this.database = database;
  }

  /** Behind an INSERT: when the row is there already its i4 is that of the new one. */
  abstract String updatingI4();

  @BeforeAll
  void open() throws SQLException {
    lists = ListFixture.open(database, SHARDS);
    shards = lists.shards();
    for (long i = 0; i < 40; i++) {
      shards.update(INSERT, i, i, i % 7 == 0 ? null : i % 5, "old-" + i);
    }
    lists.create();
  }

  @AfterAll
  void close() {
    shards.close();
  }

  @BeforeEach
  void clear() throws SQLException {
    shards.update("DELETE /* shardwright: scatter=allow */ FROM samples WHERE id >= 1000");
    lists.awaitDelivered();
  }

  @AfterEach
  void entriesAreTheRows() throws SQLException {
    shards.assertIdle();
    lists.assertSame();
  }

  private long on(int shard, int nth) {
    return shards.keyOn(shard, nth);
  }

  private List<String> versions(long id) throws SQLException {
    return lists.everywhere(
        "SELECT version FROM " + ListFixture.entryTable() + " WHERE live AND p1 = " + id);
  }

  @Test
  void rowsFromBefore_areThere() throws SQLException {
    assertThat(shards.source().lookupIndexes().states().get(ListFixture.NAME).state())
        .isEqualTo(IndexState.READABLE);
    assertThat(lists.sum("SELECT count(*) FROM shardwright_list_samples_by_group")).isEqualTo(34);
    lists.assertSame();
  }

  @Test
  void insert_ofEveryType_isCopiedUnchanged() throws SQLException {
    shards.update(
        "INSERT INTO samples (k, id, i4, ts, t, n, f4, f8, b, d, tm, tstz, u, raw, j) VALUES"
            + " (?, 1000, 1, '2026-03-04 05:06:07.123456', 'it''s \"x\" ', 12345678901234.56789,"
            + " 1.2345678, 0.1234567890123456789, true, '2026-02-28', '23:59:59.999999',"
            + " '2026-10-25 02:30:00', '6f9619ff-8b86-d011-b42d-00c04fc964ff', ?,"
            + " '{\"a\": [1, null]}')",
        on(0, 0),
        new byte[] {0, 1, (byte) 0xff, '\\', '\''});
    shards.update("INSERT INTO samples (k, id, i4, ts, t) VALUES (?, 1001, 2, NULL, '')", on(1, 0));
    lists.assertSame();
  }

  @Test
  void update_ofWhatTheIndexHolds_arrives() throws SQLException {
    shards.update(INSERT, on(0, 0), 1000, 2, "a");
    lists.assertSame();
    shards.update("UPDATE samples SET i4 = 3 WHERE k = ? AND id = 1000", on(0, 0));
    lists.assertSame();
    shards.update("UPDATE samples SET t = 'A' WHERE k = ? AND id = 1000", on(0, 0));
    lists.assertSame();
    shards.update("UPDATE samples SET i4 = NULL WHERE k = ? AND id = 1000", on(0, 0));
    lists.assertSame();
    shards.update("UPDATE samples SET i4 = 1 WHERE k = ? AND id = 1000", on(0, 0));
    lists.assertSame();
    shards.update("UPDATE samples SET id = 1001 WHERE k = ? AND id = 1000", on(0, 0));
    lists.assertSame();
    assertThat(versions(1000)).isEmpty();
    assertThat(versions(1001)).hasSize(1);
  }

  @Test
  void update_ofOtherColumns_tellsNothing() throws SQLException {
    shards.update(INSERT, on(0, 0), 1000, 2, "a");
    lists.awaitDelivered();
    List<String> before = versions(1000);

    shards.update("UPDATE samples SET i8 = 5, t = t WHERE k = ? AND id = 1000", on(0, 0));

    assertThat(lists.waiting()).isZero();
    assertThat(versions(1000)).isEqualTo(before).hasSize(1);
  }

  @Test
  void statements_ofManyRows_arrive() throws SQLException {
    shards.update(
        "INSERT INTO samples (k, id, i4) VALUES (?, 1000, 1), (?, 1001, 1), (?, 1002, 2)",
        on(0, 0),
        on(1, 0),
        on(2, 0));
    lists.assertSame();
    shards.update("UPDATE /* shardwright: scatter=allow */ samples SET i4 = i4 + 1 WHERE id > 999");
    lists.assertSame();
    shards.update(INSERT + updatingI4(), on(0, 0), 1000, 4, "upserted");
    lists.assertSame();
    shards.update("DELETE /* shardwright: scatter=allow */ FROM samples WHERE id > 1000");
    lists.assertSame();
  }

  @Test
  void transaction_thatIsRolledBack_tellsNothing() throws SQLException {
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      TestingShards.update(connection, INSERT, on(0, 0), 1000, 2, "gone");
      connection.rollback();
      TestingShards.update(connection, INSERT, on(0, 0), 1001, 2, "stays");
      Savepoint savepoint = connection.setSavepoint();
      TestingShards.update(connection, INSERT, on(0, 0), 1002, 2, "gone");
      TestingShards.update(
          connection, "UPDATE samples SET i4 = 9 WHERE k = ? AND id = 1001", on(0, 0));
      connection.rollback(savepoint);
      connection.commit();
    }
    lists.assertSame();
    assertThat(versions(1001)).hasSize(1);
    assertThat(versions(1000)).isEmpty();
  }

  @Test
  void writer_besideTheDriver_isSeen() throws SQLException {
    shards.onShard(1, "INSERT INTO samples (bucket_id, k, id, i4) VALUES (22, 0, 1000, 3)");
    lists.assertSame();
    assertThat(versions(1000)).hasSize(1);
    shards.onShard(1, "UPDATE samples SET i4 = 4 WHERE id = 1000");
    lists.assertSame();
    shards.onShard(1, "DELETE FROM samples WHERE id = 1000");
    shards.onShard(1, "INSERT INTO samples (bucket_id, k, id, i4) VALUES (23, 0, 1000, 4)");
    lists.assertSame();
    shards.onShard(1, "DELETE FROM samples WHERE id = 1000");
  }

  @Test
  void shardOfTheIndexThatIsDown_keepsItsChangesAndNoOthers() throws SQLException {
    // Thirty values, of which some are on each of three shards.
    lists.shards().proxy(2).refuse();
    lists.shards().proxy(2).cut();
    try {
      for (int i = 0; i < 30; i++) {
        shards.onShard(
            0,
            "INSERT INTO samples (bucket_id, k, id, i4) VALUES (1, 0, %d, %1$d)"
                .formatted(1000 + i));
      }
      String there =
          "SELECT count(*) FROM " + ListFixture.entryTable() + " WHERE live AND p1 >= 1000";
      String notTried =
          "SELECT count(*) FROM " + ListFixture.outboxTable() + " WHERE not_before <= written_at";
      ListFixture.await(() -> lists.sum(notTried) == 0);
      assertThat(lists.waiting()).isBetween(1L, 29L);
      assertThat(shards.shardRows(2, there)).containsExactly("0");
    } finally {
      lists.shards().proxy(2).heal();
    }
    shards.awaitReachable(2);
    lists.hurry();
    // Connections that were cut are found out when they are used.
    ListFixture.await(this::everyShardAnswers);
    lists.assertSame();
    assertThat(lists.dead()).isZero();
  }

  private boolean everyShardAnswers() {
    try {
      shards.update("DELETE /* shardwright: scatter=allow */ FROM samples WHERE id < 0");
      return verify(false).rows() > 0;
    } catch (SQLException e) {
      return false;
    }
  }

  @Test
  void changeThatIsRefused_isGivenUpAndReplayed() throws SQLException {
    shards.onEveryShard(
        "ALTER TABLE " + ListFixture.entryTable() + " ADD CONSTRAINT no66 CHECK (v1 <> 66)");
    shards.update(
        "INSERT INTO samples (k, id, i4) VALUES (?, 1000, 66), (?, 1001, 67)", on(0, 0), on(0, 0));
    ListFixture.await(
        () -> {
          lists.hurry();
          return lists.waiting() == 0;
        });
    assertThat(lists.dead()).isEqualTo(1);
    assertThat(versions(1001)).hasSize(1);
    assertThat(shards.source().deliveries().get(ListFixture.NAME).get(new ShardId("s0")))
        .satisfies(
            counted -> {
              assertThat(counted.delivered()).isPositive();
              assertThat(counted.retried()).isGreaterThanOrEqualTo(9);
              assertThat(counted.dead()).isEqualTo(1);
            });
    assertThat(shards.source().lookupIndexes().status())
        .singleElement()
        .satisfies(
            status ->
                assertThat(status.feeds())
                    .hasSize(SHARDS)
                    .extracting(FeedStatus::dead)
                    .contains(1L));
    Report report = verify(false);
    assertThat(report.missing()).isEqualTo(1);
    assertThat(report.isSound(false)).isFalse();

    shards.onEveryShard("ALTER TABLE " + ListFixture.entryTable() + " DROP CONSTRAINT no66");
    assertThat(shards.source().lookupIndexes().replay(ListFixture.NAME)).isEqualTo(1);
    lists.assertSame();
    assertThat(lists.dead()).isZero();
  }

  @Test
  void verify_afterDamage_findsAndRepairs() throws SQLException {
    for (int i = 0; i < 9; i++) {
      shards.update(INSERT, on(i % 3, 0), 1000 + i, i, "x");
    }
    lists.assertSame();
    String entry = ListFixture.entryTable();
    shards.onEveryShard("DELETE FROM " + entry + " WHERE p1 IN (1000, 1001)");
    shards.onEveryShard("UPDATE " + entry + " SET c1 = 'y' WHERE p1 IN (1002, 1003, 1004)");
    shards.onEveryShard("UPDATE " + entry + " SET live = false WHERE p1 = 1005");
    shards.onShard(
        0,
        "INSERT INTO "
            + entry
            + " (bucket_id, row_bucket, p1, v1, version, live) VALUES (0, 0, 9999, 5, 1, true)");

    Report found = verify(false);
    assertThat(found.missing()).isEqualTo(6);
    assertThat(found.extra()).isEqualTo(1);
    assertThat(found.isSound(false)).isFalse();
    assertThat(verify(true).isSound(true)).isTrue();

    // A change wins over what was repaired.
    shards.update("UPDATE samples SET t = 'z' WHERE k = ? AND id = 1002", on(2, 0));
  }

  private Report verify(boolean repair) throws SQLException {
    return shards.source().lookupIndexes().verify(ListFixture.NAME, repair, 0, ListFixture.QUIET);
  }

  @Test
  void truncate_isRefusedWhereItCanBe() throws SQLException {
    if (database == TestingDatabase.POSTGRESQL) {
      assertThatThrownBy(() -> shards.onShard(0, "TRUNCATE samples"))
          .hasStackTraceContaining("SW419")
          .hasStackTraceContaining("samples.by_group");
    }
  }
}
