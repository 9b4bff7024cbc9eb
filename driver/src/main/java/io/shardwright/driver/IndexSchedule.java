package io.shardwright.driver;

import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.CatalogJobs;
import io.shardwright.catalog.IndexName;
import io.shardwright.catalog.IndexState;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Reconcile;
import io.shardwright.lookup.Reconciliation.Report;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the readable indexes of the file with their rows from time to time and mends what
 * differs. Of all processes one does it at a time, by a lease of the catalog; when it dies another
 * does it anew. Thread-safe.
 */
final class IndexSchedule implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexSchedule.class);
  private static final long LOOK_SECONDS = 60;
  private static final Duration LEASE = Duration.ofMinutes(3);
  private static final long KEEP_NANOS = Duration.ofSeconds(30).toNanos();

  private final Cluster cluster;
  private final LookupIndexes indexes;
  private final CatalogJobs jobs;
  private final ScheduledExecutorService executor;
  private volatile boolean closed;

  /**
   * @param jobs closed with this
   */
  private IndexSchedule(Cluster cluster, CatalogJobs jobs, ThreadFactory threads) {
    this.cluster = cluster;
    this.indexes = new LookupIndexes(cluster);
    this.jobs = jobs;
    this.executor = Executors.newSingleThreadScheduledExecutor(threads);
  }

  /** Empty when the file declares no index. */
  static Optional<IndexSchedule> of(Cluster cluster, ThreadFactory threads) {
    boolean any =
        cluster.configuration().groups().values().stream()
            .anyMatch(group -> !group.indexes().isEmpty());
    return any
        ? cluster
            .configuration()
            .catalog()
            .map(catalog -> new IndexSchedule(cluster, new CatalogJobs(catalog), threads))
        : Optional.empty();
  }

  /** Looks each minute for what is due; processes that started together look at other moments. */
  void start() {
    Future<?> unused =
        executor.scheduleWithFixedDelay(
            this::runDue,
            ThreadLocalRandom.current().nextLong(LOOK_SECONDS),
            LOOK_SECONDS,
            TimeUnit.SECONDS);
  }

  /** All that is due now; never throws. */
  void runDue() {
    for (Configuration.Group group : cluster.configuration().groups().values()) {
      for (Configuration.Index index : group.indexes().values()) {
        if (!closed && !index.reconcile().every().isZero()) {
          String name = new IndexName(group.name(), index.name()).placement();
          try {
            runIfDue(name, index.reconcile());
          } catch (CancellationException e) {
            // Closed, or another process has it now.
          } catch (SQLException | RuntimeException e) {
            warn(name, e);
          }
        }
      }
    }
  }

  private void warn(String index, Exception e) {
    if (!closed) {
      LOG.warn("the job {} failed; it is tried again in a minute", jobName(index), e);
    }
  }

  private static String jobName(String index) {
    return LookupIndexes.comparisonJob(index);
  }

  private void runIfDue(String index, Reconcile reconcile) throws SQLException {
    CatalogIndex known = cluster.catalogMaps().state().indexes().get(index);
    if (known == null || known.state() != IndexState.READABLE) {
      return;
    }
    Optional<CatalogJobs.Held> held = jobs.take(jobName(index), LEASE, reconcile.every());
    if (held.isPresent()) {
      boolean done = false;
      try {
        jobs.done(held.get(), run(held.get(), index, reconcile));
        done = true;
      } finally {
        if (!done) {
          jobs.release(held.get());
        }
      }
    }
  }

  private String run(CatalogJobs.Held held, String index, Reconcile reconcile) throws SQLException {
    long[] kept = {System.nanoTime()};
    Report report =
        indexes.verify(
            index,
            true,
            reconcile.rowsPerSecond(),
            (bucketsDone, buckets, soFar) -> {
              if (closed) {
                throw new CancellationException("closed");
              }
              if (System.nanoTime() - kept[0] > KEEP_NANOS) {
                kept[0] = System.nanoTime();
                if (!jobs.keep(held, LEASE, bucketsDone + " of " + buckets + " buckets")) {
                  throw new CancellationException("another process does it");
                }
              }
            });
    String result =
        report.rows()
            + " rows, "
            + report.missing()
            + " had no entry, "
            + report.extra()
            + " of "
            + report.candidates()
            + " entries had no row, "
            + report.conflicts()
            + " rows share a value";
    if (report.missing() > 0 || report.conflicts() > 0) {
      LOG.warn("lookup index {}: {}; missing entries were made", index, result);
    } else {
      LOG.info("lookup index {}: {}", index, result);
    }
    return result;
  }

  @Override
  public void close() {
    closed = true;
    executor.shutdownNow();
    jobs.close();
  }
}
