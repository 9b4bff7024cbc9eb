package io.shardwright.lookup;

import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Which shards of indexes did not answer lately: they are asked again after a pause that doubles,
 * so that one of them costs the others few timeouts. Thread-safe.
 */
final class Outages {
  static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  static final Duration LAST_PAUSE = Duration.ofSeconds(30);

  private final LongSupplier nanoTime;
  private final Map<ShardId, Outage> outages = new ConcurrentHashMap<>();

  private record Outage(long until, Duration pause) {}

  Outages(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether it is too early to ask the shard. */
  boolean isDown(ShardId shard) {
    Outage outage = outages.get(shard);
    return outage != null && outage.until - nanoTime.getAsLong() > 0;
  }

  void answered(ShardId shard) {
    outages.remove(shard);
  }

  void failed(ShardId shard) {
    outages.compute(
        shard,
        (name, known) -> {
          Duration pause = known == null ? FIRST_PAUSE : doubled(known.pause);
          return new Outage(nanoTime.getAsLong() + pause.toNanos(), pause);
        });
  }

  /** When its changes may be looked at again. */
  Duration pause(ShardId shard) {
    Outage outage = outages.get(shard);
    return outage == null ? FIRST_PAUSE : outage.pause;
  }

  static Duration doubled(Duration pause) {
    Duration next = pause.multipliedBy(2);
    return next.compareTo(LAST_PAUSE) < 0 ? next : LAST_PAUSE;
  }
}
