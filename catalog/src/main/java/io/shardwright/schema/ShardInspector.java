package io.shardwright.schema;

import io.shardwright.catalog.Database;
import io.shardwright.errors.ShardwrightException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;

/** Reads the tables of one shard. Takes no locks that writers meet. */
public final class ShardInspector {
  private ShardInspector() {}

  /**
   * A few round trips for all tables together: one on PostgreSQL, seven on MariaDB.
   *
   * @param tables names as the database stores them
   * @throws ShardwrightException SW105 when the server is of a product or version that cannot be a
   *     shard
   */
  public static ShardSchema inspect(Connection connection, Collection<String> tables)
      throws SQLException {
    return ShardDatabase.of(Database.product(connection)).inspect(connection, tables);
  }
}
