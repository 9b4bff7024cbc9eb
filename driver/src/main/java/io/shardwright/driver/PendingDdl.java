package io.shardwright.driver;

import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.config.Configuration;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A schema change that not every shard has.
 *
 * @param sequence its number in the logs of all shards
 * @param done shards that have it, in name order
 * @param missing shards that lack it or did not finish it, in name order; at least one
 */
public record PendingDdl(
    long sequence, String statement, List<ShardId> done, List<ShardId> missing) {
  public PendingDdl {
    done = List.copyOf(done);
    missing = List.copyOf(missing);
  }

  /**
   * Reads the logs of all shards, oldest change first, for a process that opens no data source.
   *
   * @throws SQLException SW505 when one number means different statements
   */
  public static List<PendingDdl> read(Configuration configuration) throws SQLException {
    SortedMap<ShardId, SortedMap<Long, DdlLog.Entry>> logs = new TreeMap<>();
    for (Configuration.Shard shard : configuration.shards().values()) {
      try (Connection connection = DatabaseLogin.SHORT.open(shard.endpoint())) {
        logs.put(shard.id(), DdlLog.read(shard.id(), connection));
      }
    }
    return DdlLog.pending(logs);
  }
}
