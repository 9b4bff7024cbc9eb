package io.shardwright.query;

import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.config.Configuration;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far each shard's own log is. What was committed before a position was read is before it; the
 * positions of two shards say nothing about each other.
 */
final class LogPositions {
  private static final String POSTGRESQL =
      "SELECT pg_current_snapshot()::text AS snapshot, pg_current_wal_lsn()::text AS wal";
  private static final String MARIADB =
      "SELECT @@global.gtid_binlog_pos AS gtid, @@global.log_bin AS binary_log";

  private LogPositions() {}

  /**
   * The values of each shard by name: {@code snapshot} and {@code wal} of PostgreSQL, {@code gtid}
   * of MariaDB, empty when it writes no binary log.
   *
   * @throws SQLException of the first shard that cannot be asked
   */
  static Map<ShardId, Map<String, String>> read(Configuration configuration) throws SQLException {
    Map<ShardId, Map<String, String>> positions = new TreeMap<>();
    for (Configuration.Shard shard : configuration.shards().values()) {
      boolean postgresql = shard.endpoint().product() == DatabaseProduct.POSTGRESQL;
      try (Connection connection = DatabaseLogin.SHORT.open(shard.endpoint());
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(postgresql ? POSTGRESQL : MARIADB)) {
        row.next();
        positions.put(
            shard.id(),
            postgresql
                ? new TreeMap<>(
                    Map.of("snapshot", row.getString("snapshot"), "wal", row.getString("wal")))
                : Map.of("gtid", row.getBoolean("binary_log") ? row.getString("gtid") : ""));
      }
    }
    return positions;
  }
}
