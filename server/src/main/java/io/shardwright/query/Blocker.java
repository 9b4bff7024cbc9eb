package io.shardwright.query;

import io.shardwright.routing.ShardId;
import java.time.Instant;
import java.util.Optional;

/**
 * A transaction in flight that may still commit rows from before a cut-off. Without text of
 * statements.
 *
 * @param who as the operator finds it: process 123, connection 45, prepared transaction 'x'
 * @param user of the database; empty: not known
 * @param since by the server's clock, no later than when it began; empty: not known
 * @param why it is waited for
 */
public record Blocker(
    ShardId shard, String who, Optional<String> user, Optional<Instant> since, String why) {
  @Override
  public String toString() {
    return "shard "
        + shard
        + ": "
        + who
        + user.map(name -> " of user " + name).orElse("")
        + since.map(moment -> " since " + moment).orElse("")
        + " ("
        + why
        + ")";
  }
}
