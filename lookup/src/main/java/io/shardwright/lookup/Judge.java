package io.shardwright.lookup;

import io.shardwright.catalog.SqlFailure;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Finds out whether a candidate's row is there. Its writer may be in flight: the claim, which he
 * holds until his transaction ends, is what the judge waits for.
 */
final class Judge {
  private final Entries entries;

  Judge(Entries entries) {
    this.entries = entries;
  }

  /**
   * @param claimed true when the asking transaction holds the value's claim on the row's shard
   *     itself: nobody else is in flight there, and to wait for the claim would be to wait for
   *     oneself
   * @throws ShardwrightException SW409 when the writer in flight does not end in time
   */
  boolean isAlive(Candidate candidate, boolean claimed) throws SQLException {
    if (candidate.isReservation()) {
      // Time was looked at when the candidate was read, and what is over stays so.
      return candidate.hold() == Candidate.Hold.RESERVED;
    }
    EntryTable table = entries.table(candidate.value().index());
    return OwnedWork.read(
        entries.shards(),
        table.index().name().group(),
        candidate.row().bucket(),
        Lane.JUDGE,
        connection ->
            claimed
                ? table.rowHasValue(connection, candidate)
                : claimAndRead(connection, table, candidate));
  }

  private static boolean claimAndRead(Connection connection, EntryTable table, Candidate candidate)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      table.claim(connection, candidate.value());
      return table.rowHasValue(connection, candidate);
    } catch (SQLException e) {
      throw SqlFailure.isLockTimeout(e) ? busy(candidate, e) : e;
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private static SQLException busy(Candidate candidate, SQLException e) {
    throw new ShardwrightException(
        ErrorCode.LOCK_TIMEOUT,
        "another transaction on the row's shard is writing "
            + candidate.value()
            + " of the unique lookup index "
            + candidate.value().index().name()
            + " and did not end in time; roll back and repeat; keep such transactions short",
        e);
  }
}
