package io.shardwright.sql;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.routing.ScatterRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is decided outside a statement's text: by its connection and the configuration. What is not
 * overridden is as without a connection.
 */
public interface RouteContext {
  /** No connection: reads may scatter, writes may not. */
  RouteContext NONE = new RouteContext() {};

  /** For reads of a group's tables without a route key. */
  default ScatterRule reads(String group) {
    return new ScatterRule(ScatterPolicy.ALLOW, "there is no connection");
  }

  /** For UPDATE and DELETE of a group's tables without a route key. */
  default ScatterRule writes(String group) {
    return new ScatterRule(ScatterPolicy.REFUSE, "there is no connection");
  }

  /** The bucket of the route key that was set on the connection for this group. */
  default Optional<BucketId> bucket(String group) {
    return Optional.empty();
  }

  /**
   * The buckets of a group, or of an index by its name, whose rows may be on other shards beside
   * their owner.
   */
  default BucketSet announced(String group) {
    return BucketSet.EMPTY;
  }

  /** What bounds the rows of a result beside the statement's text, such as setMaxRows. */
  default Optional<String> bound() {
    return Optional.empty();
  }

  /**
   * The buckets where a lookup index has rows with these values; the statement's own conditions
   * decide whether they are there. Blocks: the index is on shards.
   *
   * @param values distinct, none of them null, each at the positions of the index's columns
   * @return empty when the index cannot be used now
   * @throws io.shardwright.errors.ShardwrightException when the shards of the index do not answer
   */
  default Optional<Set<BucketId>> lookUp(Schema.LookupIndex index, List<List<Object>> values) {
    return Optional.empty();
  }

  /**
   * A list index, to find the rows with these values.
   *
   * @param values those of the view's key, distinct, none of them null
   * @param complete true when the statement must not miss a row, since it writes or locks
   * @return empty when the index cannot be used now, or not for this
   * @throws io.shardwright.errors.ShardwrightException when the shards do not answer
   */
  default Optional<ListAccess> open(ListIndex index, List<List<Object>> values, boolean complete) {
    return Optional.empty();
  }
}
