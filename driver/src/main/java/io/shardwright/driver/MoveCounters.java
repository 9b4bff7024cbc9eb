package io.shardwright.driver;

import java.util.concurrent.atomic.LongAdder;

/** What moves of buckets cost statements. Thread-safe. */
final class MoveCounters {
  private final LongAdder checks = new LongAdder();
  private final LongAdder repeats = new LongAdder();
  private final LongAdder stale = new LongAdder();

  /** A shard was asked whether it owns what it answered of. */
  void checked() {
    checks.increment();
  }

  /** A statement was, because a bucket had moved. */
  void repeated() {
    repeats.increment();
  }

  /** An answer was thrown away, or a write refused. */
  void stale() {
    stale.increment();
  }

  MoveStatistics snapshot() {
    return new MoveStatistics(checks.sum(), repeats.sum(), stale.sum());
  }
}
