/**
 * One statement: what it touches, where it goes, how it is edited, how the answers merge. Pure: no
 * I/O.
 *
 * <p>Main flow: {@link io.shardwright.sql.Planner} analyses a text into a {@link
 * io.shardwright.sql.Plan}; {@code Plan.route} with parameter values and bucket map gives a {@link
 * io.shardwright.sql.Route}: statements per shard and the {@link io.shardwright.sql.Merge}.
 */
package io.shardwright.sql;
