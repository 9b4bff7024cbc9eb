package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The repeats of one statement that met a bucket which its shard does not own any more, or not yet:
 * on the newest map, as often as it takes, while nothing of its transaction was done and its time
 * is not up.
 */
final class Repeats {
  /** Looks at the catalog between two repeats: the shard is asked less often. */
  private static final int LOOKS_MAX = 8;

  private final ShardwrightConnection connection;
  private final ShardwrightStatement statement;
  private final long start = System.nanoTime();
  private int looks = 1;

  Repeats(ShardwrightConnection connection, ShardwrightStatement statement) {
    this.connection = connection;
    this.statement = statement;
  }

  static boolean isMoved(SQLException e) {
    return e instanceof ShardwrightError error && error.code() == ErrorCode.BUCKET_MOVED;
  }

  /**
   * What was committed before this process heard of the move, or before it was stopped for as long
   * as one takes.
   */
  static SQLException partlyApplied(String what, SQLException moved) {
    return SqlErrors.of(
        ErrorCode.MULTI_SHARD_WRITE_PARTIAL,
        what
            + " is applied to the rows that were still on their shard, and others had moved ("
            + moved.getMessage()
            + "); do not repeat it as it is: compare the rows by route key and complete or undo"
            + " them",
        moved);
  }

  /**
   * Returns when it is time to repeat.
   *
   * @param known by which it was routed
   * @throws SQLException the given one, when it must not be repeated or has been long enough
   */
  void await(KnownState known, SQLException moved) throws SQLException {
    if (!connection.mayRepeat(statement)) {
      throw moved;
    }
    Cluster cluster = connection.cluster();
    cluster.statistics().moves().repeated();
    Duration patience = cluster.configuration().moves().cutoverWait();
    if (System.nanoTime() - start > patience.toNanos()) {
      throw SqlErrors.of(
          ErrorCode.BUCKET_MOVED,
          "the statement waited longer than moves.cutover_wait ("
              + patience.toMillis()
              + " ms) for a bucket that changes its shard ("
              + moved.getMessage()
              + "); nothing was applied; repeat it",
          moved);
    }
    statement.checkNotCancelled();
    connection.restartTransaction();
    statement.closeResults();
    try {
      if (!cluster.nextState().await(known, looks)) {
        looks = Math.min(LOOKS_MAX, 2 * looks);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw moved;
    }
    statement.checkNotCancelled();
  }
}
