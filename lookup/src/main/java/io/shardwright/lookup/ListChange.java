package io.shardwright.lookup;

import java.util.List;

/**
 * A change of a row, as a trigger told it.
 *
 * @param n grows with each change of the row
 * @param attempts how often the index refused it
 * @param old shard_by values before; one null: there was no entry
 * @param live the row is there, and has an entry
 * @param values indexed, then covering ones, after it
 */
record ListChange(
    RowId row, long n, int attempts, List<Object> old, boolean live, List<Object> values) {}
