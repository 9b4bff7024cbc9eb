package io.shardwright.driver;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.lookup.IndexWork;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
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

  /** By which its first statement was routed; null when unpinned. */
  private KnownState known;

  /** Whether a statement was sent, and one that cannot simply be sent again. */
  private boolean sent;

  private boolean bound;

  /** By group, the buckets that cannot change their shard before the transaction ends. */
  private Map<String, BucketSet> entered = Map.of();

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

  /** True until one of its statements was sent to a shard that has joined. */
  boolean isFirstStatement() {
    return !sent;
  }

  /**
   * A statement has run in it.
   *
   * @param repeatable a read that sees what is committed when it runs, and locks nothing
   */
  void sent(boolean repeatable) {
    if (pinned != null) {
      sent = true;
      bound |= !repeatable;
    }
  }

  /** True when it can be begun anew, and nobody notices. */
  boolean mayRestart() {
    return !bound && lost == null;
  }

  /** Forgets its shards; savepoints are set on those that join next. */
  void restart() {
    for (Lease lease : leases.values()) {
      try {
        lease.connection().rollback();
      } catch (SQLException e) {
        lease.pool().discarded(e);
      }
    }
    if (work != null) {
      work.rolledBack();
    }
    List<ShardSavepoint> kept = savepoints;
    end();
    savepoints = kept;
  }

  /** Parts of one statement may ask at once. */
  synchronized boolean hasEntered(String group, BucketSet buckets) {
    return entered.getOrDefault(group, BucketSet.EMPTY).containsAll(buckets);
  }

  synchronized void entered(String group, BucketSet buckets) {
    if (entered.isEmpty()) {
      entered = new HashMap<>();
    }
    entered.merge(group, buckets, BucketSet::plus);
  }

  /** True when all the buckets were on its shard when it began. */
  boolean hadAll(String group, List<BucketId> buckets) {
    if (known == null || buckets.isEmpty()) {
      return false;
    }
    BucketMap map = known.apply(group);
    return buckets.stream().allMatch(bucket -> map.shardOf(bucket).equals(pinned.shard()));
  }

  void join(Lease lease, KnownState state, String reason) throws SQLException {
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
      known = state;
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
              + " broke earlier in this transaction, which the shard has rolled back; call"
              + " rollback() and repeat the transaction");
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
    // Locks that were taken since are gone, too.
    entered = Map.of();
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
    known = null;
    sent = false;
    bound = false;
    entered = Map.of();
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
