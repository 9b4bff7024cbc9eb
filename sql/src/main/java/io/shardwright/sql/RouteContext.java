package io.shardwright.sql;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.ScatterPolicy;
import java.util.Optional;

/** What is decided outside a statement's text: by its connection and the configuration. */
public interface RouteContext {
  /** No connection: reads may scatter, writes may not. */
  RouteContext NONE =
      new RouteContext() {
        @Override
        public Rule reads(String group) {
          return new Rule(ScatterPolicy.ALLOW, "there is no connection");
        }

        @Override
        public Rule writes(String group) {
          return new Rule(ScatterPolicy.REFUSE, "there is no connection");
        }

        @Override
        public Optional<BucketId> bucket(String group) {
          return Optional.empty();
        }

        @Override
        public Optional<String> bound() {
          return Optional.empty();
        }
      };

  /** For reads of a group's tables without a route key. */
  Rule reads(String group);

  /** For UPDATE and DELETE of a group's tables without a route key. */
  Rule writes(String group);

  /** The bucket of the route key that was set on the connection for this group. */
  Optional<BucketId> bucket(String group);

  /** What bounds the rows of a result beside the statement's text, such as setMaxRows. */
  Optional<String> bound();

  /**
   * A policy.
   *
   * @param source where it was set, for messages
   */
  record Rule(ScatterPolicy policy, String source) {}
}
