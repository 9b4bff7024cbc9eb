/** Queries across all shards over HTTP: {@link io.shardwright.server.GatewayServer}. */
package io.shardwright.server;
