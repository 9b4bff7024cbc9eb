package io.shardwright.sql;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.routing.ScatterRule;
import java.util.Optional;

/** A connection as the planner sees it. */
record TestingContext(
    ScatterPolicy readPolicy,
    ScatterPolicy writePolicy,
    Optional<BucketId> routeBucket,
    Optional<String> bound)
    implements RouteContext {

  static final TestingContext DEFAULT = reads(ScatterPolicy.BOUNDED);

  static TestingContext reads(ScatterPolicy policy) {
    return new TestingContext(policy, ScatterPolicy.REFUSE, Optional.empty(), Optional.empty());
  }

  TestingContext writes(ScatterPolicy policy) {
    return new TestingContext(readPolicy, policy, routeBucket, bound);
  }

  TestingContext bucket(BucketId bucket) {
    return new TestingContext(readPolicy, writePolicy, Optional.of(bucket), bound);
  }

  TestingContext boundBy(String what) {
    return new TestingContext(readPolicy, writePolicy, routeBucket, Optional.of(what));
  }

  @Override
  public ScatterRule reads(String group) {
    return new ScatterRule(readPolicy, "test");
  }

  @Override
  public ScatterRule writes(String group) {
    return new ScatterRule(writePolicy, "test");
  }

  @Override
  public Optional<BucketId> bucket(String group) {
    return group.equals("orders") ? routeBucket : Optional.empty();
  }
}
