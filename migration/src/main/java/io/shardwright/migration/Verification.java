package io.shardwright.migration;

import io.shardwright.config.Configuration.Invariant;
import io.shardwright.migration.Comparison.Difference;
import io.shardwright.migration.RowComparison.Limits;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.schema.ShardSchema.Column;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Compares source and target, bucket by bucket: in a snapshot of the source its notes are applied,
 * which makes the target what the snapshot shows; then counts and hashes of all rows must agree,
 * and the application's invariants hold on both sides. No writer waits. A worker that takes over
 * begins again: what was equal is not remembered.
 */
final class Verification {
  /** Buckets that are compared by one query per table, where no rate is to be kept. */
  private static final int TOGETHER = 16;

  private static final int SEGMENT_ROWS = 2_000;

  /** Differing rows that are told. */
  static final int KEYS_MAX = 100;

  private final Route route;
  private final Runnable interrupt;
  private final Pace pace;
  private final Set<String> without;
  private final Invariants invariants;
  private final RowComparison rows;
  private final CatchUp catchUp;

  /**
   * What was found.
   *
   * @param rows of the source that were compared
   * @param differing rows; the first ones are in {@code differences}
   */
  record Found(
      String from,
      String to,
      long rows,
      long differing,
      List<Difference> differences,
      List<String> broken) {}

  /**
   * What is looked at.
   *
   * @param without columns that are not compared, {@code table.column}
   */
  record Checks(List<String> without, List<Invariant> invariants) {}

  /**
   * @param repair collects statements, for many rows
   */
  Verification(
      Route route, Runnable interrupt, Pace pace, Checks checks, Optional<RepairSql> repair) {
    this.route = route;
    this.interrupt = interrupt;
    this.pace = pace;
    this.without = new HashSet<>(checks.without);
    this.invariants = new Invariants(checks.invariants);
    this.catchUp = new CatchUp(route);
    Limits limits = new Limits(SEGMENT_ROWS, repair.isPresent() ? RepairSql.ROWS_MAX : KEYS_MAX);
    this.rows = new RowComparison(route, this::compared, limits, repair);
  }

  Found run(BucketSet buckets) throws SQLException {
    List<BucketId> all = buckets.toList();
    int together = pace.isBounded() ? 1 : TOGETHER;
    List<String> positions = new ArrayList<>();
    long count = 0;
    for (int from = 0; from < all.size(); from += together) {
      BucketSet some = BucketSet.of(all.subList(from, Math.min(all.size(), from + together)));
      interrupt.run();
      long compared = route.source().inSnapshot(() -> compare(some, positions));
      count += compared;
      pace.passed(compared);
    }
    return new Found(
        positions.get(0),
        positions.get(positions.size() - 1),
        count,
        rows.count(),
        List.copyOf(rows.found()),
        invariants.broken());
  }

  private long compare(BucketSet buckets, List<String> positions) throws SQLException {
    positions.add(route.source().position());
    catchUp.apply(buckets, Frontier.END);
    long count = 0;
    for (MovedTable table : route.tables()) {
      count += compare(table, buckets);
    }
    invariants.check(route.source(), "source", buckets);
    invariants.check(route.target(), "target", buckets);
    return count;
  }

  private List<Column> compared(MovedTable table) {
    return table.columns().stream()
        .filter(column -> !without.contains(table.name() + "." + column.name()))
        .toList();
  }

  private long compare(MovedTable table, BucketSet buckets) throws SQLException {
    String condition = MoverConnection.ofBuckets(buckets);
    List<Column> columns = compared(table);
    MoverConnection.Digest source = route.source().digest(table, columns, condition);
    if (!source.equals(route.target().digest(table, columns, condition))) {
      for (BucketId bucket : buckets) {
        String one = MoverConnection.ofBuckets(BucketSet.of(List.of(bucket)));
        if (!route
            .source()
            .digest(table, columns, one)
            .equals(route.target().digest(table, columns, one))) {
          rows.compare(table, bucket);
        }
      }
    }
    return source.rows();
  }
}
