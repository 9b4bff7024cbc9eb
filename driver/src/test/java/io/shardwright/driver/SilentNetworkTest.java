package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shard takes what is sent and never answers, as when a firewall drops packets. */
class SilentNetworkTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private TestingShards shards;
  private long key;

  @BeforeEach
  void open() throws SQLException {
    shards = TestingShards.open(2);
    key = shards.keyOn(1, 0);
    shards.update("INSERT INTO samples (k, id, i4) VALUES (?, 1, 0)", key);
  }

  @AfterEach
  void close() {
    shards.proxy(1).heal();
    shards.assertIdle();
    shards.close();
  }

  @Test
  void write_withAQueryTimeout_isAnUnknownOutcome() throws SQLException {
    long start = System.nanoTime();
    try (Connection connection = shards.connect();
        PreparedStatement update =
            connection.prepareStatement("UPDATE samples SET i4 = 1 WHERE k = ?")) {
      update.setLong(1, key);
      update.setQueryTimeout(1);
      shards.proxy(1).stall();
      assertThatThrownBy(update::executeUpdate).isInstanceOf(UnknownOutcomeException.class);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE);
  }

  @Test
  void reads_withAQueryTimeout_endAndLaterOnesWait() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement scatter = connection.prepareStatement("SELECT count(*) FROM samples")) {
      scatter.setQueryTimeout(1);
      scatter.executeQuery().close();
      shards.proxy(1).stall();
      assertThatThrownBy(scatter::executeQuery).hasMessageContaining("SW401");
    }
    shards.proxy(1).heal();
    shards.awaitReachable(1);
    assertThat(shards.rows("SELECT count(*) FROM samples")).containsExactly("1");
  }

  @Test
  void transaction_waitsAsBeforeAfterTheStatement() throws SQLException {
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      try (PreparedStatement select =
          connection.prepareStatement("SELECT id FROM samples WHERE k = ? FOR UPDATE")) {
        select.setLong(1, key);
        select.setQueryTimeout(1);
        select.executeQuery().close();
      }
      // Longer than the statement before could have taken.
      assertThat(
              TestingShards.rows(
                  connection, "SELECT id, pg_sleep(7)::text FROM samples WHERE k = ?", key))
          .containsExactly("1|");
      connection.commit();
    }
  }
}
