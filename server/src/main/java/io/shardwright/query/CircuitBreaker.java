package io.shardwright.query;

import io.shardwright.driver.ScatterLimits.ShardGate;
import io.shardwright.driver.ShardwrightError;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Keeps queries from waiting for a shard that has failed several times in a row. States of a shard:
 * asked; resting, for a time that doubles with each failure; on trial, when one question may find
 * out. An answer, were it an error of the statement, makes it asked again.
 *
 * <p>A question that a caller gave less time than the file does says nothing about the shard: else
 * a few hasty callers would close it for all. Thread-safe.
 */
final class CircuitBreaker implements ShardGate {
  static final int FAILURES = 5;
  static final Duration REST = Duration.ofSeconds(1);
  static final Duration REST_MAX = Duration.ofSeconds(30);

  private final Duration shardTimeout;
  private final LongSupplier nanos;
  private final Map<ShardId, State> shards = new ConcurrentHashMap<>();

  /**
   * @param shardTimeout of a question that has its full time
   * @param nanos the time, as {@link System#nanoTime} tells it
   */
  CircuitBreaker(Duration shardTimeout, LongSupplier nanos) {
    this.shardTimeout = shardTimeout;
    this.nanos = nanos;
  }

  private final class State {
    private int failures;
    private Duration rest = REST;
    private long askedAgainNanos;
    private String last = "";

    synchronized Optional<String> closed() {
      if (failures < FAILURES) {
        return Optional.empty();
      }
      long left = askedAgainNanos - nanos.getAsLong();
      if (left <= 0) {
        // Others wait for what comes of this question, but not for ever.
        askedAgainNanos = nanos.getAsLong() + shardTimeout.plus(REST).toNanos();
        return Optional.empty();
      }
      return Optional.of(
          failures
              + " questions in a row failed, and it rests for "
              + Duration.ofNanos(left).toMillis()
              + " ms more; the last failure: "
              + last);
    }

    synchronized void answered() {
      failures = 0;
      rest = REST;
    }

    synchronized void failed(String why) {
      failures++;
      last = why;
      if (failures >= FAILURES) {
        askedAgainNanos = nanos.getAsLong() + rest.toNanos();
        rest = rest.multipliedBy(2).compareTo(REST_MAX) > 0 ? REST_MAX : rest.multipliedBy(2);
      }
    }
  }

  @Override
  public Optional<String> closed(ShardId shard) {
    return state(shard).closed();
  }

  @Override
  public void asked(ShardId shard, Duration elapsed, SQLException failure) {
    if (failure == null) {
      state(shard).answered();
    } else if (!isOwn(failure) || elapsed.compareTo(shardTimeout) >= 0) {
      state(shard).failed(failure.getMessage());
    }
  }

  /** The caller's time, or the load of this process: not the shard's fault. */
  private static boolean isOwn(SQLException failure) {
    return failure instanceof ShardwrightError error
        && (error.code() == ErrorCode.SCATTER_TIMEOUT
            || error.code() == ErrorCode.SHARD_POOL_EXHAUSTED);
  }

  /** The shards that rest now, and why. */
  Map<ShardId, String> resting() {
    Map<ShardId, String> resting = new TreeMap<>();
    shards.forEach(
        (shard, state) -> {
          synchronized (state) {
            if (state.failures >= FAILURES) {
              resting.put(shard, state.last);
            }
          }
        });
    return resting;
  }

  private State state(ShardId shard) {
    return shards.computeIfAbsent(shard, unused -> new State());
  }
}
