package io.shardwright.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardwright.config.QueryAccess;
import io.shardwright.config.QueryRules.ExportLimits;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.ExportRecord.MapVersions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.MessageFormatter;

/**
 * Exports: rows of all shards in files, which outlive the process (docs/gateway.md, Exports). What
 * a gateway before this one left is taken up when it opens. Thread-safe.
 */
public final class ExportJobs implements AutoCloseable {
  // Long because: what may be asked of exports stands beside the one list of them.

  private static final Logger LOG = LoggerFactory.getLogger(ExportJobs.class);

  /** Who asked for what and what came of it; never values. */
  private static final Logger AUDIT = LoggerFactory.getLogger("io.shardwright.audit");

  /** That run or wait: each has an entry in memory, and nobody waits for the hundredth. */
  private static final int UNFINISHED_MAX = 100;

  /** Of one caller that are over: those without files go beyond it, and no more are begun. */
  static final int FINISHED_MAX = 1_000;

  /** How long it is known that an export was there, after its files were deleted. */
  private static final Duration REMEMBERED = Duration.ofDays(90);

  private static final Duration SWEEP_EVERY = Duration.ofMinutes(1);

  /** The name of a manifest among the files of an export. */
  private static final String MANIFEST = "manifest.json";

  private final Path root;
  private final ExportPages pages;
  private final ExportLimits limits;
  private final QueryAccess access;
  private final InstantSource clock;
  private final Map<String, ExportJob> jobs = new ConcurrentHashMap<>();
  private final ExecutorService workers;
  private final ScheduledExecutorService sweeper =
      Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "shardwright-export-expiry"));

  private volatile boolean open = true;

  /**
   * @param root a directory of their own
   */
  ExportJobs(
      Path root, ExportPages pages, ExportLimits limits, QueryAccess access, InstantSource clock) {
    this.root = root;
    this.pages = pages;
    this.limits = limits;
    this.access = access;
    this.clock = clock;
    this.workers =
        Executors.newFixedThreadPool(
            limits.concurrent(), task -> daemon(task, "shardwright-export"));
    boolean taken = false;
    try {
      takeUp();
      taken = true;
    } finally {
      if (!taken) {
        workers.shutdownNow();
        sweeper.shutdownNow();
      }
    }
    ScheduledFuture<?> unused =
        sweeper.scheduleWithFixedDelay(
            this::tidy, SWEEP_EVERY.toMillis(), SWEEP_EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** What the directory holds: exports that are not over go on, the oldest first. */
  private void takeUp() {
    List<ExportJob> unfinished = new ArrayList<>();
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(root)) {
      for (Path directory : directories) {
        if (!Files.exists(directory.resolve(ExportJob.RECORD))) {
          // It was being made, and its caller has no answer.
          GatewayDirectory.delete(directory);
          continue;
        }
        read(directory)
            .ifPresent(
                job -> {
                  jobs.put(job.record().id(), job);
                  checkFiles(job);
                  if (!job.record().state().isOver()) {
                    unfinished.add(job);
                  }
                });
      }
    } catch (IOException e) {
      throw GatewayDirectory.unusable(root, e);
    }
    unfinished.sort(Comparator.comparing(job -> job.record().created()));
    unfinished.forEach(this::submit);
  }

  /** What a stop left half done is done, and nothing is continued behind files that are gone. */
  private void checkFiles(ExportJob job) {
    try {
      if (job.record().state().isOver()) {
        job.settle();
        return;
      }
      Optional<String> missing = job.missing();
      if (missing.isPresent()) {
        LOG.error("export {} cannot be continued: {}", job.record().id(), missing.get());
        fail(job, missing.get() + ", so it cannot be continued; ask for it again");
      }
    } catch (ShardwrightException e) {
      LOG.error("files of export {} cannot be checked", job.record().id(), e);
      fail(job, e.getMessage());
    }
  }

  private Optional<ExportJob> read(Path directory) {
    try {
      ExportRecord record =
          ExportJson.ofKept(Files.readAllBytes(directory.resolve(ExportJob.RECORD)));
      RequestProblems problems = new RequestProblems();
      Optional<ExportRequest> request =
          ExportReader.read(ExportJson.bytes(record.written()), problems);
      Optional<ExportJob> job = request.map(written -> new ExportJob(directory, written, record));
      if (job.isPresent() && !problems.isEmpty() && !record.state().isOver()) {
        job.get()
            .over(
                ExportState.FAILED,
                clock.instant(),
                "this gateway cannot write it any more: " + problems.first());
      }
      return job;
    } catch (IOException | RuntimeException e) {
      LOG.error("what {} keeps cannot be read: that export is passed over", directory, e);
      return Optional.empty();
    }
  }

  /**
   * Has an export made.
   *
   * @param json as docs/gateway.md describes it, in UTF-8
   * @return what {@link #find} tells of it
   * @throws RequestRefusedException SW801 with all mistakes of it
   * @throws RefusedForNowException SW807
   * @throws ShardwrightException SW804, SW808
   * @throws SQLException from the shards
   */
  public byte[] create(byte[] json, Caller caller) throws SQLException {
    RequestProblems problems = new RequestProblems();
    if (!caller.role().exports()) {
      problems.add(
          "",
          "comes from role " + caller.role().name() + ", which may not export",
          "have exports: true written for it in query.roles");
    }
    Optional<ExportRequest> request = ExportReader.read(json, problems);
    if (request.isEmpty()) {
      problems.throwIfAny();
    }
    PagePlan plan =
        pages.plan(request.orElseThrow(), caller, Optional.empty(), pages.rows(), problems);
    pages.checkIndexes(plan);
    ExportJob job = create(request.orElseThrow(), plan, caller);
    audit(job, "shape={} columns={} state=queued", plan.shape(), request.get().select());
    submit(job);
    return told(job, caller);
  }

  private void submit(ExportJob job) {
    try {
      workers.execute(() -> work(job));
    } catch (RejectedExecutionException e) {
      LOG.debug("export {} is left to the next gateway", job.record().id(), e);
    }
  }

  private synchronized ExportJob create(ExportRequest request, PagePlan plan, Caller caller) {
    if (!open) {
      throw RefusedForNowException.overload(
          "the export is not begun: this gateway is about to stop; ask again later");
    }
    sweep();
    checkFinished(caller);
    long unfinished = jobs.values().stream().filter(job -> !job.record().state().isOver()).count();
    if (unfinished >= UNFINISHED_MAX) {
      throw RefusedForNowException.overload(
          "the export is not begun: "
              + unfinished
              + " run or wait already; ask again when some are over, or cancel some");
    }
    int run =
        1
            + jobs.values().stream()
                .map(ExportJob::record)
                .filter(
                    other ->
                        other.caller().equals(caller.name())
                            && other.written().equals(request.written()))
                .mapToInt(ExportRecord::run)
                .max()
                .orElse(0);
    String id = UUID.randomUUID().toString();
    ExportRecord record =
        new ExportRecord(
            id,
            ExportState.QUEUED,
            caller.name(),
            caller.role().name(),
            caller.rights(),
            run,
            request.written(),
            ExportRun.columns(plan),
            clock.instant(),
            Optional.empty(),
            Optional.empty(),
            "",
            List.of(),
            false,
            Map.of(),
            Map.of(),
            MapVersions.NONE);
    Path directory = root.resolve(id);
    try {
      GatewayDirectory.createDirectory(directory);
    } catch (IOException e) {
      throw GatewayDirectory.unusable(directory, e);
    }
    ExportJob job = new ExportJob(directory, request, record);
    job.save();
    jobs.put(id, job);
    return job;
  }

  /** Nobody's list grows without end: the oldest that have no files are forgotten. */
  private void checkFinished(Caller caller) {
    List<ExportJob> finished =
        jobs.values().stream()
            .filter(job -> job.record().caller().equals(caller.name()))
            .filter(job -> job.record().state().isOver() && job.isIdle())
            .sorted(Comparator.comparing(job -> job.record().created()))
            .toList();
    int more = finished.size() - FINISHED_MAX + 1;
    for (ExportJob job : finished) {
      if (more > 0 && job.record().state() != ExportState.DONE) {
        job.delete();
        jobs.remove(job.record().id());
        more--;
      }
    }
    if (more > 0) {
      throw RefusedForNowException.overload(
          "the export is not begun: "
              + finished.size()
              + " of "
              + caller.name()
              + " keep their files; delete some, or ask again when some have expired");
    }
  }

  private void work(ExportJob job) {
    if (!job.begin()) {
      return;
    }
    long start = System.nanoTime();
    int retries = 0;
    try {
      ExportRun run = new ExportRun(pages, limits, clock, job, caller(job.record()));
      try {
        run.run();
      } finally {
        retries = run.retries();
      }
    } catch (ExportJob.HaltedException e) {
      LOG.debug("work on export {} ends before its end", job.record().id(), e);
    } catch (ExportRun.FailedException e) {
      LOG.warn("export {} failed", job.record().id(), e);
      fail(job, e.getMessage());
    } catch (ShardwrightException e) {
      LOG.error("export {} failed", job.record().id(), e);
      fail(job, e.getMessage());
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      LOG.error("export {} failed", job.record().id(), e);
      fail(
          job,
          e instanceof OutOfMemoryError
              ? "the gateway had no memory left; lower query.rows, or give it a larger heap"
              : "a bug in Shardwright, which its log tells of");
    } finally {
      end(job);
    }
    audit(
        job,
        "state={} rows={} files={} retries={} ms={}",
        job.record().state().word(),
        job.record().rows(),
        job.record().files().size(),
        retries,
        Duration.ofNanos(System.nanoTime() - start).toMillis());
  }

  private void fail(ExportJob job, String why) {
    try {
      job.over(ExportState.FAILED, clock.instant(), why);
    } catch (ShardwrightException e) {
      LOG.error("that export {} failed cannot be kept", job.record().id(), e);
    }
  }

  private static void end(ExportJob job) {
    try {
      job.end();
    } catch (ShardwrightException e) {
      LOG.error("files of export {} cannot be deleted", job.record().id(), e);
    }
  }

  /** Who asked for it, as the file is now. */
  private Caller caller(ExportRecord export) throws ExportRun.FailedException {
    for (QueryAccess.Token token : access.tokens()) {
      if (token.name().equals(export.caller()) && isPast(token.expires(), clock.instant())) {
        throw new ExportRun.FailedException(
            "the token of " + export.caller() + " expired at " + token.expires().get(), null);
      }
    }
    Optional<Caller> caller = Caller.of(export.caller(), access);
    if (caller.filter(one -> one.role().exports()).isEmpty()) {
      throw new ExportRun.FailedException(
          export.caller() + ", who asked for it, may have no exports any more", null);
    }
    if (caller.get().rights() != export.rights()) {
      throw new ExportRun.FailedException(
          "what "
              + export.caller()
              + " may see has changed since it began; ask again for what it may see now",
          null);
    }
    return caller.get();
  }

  private static void audit(ExportJob job, String what, Object... values) {
    ExportRecord record = job.record();
    AUDIT.info(
        "caller={} role={} export={} run={} {}",
        record.caller(),
        record.role(),
        record.id(),
        record.run(),
        MessageFormatter.arrayFormat(what, values).getMessage());
  }

  /**
   * What there is to tell of an export, as JSON.
   *
   * @throws ShardwrightException SW809 when the caller has none of that name
   */
  public byte[] find(String id, Caller caller) {
    return told(job(id, caller), caller);
  }

  private ExportJob job(String id, Caller caller) {
    sweep();
    ExportJob job = jobs.get(id);
    if (job == null || !job.record().caller().equals(caller.name())) {
      throw unknown("there is no export " + RequestFields.shortened(id) + " of this caller");
    }
    return job;
  }

  private static ShardwrightException unknown(String what) {
    return new ShardwrightException(
        ErrorCode.JOB_UNKNOWN, what + "; GET /v1/exports lists those that there are");
  }

  private byte[] told(ExportJob job, Caller caller) {
    ObjectNode json = tell(job);
    if (job.record().state() == ExportState.DONE) {
      withheld(job.record(), caller)
          .ifPresent(why -> json.put("reason", why).set("manifest", null));
    }
    return ExportJson.bytes(json);
  }

  /** Why a caller may not have files that it had made; empty: it may. */
  private Optional<String> withheld(ExportRecord record, Caller caller) {
    if (!caller.role().exports()) {
      return Optional.of(
          "role " + caller.role().name() + " may have no exports any more, nor their files");
    }
    boolean masked =
        !caller.role().unmasked()
            && record.columns().stream()
                .anyMatch(
                    column ->
                        !column.masked()
                            && pages.isMasked(
                                record.written().path("table").asText(), column.name()));
    return caller.rights() == record.rights() && !masked
        ? Optional.empty()
        : Optional.of(
            "what "
                + caller.name()
                + " may see has changed since it was asked for, so its files are not given out; ask"
                + " again for what it may see now");
  }

  private ObjectNode tell(ExportJob job) {
    // Before the record: rows of a file that becomes whole between the two are missed, not doubled.
    ExportJob.Progress progress = job.progress();
    ExportRecord record = job.record();
    Optional<Instant> last =
        progress
            .last()
            .or(
                () ->
                    record.files().isEmpty()
                        ? Optional.empty()
                        : record.files().get(record.files().size() - 1).last());
    return ExportJson.told(
        record,
        record.read() ? record.rows() : record.rows() + progress.rows(),
        record.read() ? 1 : covered(job.request(), last),
        record.state() == ExportState.DONE ? expiry(record) : Optional.empty());
  }

  private static double covered(ExportRequest request, Optional<Instant> last) {
    if (last.isEmpty()) {
      return 0;
    }
    double all = Duration.between(request.time().from(), request.time().to()).toMillis();
    double part = Duration.between(request.time().from(), last.get()).toMillis();
    return all <= 0 ? 0 : Math.round(Math.min(1, part / all) * 1_000) / 1_000.0;
  }

  private Optional<Instant> expiry(ExportRecord record) {
    return record.finished().map(end -> end.plus(limits.expire()));
  }

  /** Those of the caller, the newest first, as JSON; without manifests. */
  public byte[] list(Caller caller) {
    sweep();
    ObjectNode json = ExportJson.object();
    var exports = json.putArray("exports");
    jobs.values().stream()
        .filter(job -> job.record().caller().equals(caller.name()))
        .sorted(Comparator.comparing((ExportJob job) -> job.record().created()).reversed())
        .forEach(job -> exports.add(tell(job).without("manifest")));
    return ExportJson.bytes(json);
  }

  /**
   * Ends an export; one that is done expires at once. What is over stays as it is.
   *
   * @return what {@link #find} tells of it
   * @throws ShardwrightException SW809
   */
  public byte[] cancel(String id, Caller caller) {
    ExportJob job = job(id, caller);
    boolean done = job.record().state() == ExportState.DONE;
    job.over(done ? ExportState.EXPIRED : ExportState.CANCELLED, clock.instant(), "");
    audit(job, "state={}", job.record().state().word());
    return told(job, caller);
  }

  /**
   * A file of an export that is done.
   *
   * @param bytes its length
   */
  public record Download(String name, long bytes, Content content) {}

  /** Where a file is read from. */
  public interface Content {
    /**
     * @throws ShardwrightException SW809 when it is not what was written, SW808
     */
    InputStream open();
  }

  /**
   * @throws ShardwrightException SW809 when the export is not done, or has no such file
   */
  public Download file(String id, String name, Caller caller) {
    ExportJob job = job(id, caller);
    ExportRecord record = job.record();
    if (record.state() != ExportState.DONE) {
      throw unknown(
          "export "
              + record.id()
              + " is "
              + record.state().word()
              + ": it has files when it is done");
    }
    Optional<String> withheld = withheld(record, caller);
    if (withheld.isPresent()) {
      throw unknown("no file of export " + record.id() + " is there: " + withheld.get());
    }
    if (name.equals(MANIFEST)) {
      byte[] manifest = ExportJson.bytes(ExportJson.manifest(record));
      return new Download(MANIFEST, manifest.length, () -> new ByteArrayInputStream(manifest));
    }
    return record.files().stream()
        .filter(file -> file.name().equals(name))
        .findFirst()
        .map(file -> new Download(name, file.bytes(), () -> open(job, file)))
        .orElseThrow(
            () ->
                unknown(
                    "export "
                        + record.id()
                        + " has no file "
                        + RequestFields.shortened(name)
                        + "; its manifest names them"));
  }

  private static InputStream open(ExportJob job, ExportRecord.Part file) {
    Optional<String> missing = job.missing(file);
    if (missing.isPresent()) {
      LOG.error("export {} is damaged: {}", job.record().id(), missing.get());
      throw unknown(
          "export "
              + job.record().id()
              + " is damaged: "
              + missing.get()
              + "; ask for the export again");
    }
    try {
      return Files.newInputStream(job.file(file.name()));
    } catch (IOException e) {
      throw GatewayDirectory.unusable(job.file(file.name()), e);
    }
  }

  /** What could not be deleted or kept is tried again. */
  private void tidy() {
    sweep();
    for (ExportJob job : jobs.values()) {
      try {
        job.settle();
      } catch (ShardwrightException e) {
        LOG.error("files of export {} cannot be deleted", job.record().id(), e);
      }
    }
  }

  /** Deletes what has expired. */
  private void sweep() {
    Instant now = clock.instant();
    jobs.values().removeIf(job -> isForgotten(job, now));
  }

  private boolean isForgotten(ExportJob job, Instant now) {
    ExportRecord record = job.record();
    try {
      if (record.state() == ExportState.DONE && isPast(expiry(record), now)) {
        job.over(ExportState.EXPIRED, now, "");
        audit(job, "state=expired");
      } else if (record.state().isOver()
          && isPast(expiry(record).map(expiry -> expiry.plus(REMEMBERED)), now)) {
        job.delete();
        return true;
      }
    } catch (ShardwrightException e) {
      LOG.error("export {} cannot be deleted", record.id(), e);
    }
    return false;
  }

  private static boolean isPast(Optional<Instant> end, Instant now) {
    return end.filter(moment -> !now.isBefore(moment)).isPresent();
  }

  /** How many run or wait. */
  public int unfinished() {
    return (int) jobs.values().stream().filter(job -> !job.record().state().isOver()).count();
  }

  /** Work ends behind the page at hand, and the next gateway takes it up. */
  @Override
  public void close() {
    synchronized (this) {
      open = false;
    }
    jobs.values().forEach(ExportJob::halt);
    sweeper.shutdownNow();
    workers.shutdown();
    try {
      Duration most = pages.limits().timeout().multipliedBy(2).plusSeconds(15);
      if (!workers.awaitTermination(most.toMillis(), TimeUnit.MILLISECONDS)) {
        workers.shutdownNow();
      }
    } catch (InterruptedException e) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
