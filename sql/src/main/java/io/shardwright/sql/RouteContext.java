package io.shardwright.sql;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.routing.ScatterRule;
import java.util.Optional;

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
      };

  /** For reads of a group's tables without a route key. */
  ScatterRule reads(String group);

  /** For UPDATE and DELETE of a group's tables without a route key. */
  ScatterRule writes(String group);

  /** The bucket of the route key that was set on the connection for this group. */
  Optional<BucketId> bucket(String group);

  /** What bounds the rows of a result beside the statement's text, such as setMaxRows. */
  Optional<String> bound();
}
