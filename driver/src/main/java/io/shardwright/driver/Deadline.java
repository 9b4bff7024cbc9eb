package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Plan;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The end of the time that a hint or the connection gives one execution: what still runs on any
 * shard is cancelled then. {@code setQueryTimeout} is the physical driver's and stands beside it;
 * the shorter one counts. Here it bounds the wait for connections, from the beginning of the
 * execution. Thread-safe.
 */
final class Deadline {
  static final Deadline NONE = new Deadline(null, Duration.ZERO, "");

  private final ShardwrightStatement statement;
  private final Duration timeout;
  private final String source;
  private volatile boolean up;

  /** Once set nothing is cancelled any more: the statement may be executing something else. */
  private boolean stopped;

  private Future<?> alarm;
  private Future<?> leaseAlarm;

  private Deadline(ShardwrightStatement statement, Duration timeout, String source) {
    this.statement = statement;
    this.timeout = timeout;
    this.source = source;
  }

  /** A hint counts before the connection's setting, which is for statements without a time. */
  static Deadline start(ShardwrightStatement statement, Plan plan) {
    Optional<Duration> hint = plan.hints().timeout();
    boolean own = hint.isPresent() || statement.settings().queryTimeoutSeconds() > 0;
    ShardwrightConnection connection = statement.connection();
    Optional<Duration> timeout = own ? hint : connection.settings().timeout();
    int querySeconds = statement.settings().queryTimeoutSeconds();
    if (timeout.isEmpty() && querySeconds == 0) {
      return NONE;
    }
    Cluster cluster = connection.cluster();
    Deadline deadline =
        new Deadline(
            statement, timeout.orElse(Duration.ZERO), hint.isPresent() ? "hint" : "connection");
    if (timeout.isPresent()) {
      deadline.alarm =
          cluster
              .alarms()
              .schedule(
                  () -> cluster.executor().execute(deadline::fire),
                  timeout.get().toNanos(),
                  TimeUnit.NANOSECONDS);
    }
    if (querySeconds > 0) {
      deadline.leaseAlarm =
          cluster
              .alarms()
              .schedule(
                  () -> deadline.endLeaseWait("query timeout of " + querySeconds + " s"),
                  querySeconds,
                  TimeUnit.SECONDS);
    }
    return deadline;
  }

  private synchronized void fire() {
    if (!stopped) {
      up = true;
      endLeaseWait("timeout of " + timeout.toMillis() + " ms (" + source + ")");
      statement.cancelRunning();
    }
  }

  private synchronized void endLeaseWait(String limit) {
    if (!stopped) {
      statement.leaseWait().end("its " + limit + " was up");
    }
  }

  void stop() {
    if (this != NONE) {
      cancel(alarm);
      cancel(leaseAlarm);
      synchronized (this) {
        stopped = true;
      }
    }
  }

  private static void cancel(Future<?> pending) {
    if (pending != null) {
      pending.cancel(false);
    }
  }

  boolean isUp() {
    return up;
  }

  /** The caller's error for that of a statement: SW406 when the time was up. */
  SQLException explain(Plan plan, SQLException e) {
    boolean ours =
        e instanceof ShardwrightError error
            ? error.code() == ErrorCode.SCATTER_TIMEOUT
            : PhysicalErrors.isInterrupted(e);
    if (!up || !ours || statement.leaseWait().isReported()) {
      return e;
    }
    return SqlErrors.of(
        ErrorCode.SCATTER_TIMEOUT,
        "the statement did not end within its timeout of "
            + timeout.toMillis()
            + " ms ("
            + source
            + ") and was cancelled"
            + (plan.kind() == Plan.Kind.SELECT ? "" : "; nothing of it was applied")
            + "; narrow the statement or raise the timeout",
        e);
  }
}
