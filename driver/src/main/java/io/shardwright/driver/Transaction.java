package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;

/**
 * The transaction of a logical connection with autocommit off.
 *
 * <p>States: <i>unpinned</i> (nothing is open on any shard), <i>pinned</i> (open on one shard) and
 * <i>lost</i> (the pinned connection broke, so the shard has rolled back). Transitions: {@link
 * #pin}, {@link #lost()}, and {@link #commit()} or {@link #rollback()} back to unpinned. Savepoints
 * set while unpinned are set on the shard when it is pinned. Not thread-safe.
 */
final class Transaction {
  private List<ShardSavepoint> savepoints = List.of();
  private Lease pinned;
  private String pinnedBy = "";
  private boolean lost;
  private int savepointsIssued;

  /** The lease of the pinned shard, null when unpinned. */
  Lease pinned() {
    return pinned;
  }

  boolean isLost() {
    return lost;
  }

  void pin(Lease lease, String reason) throws SQLException {
    lease.connection().setAutoCommit(false);
    for (ShardSavepoint savepoint : savepoints) {
      savepoint.set(lease);
    }
    pinned = lease;
    pinnedBy = reason;
  }

  void lost() {
    lost = true;
  }

  /** A statement that needs the pinned shard's connection. */
  Lease use(ShardId shard, String what) throws SQLException {
    checkNotLost();
    if (pinned.shard().equals(shard)) {
      return pinned;
    }
    throw SqlErrors.of(
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
            + " route key");
  }

  void checkNotLost() throws SQLException {
    if (lost) {
      throw SqlErrors.of(
          ErrorCode.SHARD_UNAVAILABLE,
          "the connection to shard "
              + pinned.shard()
              + " broke earlier in this transaction, which the shard has rolled back; call rollback()"
              + " and repeat the transaction");
    }
  }

  void commit() throws SQLException {
    if (pinned == null) {
      savepoints = List.of();
      return;
    }
    try {
      checkNotLost();
      pinned.connection().commit();
    } catch (SQLException e) {
      throw commitFailure(e);
    } finally {
      end();
    }
  }

  /**
   * @return true when the shard confirmed it; false when the connection is gone, which rolls back
   *     as well
   */
  boolean rollback() throws SQLException {
    if (pinned == null) {
      savepoints = List.of();
      return true;
    }
    try {
      if (!lost) {
        pinned.connection().rollback();
      }
      return !lost;
    } catch (SQLException e) {
      if (PhysicalErrors.isConnectionBroken(e)) {
        return false;
      }
      throw SqlErrors.on(pinned.shard(), e);
    } finally {
      end();
    }
  }

  Savepoint setSavepoint(String name) throws SQLException {
    ShardSavepoint savepoint = new ShardSavepoint(name, ++savepointsIssued);
    if (pinned != null) {
      checkNotLost();
      savepoint.set(pinned);
    }
    if (savepoints.isEmpty()) {
      savepoints = new ArrayList<>();
    }
    savepoints.add(savepoint);
    return savepoint;
  }

  void rollback(Savepoint savepoint) throws SQLException {
    ShardSavepoint ours = find(savepoint);
    if (pinned != null) {
      checkNotLost();
      pinned.connection().rollback(ours.physical);
    }
    savepoints.subList(savepoints.indexOf(ours) + 1, savepoints.size()).clear();
  }

  void release(Savepoint savepoint) throws SQLException {
    ShardSavepoint ours = find(savepoint);
    if (pinned != null) {
      checkNotLost();
      pinned.connection().releaseSavepoint(ours.physical);
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

  private SQLException commitFailure(SQLException e) {
    if (!PhysicalErrors.isConnectionBroken(e) || lost) {
      return e instanceof ShardwrightError ? e : SqlErrors.on(pinned.shard(), e);
    }
    return new UnknownOutcomeException(
        "the connection to shard "
            + pinned.shard()
            + " broke after COMMIT was sent: the transaction is applied as a whole or not at all;"
            + " read a row that it wrote, by its key, before repeating anything",
        e);
  }

  private void end() {
    pinned.release();
    pinned = null;
    pinnedBy = "";
    lost = false;
    savepoints = List.of();
  }

  /** A savepoint, physical from the moment the transaction has a shard. */
  private static final class ShardSavepoint implements Savepoint {
    private final String name;
    private final int id;
    private Savepoint physical;

    ShardSavepoint(String name, int id) {
      this.name = name;
      this.id = id;
    }

    void set(Lease lease) throws SQLException {
      physical =
          name == null ? lease.connection().setSavepoint() : lease.connection().setSavepoint(name);
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
