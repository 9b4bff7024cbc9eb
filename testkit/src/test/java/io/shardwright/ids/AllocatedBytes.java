package io.shardwright.ids;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that work allocates on the thread that does it. */
final class AllocatedBytes {
  private static final int ROUNDS = 20;

  private AllocatedBytes() {}

  /**
   * The least of many rounds: what the work itself allocates is in all of them, what the JVM does
   * while it compiles the work is not.
   */
  static long of(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      work.run();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }
}
