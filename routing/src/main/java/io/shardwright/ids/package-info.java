/**
 * Ids that are unique without asking the shards, and texts that carry ids or route keys. Pure: no
 * I/O; clocks, leases and blocks come from outside.
 *
 * <p>Main flow: {@link io.shardwright.ids.NodeLease} says which node number this process holds,
 * {@link io.shardwright.ids.TickCounter} counts within the ticks of the clock and knows every
 * limit, and the generators lay its numbers out as {@link io.shardwright.ids.GeneId}, {@link
 * io.shardwright.ids.OrderNumber}, {@link io.shardwright.ids.SnowflakeId} or UUIDs.
 */
package io.shardwright.ids;
