package io.shardwright.routing;

/** What becomes of a statement that would go to several shards because its route key is missing. */
public enum ScatterPolicy {
  /** It is refused. */
  REFUSE,
  /**
   * It is sent when its result is bounded and it is no look-up of single rows by unique columns.
   */
  BOUNDED,
  /** It is sent. */
  ALLOW
}
