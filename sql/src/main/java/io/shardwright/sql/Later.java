package io.shardwright.sql;

import java.util.function.Supplier;

/**
 * A value worked out when it is first asked for, then kept: most statements go to one shard and
 * never ask how they would be split over several. Thread-safe.
 */
final class Later<T> {
  private Supplier<T> work;
  private volatile T value;

  private Later(Supplier<T> work) {
    this.work = work;
  }

  /** {@code work} never gives null; what it throws is thrown to each who asks. */
  static <T> Later<T> of(Supplier<T> work) {
    return new Later<>(work);
  }

  T get() {
    T known = value;
    return known == null ? workedOut() : known;
  }

  private synchronized T workedOut() {
    if (value == null) {
      value = work.get();
      work = null;
    }
    return value;
  }
}
