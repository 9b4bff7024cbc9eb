/**
 * Design review: an existing configuration, its shards and its workload against rules for sharded
 * systems (docs/review.md).
 *
 * <p>Main flow: {@link io.shardwright.advisor.review.Review} asks each {@link
 * io.shardwright.advisor.review.Rule} of {@link io.shardwright.advisor.review.Facts}, which have
 * what {@link io.shardwright.advisor.review.LogFacts} found in logs and what {@link
 * io.shardwright.advisor.review.DatabaseFacts} tell of the databases.
 */
package io.shardwright.advisor.review;
