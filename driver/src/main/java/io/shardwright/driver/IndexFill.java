package io.shardwright.driver;

import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.CatalogJobs;
import io.shardwright.catalog.CatalogJobs.Held;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.Reconciliation.Options;
import io.shardwright.lookup.Reconciliation.Progress;
import io.shardwright.lookup.Reconciliation.Report;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The filling of an index by one process, on record in the catalog: one that was broken off goes on
 * where it stopped, in any process. From the recorded bucket on, since every write maintains the
 * index while it is filled. One thread.
 */
final class IndexFill {
  /** After the death of a process; each bucket renews it. */
  private static final Duration LEASE = Duration.ofSeconds(30);

  private static final long KEEP_NANOS = Duration.ofSeconds(1).toNanos();

  private final CatalogIndex index;
  private final CatalogJobs jobs;
  private final Held held;
  private final int buckets;
  private final Progress progress;
  private int done;
  private long kept;

  private IndexFill(
      CatalogIndex index, CatalogJobs jobs, Held held, int buckets, Progress progress) {
    this.index = index;
    this.jobs = jobs;
    this.held = held;
    this.buckets = buckets;
    this.progress = progress;
    this.done = recorded();
  }

  /**
   * @param buckets of the group
   * @throws ShardwrightException SW413 when another process fills it
   */
  static Report run(
      CatalogIndex index,
      IndexUpkeep upkeep,
      CatalogJobs jobs,
      int buckets,
      long rowsPerSecond,
      Progress progress)
      throws SQLException {
    Held held =
        jobs.take(jobName(index), LEASE, Duration.ZERO).orElseThrow(() -> conflict(index, "fills"));
    IndexFill fill = new IndexFill(index, jobs, held, buckets, progress);
    boolean finished = false;
    try {
      Report report = upkeep.fill(new Options(true, rowsPerSecond, fill.done, fill::at));
      jobs.done(held, "filled");
      finished = true;
      return report;
    } finally {
      if (!finished) {
        fill.keep();
        jobs.release(held);
      }
    }
  }

  static String jobName(CatalogIndex index) {
    return "fill:" + index.name();
  }

  /** The bucket to begin with. What belongs to an earlier life of the index says nothing. */
  private int recorded() {
    String prefix = index.version() + ":";
    return held.progress().startsWith(prefix)
        ? Math.min(buckets, Integer.parseInt(held.progress().substring(prefix.length())))
        : 0;
  }

  private void at(int bucketsDone, int all, Report soFar) {
    done = Math.max(done, Math.min(bucketsDone, buckets));
    if (System.nanoTime() - kept > KEEP_NANOS && !keep()) {
      throw conflict(index, "has taken over and fills");
    }
    progress.at(bucketsDone, all, soFar);
  }

  private boolean keep() {
    kept = System.nanoTime();
    return jobs.keep(held, LEASE, index.version() + ":" + done);
  }

  private static ShardwrightException conflict(CatalogIndex index, String what) {
    return new ShardwrightException(
        ErrorCode.CATALOG_CONFLICT,
        "another process "
            + what
            + " the lookup index "
            + index.name()
            + "; let it end, or repeat the command "
            + LEASE.toSeconds()
            + " s after it died");
  }
}
