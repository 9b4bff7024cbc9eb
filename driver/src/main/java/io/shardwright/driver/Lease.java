package io.shardwright.driver;

import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A pooled connection of one shard, in use by one logical connection. One thread at a time; {@link
 * #abort} may come from others.
 */
final class Lease {
  private final ShardPool pool;
  private final Connection connection;

  /** True while it counts among those that may lock; null when it never did. */
  private final AtomicBoolean locking;

  /** What the pool does not reset by itself. */
  private List<String> resets = List.of();

  Lease(ShardPool pool, Connection connection, ShardPool.Purpose purpose) {
    this.pool = pool;
    this.connection = connection;
    this.locking = purpose == ShardPool.Purpose.LOCK ? new AtomicBoolean(true) : null;
  }

  ShardPool pool() {
    return pool;
  }

  Connection connection() {
    return connection;
  }

  ShardId shard() {
    return pool.shard();
  }

  /** Until it is given back. */
  void setReadOnly() throws SQLException {
    reset(pool.database().setReadOnly(connection));
  }

  /** In the transaction that has just begun. */
  void boundLockWait(int millis) throws SQLException {
    reset(pool.database().boundLockWait(connection, millis));
  }

  private void reset(Optional<String> sql) {
    if (sql.isPresent()) {
      resets = new ArrayList<>(resets);
      resets.add(sql.get());
    }
  }

  /** Back to the pool, which rolls back what is open and resets what was set. */
  void release() {
    try {
      reset();
      connection.close();
    } catch (SQLException e) {
      // The pool has discarded the connection; the work on it has been judged before.
      pool.discarded(e);
    } finally {
      ended();
    }
  }

  /** What ran on it failed: when the connection is gone, its pool's idle ones probably are, too. */
  void failed(Exception e) {
    if (e instanceof SQLException sql && PhysicalErrors.isConnectionBroken(sql)) {
      pool.broken();
    }
  }

  /** From any thread: breaks off what runs and takes the connection out of the pool. */
  void abort(Executor executor) throws SQLException {
    try {
      connection.abort(executor);
    } finally {
      pool.evict(connection);
      ended();
    }
  }

  private void ended() {
    if (locking != null && locking.compareAndSet(true, false)) {
      pool.lockingEnded();
    }
  }

  /** A connection that cannot be reset is not used again. */
  private void reset() throws SQLException {
    boolean done = resets.isEmpty();
    try {
      for (String sql : resets) {
        PhysicalDatabase.execute(connection, sql);
      }
      done = true;
    } finally {
      resets = List.of();
      if (!done) {
        pool.evict(connection);
      }
    }
  }

  static void releaseAll(Iterable<Lease> leases) {
    for (Lease lease : leases) {
      lease.release();
    }
  }
}
