package io.shardwright.migration;

import java.time.Duration;

/**
 * Keeps work at a rate, from when it began; the pause comes after the rows, so it is kept on
 * average.
 */
final class Pace {
  private final int rowsPerSecond;
  private final MoveRun.Waiter waiter;
  private final long start = System.nanoTime();
  private long rows;

  /**
   * @param rowsPerSecond 0: as fast as it goes
   */
  Pace(int rowsPerSecond, MoveRun.Waiter waiter) {
    this.rowsPerSecond = rowsPerSecond;
    this.waiter = waiter;
  }

  boolean isBounded() {
    return rowsPerSecond > 0;
  }

  void passed(long more) {
    rows += more;
    if (rowsPerSecond > 0) {
      Duration due = Duration.ofMillis(rows * 1_000 / rowsPerSecond);
      Duration early = due.minusNanos(System.nanoTime() - start);
      if (!early.isNegative()) {
        waiter.pause(early);
      }
    }
  }
}
