package io.shardwright.sql;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.routing.ScatterRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is decided outside a statement's text: by its connection and the configuration. */
public interface RouteContext {
  /** No connection: reads may scatter, writes may not. */
  RouteContext NONE =
      new RouteContext() {
        @Override
        public ScatterRule reads(String group) {
          return new ScatterRule(ScatterPolicy.ALLOW, "there is no connection");
        }

        @Override
        public ScatterRule writes(String group) {
          return new ScatterRule(ScatterPolicy.REFUSE, "there is no connection");
        }

        @Override
        public Optional<BucketId> bucket(String group) {
          return Optional.empty();
        }

        @Override
        public Optional<String> bound() {
          return Optional.empty();
        }

        @Override
        public Optional<Set<BucketId>> lookUp(Schema.LookupIndex index, List<List<Object>> values) {
          return Optional.empty();
        }

        @Override
        public Optional<ListAccess> open(
            ListIndex index, List<List<Object>> values, boolean complete) {
          return Optional.empty();
        }
      };

  /** For reads of a group's tables without a route key. */
  ScatterRule reads(String group);

  /** For UPDATE and DELETE of a group's tables without a route key. */
  ScatterRule writes(String group);

  /** The bucket of the route key that was set on the connection for this group. */
  Optional<BucketId> bucket(String group);

  /** What bounds the rows of a result beside the statement's text, such as setMaxRows. */
  Optional<String> bound();

  /**
   * The buckets where a lookup index has rows with these values; the statement's own conditions
   * decide whether they are there. Blocks: the index is on shards.
   *
   * @param values distinct, none of them null, each at the positions of the index's columns
   * @return empty when the index cannot be used now
   * @throws io.shardwright.errors.ShardwrightException when the shards of the index do not answer
   */
  Optional<Set<BucketId>> lookUp(Schema.LookupIndex index, List<List<Object>> values);

  /**
   * A list index, to find the rows with these values.
   *
   * @param values those of the view's key, distinct, none of them null
   * @param complete true when the statement must not miss a row, since it writes or locks
   * @return empty when the index cannot be used now, or not for this
   * @throws io.shardwright.errors.ShardwrightException when the shards do not answer
   */
  Optional<ListAccess> open(ListIndex index, List<List<Object>> values, boolean complete);
}
