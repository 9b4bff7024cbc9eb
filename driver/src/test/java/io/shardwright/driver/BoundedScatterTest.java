package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.driver.ScatterLimits.ShardGate;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each shard has one row; shard s1 is the one that is slow or fails. */
class BoundedScatterTest {
  private static final ShardId S1 = new ShardId("s1");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String SELECT = "SELECT id FROM samples ORDER BY id";

  private static final TestingShards shards = TestingShards.open(3);

  @BeforeEach
  void fill() throws SQLException {
    for (int shard = 0; shard < 3; shard++) {
      shards.update("INSERT INTO samples (k, id) VALUES (?, ?)", shards.keyOn(shard, 0), shard);
    }
    shards.rows(SELECT);
  }

  @AfterEach
  void everythingWasGivenBack() {
    for (int shard = 0; shard < 3; shard++) {
      shards.proxy(shard).heal();
      shards.awaitReachable(shard);
    }
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (shards.source().activeConnections().values().stream().anyMatch(active -> active > 0)
        && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    shards.assertIdle();
    shards.clear();
  }

  @AfterAll
  static void close() {
    shards.close();
  }

  private record Read(List<String> rows, Completeness completeness, Duration elapsed) {}

  private static Read read(ScatterLimits limits, String timeout, String partial, String sql)
      throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      ShardwrightSession session = connection.unwrap(ShardwrightSession.class);
      session.set("timeout", timeout);
      session.set("partial", partial);
      session.scatterWithin(limits);
      long start = System.nanoTime();
      try (ResultSet rows = statement.executeQuery(sql)) {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        return new Read(TestingShards.rows(rows), rows.unwrap(Completeness.class), elapsed);
      }
    }
  }

  private static ScatterLimits within(long millis, int retries) {
    return new ScatterLimits(Duration.ofMillis(millis), retries, ShardGate.OPEN);
  }

  @Test
  void allAnswer_theResultTellsOfEachShard() throws SQLException {
    Read read = read(within(5_000, 1), "10s", "refuse", SELECT);

    assertThat(read.rows()).containsExactly("0", "1", "2");
    assertThat(read.completeness().isComplete()).isTrue();
    assertThat(read.completeness().elapsed()).hasSize(3);
    assertThat(read.completeness().retries()).isZero();
    assertThat(read.completeness().mapVersion()).hasValue(1);
  }

  @Test
  void aggregatesAndLastSteps_areMergedAsEver() throws SQLException {
    assertThat(read(within(5_000, 0), "10s", "refuse", "SELECT sum(id) FROM samples").rows())
        .containsExactly("3");
    assertThat(
            read(
                    within(5_000, 0),
                    "10s",
                    "refuse",
                    "SELECT DISTINCT id % 2 FROM samples ORDER BY 1")
                .rows())
        .containsExactly("0", "1");
  }

  @Test
  void oneShardByKey_isBounded_too() throws SQLException {
    Read read =
        read(
            within(5_000, 1),
            "10s",
            "refuse",
            "SELECT id FROM samples WHERE k = " + shards.keyOn(1, 0));

    assertThat(read.rows()).containsExactly("1");
    assertThat(read.completeness().elapsed()).containsOnlyKeys(S1);
  }

  @Test
  void slowNetwork_isNotWaitedFor() throws SQLException {
    shards.proxy(1).delay(Duration.ofSeconds(2));

    Read read = read(within(200, 0), "300ms", "allow", SELECT);

    assertThat(read.rows()).containsExactly("0", "2");
    assertThat(read.completeness().missing().get(S1))
        .contains("shard s1 did not answer within 200 ms");
    assertThat(read.elapsed()).isLessThan(Duration.ofMillis(1_500));
  }

  @Test
  void silentShard_failsTheReadInItsTime() {
    shards.proxy(1).stall();
    long start = System.nanoTime();

    assertThatThrownBy(() -> read(within(200, 0), "300ms", "refuse", SELECT))
        .hasMessageContaining("SW406: shard s1 did not answer");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(1_500));
  }

  @Test
  void slowShard_isAskedAgain() throws SQLException {
    try (Connection locker = shards.shard(1);
        Statement lock = locker.createStatement()) {
      locker.setAutoCommit(false);
      lock.execute("LOCK TABLE samples IN ACCESS EXCLUSIVE MODE");
      CopyOnWriteArrayList<SQLException> failures = new CopyOnWriteArrayList<>();
      ShardGate gate =
          new ShardGate() {
            @Override
            public Optional<String> closed(ShardId shard) {
              return Optional.empty();
            }

            @Override
            public void asked(ShardId shard, Duration elapsed, SQLException failure) {
              if (failure != null) {
                failures.add(failure);
                release(locker);
              }
            }
          };
      Read read = read(new ScatterLimits(Duration.ofMillis(300), 1, gate), "20s", "refuse", SELECT);

      assertThat(failures).hasSize(1);
      assertThat(read.rows()).containsExactly("0", "1", "2");
      assertThat(read.completeness().retries()).isEqualTo(1);
      assertThat(read.completeness().elapsed().get(S1)).isGreaterThan(Duration.ofMillis(300));
    }
  }

  private static void release(Connection locker) {
    try {
      locker.rollback();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void brokenConnection_isAskedAgain() throws SQLException {
    shards.proxy(1).cut();

    Read read = read(within(5_000, 1), "10s", "refuse", SELECT);

    assertThat(read.rows()).containsExactly("0", "1", "2");
  }

  @Test
  void closedGate_keepsTheShardFromBeingAsked() throws SQLException {
    ShardGate gate =
        new ShardGate() {
          @Override
          public Optional<String> closed(ShardId shard) {
            return shard.equals(S1) ? Optional.of("it failed before") : Optional.empty();
          }

          @Override
          public void asked(ShardId shard, Duration elapsed, SQLException failure) {
            assertThat(shard).isNotEqualTo(S1);
          }
        };
    ScatterLimits limits = new ScatterLimits(PATIENCE, 1, gate);

    assertThat(read(limits, "10s", "allow", SELECT).completeness().missing().get(S1))
        .contains("was not asked: it failed before");
    assertThatThrownBy(() -> read(limits, "10s", "refuse", SELECT)).hasMessageContaining("SW401");
  }

  @Test
  void errorOfTheStatement_isAnErrorOfTheRead() {
    assertThatThrownBy(
            () -> read(within(5_000, 1), "10s", "allow", "SELECT 1 / (id - 1) FROM samples"))
        .hasMessageContaining("division by zero");
  }

  @Test
  void cancel_endsTheWait() throws Exception {
    shards.proxy(1).stall();
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      connection
          .unwrap(ShardwrightSession.class)
          .scatterWithin(new ScatterLimits(PATIENCE, 0, ShardGate.OPEN));
      Thread canceller =
          new Thread(
              () -> {
                try {
                  while (shards.source().activeConnections().get(S1) == 0) {
                    Thread.onSpinWait();
                  }
                  statement.cancel();
                } catch (SQLException e) {
                  throw new AssertionError(e);
                }
              });
      canceller.start();
      assertThatThrownBy(() -> statement.executeQuery(SELECT)).hasMessageContaining("cancelled");
      canceller.join();
    }
  }
}
