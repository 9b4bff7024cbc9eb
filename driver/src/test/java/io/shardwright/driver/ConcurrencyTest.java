package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Many threads, few connections: every statement is right and every connection comes back. */
class ConcurrencyTest {
  private static final int THREADS = 6;
  private static final int STEPS = 60;

  @Test
  void mixedWork_ofManyThreads_keepsItsSums() throws Exception {
    try (TestingShards shards = TestingShards.open(4, "{max: 6, timeout: 30s}")) {
      ExecutorService executor = Executors.newFixedThreadPool(THREADS);
      try {
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          int number = thread;
          running.add(
              executor.submit(
                  () -> {
                    work(shards, number);
                    return null;
                  }));
        }
        for (Future<?> done : running) {
          done.get();
        }
      } finally {
        executor.shutdownNow();
      }
      shards.assertIdle();
      assertThat(shards.rows("SELECT count(*), sum(i4) FROM samples"))
          .containsExactly(THREADS * STEPS + "|" + 2 * THREADS * STEPS);
    }
  }

  /** Each thread has its own ids and keys; scatters see the rows of all. */
  private static void work(TestingShards shards, int thread) throws SQLException {
    Random random = new Random(thread);
    for (int step = 0; step < STEPS; step++) {
      long key = thread * 1_000L + random.nextInt(40);
      long id = thread * 1_000_000L + step;
      try (Connection connection = shards.connect()) {
        connection.setAutoCommit(step % 2 == 0);
        TestingShards.update(
            connection, "INSERT INTO samples (k, id, i4) VALUES (?, ?, 1)", key, id);
        TestingShards.update(
            connection, "UPDATE samples SET i4 = 2 WHERE k = ? AND id = ?", key, id);
        if (!connection.getAutoCommit()) {
          connection.commit();
        }
      }
      try (Connection connection = shards.connect();
          PreparedStatement scatter =
              connection.prepareStatement("SELECT id FROM samples ORDER BY id DESC LIMIT 5");
          ResultSet rows = scatter.executeQuery()) {
        long last = Long.MAX_VALUE;
        while (rows.next()) {
          assertThat(rows.getLong(1)).isLessThan(last);
          last = rows.getLong(1);
        }
        assertThat(last).isLessThan(Long.MAX_VALUE);
      }
    }
  }
}
