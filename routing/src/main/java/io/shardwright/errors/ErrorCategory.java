package io.shardwright.errors;

/** Who can act on an error. */
public enum ErrorCategory {
  /** The statement, value or configuration has to change. */
  USER,
  /** Another transaction or process got there first; the same work may succeed when repeated. */
  CONFLICT,
  /** A bound of Shardwright itself was reached: pool, fan-out, rows, time. */
  RESOURCE,
  /** A shard, the catalog or the network failed. */
  EXTERNAL,
  /** An invariant of Shardwright is broken: report it. */
  BUG
}
