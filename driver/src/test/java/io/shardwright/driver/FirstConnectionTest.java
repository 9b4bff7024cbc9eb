package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.driver.TestingShards.OtherProcess;
import io.shardwright.testkit.TcpProxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool's first connection breaks before its nth message; the shard is used all the same. */
class FirstConnectionTest extends FourShards {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  static int[] messages() {
    return new int[] {1, 2, 3, 4, 5, 6, 7, 8};
  }

  @ParameterizedTest
  @MethodSource("messages")
  void connectionThatBreaksWhileItIsSetUp_isFollowedByOthers(int broken) throws SQLException {
    AtomicInteger sent = new AtomicInteger();
    OtherProcess process =
        shards
        .new OtherProcess(
            ways -> {
              TcpProxy way = ways.get(3);
              way.beforeRequest(
                  () -> {
                    if (sent.incrementAndGet() == broken) {
                      way.cut();
                    }
                  });
            });
    try {
      SQLException last = null;
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      boolean read = false;
      while (!read && System.nanoTime() < deadline) {
        try (Connection connection = process.source().getConnection();
            PreparedStatement select =
                connection.prepareStatement("SELECT count(*) FROM samples WHERE k = ?")) {
          select.setLong(1, shards.keyOn(3, 0));
          try (ResultSet rows = select.executeQuery()) {
            read = rows.next();
          }
        } catch (SQLException e) {
          last = e;
        }
      }
      assertThat(read).as("the shard is used in time: %s", String.valueOf(last)).isTrue();
      assertThat(sent).hasValueGreaterThanOrEqualTo(broken);
    } finally {
      process.bury();
    }
  }
}
