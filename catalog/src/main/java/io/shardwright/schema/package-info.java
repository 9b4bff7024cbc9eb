/**
 * What the shards hold, what Shardwright creates in them, and whether it is right.
 *
 * <p>Main flow: {@link io.shardwright.schema.ShardInspector} reads the tables of one shard, {@link
 * io.shardwright.schema.Apply} creates Shardwright's own objects everywhere and checks all shards
 * against the configuration and each other, and {@link io.shardwright.schema.PlacementCheck} checks
 * the rows.
 */
package io.shardwright.schema;
