package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writers of the same rows on several shards, which no single server could untangle. */
class WriteDeadlockTest extends FourShards {
  private static final int ROUNDS = 60;

  /** All rounds together take about a second; a deadlock takes for ever. */
  private static final long PATIENCE_SECONDS = 60;

  private interface Write {
    void on(Connection connection) throws SQLException;
  }

  @BeforeEach
  void rows() throws SQLException {
    for (int shard = 0; shard < 4; shard++) {
      shards.update(
          "INSERT INTO samples (k, id, i4) VALUES (?, ?, 0)", shards.keyOn(shard, 0), shard);
    }
    shards.update("INSERT INTO countries VALUES ('fr', '')");
  }

  private void crossing(Write one, Write other) throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (Write write : List.of(one, other)) {
        writers.add(
            executor.submit(
                () -> {
                  try (Connection connection = shards.connect()) {
                    for (int round = 0; round < ROUNDS; round++) {
                      together.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                      write.on(connection);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private void assertAllApplied() throws SQLException {
    assertThat(shards.rows("SELECT i4 FROM samples"))
        .hasSize(4)
        .containsOnly(String.valueOf(2 * ROUNDS));
  }

  private Write update(int... shardOrder) {
    List<String> keys = new ArrayList<>();
    for (int shard : shardOrder) {
      keys.add(String.valueOf(shards.keyOn(shard, 0)));
    }
    String sql = "UPDATE samples SET i4 = i4 + 1 WHERE k IN (" + String.join(", ", keys) + ")";
    return connection -> TestingShards.update(connection, sql);
  }

  private Write batch(int... shardOrder) {
    return connection -> {
      try (Statement statement = connection.createStatement()) {
        for (int shard : shardOrder) {
          statement.addBatch("UPDATE samples SET i4 = i4 + 1 WHERE k = " + shards.keyOn(shard, 0));
        }
        statement.executeBatch();
      }
    };
  }

  @Test
  void updatesOfTheSameKeys_neverWaitForEachOther() throws Exception {
    crossing(update(0, 1, 2, 3), update(3, 2, 1, 0));
    assertAllApplied();
  }

  @Test
  void updatesOfAReferenceTable_neverWaitForEachOther() throws Exception {
    Write longer =
        connection -> TestingShards.update(connection, "UPDATE countries SET name = name || 'x'");
    crossing(longer, longer);
    for (int shard = 0; shard < 4; shard++) {
      assertThat(shards.shardRows(shard, "SELECT length(name) FROM countries"))
          .containsExactly(String.valueOf(2 * ROUNDS));
    }
  }

  @Test
  void batchesOverTheSameKeys_neverWaitForEachOther() throws Exception {
    crossing(batch(0, 1, 2, 3), batch(3, 2, 1, 0));
    assertAllApplied();
  }

  @Test
  void updateAndBatch_neverWaitForEachOther() throws Exception {
    crossing(update(2, 3, 0, 1), batch(3, 0, 2, 1));
    assertAllApplied();
  }

  @Test
  void lockOfAnOpenTransaction_isWaitedForALimitedTime() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try (Connection holder = shards.connect()) {
      holder.setAutoCommit(false);
      TestingShards.update(holder, "UPDATE samples SET i4 = 7 WHERE k = ?", shards.keyOn(2, 0));
      Future<?> updated = executor.submit(() -> assertLockTimeout(update(0, 2)));
      Future<?> sent = executor.submit(() -> assertLockTimeout(batch(2, 1)));
      updated.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      sent.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      holder.rollback();
    } finally {
      executor.shutdownNow();
    }
    assertThat(shards.rows("SELECT i4 FROM samples")).hasSize(4).containsOnly("0");
    // The bound was that of those transactions alone.
    for (int shard = 0; shard < 4; shard++) {
      assertThat(
              shards.rows(
                  "SELECT current_setting('lock_timeout') FROM samples WHERE k = ?",
                  shards.keyOn(shard, 0)))
          .containsExactly("0");
    }
  }

  private void assertLockTimeout(Write write) {
    assertThatThrownBy(
            () -> {
              try (Connection connection = shards.connect()) {
                write.on(connection);
              }
            })
        .isInstanceOf(SQLTransactionRollbackException.class)
        .isInstanceOfSatisfying(
            ShardwrightError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LOCK_TIMEOUT))
        .hasMessageContaining("on shard s2")
        .hasMessageContaining("nothing was applied on any shard");
  }
}
