package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DdlTest {
  private static final String ADD = "ALTER TABLE samples ADD COLUMN extra int";
  private TestingShards shards;

  @BeforeEach
  void open() {
    shards = TestingShards.open(4);
  }

  @AfterEach
  void close() {
    shards.assertIdle();
    shards.close();
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      assertThat(statement.execute(sql)).isFalse();
      assertThat(statement.getUpdateCount()).isZero();
    }
  }

  private List<String> log(int shard) throws SQLException {
    return shards.shardRows(
        shard, "SELECT seq, statement, state FROM shardwright_ddl ORDER BY seq");
  }

  private static List<ShardId> ids(String... names) {
    return java.util.Arrays.stream(names).map(ShardId::new).toList();
  }

  @Test
  void ddl_goesToEveryShardAndIsLogged() throws SQLException {
    run(ADD + ";");
    for (int shard = 0; shard < 4; shard++) {
      assertThat(log(shard)).containsExactly("1|" + ADD + "|done");
    }
    shards.update("INSERT INTO samples (k, id, extra) VALUES (1, 1, 5)");
    assertThat(shards.rows("SELECT sum(extra) FROM samples")).containsExactly("5");
    assertThat(shards.source().pendingDdl()).isEmpty();
  }

  @Test
  void sameStatement_whenNothingIsPending_runsAgain() throws SQLException {
    run("CREATE INDEX i ON samples (i4)");
    run("DROP INDEX i");
    run("CREATE INDEX i ON samples (i4)");
    assertThat(log(3)).hasSize(3);
  }

  @Test
  void failureOnTheThirdShard_isRememberedAndResumed() throws SQLException {
    shards.onShard(2, "ALTER TABLE samples ADD COLUMN extra text");

    assertThatThrownBy(() -> run(ADD))
        .isInstanceOfSatisfying(
            ShardwrightError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DDL_INCOMPLETE))
        .hasMessageContaining("stopped at shard s2")
        .hasMessageContaining("done on [s0, s1], missing on [s2, s3]")
        .hasMessageContaining("already exists")
        .hasMessageContaining("run the same statement again");
    assertThat(shards.source().pendingDdl())
        .containsExactly(new PendingDdl(1, ADD, ids("s0", "s1"), ids("s2", "s3")));

    // Nothing else may pass it.
    assertThatThrownBy(() -> run("CREATE TABLE other (id int)"))
        .hasMessageStartingWith("SW501")
        .hasMessageContaining(ADD)
        .hasMessageContaining("missing on [s2, s3]");

    shards.onShard(2, "ALTER TABLE samples DROP COLUMN extra");
    run(ADD);

    for (int shard = 0; shard < 4; shard++) {
      assertThat(log(shard)).containsExactly("1|" + ADD + "|done");
    }
    assertThat(shards.source().pendingDdl()).isEmpty();
    run("CREATE TABLE other (id int)");
  }

  @Test
  void resumeDdl_finishesWhatIsPending() throws SQLException {
    shards.onShard(3, "ALTER TABLE samples ADD COLUMN extra text");
    assertThatThrownBy(() -> run(ADD)).hasMessageContaining("SW502");
    assertThatThrownBy(() -> shards.source().resumeDdl()).hasMessageContaining("SW502");
    shards.onShard(3, "ALTER TABLE samples DROP COLUMN extra");

    assertThat(shards.source().resumeDdl())
        .containsExactly(new PendingDdl(1, ADD, ids("s0", "s1", "s2"), ids("s3")));

    assertThat(shards.source().resumeDdl()).isEmpty();
    assertThat(log(3)).containsExactly("1|" + ADD + "|done");
  }

  @Test
  void shardWithoutTheLog_ofTheOthers_getsAllChangesInOrder() throws SQLException {
    run(ADD);
    run("CREATE INDEX extra_index ON samples (extra)");
    shards.onShard(1, "DELETE FROM shardwright_ddl; ALTER TABLE samples DROP COLUMN extra");

    assertThat(shards.source().pendingDdl())
        .extracting(PendingDdl::sequence)
        .containsExactly(1L, 2L);
    shards.source().resumeDdl();

    assertThat(log(1)).isEqualTo(log(0));
  }

  @Test
  void contradictingLogs_areDrift() throws SQLException {
    run(ADD);
    shards.onShard(1, "UPDATE shardwright_ddl SET statement = 'other', sha256 = 'x'");
    assertRefused(ErrorCode.SCHEMA_DRIFT, () -> run("CREATE TABLE other (id int)"));
    assertRefused(ErrorCode.SCHEMA_DRIFT, () -> shards.source().pendingDdl());
  }

  @Test
  void errorOnTheFirstShard_isTheDatabasesAndLeavesNothing() throws SQLException {
    assertThatThrownBy(() -> run("ALTER TABLE samples ADD COLUMN t int"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42701"));
    assertThat(log(0)).isEmpty();
    assertThat(shards.source().pendingDdl()).isEmpty();
  }

  @Test
  void shardDown_meansNothingIsDone() throws SQLException {
    shards.proxy(3).refuse();
    shards.proxy(3).cut();
    assertRefused(ErrorCode.SHARD_UNAVAILABLE, () -> run(ADD));
    assertThat(log(0)).isEmpty();
    shards.proxy(3).heal();
    shards.awaitReachable(3);
    run(ADD);
  }

  @Test
  void connectionThatBreaksMidway_isResumed() throws Exception {
    try (Connection blocker = shards.shard(2);
        Statement lock = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      lock.execute("LOCK TABLE samples IN ACCESS EXCLUSIVE MODE");
      Thread cutter =
          new Thread(
              () -> {
                try {
                  while (shards
                      .shardRows(
                          2,
                          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
                              + " AND wait_event_type = 'Lock'")
                      .isEmpty()) {
                    Thread.onSpinWait();
                  }
                } catch (SQLException e) {
                  throw new AssertionError(e);
                }
                shards.proxy(2).cut();
              });
      cutter.start();
      assertThatThrownBy(() -> run(ADD))
          .hasMessageContaining("SW502")
          .hasMessageContaining("shard s2 may have it");
      cutter.join();
      blocker.rollback();
    }
    run(ADD);
    assertThat(log(2)).containsExactly("1|" + ADD + "|done");
  }

  @Test
  void twoRunners_doNotInterleave() throws SQLException {
    try (Connection other = shards.shard(2);
        Statement lock = other.createStatement()) {
      lock.execute("SELECT pg_advisory_lock(" + 0x53_57_44_44_4cL + ")");
      assertRefused(ErrorCode.DDL_PENDING, () -> run(ADD));
    }
    assertThat(log(0)).isEmpty();
  }

  @Test
  void concurrentIndex_isStartedThenDone() throws SQLException {
    String create = "CREATE INDEX CONCURRENTLY by_i4 ON samples (i4)";
    run(create);
    assertThat(log(3)).containsExactly("1|" + create + "|done");
    run("DROP INDEX CONCURRENTLY by_i4");
    assertThat(log(3)).hasSize(2);
  }

  @Test
  void concurrentIndex_thatFailsOnAShard_isResumedThere() throws SQLException {
    shards.onShard(
        2, "INSERT INTO samples (bucket_id, k, id, i4) VALUES (40, 1, 1, 5), (40, 1, 2, 5)");
    String create = "CREATE UNIQUE INDEX CONCURRENTLY by_i4 ON samples (i4)";
    assertThatThrownBy(() -> run(create)).hasMessageContaining("missing on [s2, s3]");
    assertThat(log(2)).containsExactly("1|" + create + "|started");
    assertThat(
            shards.shardRows(
                2, "SELECT indisvalid FROM pg_index WHERE indexrelid = 'by_i4'::regclass"))
        .containsExactly("f");

    shards.onShard(2, "DELETE FROM samples WHERE id = 2");
    run(create);

    for (int shard = 0; shard < 4; shard++) {
      assertThat(log(shard)).containsExactly("1|" + create + "|done");
      assertThat(
              shards.shardRows(
                  shard, "SELECT indisvalid FROM pg_index WHERE indexrelid = 'by_i4'::regclass"))
          .containsExactly("t");
    }
  }

  @Test
  void concurrentIndex_thatFailsOnTheFirstShard_leavesNothing() throws SQLException {
    shards.onShard(
        0, "INSERT INTO samples (bucket_id, k, id, i4) VALUES (0, 1, 1, 5), (0, 1, 2, 5)");
    assertThatThrownBy(() -> run("CREATE UNIQUE INDEX CONCURRENTLY by_i4 ON samples (i4)"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
    assertThat(log(0)).isEmpty();
    assertThat(shards.shardRows(0, "SELECT to_regclass('by_i4')")).containsExactly("null");
  }

  @Test
  void statementsOutsideTransactions_areRefused() {
    for (String sql :
        List.of(
            "CREATE DATABASE other",
            "REINDEX TABLE samples",
            "CREATE INDEX CONCURRENTLY ON samples (i4)",
            "REINDEX INDEX CONCURRENTLY samples_pkey")) {
      assertRefused(ErrorCode.DDL_UNSUPPORTED, () -> run(sql));
    }
  }

  @Test
  void ddl_inATransaction_isRefused() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      assertRefused(ErrorCode.DDL_IN_TRANSACTION, () -> statement.execute(ADD));
    }
  }

  @Test
  void changeOfWhatDecidesThePlace_isNeverSentOrLogged() throws SQLException {
    for (String sql :
        List.of(
            "ALTER TABLE samples RENAME COLUMN k TO kk",
            "ALTER TABLE orders ALTER COLUMN buyer_id TYPE text",
            "ALTER TABLE orders DROP COLUMN order_id",
            "ALTER TABLE samples RENAME TO old_samples",
            "TRUNCATE samples",
            "CREATE ROLE app_reader LOGIN PASSWORD 'clear'")) {
      assertRefused(ErrorCode.DDL_UNSUPPORTED, () -> run(sql));
    }
    assertThat(log(0)).isEmpty();
  }
}
