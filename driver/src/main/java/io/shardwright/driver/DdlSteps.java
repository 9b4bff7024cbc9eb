package io.shardwright.driver;

import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SortedMap;

/** How a schema change is made on one shard so that a crash anywhere can be told. Stateless. */
abstract sealed class DdlSteps permits PostgresDdl, MariaDbDdl {

  /**
   * A change on its way.
   *
   * @param leases of all shards, locked
   * @param timeoutSeconds per shard, 0: none
   */
  record Run(
      SortedMap<ShardId, Lease> leases, PendingDdl change, DdlStatement ddl, int timeoutSeconds) {
    Connection connection(ShardId shard) {
      return leases.get(shard).connection();
    }
  }

  /** A query that locks the shard's schema for this session, true when it did. */
  abstract String tryLock();

  /** A query that unlocks it. */
  abstract String unlock();

  /**
   * @throws SQLException SW503 for what could not be resumed safely
   */
  abstract DdlStatement statement(String sql) throws SQLException;

  /** Makes the change and records it, or finds out that it was made. */
  abstract void apply(Run run, ShardId shard) throws SQLException;

  /** After a failure that did not break the connection: true when the shard is as before. */
  abstract boolean forget(Connection connection, long sequence, DdlStatement ddl, SQLException e)
      throws SQLException;

  static void execute(Connection connection, String sql, int timeoutSeconds) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(timeoutSeconds);
      statement.execute(sql);
    }
  }
}
