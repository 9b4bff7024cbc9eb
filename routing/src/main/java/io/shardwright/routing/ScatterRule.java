package io.shardwright.routing;

/**
 * A policy that is in force.
 *
 * @param source where it was set, for messages
 */
public record ScatterRule(ScatterPolicy policy, String source) {}
