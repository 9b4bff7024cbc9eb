package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Plan;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The end of the time of one execution, from its beginning, the wait for connections included: the
 * shortest of what a hint, {@code setQueryTimeout} and, in place of both, the connection allow.
 * What still runs on any shard is cancelled then. Thread-safe.
 */
final class Deadline {
  static final Deadline NONE = new Deadline(null, new Limit(Duration.ZERO, ""));

  /** A cancel that reaches a server before its statement does is lost, so it is repeated. */
  private static final Duration REPEAT = Duration.ofSeconds(1);

  private static final Duration FAR = Duration.ofDays(365);

  private final ShardwrightStatement statement;
  private final Limit limit;
  private volatile boolean up;

  /** Once set nothing is cancelled any more: the statement may be executing something else. */
  private boolean stopped;

  private long endNanos;
  private Future<?> alarm;

  /** Null unless waits for connections end earlier. */
  private Future<?> leaseAlarm;

  /**
   * How long.
   *
   * @param name for messages
   */
  private record Limit(Duration time, String name) {
    static Limit ofTimeout(Duration time, String source) {
      return new Limit(time, "timeout of " + time.toMillis() + " ms (" + source + ")");
    }

    static Limit ofQueryTimeout(int seconds) {
      return new Limit(Duration.ofSeconds(seconds), "query timeout of " + seconds + " s");
    }
  }

  private Deadline(ShardwrightStatement statement, Limit limit) {
    this.statement = statement;
    this.limit = limit;
  }

  static Deadline start(ShardwrightStatement statement, Plan plan) {
    Optional<Duration> hint = plan.hints().timeout();
    int seconds = statement.settings().queryTimeoutSeconds();
    Limit limit;
    if (seconds > 0 && (hint.isEmpty() || hint.get().toSeconds() >= seconds)) {
      limit = Limit.ofQueryTimeout(seconds);
    } else if (hint.isPresent()) {
      limit = Limit.ofTimeout(hint.get(), "hint");
    } else {
      Optional<Duration> connection = statement.connection().settings().timeout();
      if (connection.isEmpty()) {
        return NONE;
      }
      limit = Limit.ofTimeout(connection.get(), "connection");
    }
    Deadline deadline = new Deadline(statement, limit);
    deadline.endNanos = System.nanoTime() + limit.time().toNanos();
    deadline.fireAfter(limit.time());
    if (statement.connection().allowsPartial(plan)) {
      deadline.endLeaseWaitAtHalf();
    }
    return deadline;
  }

  /** So that shards with a free connection have time to answer without the others. */
  private synchronized void endLeaseWaitAtHalf() {
    leaseAlarm =
        statement
            .connection()
            .cluster()
            .alarms()
            .schedule(
                () -> endLeaseWait("half of its "),
                limit.time().dividedBy(2).toNanos(),
                TimeUnit.NANOSECONDS);
  }

  private synchronized void endLeaseWait(String share) {
    if (!stopped) {
      statement.leaseWait().end(share + limit.name() + " was up");
    }
  }

  private synchronized void fireAfter(Duration delay) {
    Cluster cluster = statement.connection().cluster();
    alarm =
        cluster
            .alarms()
            .schedule(
                () -> cluster.executor().execute(this::fire),
                delay.toNanos(),
                TimeUnit.NANOSECONDS);
  }

  private synchronized void fire() {
    if (!stopped) {
      up = true;
      endLeaseWait("its ");
      statement.cancelRunning();
      fireAfter(REPEAT);
    }
  }

  void stop() {
    if (this != NONE) {
      synchronized (this) {
        stopped = true;
        alarm.cancel(false);
        if (leaseAlarm != null) {
          leaseAlarm.cancel(false);
        }
      }
    }
  }

  /** By {@link System#nanoTime}; without a limit far away. */
  long endNanos() {
    return this == NONE ? System.nanoTime() + FAR.toNanos() : endNanos;
  }

  boolean isUp() {
    return up;
  }

  /**
   * The caller's error for that of a shard.
   *
   * @param outcome what has become of the statement
   * @return SW406 when it was cancelled because the time was up
   */
  SQLException explain(SQLException e, String outcome) {
    return up && !(e instanceof ShardwrightError) && PhysicalErrors.isInterrupted(e)
        ? exceeded(outcome, e)
        : e;
  }

  /**
   * SW406.
   *
   * @param detail where it was cancelled, and what has become of it
   */
  SQLException exceeded(String detail, SQLException cause) {
    return SqlErrors.of(
        ErrorCode.SCATTER_TIMEOUT,
        "the statement did not end within its "
            + limit.name()
            + " and was cancelled"
            + detail
            + "; narrow the statement or raise the timeout",
        cause);
  }
}
