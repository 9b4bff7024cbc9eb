/**
 * Questions across all shards: {@link io.shardwright.query.RequestReader} reads one, {@link
 * io.shardwright.query.PagePlanner} makes one statement of it, {@link
 * io.shardwright.query.QueryGateway} has the driver run it, {@link
 * io.shardwright.query.QueryAnswer} says what came of it, and of which shards.
 */
package io.shardwright.query;
