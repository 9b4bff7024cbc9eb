/**
 * Keys to buckets to shards, and ids that carry their bucket. Pure: no I/O, no clock of its own.
 *
 * <p>Main flow: {@link io.shardwright.routing.KeyType} makes canonical values, {@link
 * io.shardwright.routing.BucketFunction} hashes them to a {@link io.shardwright.routing.BucketId},
 * and {@link io.shardwright.routing.BucketMap} names the {@link io.shardwright.routing.ShardId}
 * that owns it at one version.
 */
package io.shardwright.routing;
