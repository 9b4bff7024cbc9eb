package io.shardwright.driver;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What became of one logical statement.
 *
 * @param sql as the caller wrote it, without parameter values
 * @param group the table group that routed it, if any
 * @param mapVersion of the bucket map that was used, if any
 * @param buckets those concerned, the first {@value #MAX_BUCKETS}; empty for a scatter
 * @param shards those that were sent something; for reads of reference tables none is named
 * @param reason why these shards; empty when routing was refused
 * @param physicalStatements how many were sent
 * @param updateCount of writes
 * @param error the code (SW...) or else the SQLSTATE, empty on success
 */
public record StatementTrace(
    String sql,
    Plan.Kind kind,
    Optional<String> group,
    OptionalLong mapVersion,
    List<BucketId> buckets,
    List<ShardId> shards,
    String reason,
    int physicalStatements,
    OptionalLong updateCount,
    Duration elapsed,
    Optional<String> error) {
  public static final int MAX_BUCKETS = 16;
}
