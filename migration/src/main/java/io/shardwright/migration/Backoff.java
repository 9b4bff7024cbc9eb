package io.shardwright.migration;

import java.time.Duration;

/** Longer and longer, so that whoever is in the way is not asked all the time. */
final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(10);
  private static final Duration LAST = Duration.ofSeconds(1);

  private Backoff() {}

  static Duration after(Duration before) {
    Duration next = before.isZero() ? FIRST : before.multipliedBy(2);
    return next.compareTo(LAST) > 0 ? LAST : next;
  }
}
