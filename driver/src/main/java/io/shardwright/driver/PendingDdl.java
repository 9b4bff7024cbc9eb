package io.shardwright.driver;

import io.shardwright.routing.ShardId;
import java.util.List;

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
}
