package io.shardwright.lookup;

/**
 * An entry of an index: it says where a row with a value may be.
 *
 * @param slot tells the candidates of one value apart
 * @param token of who wrote the entry last
 */
record Candidate(Value value, int slot, RowId row, long token) {}
