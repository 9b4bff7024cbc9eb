package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One shard cannot be reached, before or after the data source was opened. */
class ShardDownTest {
  private static final String INSERT = "INSERT INTO samples (k, id, t) VALUES (?, ?, ?)";
  private static final Duration POOL_TIMEOUT = Duration.ofMillis(500);
  private static final int STATEMENTS = 20;
  private TestingShards shards;

  @BeforeEach
  void open() {
    shards = TestingShards.open(3, "{max: 2, timeout: " + POOL_TIMEOUT.toMillis() + "ms}");
  }

  @AfterEach
  void close() {
    shards.assertIdle();
    shards.close();
  }

  private void takeDown(int shard) {
    shards.proxy(shard).refuse();
    shards.proxy(shard).cut();
  }

  @Test
  void shardDown_isNamedAndTheOthersGoOn() throws SQLException {
    takeDown(1);

    assertRefused(
        ErrorCode.SHARD_UNAVAILABLE, () -> shards.update(INSERT, shards.keyOn(1, 0), 1, "a"));
    assertThatThrownBy(() -> shards.rows("SELECT count(*) FROM samples"))
        .isInstanceOf(SQLTransientConnectionException.class)
        .hasMessageContaining("shard s1 is not reachable")
        .hasMessageContaining("nothing was sent");
    shards.update(INSERT, shards.keyOn(0, 0), 2, "b");
    assertThat(shards.rows("SELECT t FROM samples WHERE k = ?", shards.keyOn(0, 0)))
        .containsExactly("b");
    for (int i = 0; i < 6; i++) {
      assertThat(shards.rows("SELECT count(*) FROM countries")).containsExactly("0");
    }

    shards.proxy(1).heal();
    shards.awaitReachable(1);
    shards.update(INSERT, shards.keyOn(1, 0), 1, "a");
    assertThat(shards.rows("SELECT id FROM samples ORDER BY id")).containsExactly("1", "2");
  }

  @Test
  void shardKnownToBeDown_costsStatementsNoTime() throws SQLException {
    long key = shards.keyOn(1, 0);
    takeDown(1);
    long start = System.nanoTime();
    for (int i = 0; i < STATEMENTS; i++) {
      assertRefused(ErrorCode.SHARD_UNAVAILABLE, () -> shards.update(INSERT, key, 1, "a"));
      assertRefused(ErrorCode.SHARD_UNAVAILABLE, () -> shards.rows("SELECT count(*) FROM samples"));
    }
    // Each of them waited for a connection before; a late watcher may cost one a wait.
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isLessThan(POOL_TIMEOUT.multipliedBy(STATEMENTS));

    shards.proxy(1).heal();
    shards.awaitReachable(1);
    for (int i = 0; i < STATEMENTS; i++) {
      shards.update(INSERT, key, i, "a");
    }
  }

  @Test
  void open_withAShardDown_works() throws SQLException {
    takeDown(0);
    try (ShardwrightDataSource source = Shardwright.open(shards.configuration());
        Connection connection = source.getConnection()) {
      assertThat(TestingShards.update(connection, INSERT, shards.keyOn(1, 0), 1, "a")).isEqualTo(1);
    }
  }
}
