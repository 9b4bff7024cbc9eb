package io.shardwright.lookup;

import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;

/** What indexes need of the shards. Thread-safe. */
public interface IndexShards {

  /**
   * A connection in autocommit and READ COMMITTED; its {@code close} gives it back and rolls back
   * what is open.
   *
   * @throws SQLException when none is to be had
   */
  Connection open(ShardId shard, Lane lane) throws SQLException;

  /** The current map of a group, or of an index by its name. */
  BucketMap map(String name);
}
