package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Merge;
import io.shardwright.sql.Merge.Window;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** From the shards' result sets to the caller's, as the route's {@link Merge} says. */
final class Merging {
  private Merging() {}

  /**
   * How many rows of each shard can matter when the caller wants {@code maxRows}; 0: all. Partial
   * groups must be complete, so aggregates read all.
   */
  static long rowsPerShard(Merge merge, long maxRows) {
    if (maxRows == 0 || merge instanceof Merge.Aggregate || merge instanceof Merge.Staged) {
      return 0;
    }
    return maxRows + window(merge).offset();
  }

  /**
   * @param calls executed; the result owns them, or they are closed here when it does not need them
   */
  static ResultSet rows(ShardwrightStatement statement, Merge merge, ShardCall[] calls)
      throws SQLException {
    List<ShardCall> shards = List.of(calls);
    long maxRows = statement.settings().maxRows();
    if (merge instanceof Merge.Aggregate aggregate) {
      Aggregation aggregation = new Aggregation(aggregate, shards, maxRows);
      statement.checkRows(aggregation.rows().size());
      ResultSet result = new AggregateResultSet(statement, aggregation);
      long read = shards.stream().mapToLong(ShardCall::rowsRead).sum();
      statement.counters().merged(read, aggregation.groupsCut());
      ShardCall.closeAll(calls);
      return result;
    }
    Window window = window(merge);
    long limit = window.limit().orElse(Long.MAX_VALUE);
    long max = maxRows == 0 ? limit : Math.min(maxRows, limit);
    int hidden = 0;
    RowOrder order;
    if (merge instanceof Merge.Ordered ordered) {
      hidden = ordered.hiddenColumns();
      order = new OrderedMerge(shards, ordered.keys());
    } else if (merge instanceof Merge.Concatenate concatenate) {
      hidden = concatenate.hiddenColumns();
      order = new RowOrder.Concatenated(shards);
    } else {
      throw SqlErrors.of(ErrorCode.INVARIANT_BROKEN, "rows of several shards with merge " + merge);
    }
    int columns =
        hidden == 0
            ? ForwardingResultSet.ALL_COLUMNS
            : shards.get(0).rows().getMetaData().getColumnCount() - hidden;
    return new MergedResultSet(
        statement, calls, order, new MergedResultSet.View(columns, window.offset(), max));
  }

  private static Window window(Merge merge) {
    if (merge instanceof Merge.Ordered ordered) {
      return ordered.window();
    }
    return merge instanceof Merge.Concatenate concatenate ? concatenate.window() : Window.ALL;
  }
}
