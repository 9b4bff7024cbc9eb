package io.shardwright.cli.loadtest;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests at the moments for which they are planned, whether or not earlier ones have been
 * answered, as callers do who do not know of each other.
 *
 * <p>Problem: a client that waits for an answer before it asks again asks less while the server is
 * slow, and the requests that it did not send are missing among the slow ones (coordinated
 * omission). Idea: a time counts from the moment for which a request was planned, so that its wait
 * for a thread of this process is in it; and the plan depends on the seed alone.
 */
final class OpenLoop {
  /** Requests that can be under way; more wait for their turn, and the wait counts. */
  private static final int THREADS = 256;

  private static final int QUEUE_MAX = 20_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** This process did not get to send it. */
  static final String NOT_SENT = "not-sent";

  private final Measurement measurement;
  private final SplittableRandom random;
  private volatile boolean stopped;

  /** What is asked when. */
  interface Traffic {
    /**
     * What comes at one moment.
     *
     * @param progress of the scenario, from 0 to 1
     */
    List<Request> next(SplittableRandom random, double progress);

    /** Arrivals in a second, on average. */
    double perSecond(double progress);
  }

  record Request(Series series, Call call) {}

  OpenLoop(Measurement measurement, SplittableRandom random) {
    this.measurement = measurement;
    this.random = random;
  }

  /** Nothing more is sent. */
  void stop() {
    stopped = true;
  }

  /**
   * Returns when all is answered.
   *
   * @return how long that took
   */
  Duration run(Traffic traffic) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(QUEUE_MAX),
            task -> {
              Thread thread = new Thread(task, "loadtest");
              thread.setDaemon(true);
              return thread;
            });
    long length = measurement.planned().toNanos();
    long start = System.nanoTime();
    try {
      double due = 0;
      while (true) {
        // Gaps of independent callers are distributed exponentially.
        double perSecond = traffic.perSecond(due / length);
        due += -Math.log(1 - random.nextDouble()) / perSecond * 1e9;
        if (due >= length || stopped) {
          break;
        }
        long planned = (long) due;
        await(start + planned);
        for (Request request : traffic.next(random, due / length)) {
          send(threads, request, start, planned);
        }
      }
      threads.shutdown();
      if (!threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        measurement.wrong("requests were not answered within " + PATIENCE.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      threads.shutdownNow();
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private void await(long moment) {
    for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
      if (stopped) {
        return;
      }
      LockSupport.parkNanos(left);
    }
  }

  private void send(ThreadPoolExecutor threads, Request request, long start, long planned) {
    Duration sinceStart = Duration.ofNanos(planned);
    try {
      threads.execute(
          () -> {
            Call.Judgement judgement = request.call().send();
            Duration time = Duration.ofNanos(System.nanoTime() - start - planned);
            measurement.ended(request.series(), sinceStart, time, judged(judgement));
          });
    } catch (RejectedExecutionException e) {
      measurement.ended(
          request.series(), sinceStart, Duration.ZERO, Outcome.error(NOT_SENT, List.of()));
    }
  }

  private static Outcome judged(Call.Judgement judgement) {
    try {
      return judgement.judge();
    } catch (RuntimeException e) {
      return Outcome.wrong("unreadable", "an answer cannot be read: " + e);
    }
  }
}
