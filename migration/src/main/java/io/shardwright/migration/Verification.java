package io.shardwright.migration;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.migration.MoverConnection.Digest;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.schema.ShardSchema.Column;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Compares source and target, bucket by bucket: in a snapshot of the source its notes are applied,
 * which makes the target what the snapshot shows; then counts and hashes of all rows must agree. No
 * writer waits.
 */
final class Verification {
  /** Buckets that are compared by one query per table. */
  private static final int TOGETHER = 16;

  private final Route route;
  private final Runnable interrupt;

  Verification(Route route, Runnable interrupt) {
    this.route = route;
    this.interrupt = interrupt;
  }

  /**
   * @throws ShardwrightException SW602 with the tables, buckets and keys that differ
   */
  void run(BucketSet buckets) throws SQLException {
    List<BucketId> all = buckets.toList();
    List<String> differences = new ArrayList<>();
    CatchUp catchUp = new CatchUp(route);
    for (int from = 0; from < all.size(); from += TOGETHER) {
      BucketSet some = BucketSet.of(all.subList(from, Math.min(all.size(), from + TOGETHER)));
      interrupt.run();
      route
          .source()
          .inSnapshot(
              () -> {
                catchUp.apply(some, Frontier.END);
                for (MovedTable table : route.tables()) {
                  compare(table, some, differences);
                }
                return null;
              });
    }
    if (!differences.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.CHECK_FAILED,
          "source and target differ in "
              + differences.stream().limit(10).collect(Collectors.joining("; "))
              + (differences.size() > 10 ? "; and in " + (differences.size() - 10) + " more" : "")
              + "; no bucket has changed its owner: find out why, then resume or cancel the move");
    }
  }

  private void compare(MovedTable table, BucketSet buckets, List<String> differences)
      throws SQLException {
    List<Column> columns = table.columns();
    if (differ(table, columns, MoverConnection.ofBuckets(buckets))) {
      for (BucketId bucket : buckets) {
        String condition = "bucket_id = " + bucket.value();
        if (differ(table, columns, condition)) {
          Digest there = route.source().digest(table, columns, condition);
          Digest here = route.target().digest(table, columns, condition);
          differences.add(
              "table "
                  + table.name()
                  + ", bucket "
                  + bucket
                  + " ("
                  + there.rows()
                  + " rows on "
                  + route.source().shard()
                  + ", "
                  + here.rows()
                  + " on "
                  + route.target().shard()
                  + ")");
        }
      }
    }
  }

  private boolean differ(MovedTable table, List<Column> columns, String condition)
      throws SQLException {
    return !route
        .source()
        .digest(table, columns, condition)
        .equals(route.target().digest(table, columns, condition));
  }
}
