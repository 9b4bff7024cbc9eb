package io.shardwright.lookup;

import io.shardwright.routing.ShardId;
import java.time.Duration;

/**
 * What of an index waits on a shard of rows.
 *
 * @param pending changes that are not in the index yet
 * @param oldest age of the oldest of them: how far the index lags behind; zero: there is none
 * @param dead changes that the index refused ten times
 */
public record FeedStatus(ShardId shard, long pending, Duration oldest, long dead) {}
