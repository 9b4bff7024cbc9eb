package io.shardwright.server;

import io.shardwright.config.QueryAccess;
import io.shardwright.config.QueryRules;
import io.shardwright.config.QueryRules.AsyncLimits;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.Caller;
import io.shardwright.query.GatewayDirectory;
import io.shardwright.query.RefusedForNowException;
import io.shardwright.query.Retries;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queries that are asked again, later and later, until all shards answer (docs/gateway.md, Async).
 * What a gateway before this one left is taken up when it opens. No thread waits for a pause.
 * Thread-safe.
 */
final class QueryJobs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueryJobs.class);
  private static final Logger AUDIT = LoggerFactory.getLogger("io.shardwright.audit");

  private static final int UNFINISHED_MAX = 100;

  /** With those that are over and not expired yet: each is an entry in memory. */
  private static final int JOBS_MAX = 10_000;

  private static final Duration SWEEP_EVERY = Duration.ofMinutes(1);

  private final Path root;
  private final Asking asking;
  private final Tokens tokens;
  private final Metrics metrics;
  private final QueryRules rules;
  private final AsyncLimits limits;
  private final InstantSource clock;
  private final Map<String, QueryJob> jobs = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor workers;
  private boolean open = true;

  /** One attempt. */
  interface Asking {
    /**
     * @return the whole answer
     */
    byte[] ask(byte[] request, Caller caller) throws SQLException;
  }

  /**
   * @param root a directory of their own
   * @param rules of queries
   * @param clock by which they end and expire
   * @throws ShardwrightException SW808
   */
  QueryJobs(
      Path root,
      Asking asking,
      Tokens tokens,
      Metrics metrics,
      QueryRules rules,
      InstantSource clock) {
    this.root = root;
    this.asking = asking;
    this.tokens = tokens;
    this.metrics = metrics;
    this.rules = rules;
    this.limits = rules.async();
    this.clock = clock;
    this.workers =
        new ScheduledThreadPoolExecutor(
            limits.concurrent(),
            task -> {
              Thread thread = new Thread(task, "shardwright-query-job");
              thread.setDaemon(true);
              return thread;
            });
    workers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    workers.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    takeUp();
    ScheduledFuture<?> unused =
        workers.scheduleWithFixedDelay(
            this::sweep, SWEEP_EVERY.toMillis(), SWEEP_EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** What the directory holds: those that are not over go on, the oldest first. */
  private void takeUp() {
    List<QueryJob> unfinished = new ArrayList<>();
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(root)) {
      for (Path directory : directories) {
        if (!Files.exists(directory.resolve(QueryJob.RECORD))) {
          // It was being made or deleted, and its caller knows of none.
          GatewayDirectory.delete(directory);
          continue;
        }
        read(directory)
            .ifPresent(
                job -> {
                  jobs.put(job.record().id(), job);
                  if (!job.record().isOver()) {
                    unfinished.add(job);
                  }
                });
      }
    } catch (IOException e) {
      throw new ShardwrightException(
          ErrorCode.GATEWAY_DIRECTORY,
          root + " under query.directory cannot be read (" + e + "); see to its rights",
          e);
    }
    unfinished.sort(Comparator.comparing(job -> job.record().created()));
    unfinished.forEach(job -> submit(job, Duration.ZERO));
  }

  private Optional<QueryJob> read(Path directory) {
    try {
      QueryJob job = QueryJob.read(directory);
      // An answer was made with the rights of then.
      Optional<Caller> caller = Caller.of(job.record().caller(), access());
      if (caller.filter(one -> rights(one) != job.record().rights()).isPresent()) {
        job.failed(QueryJob.error(Failures.of(rightsChanged(caller.get()))), clock.instant());
      }
      return Optional.of(job);
    } catch (IOException | RuntimeException e) {
      LOG.error("what {} keeps cannot be read: that query is passed over", directory, e);
      return Optional.empty();
    }
  }

  private QueryAccess access() {
    return rules.access();
  }

  /** What decides which rows and values an answer may show. */
  private long rights(Caller caller) {
    List<String> shown = new ArrayList<>();
    rules.tables().forEach((name, table) -> shown.add(name + table.select() + table.masked()));
    return 31 * caller.rights() + shown.hashCode();
  }

  private static ShardwrightException rightsChanged(Caller caller) {
    return new ShardwrightException(
        ErrorCode.QUERY_INVALID,
        "what "
            + caller.name()
            + " may see has changed since it was asked; ask again for what it may see now");
  }

  /**
   * Takes up a query whose first attempt failed.
   *
   * @param why it failed, which may pass
   * @return what {@link #find} tells of it
   * @throws RefusedForNowException SW807
   * @throws ShardwrightException SW808
   */
  synchronized Told create(byte[] request, Caller caller, Failures why) {
    if (!open) {
      throw RefusedForNowException.overload(
          "the query is not kept: this gateway is about to stop; ask again later");
    }
    sweep();
    if (unfinished() >= UNFINISHED_MAX || jobs.size() >= JOBS_MAX) {
      throw RefusedForNowException.overload(
          "the query is not kept: "
              + unfinished()
              + " are asked again already, and "
              + jobs.size()
              + " are kept; ask again when some are over, or delete some");
    }
    String id = UUID.randomUUID().toString();
    QueryJob job =
        QueryJob.create(
            root.resolve(id),
            request,
            new QueryJob.Kept(
                id,
                QueryJob.State.RUNNING,
                caller.name(),
                caller.role().name(),
                rights(caller),
                clock.instant(),
                Optional.empty(),
                1,
                QueryJob.error(why)));
    jobs.put(id, job);
    audit(job);
    byte[] told = told(job);
    submit(job, Retries.PAUSE_MIN);
    return new Told(id, told);
  }

  /**
   * @param json what there is to tell of it
   */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares or keeps it.
  record Told(String id, byte[] json) {}

  private void submit(QueryJob job, Duration pause) {
    try {
      ScheduledFuture<?> unused =
          workers.schedule(() -> attempt(job, pause), pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("query {} is left to the next gateway", job.record().id(), e);
    }
  }

  private void attempt(QueryJob job, Duration pause) {
    if (!job.isOpen()) {
      return;
    }
    try {
      Caller caller = tokens.again(job.record().caller());
      if (rights(caller) != job.record().rights()) {
        throw rightsChanged(caller);
      }
      byte[] answer = asking.ask(job.request(), caller);
      job.done(answer, clock.instant());
      audit(job);
    } catch (ShardwrightException | SQLException e) {
      Failures failure = Failures.of(e);
      if (!Retries.mayPass(e)) {
        fail(job, failure);
      } else if (isPast(job.record().created().plus(limits.patience()))) {
        fail(
            job,
            failure.because(
                "not answered whole within " + limits.patience() + " (query.async.patience): "));
      } else {
        retry(job, failure, pause);
      }
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      LOG.error("query {} failed", job.record().id(), e);
      fail(
          job,
          Failures.of(ErrorCode.INVARIANT_BROKEN, "a bug in Shardwright, which its log tells of"));
    }
  }

  private void retry(QueryJob job, Failures failure, Duration pause) {
    try {
      job.retried(QueryJob.error(failure));
    } catch (ShardwrightException e) {
      LOG.error("how query {} goes on cannot be kept", job.record().id(), e);
    }
    submit(job, pause.isZero() ? Retries.PAUSE_MIN : Retries.longer(pause));
  }

  private void fail(QueryJob job, Failures failure) {
    if (!job.isOpen()) {
      return;
    }
    try {
      job.failed(QueryJob.error(failure), clock.instant());
    } catch (ShardwrightException e) {
      LOG.error("that query {} failed cannot be kept", job.record().id(), e);
    }
    metrics.ended(failure.code().code());
    audit(job);
  }

  private static void audit(QueryJob job) {
    QueryJob.Kept record = job.record();
    AUDIT.info(
        "caller={} role={} job={} state={} attempts={} error={}",
        record.caller(),
        record.role(),
        record.id(),
        record.state().word(),
        record.attempts(),
        record.error().path("code").asText());
  }

  /**
   * What there is to tell of a query, as JSON.
   *
   * @throws ShardwrightException SW809 when the caller has none of that name
   */
  byte[] find(String id, Caller caller) {
    return told(job(id, caller));
  }

  /**
   * Ends it, and nothing of it is kept.
   *
   * @return what it was
   * @throws ShardwrightException SW809
   */
  byte[] delete(String id, Caller caller) {
    QueryJob job = job(id, caller);
    byte[] told = told(job);
    job.delete();
    jobs.remove(id);
    AUDIT.info("caller={} role={} job={} state=deleted", caller.name(), caller.role().name(), id);
    return told;
  }

  private QueryJob job(String id, Caller caller) {
    sweep();
    QueryJob job = jobs.get(id);
    if (job == null || !job.record().caller().equals(caller.name())) {
      throw new ShardwrightException(
          ErrorCode.JOB_UNKNOWN,
          "there is no such query of this caller: it was never there, was deleted, or expired "
              + limits.expire()
              + " (query.async.expire) after its end; ask again by POST /v1/query");
    }
    return job;
  }

  private byte[] told(QueryJob job) {
    return job.told(limits.expire());
  }

  private Optional<Instant> expiry(QueryJob job) {
    return job.record().finished().map(end -> end.plus(limits.expire()));
  }

  private boolean isPast(Instant moment) {
    return !clock.instant().isBefore(moment);
  }

  /** Deletes what has expired. */
  private void sweep() {
    jobs.values().removeIf(this::isForgotten);
  }

  private boolean isForgotten(QueryJob job) {
    if (expiry(job).filter(this::isPast).isEmpty()) {
      return false;
    }
    try {
      job.delete();
      return true;
    } catch (ShardwrightException e) {
      LOG.error("query {} cannot be deleted", job.record().id(), e);
      return false;
    }
  }

  /** How many are asked again. */
  int unfinished() {
    return (int) jobs.values().stream().filter(job -> !job.record().isOver()).count();
  }

  /** Returns when no attempt runs; the next gateway takes up what is not over. */
  @Override
  public void close() {
    synchronized (this) {
      open = false;
    }
    workers.shutdown();
    try {
      Duration most = rules.limits().timeout().multipliedBy(2).plusSeconds(1);
      if (!workers.awaitTermination(most.toMillis(), TimeUnit.MILLISECONDS)) {
        workers.shutdownNow();
      }
    } catch (InterruptedException e) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
    jobs.values().forEach(QueryJob::close);
  }
}
