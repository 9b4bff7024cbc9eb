package io.shardwright.driver;

import java.sql.SQLException;

/**
 * One question to one shard, asked by a thread of its own, which nobody has to wait for: who gives
 * it up does not hear of it any more, and its connection goes back when the shard lets go of it.
 * States: asking, then either answered (the call is the asker's) or given up (it is closed here).
 */
final class ShardQuestion {
  private final int part;
  private final LeaseWait leaseWait = new LeaseWait();
  private final long startNanos = System.nanoTime();
  private ShardCall call;
  private boolean ended;
  private boolean givenUp;

  ShardQuestion(int part) {
    this.part = part;
  }

  int part() {
    return part;
  }

  long startNanos() {
    return startNanos;
  }

  LeaseWait leaseWait() {
    return leaseWait;
  }

  /**
   * From its own thread, once it has a connection.
   *
   * @return false when it was given up: nothing is to be sent
   */
  synchronized boolean begin(ShardCall leased) {
    if (givenUp) {
      leased.close();
      return false;
    }
    call = leased;
    return true;
  }

  /**
   * From its own thread, with an answer or a failure.
   *
   * @return false when it was given up meanwhile: the call is closed
   */
  boolean end() {
    synchronized (this) {
      ended = true;
      if (!givenUp) {
        return true;
      }
    }
    if (call != null) {
      call.close();
    }
    return false;
  }

  /** Null: it never got so far. */
  ShardCall call() {
    return call;
  }

  /**
   * From the asker's thread.
   *
   * @return false when it has ended before
   */
  synchronized boolean giveUp() {
    if (ended) {
      return false;
    }
    givenUp = true;
    leaseWait.end("the time of the question");
    return true;
  }

  /** The server is asked to stop; may block as long as its network does. */
  void cancel() {
    ShardCall running;
    synchronized (this) {
      running = ended ? null : call;
    }
    if (running != null) {
      try {
        running.cancel();
      } catch (SQLException e) {
        running.lease().pool().discarded(e);
      }
    }
  }
}
