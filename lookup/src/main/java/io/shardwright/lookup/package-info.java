/**
 * Global secondary indexes: entries that say where the rows of a value are, kept right without
 * two-phase commit (docs/decisions/lookup-index.md). Plain JDBC over connections that are given.
 */
package io.shardwright.lookup;
