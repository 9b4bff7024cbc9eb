package io.shardwright.driver;

/**
 * The wait of one execution for pooled connections, in one thread; its timeout and {@code cancel()}
 * end it from others. Thread-safe.
 *
 * <p>Problem: the pool waits as long as it is configured to, whatever the statement's own time is.
 * Idea: who ends the wait interrupts the thread while it is inside the pool, and nowhere else: the
 * interrupt never leaves {@link ShardPool#lease}.
 */
final class LeaseWait {
  /** For what has no time of its own. */
  static final LeaseWait UNENDED = new LeaseWait();

  private Thread waiting;
  private String ended;
  private boolean interrupted;

  /** For the next execution. */
  synchronized void reset() {
    ended = null;
  }

  /** From any thread: who waits stops, and nobody waits any more. */
  synchronized void end(String why) {
    if (ended == null) {
      ended = why;
      if (waiting != null) {
        interrupted = true;
        waiting.interrupt();
      }
    }
  }

  void enter() {
    if (this != UNENDED) {
      synchronized (this) {
        waiting = Thread.currentThread();
        if (ended != null) {
          // A connection that is free is taken all the same: a partial answer may need it.
          interrupted = true;
          waiting.interrupt();
        }
      }
    }
  }

  void leave() {
    if (this != UNENDED) {
      synchronized (this) {
        waiting = null;
        if (interrupted) {
          interrupted = false;
          Thread.interrupted();
        }
      }
    }
  }

  /** Null as long as it may wait. */
  synchronized String ended() {
    return ended;
  }
}
