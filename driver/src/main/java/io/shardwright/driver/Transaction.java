package io.shardwright.driver;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.lookup.IndexWork;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The transaction of a logical connection with autocommit off.
 *
 * <p>States: <i>unpinned</i> (nothing is open on any shard), <i>pinned</i> (open on one shard, with
 * {@code transaction=multi} on one or more), <i>aborted</i> (over several shards, after a failed
 * statement) and <i>lost</i> (a connection broke, so its shard has rolled back). Transitions:
 * {@link #join}, {@link #abort}, {@link #lost}, {@link #rollback(Savepoint)} from aborted back to
 * pinned, and {@link #commit} or {@link #rollback()} back to unpinned. Savepoints set before a
 * shard joins are set on it when it does. Not thread-safe.
 */
final class Transaction {
  /** A map of its own only while there is something in it: most connections never get that far. */
  private SortedMap<ShardId, Lease> leases = Collections.emptySortedMap();

  private List<ShardSavepoint> savepoints = List.of();
  private Lease pinned;
  private String pinnedBy = "";
  private ShardId lost;
  private ShardId aborted;
  private int savepointsIssued;

  /** Its part of indexes; null until a statement has one. */
  private IndexWork work;

  /** The lease of the shard that joined first, null when unpinned. */
  Lease pinned() {
    return pinned;
  }

  /** In shard order. */
  List<Lease> leases() {
    return List.copyOf(leases.values());
  }

  boolean isLost() {
    return lost != null;
  }

  IndexWork work(Indexes indexes, Supplier<Set<Long>> reservations) {
    if (work == null) {
      work = indexes.begin(reservations);
    }
    return work;
  }

  void join(Lease lease, String reason) throws SQLException {
    for (ShardSavepoint savepoint : savepoints) {
      savepoint.set(lease);
    }
    if (leases.isEmpty()) {
      leases = new TreeMap<>();
    }
    leases.put(lease.shard(), lease);
    if (pinned == null) {
      pinned = lease;
      pinnedBy = reason;
    }
  }

  void lost(ShardId shard) {
    lost = shard;
  }

  /** A statement failed on a shard, and one database would go on nowhere. */
  void abort(ShardId shard) {
    if (pinned != null) {
      aborted = shard;
    }
  }

  /** The lease of a shard that has joined; null otherwise. */
  Lease on(ShardId shard) {
    // The usual case is a transaction of one shard.
    return pinned != null && pinned.shard().equals(shard) ? pinned : leases.get(shard);
  }

  SQLException secondShard(ShardId shard, String what) {
    return SqlErrors.of(
        ErrorCode.SECOND_SHARD_IN_TRANSACTION,
        "the transaction is on shard "
            + pinned.shard()
            + " ("
            + pinnedBy
            + ") and this statement needs shard "
            + shard
            + " ("
            + what
            + "); nothing was sent; commit first, or keep the rows of one transaction under one"
            + " route key, or allow several shards by transaction=multi");
  }

  void checkUsable() throws SQLException {
    if (lost != null) {
      throw SqlErrors.of(
          ErrorCode.SHARD_UNAVAILABLE,
          "the connection to shard "
              + lost
              + " broke earlier in this transaction, which the shard has rolled back; call rollback()"
              + " and repeat the transaction");
    }
    if (aborted != null) {
      throw SqlErrors.of(
          ErrorCode.TRANSACTION_ABORTED,
          "a statement of this transaction failed on shard "
              + aborted
              + ", and it is over on its "
              + leases.size()
              + " shards; nothing was sent; call rollback(), or rollback(Savepoint)");
    }
  }

  void commit(Executor executor, DatabaseProduct product) throws SQLException {
    if (pinned == null) {
      savepoints = List.of();
      return;
    }
    try {
      checkUsable();
      if (leases.size() > 1) {
        new MultiCommit(executor, product, leases()).run();
      } else {
        pinned.connection().commit();
      }
      if (work != null) {
        work.committed();
      }
    } catch (SQLException e) {
      if (work != null) {
        work.outcomeUnknown();
      }
      throw commitFailure(e);
    } finally {
      end();
    }
  }

  private SQLException commitFailure(SQLException e) {
    if (e instanceof ShardwrightError || leases.size() > 1) {
      return e;
    }
    if (!PhysicalErrors.isConnectionBroken(e)) {
      return SqlErrors.on(pinned.shard(), e);
    }
    pinned.failed(e);
    return UnknownOutcomeException.atCommit(pinned.shard(), e);
  }

  /**
   * @return true when every shard confirmed it; false when a connection is gone, which rolls back
   *     as well
   */
  boolean rollback() throws SQLException {
    if (pinned == null) {
      savepoints = List.of();
      return true;
    }
    boolean confirmed = true;
    SQLException failure = null;
    for (Lease lease : leases.values()) {
      try {
        if (lease.shard().equals(lost)) {
          confirmed = false;
        } else {
          lease.connection().rollback();
        }
      } catch (SQLException e) {
        confirmed = false;
        if (!PhysicalErrors.isConnectionBroken(e)) {
          failure = SqlErrors.on(lease.shard(), e);
        }
      }
    }
    if (work != null) {
      // A connection that is gone has rolled back, too.
      work.rolledBack();
    }
    end();
    if (failure != null) {
      throw failure;
    }
    return confirmed;
  }

  Savepoint setSavepoint(String name) throws SQLException {
    checkUsable();
    ShardSavepoint savepoint =
        new ShardSavepoint(
            name, ++savepointsIssued, work == null ? IndexWork.Mark.NOTHING : work.mark());
    for (Lease lease : leases.values()) {
      savepoint.set(lease);
    }
    if (savepoints.isEmpty()) {
      savepoints = new ArrayList<>();
    }
    savepoints.add(savepoint);
    return savepoint;
  }

  /** Ends the state of being aborted, since what failed came after the savepoint. */
  void rollback(Savepoint savepoint) throws SQLException {
    ShardSavepoint ours = find(savepoint);
    if (lost != null) {
      checkUsable();
    }
    for (Lease lease : leases.values()) {
      lease.connection().rollback(ours.on(lease));
    }
    if (work != null) {
      work.rolledBackTo(ours.mark);
    }
    aborted = null;
    savepoints.subList(savepoints.indexOf(ours) + 1, savepoints.size()).clear();
  }

  void release(Savepoint savepoint) throws SQLException {
    ShardSavepoint ours = find(savepoint);
    checkUsable();
    for (Lease lease : leases.values()) {
      lease.connection().releaseSavepoint(ours.on(lease));
    }
    savepoints.subList(savepoints.indexOf(ours), savepoints.size()).clear();
  }

  private ShardSavepoint find(Savepoint savepoint) throws SQLException {
    if (savepoint instanceof ShardSavepoint ours && savepoints.contains(ours)) {
      return ours;
    }
    throw SqlErrors.of(
        ErrorCode.JDBC_CALL_INVALID,
        "the savepoint does not belong to this transaction or was released; set a new one");
  }

  private void end() {
    Lease.releaseAll(leases.values());
    leases = Collections.emptySortedMap();
    pinned = null;
    pinnedBy = "";
    lost = null;
    aborted = null;
    savepoints = List.of();
    work = null;
  }

  /** A savepoint, physical on every shard from the moment when it is in the transaction. */
  private static final class ShardSavepoint implements Savepoint {
    private final String name;
    private final int id;
    private final IndexWork.Mark mark;
    private final Map<ShardId, Savepoint> physical = new HashMap<>();

    ShardSavepoint(String name, int id, IndexWork.Mark mark) {
      this.name = name;
      this.id = id;
      this.mark = mark;
    }

    void set(Lease lease) throws SQLException {
      physical.put(
          lease.shard(),
          name == null ? lease.connection().setSavepoint() : lease.connection().setSavepoint(name));
    }

    Savepoint on(Lease lease) {
      return physical.get(lease.shard());
    }

    @Override
    public int getSavepointId() throws SQLException {
      if (name != null) {
        throw SqlErrors.of(
            ErrorCode.JDBC_CALL_INVALID, "the savepoint has a name; use getSavepointName()");
      }
      return id;
    }

    @Override
    public String getSavepointName() throws SQLException {
      if (name == null) {
        throw SqlErrors.of(
            ErrorCode.JDBC_CALL_INVALID, "the savepoint has no name; use getSavepointId()");
      }
      return name;
    }
  }
}
