package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Asks the shards of one read within {@link ScatterLimits}.
 *
 * <p>Problem: a shard that is slow, or whose network is silent, holds up the answer of all, and
 * neither cancelling nor closing its connection returns at once. Idea: each question has a thread
 * and a connection of its own, and the asker only waits for news of them, until the time of a
 * question or of all is up; then it goes on without. A question that was given up is cancelled by
 * others, and where even that is not heard its read ends a little later. Invariant: at most one
 * question per shard is not given up, and only its answer is taken.
 */
final class BoundedScatter {
  /** For the way of the cancellation to the server, and of its answer back. */
  private static final Duration CANCEL_TIME = Duration.ofSeconds(5);

  /** A cancel by the caller is seen so soon. */
  private static final long CANCEL_SEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** With less than this left, no shard is asked again. */
  private static final long RETRY_MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final ShardwrightStatement statement;
  private final ScatterLimits limits;
  private final Parts parts;
  private final long endNanos;
  private final ShardQuestion[] asked;
  private final long[] firstNanos;
  private final int[] retries;
  private final BlockingQueue<News> news = new LinkedBlockingQueue<>();
  private int undecided;

  /** What is asked, and who takes the answers. Numbered 0 to size-1. */
  interface Parts {
    int size();

    ShardId shard(int part);

    /** In the thread of the question. */
    ShardCall lease(int part, LeaseWait wait) throws SQLException;

    /** In the thread of the question. */
    void ask(int part, ShardCall call) throws SQLException;

    /** True for a shard that could not answer, false for a statement that it refused. */
    boolean isNoAnswer(SQLException e);

    void answered(int part, ShardCall call, Duration elapsed);

    /**
     * In the asker's thread, when the shard is not asked any more.
     *
     * @param call null: there is none; otherwise it is closed afterwards
     * @throws SQLException when the answer must not be without it
     */
    void missing(int part, ShardCall call, SQLException why, Duration elapsed) throws SQLException;
  }

  private record News(ShardQuestion question, Exception failure) {}

  BoundedScatter(ShardwrightStatement statement, ScatterLimits limits, Parts parts) {
    this.statement = statement;
    this.limits = limits;
    this.parts = parts;
    this.endNanos = statement.deadline().endNanos();
    this.asked = new ShardQuestion[parts.size()];
    this.firstNanos = new long[parts.size()];
    this.retries = new int[parts.size()];
  }

  /** Questions that were asked again. */
  int retries() {
    int all = 0;
    for (int count : retries) {
      all += count;
    }
    return all;
  }

  void run() throws SQLException {
    undecided = parts.size();
    boolean done = false;
    try {
      for (int part = 0; part < parts.size(); part++) {
        firstNanos[part] = System.nanoTime();
        Optional<String> closed = limits.gate().closed(parts.shard(part));
        if (closed.isPresent()) {
          decideWithout(part, null, unavailable(part, closed.get()));
        } else {
          ask(part);
        }
      }
      while (undecided > 0) {
        statement.checkNotCancelledByCaller();
        take(next());
      }
      done = true;
    } finally {
      if (!done) {
        giveUpAll();
      }
    }
  }

  private void ask(int part) throws SQLException {
    ShardQuestion question = new ShardQuestion(part);
    asked[part] = question;
    try {
      statement.connection().cluster().askers().execute(() -> run(question));
    } catch (RejectedExecutionException e) {
      asked[part] = null;
      decideWithout(part, null, tooMany(part, e));
    }
  }

  private void run(ShardQuestion question) {
    Exception failure = null;
    try {
      ShardCall call = parts.lease(question.part(), question.leaseWait());
      if (!question.begin(call)) {
        return;
      }
      // To close a connection from outside, as JDBC's abort does, waits for such a read on MariaDB.
      call.endReadsAfter(limits.shardTimeout().plus(CANCEL_TIME));
      parts.ask(question.part(), call);
    } catch (SQLException | RuntimeException e) {
      failure = e;
    }
    if (question.end()) {
      news.add(new News(question, failure));
    }
  }

