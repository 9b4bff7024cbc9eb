package io.shardwright.driver;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The wait for the next state of the catalog, of all statements that met a bucket in its cutover:
 * one look at a time serves them all. Thread-safe.
 */
final class NextState {
  /** Between two looks. A cutover takes some milliseconds. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final CatalogMaps maps;
  private final Executor executor;
  private final Runnable poll;

  /** Guarded by this. */
  private boolean looking;

  /**
   * @param poll looks once, and never throws
   */
  NextState(CatalogMaps maps, Executor executor, Runnable poll) {
    this.maps = maps;
    this.executor = executor;
    this.poll = poll;
  }

  /**
   * Looks now, and again after each pause.
   *
   * @return true as soon as the state is another
   */
  synchronized boolean await(KnownState known, int looks) throws InterruptedException {
    for (int i = 0; i < looks && maps.current() == known; i++) {
      if (!looking) {
        looking = true;
        executor.execute(this::look);
      }
      long end = System.nanoTime() + PAUSE_NANOS;
      long left = PAUSE_NANOS;
      while (left > 0 && maps.current() == known) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = end - System.nanoTime();
      }
    }
    return maps.current() != known;
  }

  private void look() {
    try {
      poll.run();
    } finally {
      synchronized (this) {
        looking = false;
        notifyAll();
      }
    }
  }
}
