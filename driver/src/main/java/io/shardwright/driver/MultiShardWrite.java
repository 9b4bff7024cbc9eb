package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.lookup.IndexWork;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The frame of an autocommit write to several shards: one transaction per shard, executed one shard
 * after the other and then committed, both in shard order.
 *
 * <p>Problem: two such writes could each hold rows on one shard and wait on another for the rows of
 * the other, and no server sees that cycle. Idea: everybody locks in one order of shards, so a
 * cycle can only lie within one shard, whose server breaks it. What remains is a wait for somebody
 * outside, such as the same application's open transaction; {@link #LOCK_TIMEOUT_MILLIS} bounds it.
 *
 * <p>Not atomic: a crash or broken connection between two commits leaves some shards applied. That
 * case has its own error, which names every shard's state. A commit that a shard itself refuses
 * before any other was committed leaves nothing behind.
 */
final class MultiShardWrite {
  /**
   * The longest wait for one lock. Above the second after which a server looks for deadlocks, so
   * that those get their own error; short, since rows of other shards are held meanwhile.
   */
  static final int LOCK_TIMEOUT_MILLIS = 5_000;

  private MultiShardWrite() {}

  /**
   * Opens the transactions, at once: it takes no locks. One alone waits for locks as long as the
   * shard lets it: no other shard waits for it.
   */
  static Parallel.Failure begin(Executor executor, List<Lease> leases) {
    return Parallel.run(
        executor,
        new Parallel.Parts() {
          @Override
          public int size() {
            return leases.size();
          }

          @Override
          public void run(int part) throws SQLException {
            leases.get(part).connection().setAutoCommit(false);
            if (leases.size() > 1) {
              leases.get(part).boundLockWait(LOCK_TIMEOUT_MILLIS);
            }
          }

          @Override
          public void cancel(int part) {
            // Ends by itself.
          }
        });
  }

  static SQLException lockTimeout(ShardId shard, SQLException e) {
    return SqlErrors.of(
        ErrorCode.LOCK_TIMEOUT,
        "a write to several shards waited longer than "
            + LOCK_TIMEOUT_MILLIS
            + " ms for a row or table on shard "
            + shard
            + " that another transaction holds; nothing was applied on any shard; repeat it, and"
            + " keep transactions that hold rows short",
        e);
  }

  /**
   * @param work the transactions' part of indexes, which ends with them
   * @throws SQLException the shard's own error or SW409 when nothing was applied, else SW405; all
   *     other transactions have been rolled back then
   */
  static void commit(List<Lease> leases, IndexWork work) throws SQLException {
    for (int i = 0; i < leases.size(); i++) {
      try {
        leases.get(i).connection().commit();
      } catch (SQLException e) {
        leases.get(i).failed(e);
        List<Lease> rest = leases.subList(i + 1, leases.size());
        rollback(rest);
        work.outcomeUnknown();
        throw failure(leases.subList(0, i), leases.get(i), rest, e);
      }
    }
    work.committed();
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
    boolean unknown = PhysicalErrors.isConnectionBroken(e);
    if (unknown && applied.isEmpty() && rest.isEmpty()) {
      return UnknownOutcomeException.atCommit(failed.shard(), e);
    }
    if (applied.isEmpty() && !unknown) {
      return PhysicalErrors.isLockTimeout(e)
          ? lockTimeout(failed.shard(), e)
          : SqlErrors.on(failed.shard(), e);
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
