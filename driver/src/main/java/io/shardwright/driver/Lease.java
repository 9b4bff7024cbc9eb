package io.shardwright.driver;

import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;

/** A pooled connection of one shard, in use by one logical connection. */
record Lease(ShardPool pool, Connection connection) {
  ShardId shard() {
    return pool.shard();
  }

  /** Back to the pool, which rolls back what is open and resets what was set. */
  void release() {
    try {
      connection.close();
    } catch (SQLException e) {
      // The pool has discarded the connection; the work on it has been judged before.
      pool.discarded(e);
    }
  }

  static void releaseAll(Iterable<Lease> leases) {
    for (Lease lease : leases) {
      lease.release();
    }
  }
}
