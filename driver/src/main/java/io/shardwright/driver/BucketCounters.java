package io.shardwright.driver;

import io.shardwright.catalog.BucketHeat;
import io.shardwright.routing.BucketId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What statements did to the buckets of one group. To count is an addition to a number of the
 * bucket's own and allocates nothing; what was counted is never taken back. Thread-safe.
 */
final class BucketCounters {
  private static final int READS = 0;
  private static final int WRITES = 1;
  private static final int ROWS = 2;
  private static final int NANOS = 3;
  private static final int WIDTH = 4;

  private final String group;
  private final int buckets;

  /** The numbers of each bucket side by side; those of statements that name none come last. */
  private final AtomicLongArray counts;

  /** What of them is recorded; guarded by this. */
  private final long[] recorded;

  BucketCounters(String group, int buckets) {
    this.group = group;
    this.buckets = buckets;
    this.counts = new AtomicLongArray((buckets + 1) * WIDTH);
    this.recorded = new long[(buckets + 1) * WIDTH];
  }

  /** A statement about these buckets was answered, or failed, after this time. */
  void read(Collection<BucketId> about, long nanos) {
    sent(about, READS, nanos);
  }

  /** The same of one that changes rows. */
  void wrote(Collection<BucketId> about, long nanos) {
    sent(about, WRITES, nanos);
  }

  private void sent(Collection<BucketId> about, int kind, long nanos) {
    if (about instanceof List<BucketId> list && list.size() == 1) {
      sent(first(list.get(0)), kind, nanos);
    } else if (about.isEmpty()) {
      sent(first(null), kind, nanos);
    } else {
      long rest = nanos;
      int left = about.size();
      for (BucketId bucket : about) {
        long part = rest / left--;
        rest -= part;
        sent(first(bucket), kind, part);
      }
    }
  }

  private void sent(int first, int kind, long nanos) {
    counts.getAndIncrement(first + kind);
    counts.getAndAdd(first + NANOS, nanos);
  }

  /** Rows that a statement about these buckets returned or changed. */
  void rows(Collection<BucketId> about, long rows) {
    if (about instanceof List<BucketId> list && list.size() == 1) {
      counts.getAndAdd(first(list.get(0)) + ROWS, rows);
    } else if (about.isEmpty()) {
      counts.getAndAdd(first(null) + ROWS, rows);
    } else {
      long rest = rows;
      int left = about.size();
      for (BucketId bucket : about) {
        long part = rest / left--;
        rest -= part;
        counts.getAndAdd(first(bucket) + ROWS, part);
      }
    }
  }

  private int first(BucketId bucket) {
    return (bucket == null || bucket.value() >= buckets ? buckets : bucket.value()) * WIDTH;
  }

  /** Since the beginning. */
  List<BucketHeat> all() {
    return counted(new long[recorded.length]);
  }

  /** What is not recorded yet. */
  synchronized List<BucketHeat> due() {
    return counted(recorded);
  }

  private List<BucketHeat> counted(long[] without) {
    List<BucketHeat> counted = new ArrayList<>();
    for (int bucket = 0; bucket <= buckets; bucket++) {
      int first = bucket * WIDTH;
      BucketHeat heat =
          new BucketHeat(
              group,
              bucket == buckets ? BucketHeat.SCATTERED : bucket,
              counts.get(first + READS) - without[first + READS],
              counts.get(first + WRITES) - without[first + WRITES],
              counts.get(first + ROWS) - without[first + ROWS],
              counts.get(first + NANOS) - without[first + NANOS]);
      if (!heat.isNothing()) {
        counted.add(heat);
      }
    }
    return counted;
  }

  /**
   * @param heat of this group, as {@link #due} gave it
   */
  synchronized void recorded(BucketHeat heat) {
    int first = (heat.isScattered() ? buckets : heat.bucket()) * WIDTH;
    recorded[first + READS] += heat.reads();
    recorded[first + WRITES] += heat.writes();
    recorded[first + ROWS] += heat.rows();
    recorded[first + NANOS] += heat.nanos();
  }
}
