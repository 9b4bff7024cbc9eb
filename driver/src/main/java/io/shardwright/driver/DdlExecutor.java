package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Schema changes on every shard, never half forgotten.
 *
 * <p>Problem: DDL on n databases has no common commit. Idea: each shard's own log, {@link DdlLog},
 * is written in the transaction of the change, so that it is the truth about that shard; what the
 * logs disagree on is pending, and while anything is pending only that statement is accepted.
 * Steps: lease a connection of every shard (or do nothing), lock all in shard order so that two
 * runners cannot interleave, read all logs, then change shard after shard. Crash points: before the
 * first commit nothing is recorded; between commits the change is pending and the same statement,
 * or {@link #resume()}, runs it on the missing shards only; a statement that cannot run in a
 * transaction is first recorded as started, and the shard is asked afterwards whether it was done.
 *
 * <p>The lock is tried, not waited for: a session that waits holds a snapshot, and CREATE INDEX
 * CONCURRENTLY waits for all snapshots. Thread-safe; keeps nothing between calls.
 */
final class DdlExecutor {
  private final Cluster cluster;
  private final DdlSteps steps;

  DdlExecutor(Cluster cluster) {
    this.cluster = cluster;
    this.steps = cluster.physical().ddl();
  }

  /**
   * Runs a statement on every shard that does not have it.
   *
   * @param timeoutSeconds per shard, 0: none
   * @throws SQLException the database's error when the first shard refuses it (nothing is recorded
   *     then), SW501, SW502, SW503, SW505
   */
  void run(String sql, int timeoutSeconds) throws SQLException {
    DdlStatement ddl = steps.statement(sql);
    try (LockedShards shards = new LockedShards(cluster)) {
      List<PendingDdl> pending = DdlLog.pending(shards.logs());
      if (pending.isEmpty()) {
        List<ShardId> all = List.copyOf(shards.leases.keySet());
        run(
            shards,
            new PendingDdl(shards.nextSequence(), ddl.sql(), List.of(), all),
            ddl,
            timeoutSeconds);
      } else if (steps.statement(pending.get(0).statement()).sha256().equals(ddl.sha256())) {
        run(shards, pending.get(0), ddl, timeoutSeconds);
      } else {
        throw pendingFirst(pending.get(0));
      }
    } finally {
      cluster.refreshIfPossible();
    }
  }

  List<PendingDdl> pending() throws SQLException {
    try (LockedShards shards = new LockedShards(cluster)) {
      return DdlLog.pending(shards.logs());
    }
  }

  List<PendingDdl> resume() throws SQLException {
    try (LockedShards shards = new LockedShards(cluster)) {
      List<PendingDdl> pending = DdlLog.pending(shards.logs());
      for (PendingDdl change : pending) {
        run(shards, change, steps.statement(change.statement()), 0);
      }
      return pending;
    } finally {
      cluster.refreshIfPossible();
    }
  }

  private void run(LockedShards shards, PendingDdl change, DdlStatement ddl, int timeoutSeconds)
      throws SQLException {
    List<ShardId> done = new ArrayList<>(change.done());
    for (ShardId shard : change.missing()) {
      Connection connection = shards.leases.get(shard).connection();
      try {
        steps.apply(new DdlSteps.Run(shards.leases, change, ddl, timeoutSeconds), shard);
        done.add(shard);
      } catch (SQLException e) {
        if (done.isEmpty()
            && !PhysicalErrors.isConnectionBroken(e)
            && steps.forget(connection, change.sequence(), ddl, e)) {
          throw e instanceof ShardwrightError ? e : SqlErrors.on(shard, e);
        }
        throw incomplete(change, done, shard, e);
      }
    }
  }

  private static SQLException pendingFirst(PendingDdl first) {
    return SqlErrors.of(
        ErrorCode.DDL_PENDING,
        "schema change "
            + first.sequence()
            + " is not finished: \""
            + first.statement()
            + "\" is done on "
            + first.done()
            + " and missing on "
            + first.missing()
            + "; nothing was sent; run that statement again, or resumeDdl(), first");
  }

  private static SQLException incomplete(
      PendingDdl change, List<ShardId> done, ShardId failed, SQLException e) {
    List<ShardId> missing = new ArrayList<>(change.missing());
    missing.removeAll(done);
    boolean unknown = PhysicalErrors.isConnectionBroken(e);
    return SqlErrors.of(
        ErrorCode.DDL_INCOMPLETE,
        "schema change "
            + change.sequence()
            + " stopped at shard "
            + failed
            + " ("
            + e.getMessage()
            + "): done on "
            + done
            + ", missing on "
            + missing
            + (unknown ? ", where shard " + failed + " may have it: its log tells" : "")
            + "; remove the cause and run the same statement again, or resumeDdl(): only the"
            + " missing shards get it",
        e);
  }

  /** One locked connection of every shard. */
  private static final class LockedShards implements AutoCloseable {
    private final SortedMap<ShardId, Lease> leases = new TreeMap<>();
    private final List<Lease> locked = new ArrayList<>();

    LockedShards(Cluster cluster) throws SQLException {
      boolean complete = false;
      try {
        for (ShardPool pool : cluster.pools().values()) {
          leases.put(pool.shard(), pool.lease(ShardPool.Purpose.LOCK, LeaseWait.UNENDED));
        }
        for (Lease lease : List.copyOf(leases.values())) {
          lock(lease);
        }
        complete = true;
      } finally {
        if (!complete) {
          close();
        }
      }
    }

    private void lock(Lease lease) throws SQLException {
      boolean free;
      try {
        free = tryLock(lease);
      } catch (SQLException e) {
        // The pool may hand out a connection that broke while it was idle: once more on a new one.
        lease.pool().broken();
        lease.release();
        Lease fresh = lease.pool().lease(ShardPool.Purpose.LOCK, LeaseWait.UNENDED);
        leases.put(fresh.shard(), fresh);
        free = tryLockAgain(fresh);
      }
      if (!free) {
        throw SqlErrors.of(
            ErrorCode.DDL_PENDING,
            "another schema change is running (shard "
                + lease.shard()
                + " is locked by it); nothing was sent; run this one when it has ended");
      }
      locked.add(leases.get(lease.shard()));
    }

    private static boolean tryLock(Lease lease) throws SQLException {
      return ask(lease, lease.pool().database().ddl().tryLock());
    }

    private static boolean tryLockAgain(Lease lease) throws SQLException {
      try {
        return tryLock(lease);
      } catch (SQLException e) {
        throw lost(lease, e);
      }
    }

    private static SQLException lost(Lease lease, SQLException e) {
      return SqlErrors.of(
          ErrorCode.SHARD_UNAVAILABLE,
          "the connection to shard "
              + lease.shard()
              + " broke before the schema change began ("
              + e.getMessage()
              + "); nothing was changed; run it again",
          e);
    }

    SortedMap<ShardId, SortedMap<Long, DdlLog.Entry>> logs() throws SQLException {
      SortedMap<ShardId, SortedMap<Long, DdlLog.Entry>> logs = new TreeMap<>();
      for (Lease lease : leases.values()) {
        try {
          logs.put(lease.shard(), DdlLog.read(lease.shard(), lease.connection()));
        } catch (SQLException e) {
          throw PhysicalErrors.isConnectionBroken(e) ? lost(lease, e) : e;
        }
      }
      return logs;
    }

    long nextSequence() throws SQLException {
      long last = 0;
      for (SortedMap<Long, DdlLog.Entry> log : logs().values()) {
        last = Math.max(last, log.isEmpty() ? 0 : log.lastKey());
      }
      return last + 1;
    }

    @Override
    public void close() {
      for (Lease lease : locked) {
        try {
          ask(lease, lease.pool().database().ddl().unlock());
        } catch (SQLException e) {
          // The session is gone, and the lock with it.
          lease.pool().discarded(e);
        }
      }
      Lease.releaseAll(leases.values());
    }

    private static boolean ask(Lease lease, String sql) throws SQLException {
      try (Statement statement = lease.connection().createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }
}
