package io.shardwright.schema;

import io.shardwright.catalog.SqlFailure;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.UUID;

/**
 * Who a database says it is, so that swapped or mistaken urls are noticed before a row is.
 *
 * @param clusterId of the catalog; empty when it was set up without one
 */
public record ShardIdentity(Optional<UUID> clusterId, ShardId shard) {
  /**
   * Empty when {@code shardwright apply} has not been here. One round trip.
   *
   * @param connection in autocommit: a missing table fails the transaction
   */
  public static Optional<ShardIdentity> read(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT cluster_id, shard FROM shardwright_shard")) {
      return row.next()
          ? Optional.of(
              new ShardIdentity(
                  Optional.ofNullable(row.getString(1)).map(UUID::fromString),
                  new ShardId(row.getString(2))))
          : Optional.empty();
    } catch (SQLException e) {
      if (SqlFailure.isMissingTable(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * @param expected by the configuration
   * @param cluster of the catalog, empty when the configuration has none
   * @throws ShardwrightException SW103 when this is another shard or another cluster's
   */
  public void check(ShardId expected, Optional<UUID> cluster) {
    if (!shard.equals(expected)) {
      throw new ShardwrightException(
          ErrorCode.SHARD_IDENTITY_MISMATCH,
          "the url of shard "
              + expected
              + " leads to the database of shard "
              + shard
              + "; correct shards."
              + expected
              + ".url");
    }
    if (clusterId.isPresent() && !clusterId.equals(cluster)) {
      throw new ShardwrightException(
          ErrorCode.SHARD_IDENTITY_MISMATCH,
          "shard "
              + expected
              + " belongs to cluster "
              + clusterId.get()
              + ", "
              + cluster
                  .map(id -> "the catalog is that of cluster " + id)
                  .orElse("whose catalog the configuration does not name")
              + "; correct shards."
              + expected
              + ".url or catalog.url");
    }
  }
}
