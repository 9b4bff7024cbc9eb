package io.shardwright.driver;

/**
 * What moves of buckets cost the statements of one data source since it was opened.
 *
 * @param checks questions to shards whether they own what they answered of
 * @param repeats of statements, on a newer bucket map or after a short wait for one
 * @param stale answers that were thrown away, and writes that a shard refused, because a bucket had
 *     moved
 */
public record MoveStatistics(long checks, long repeats, long stale) {}
