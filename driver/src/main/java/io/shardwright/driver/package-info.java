/**
 * {@code jdbc:shardwright:} — many shards behind plain JDBC.
 *
 * <p>Main flow: {@link io.shardwright.driver.ShardwrightPreparedStatement} (text to plan, once) -
 * {@link io.shardwright.driver.Execution} (bind, route, lease, send) - {@link
 * io.shardwright.driver.ShardCall} (one statement on one shard) - {@link
 * io.shardwright.driver.Merging} (several answers to one). {@link io.shardwright.driver.Cluster}
 * holds what all connections share; {@link io.shardwright.driver.Transaction} the one shard of a
 * transaction; {@link io.shardwright.driver.DdlExecutor} takes schema changes to every shard.
 */
package io.shardwright.driver;