  /** Null when the time of some question is up before any news. */
  private News next() throws SQLException {
    long now = System.nanoTime();
    long wait = CANCEL_SEEN_NANOS;
    for (ShardQuestion question : asked) {
      if (question != null) {
        wait = Math.min(wait, timeOf(question) - now);
      }
    }
    try {
      return wait <= 0 ? news.poll() : news.poll(wait, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SqlErrors.of(
          ErrorCode.SCATTER_TIMEOUT, "the thread was interrupted while it waited for shards", e);
    }
  }

  /** Never more than a time away, so that differences do not overflow. */
  private long timeOf(ShardQuestion question) {
    long own = question.startNanos() + limits.shardTimeout().toNanos();
    return own - endNanos < 0 ? own : endNanos;
  }

  private void take(News told) throws SQLException {
    if (told == null) {
      giveUpLate();
      return;
    }
    ShardQuestion question = told.question();
    int part = question.part();
    asked[part] = null;
    Duration elapsed = Duration.ofNanos(System.nanoTime() - question.startNanos());
    if (told.failure() == null) {
      limits.gate().asked(parts.shard(part), elapsed, null);
      undecided--;
      parts.answered(part, question.call(), sinceFirst(part));
    } else if (told.failure() instanceof SQLException e) {
      failed(question, e, elapsed);
    } else {
      closeQuietly(question);
      throw SqlErrors.of(
          ErrorCode.INVARIANT_BROKEN,
          "shard " + parts.shard(part) + ": " + told.failure(),
          told.failure());
    }
  }

  private void failed(ShardQuestion question, SQLException e, Duration elapsed)
      throws SQLException {
    int part = question.part();
    boolean noAnswer = parts.isNoAnswer(e);
    // A refusal of the statement is an answer, too.
    limits.gate().asked(parts.shard(part), elapsed, noAnswer ? e : null);
    if (noAnswer && mayAskAgain(part)) {
      if (question.call() != null) {
        question.call().lease().failed(e);
      }
      closeQuietly(question);
      retries[part]++;
      ask(part);
    } else {
      decideWithout(part, question, e);
    }
  }

  private boolean mayAskAgain(int part) {
    return retries[part] < limits.retries() && endNanos - System.nanoTime() > RETRY_MIN_NANOS;
  }

  private void giveUpLate() throws SQLException {
    long now = System.nanoTime();
    for (int part = 0; part < asked.length; part++) {
      ShardQuestion question = asked[part];
      if (question == null || timeOf(question) - now > 0 || !question.giveUp()) {
        continue;
      }
      asked[part] = null;
      stop(question);
      SQLException late = late(part);
      limits.gate().asked(parts.shard(part), Duration.ofNanos(now - question.startNanos()), late);
      if (mayAskAgain(part)) {
        retries[part]++;
        ask(part);
      } else {
        decideWithout(part, null, late);
      }
    }
  }

  private void decideWithout(int part, ShardQuestion question, SQLException why)
      throws SQLException {
    undecided--;
    try {
      parts.missing(part, question == null ? null : question.call(), why, sinceFirst(part));
    } finally {
      if (question != null) {
        closeQuietly(question);
      }
    }
  }

  private Duration sinceFirst(int part) {
    return Duration.ofNanos(System.nanoTime() - firstNanos[part]);
  }

  private static void closeQuietly(ShardQuestion question) {
    if (question.call() != null) {
      question.call().close();
    }
  }

  /** By others: it may take as long as the network does. Where it is silent, reads end later. */
  private void stop(ShardQuestion question) {
    try {
      statement.connection().cluster().askers().execute(question::cancel);
    } catch (RejectedExecutionException e) {
      // It ends by itself.
    }
  }

  private void giveUpAll() {
    for (int part = 0; part < asked.length; part++) {
      if (asked[part] != null && asked[part].giveUp()) {
        stop(asked[part]);
        asked[part] = null;
      }
    }
    // Those that ended before: their news are there, or come in a moment.
    for (ShardQuestion question : asked) {
      if (question != null) {
        closeQuietly(question);
      }
    }
  }

  private SQLException unavailable(int part, String why) {
    return SqlErrors.of(
        ErrorCode.SHARD_UNAVAILABLE,
        "shard " + parts.shard(part) + " was not asked: " + why + "; nothing was sent to it");
  }

  private SQLException tooMany(int part, RejectedExecutionException e) {
    return SqlErrors.of(
        ErrorCode.SHARD_POOL_EXHAUSTED,
        "shard "
            + parts.shard(part)
            + " was not asked: this process asks "
            + Cluster.ASKER_THREADS
            + " questions at a time; repeat the statement, or ask fewer at once",
        e);
  }

  private SQLException late(int part) {
    return SqlErrors.of(
        ErrorCode.SCATTER_TIMEOUT,
        "shard "
            + parts.shard(part)
            + " did not answer within "
            + (endNanos - System.nanoTime() <= 0
                ? "the time of the statement"
                : limits.shardTimeout().toMillis() + " ms")
            + "; narrow the statement or raise the timeout");
  }
}
