package io.shardwright.driver;

import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * How a read waits for its shards, instead of waiting for all of them as long as the statement
 * lasts: {@link ShardwrightSession#scatterWithin}. The time of the statement ends all waits, even
 * for a shard whose network is silent.
 *
 * @param shardTimeout of one question to one shard, the wait for a connection included
 * @param retries how often a shard that failed or was too slow is asked again while the statement
 *     has time left, 0 to 3
 * @param gate who decides whether a shard is asked at all
 */
public record ScatterLimits(Duration shardTimeout, int retries, ShardGate gate) {
  private static final int RETRIES_MAX = 3;

  public ScatterLimits {
    if (shardTimeout.isNegative() || shardTimeout.isZero()) {
      throw new IllegalArgumentException("a shard timeout of " + shardTimeout);
    }
    if (retries < 0 || retries > RETRIES_MAX) {
      throw new IllegalArgumentException(retries + " retries; 0 to " + RETRIES_MAX);
    }
  }

  /** Hears of each question and may keep others from being asked. Thread-safe. */
  public interface ShardGate {
    /** Asks every shard. */
    ShardGate OPEN =
        new ShardGate() {
          @Override
          public Optional<String> closed(ShardId shard) {
            return Optional.empty();
          }

          @Override
          public void asked(ShardId shard, Duration elapsed, SQLException failure) {}
        };

    /**
     * Before a shard is asked.
     *
     * @return why it is not; empty: it is
     */
    Optional<String> closed(ShardId shard);

    /**
     * A question has been answered or given up.
     *
     * @param failure null when it was answered, were it by an error of the statement
     */
    void asked(ShardId shard, Duration elapsed, SQLException failure);
  }
}
