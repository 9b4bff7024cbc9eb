package io.shardwright.driver;

import io.shardwright.routing.ShardId;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route.ShardStatement;
import io.shardwright.sql.Route.ShardStatementText;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What one shard gets of a batch: segments of one text each, in the caller's order. */
final class ShardBatch {
  private final ShardStatement first;
  private final Plan firstPlan;
  private final List<Segment> segments = new ArrayList<>();
  private ShardCall owner;
  private boolean closed;

  /** Consecutive entries with one text: one physical batch. */
  static final class Segment {
    private final ShardStatementText text;
    private final List<Integer> entries = new ArrayList<>();
    private final List<Parameters> parameters = new ArrayList<>();
    private final List<ShardStatement> statements = new ArrayList<>();

    /** One per entry; null: it is not counted. */
    private final List<BucketCounters> heat = new ArrayList<>();

    private ShardCall call;
    private long[] counts = {};

    Segment(ShardStatementText text) {
      this.text = text;
    }

    /** Positions in the caller's batch, ascending. */
    List<Integer> entries() {
      return entries;
    }

    ShardCall call() {
      return call;
    }

    /** One per entry once executed. */
    long[] counts() {
      return counts;
    }
  }

  ShardBatch(ShardStatement first, Plan firstPlan) {
    this.first = first;
    this.firstPlan = firstPlan;
  }

  ShardId shard() {
    return first.shard();
  }

  /**
   * @param heat what the entry is counted by; null: it is not
   */
  void add(int entry, ShardStatement part, Parameters parameters, BucketCounters heat) {
    ShardStatementText text = part.text();
    Segment last = segments.isEmpty() ? null : segments.get(segments.size() - 1);
    if (last == null || !last.text.sql().equals(text.sql())) {
      last = new Segment(text);
      segments.add(last);
    }
    last.entries.add(entry);
    last.parameters.add(parameters);
    last.statements.add(part);
    last.heat.add(heat);
  }

  List<Segment> segments() {
    return segments;
  }

  void lease(ShardwrightConnection connection) throws SQLException {
    owner = connection.call(first, firstPlan);
  }

  /** Holds the lease; its segments only use it. */
  ShardCall owner() {
    return owner;
  }

  /** Null before {@link #lease(ShardwrightConnection)} has succeeded. */
  Lease lease() {
    return owner == null ? null : owner.lease();
  }

  void prepare(StatementSettings settings) throws SQLException {
    for (Segment segment : segments) {
      segment.call = new ShardCall(owner.lease(), false);
      segment.call.prepare(settings, segment.text, segment.parameters.get(0));
      segment.call.addBatch();
      for (int i = 1; i < segment.parameters.size(); i++) {
        segment.call.addBatch(
            segment.parameters.get(i), segment.statements.get(i).text().arguments());
      }
    }
  }

  List<ShardCall> calls() {
    return segments.stream().map(Segment::call).toList();
  }

  void execute() throws SQLException {
    for (Segment segment : segments) {
      long start = System.nanoTime();
      try {
        segment.counts = segment.call.executeBatch();
      } finally {
        count(segment, System.nanoTime() - start);
      }
    }
  }

  /** Its time is divided evenly among the entries; of one that failed no rows are known. */
  private static void count(Segment segment, long nanos) {
    for (int i = 0; i < segment.heat.size(); i++) {
      BucketCounters heat = segment.heat.get(i);
      if (heat != null) {
        heat.wrote(segment.statements.get(i).buckets(), nanos / segment.heat.size());
        if (i < segment.counts.length && segment.counts[i] > 0) {
          heat.rows(segment.statements.get(i).buckets(), segment.counts[i]);
        }
      }
    }
  }

  void cancel() throws SQLException {
    for (Segment segment : segments) {
      segment.call.cancel();
    }
  }

  /** Rows that each entry changed here; 0 for entries that did not come here. */
  long[] counts(int entries) {
    long[] all = new long[entries];
    for (Segment segment : segments) {
      for (int i = 0; i < segment.entries.size(); i++) {
        all[segment.entries.get(i)] = segment.counts[i];
      }
    }
    return all;
  }

  /** Positions in the caller's batch. */
  List<Integer> entries() {
    return segments.stream().flatMap(segment -> segment.entries.stream()).toList();
  }

  /** Whether no entry is known to be applied, after {@code e} of the first segment. */
  boolean didNothing(SQLException e) {
    return segments.get(0).counts.length == 0
        && e instanceof BatchUpdateException batch
        && Arrays.stream(batch.getLargeUpdateCounts()).allMatch(c -> c == Statement.EXECUTE_FAILED);
  }

  /** Puts what is known of each entry to its place, after {@code e} of the segment that failed. */
  void copyOutcome(SQLException e, long[] outcome) {
    for (Segment segment : segments) {
      long[] known = segment.counts;
      boolean failed = known.length == 0;
      if (failed && e instanceof BatchUpdateException batch) {
        known = batch.getLargeUpdateCounts();
      }
      for (int i = 0; i < segment.entries.size(); i++) {
        outcome[segment.entries.get(i)] = i < known.length ? known[i] : Statement.EXECUTE_FAILED;
      }
      if (failed) {
        return;
      }
    }
  }

  void lost(ShardwrightConnection connection) {
    connection.broken(owner);
  }

  void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (Segment segment : segments) {
      if (segment.call != null) {
        segment.call.close();
      }
    }
    if (owner != null) {
      owner.close();
    }
  }
}
