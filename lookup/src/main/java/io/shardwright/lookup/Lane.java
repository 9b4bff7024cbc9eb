package io.shardwright.lookup;

/**
 * What a connection for an index is wanted for. Each lane of a shard has connections of its own, so
 * that who waits in one lane waits for the next lanes only, and never for a row's connection.
 */
public enum Lane {
  /** Reads of entries and writes that wait for nobody. */
  ENTRIES,
  /** Holds a value's candidates while they are judged. */
  CANDIDATES,
  /** Waits for a claim. */
  JUDGE,
  /** Holds changes of rows while they are delivered; its sessions are in UTC. */
  FEED,
  /** Reads and writes entries of indexes that are not unique, and waits for nobody; in UTC. */
  LISTS,
  /** Asks a shard what it owns, for statements that cannot on their own connection. */
  OWNERS
}
