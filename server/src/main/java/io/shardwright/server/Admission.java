package io.shardwright.server;

import io.shardwright.config.QueryAccess.Role;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.RefusedForNowException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How many queries run at a time: those of each role, and as many more wait a while. Who comes then
 * is refused at once: a queue that grows answers nobody in time. Thread-safe.
 */
final class Admission {
  private final Duration patience;
  private final Map<String, Semaphore> roles = new ConcurrentHashMap<>();

  /** One party for this object, and one for each query inside. */
  private final Phaser inside = new Phaser(1);

  private volatile boolean open = true;

  /** A query that runs, until it is closed. */
  interface Place extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * @param patience of a query that waits
   */
  Admission(Duration patience) {
    this.patience = patience;
  }

  /**
   * @throws RefusedForNowException SW807
   */
  Place enter(Role role) {
    inside.register();
    boolean entered = false;
    try {
      if (!open) {
        throw refused("this gateway is about to stop");
      }
      Semaphore places =
          roles.computeIfAbsent(role.name(), unused -> new Semaphore(role.concurrency(), true));
      take(places, role);
      entered = true;
      return () -> {
        places.release();
        inside.arriveAndDeregister();
      };
    } finally {
      if (!entered) {
        inside.arriveAndDeregister();
      }
    }
  }

  private void take(Semaphore places, Role role) {
    if (places.tryAcquire()) {
      return;
    }
    if (places.getQueueLength() >= role.concurrency()) {
      throw refused(
          "role " + role.name() + " has " + role.concurrency() + " that run and as many that wait");
    }
    try {
      if (!places.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        throw refused(
            "role "
                + role.name()
                + " has "
                + role.concurrency()
                + " that run, and none ended within "
                + patience.toMillis()
                + " ms");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ShardwrightException(
          ErrorCode.QUERY_OVERLOAD, "the query was interrupted while it waited for its turn", e);
    }
  }

  private static RefusedForNowException refused(String why) {
    return RefusedForNowException.overload(
        "the query is not begun: " + why + "; nothing was sent; ask again later");
  }

  /** Queries that run or wait. */
  int inside() {
    return inside.getRegisteredParties() - 1;
  }

  boolean isOpen() {
    return open;
  }

  /** Nobody enters any more; returns when all are out, or the time is up. */
  void close(Duration time) {
    open = false;
    int phase = inside.arrive();
    try {
      inside.awaitAdvanceInterruptibly(phase, time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      // They are cut off: each has had more than its time.
    }
  }
}
