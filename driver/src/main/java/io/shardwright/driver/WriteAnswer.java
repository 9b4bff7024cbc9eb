package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Merge;
import io.shardwright.sql.Route;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** What a write to several shards answers: one count, and the rows of RETURNING or keys as one. */
final class WriteAnswer {
  private final ShardwrightStatement statement;
  private final Route route;
  private final ShardCall[] calls;

  WriteAnswer(ShardwrightStatement statement, Route route, ShardCall[] calls) {
    this.statement = statement;
    this.route = route;
    this.calls = calls;
  }

  /**
   * A write to a reference table must change as many rows everywhere.
   *
   * @throws SQLException SW506
   */
  void checkShardsAgree() throws SQLException {
    if (route.target() != Route.Target.EVERY_SHARD) {
      return;
    }
    for (ShardCall call : calls) {
      if (call.count() != calls[0].count()) {
        throw SqlErrors.of(
            ErrorCode.REFERENCE_DRIFT,
            "a write to a reference table changed "
                + calls[0].count()
                + " rows on shard "
                + calls[0].shard()
                + " and "
                + call.count()
                + " on shard "
                + call.shard()
                + ", so the copies differ; nothing was applied; make them equal first");
      }
    }
  }

  /** The rows of all shards must be one result. */
  void checkColumnsAgree() throws SQLException {
    if (calls[0].rows() != null && route.target() != Route.Target.EVERY_SHARD) {
      ShardColumns.requireEqual(withColumns(), ShardColumns.Agreement.LABELS_AND_TYPES);
    }
  }

  /** MariaDB answers without columns where it sees beforehand that no row meets the condition. */
  private List<ShardCall> withColumns() {
    List<ShardCall> answering =
        Arrays.stream(calls).filter(call -> !call.columns().columns().isEmpty()).toList();
    return answering.isEmpty() ? List.of(calls) : answering;
  }

  /**
   * After the commit.
   *
   * @param rows true when the statement answers with rows and not with a count
   */
  void give(boolean rows) throws SQLException {
    if (!rows) {
      statement.answerCount(count());
    }
    if (rows) {
      boolean several = route.target() != Route.Target.EVERY_SHARD;
      statement.answerRows(merged(several ? withColumns() : List.of(calls)));
    } else if (calls[0].hasKeys()) {
      statement.answerKeys(merged(List.of(calls)));
    } else {
      ShardCall.closeAll(calls);
    }
  }

  private long count() {
    if (route.target() == Route.Target.EVERY_SHARD) {
      return calls[0].count();
    }
    long sum = 0;
    for (ShardCall call : calls) {
      sum += call.count();
    }
    return sum;
  }

  private MergedResultSet merged(List<ShardCall> rows) throws SQLException {
    RowOrder order;
    if (route.target() == Route.Target.EVERY_SHARD) {
      order = new RowOrder.Concatenated(rows.subList(0, 1));
    } else if (route.merge() instanceof Merge.InsertedRows inserted) {
      order = new RowOrder.Sequenced(rows, sequence(inserted.rowsByStatement()));
    } else {
      order = new RowOrder.Concatenated(rows);
    }
    return new MergedResultSet(statement, calls, order, MergedResultSet.View.ALL);
  }

  /** For each VALUES row the shard that inserted it. */
  private static int[] sequence(List<List<Integer>> rowsByStatement) {
    int[] sequence = new int[rowsByStatement.stream().mapToInt(List::size).sum()];
    Arrays.fill(sequence, -1);
    for (int statement = 0; statement < rowsByStatement.size(); statement++) {
      for (int row : rowsByStatement.get(statement)) {
        sequence[row] = statement;
      }
    }
    return sequence;
  }
}
