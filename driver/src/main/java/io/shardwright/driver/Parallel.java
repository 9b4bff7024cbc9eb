package io.shardwright.driver;

import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

/** The parts of one statement, run at once or one by one; the first failure ends the others. */
final class Parallel {
  private final Parts parts;
  private final AtomicReference<Failure> failure = new AtomicReference<>();

  /** Numbered 0 to size-1. */
  interface Parts {
    int size();

    void run(int part) throws SQLException;

    /** May be called by any thread, before, while or after the part runs. */
    void cancel(int part) throws SQLException;
  }

  /** The first part that failed, and why. */
  record Failure(int part, Exception reason) {}

  private Parallel(Parts parts) {
    this.parts = parts;
  }

  /**
   * Returns when every part has ended. The calling thread runs the first part, and more when the
   * executor is busy.
   *
   * @return null when all parts succeeded
   */
  static Failure run(Executor executor, Parts parts) {
    return new Parallel(parts).run(executor);
  }

  /**
   * One part after the other, by the calling thread; none is begun after a failure.
   *
   * @return null when all parts succeeded
   */
  static Failure inOrder(Parts parts) {
    for (int part = 0; part < parts.size(); part++) {
      try {
        parts.run(part);
      } catch (SQLException | RuntimeException e) {
        return new Failure(part, e);
      }
    }
    return null;
  }

  private Failure run(Executor executor) {
    int size = parts.size();
    CountDownLatch others = new CountDownLatch(size - 1);
    for (int i = 1; i < size; i++) {
      int part = i;
      executor.execute(
          () -> {
            try {
              runPart(part);
            } finally {
              others.countDown();
            }
          });
    }
    runPart(0);
    awaitUninterruptibly(others);
    return failure.get();
  }

  private void runPart(int part) {
    if (failure.get() != null) {
      return;
    }
    try {
      parts.run(part);
    } catch (SQLException | RuntimeException e) {
      if (failure.compareAndSet(null, new Failure(part, e))) {
        cancelAllBut(part);
      }
    }
  }

  private void cancelAllBut(int failed) {
    for (int part = 0; part < parts.size(); part++) {
      if (part != failed) {
        try {
          parts.cancel(part);
        } catch (SQLException e) {
          // It ends by itself; the failure that matters is reported.
          failure.get().reason().addSuppressed(e);
        }
      }
    }
  }

  private void awaitUninterruptibly(CountDownLatch others) {
    boolean interrupted = false;
    while (true) {
      try {
        others.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
