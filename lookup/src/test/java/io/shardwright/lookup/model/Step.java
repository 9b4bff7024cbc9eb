package io.shardwright.lookup.model;

/**
 * @param isFault a crash or a lost session: what need not happen, so that it resolves no deadlock
 */
record Step(String name, World next, boolean isFault) {}
