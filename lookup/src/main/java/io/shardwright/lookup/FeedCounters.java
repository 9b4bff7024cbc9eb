package io.shardwright.lookup;

import io.shardwright.routing.ShardId;
import java.util.concurrent.atomic.LongAdder;

/** What a process has delivered from one shard to one index since it began. Thread-safe. */
public final class FeedCounters {
  private final LongAdder delivered = new LongAdder();
  private final LongAdder retried = new LongAdder();
  private final LongAdder dead = new LongAdder();

  /**
   * Which.
   *
   * @param index {@code group.index}
   */
  record Key(String index, ShardId shard) {}

  void delivered(int changes) {
    delivered.add(changes);
  }

  void retried(int changes) {
    retried.add(changes);
  }

  void dead(int changes) {
    dead.add(changes);
  }

  public long delivered() {
    return delivered.sum();
  }

  /** Attempts that failed, and will be made again. */
  public long retried() {
    return retried.sum();
  }

  /** Changes that were given up. */
  public long dead() {
    return dead.sum();
  }
}
