package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of an autocommit write to several shards: every shard has executed its part in a
 * transaction of its own, which are now committed in shard order. Not atomic: a crash or broken
 * connection between two commits leaves some shards applied. That case has its own error, which
 * names every shard's state. A commit that a shard itself refuses before any other was committed
 * leaves nothing behind.
 */
final class OrderedCommit {
  private OrderedCommit() {}

  /**
   * @throws SQLException the shard's own error when nothing was applied, else SW405; all other
   *     transactions have been rolled back then
   */
  static void commit(List<Lease> leases) throws SQLException {
    for (int i = 0; i < leases.size(); i++) {
      try {
        leases.get(i).connection().commit();
      } catch (SQLException e) {
        List<Lease> rest = leases.subList(i + 1, leases.size());
        rollback(rest);
        throw failure(leases.subList(0, i), leases.get(i), rest, e);
      }
    }
  }

  /** For clean-up on the way of another error: a connection that is gone has rolled back too. */
  static void rollback(List<Lease> leases) {
    for (Lease lease : leases) {
      try {
        lease.connection().rollback();
      } catch (SQLException e) {
        lease.pool().discarded(e);
      }
    }
  }

  private static SQLException failure(
      List<Lease> applied, Lease failed, List<Lease> rest, SQLException e) {
    boolean unknown = SqlErrors.isConnectionBroken(e);
    if (applied.isEmpty() && !unknown) {
      return SqlErrors.on(failed.shard(), e);
    }
    List<ShardId> notApplied = shards(rest);
    if (!unknown) {
      notApplied.add(0, failed.shard());
    }
    return SqlErrors.of(
        ErrorCode.MULTI_SHARD_WRITE_PARTIAL,
        "a write to several shards failed while it was committed: applied on "
            + names(shards(applied))
            + ", not applied on "
            + names(notApplied)
            + (unknown ? ", unknown on [" + failed.shard() + "]" : "")
            + " ("
            + e.getMessage()
            + "); do not repeat it as it is: compare the rows by route key and complete or undo them"
            + " shard by shard",
        e);
  }

  private static List<ShardId> shards(List<Lease> leases) {
    List<ShardId> shards = new ArrayList<>();
    for (Lease lease : leases) {
      shards.add(lease.shard());
    }
    return shards;
  }

  private static String names(List<ShardId> shards) {
    return shards.isEmpty() ? "none" : shards.toString();
  }
}
