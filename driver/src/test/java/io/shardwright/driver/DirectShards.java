package io.shardwright.driver;

import io.shardwright.lookup.IndexShards;
import io.shardwright.lookup.Lane;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;

/** Connections straight to the shards, beside the driver's pools. */
record DirectShards(TestingShards shards) implements IndexShards {
  @Override
  public Connection open(ShardId shard, Lane lane) throws SQLException {
    Connection connection = shards.shard(Integer.parseInt(shard.name().substring(1)));
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    return connection;
  }

  @Override
  public BucketMap map(String name) {
    return shards.source().cluster().maps().apply(name);
  }

  /** Nothing moves while it is used. */
  @Override
  public boolean confirms(
      Connection connection, ShardId shard, BucketMap map, Collection<BucketId> buckets) {
    return true;
  }

  @Override
  public void asked(Work work) {
    // Nobody counts what tests do.
  }

  @Override
  public void changed(Work work) {
    // The same.
  }

  @Override
  public void awaitNewer(BucketMap map) {
    shards.source().refreshMaps();
  }

  @Override
  public Duration cutoverWait() {
    return Duration.ofSeconds(10);
  }
}
