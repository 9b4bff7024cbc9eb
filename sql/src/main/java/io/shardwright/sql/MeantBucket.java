package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.sql.Hints.RouteHint;
import io.shardwright.sql.Hints.Target;
import java.util.Optional;

/**
 * The bucket that a route hint or the connection's route key names: only its rows are meant.
 *
 * @param source for messages and reasons
 */
record MeantBucket(BucketId bucket, String source) {

  /** That of this execution; the hint and the connection must not contradict each other. */
  static Optional<MeantBucket> of(Optional<BucketId> hinted, String group, RouteContext context) {
    Optional<BucketId> connection = context.bucket(group);
    if (hinted.isEmpty() && connection.isEmpty()) {
      return Optional.empty();
    }
    if (hinted.isPresent() && connection.isPresent() && !hinted.equals(connection)) {
      throw contradiction(
          "the route hint names bucket "
              + hinted.get()
              + " of group "
              + group
              + " and the route key of the connection belongs to bucket "
              + connection.get());
    }
    return hinted
        .map(bucket -> new MeantBucket(bucket, "route hint"))
        .or(() -> connection.map(bucket -> new MeantBucket(bucket, "connection's route key")));
  }

  /**
   * The bucket of the statement's own hint.
   *
   * @throws ShardwrightException SW215 for another group, a bucket that does not exist, or values
   *     that are no key
   */
  static Optional<BucketId> hinted(Hints hints, Schema.Sharding sharding) {
    return hints.route().map(hint -> bucket(hint, sharding));
  }

  private static BucketId bucket(RouteHint hint, Schema.Sharding sharding) {
    String group = sharding.group();
    if (hint.group().filter(g -> !g.equals(group)).isPresent()) {
      throw invalid(
          "the hint group names "
              + hint.group().get()
              + " and the statement's tables are in group "
              + group
              + "; correct or drop it");
    }
    int buckets = sharding.function().allBuckets();
    if (hint.target() instanceof Target.Bucket number) {
      if (number.number() >= buckets) {
        throw invalid(
            "the hint bucket names "
                + number.number()
                + "; group "
                + group
                + " has the buckets 0 to "
                + (buckets - 1));
      }
      return new BucketId(number.number());
    }
    return sharding
        .bucketOf(((Target.Key) hint.target()).values())
        .orElseThrow(
            () -> invalid("the hint key has a value that no row of group " + group + " can have"));
  }

  /** Refuses a statement whose own key belongs elsewhere. */
  void check(BucketId own, String tables) {
    if (!own.equals(bucket)) {
      throw contradiction(
          "the "
              + source
              + " names bucket "
              + bucket
              + " and the statement's own key for "
              + tables
              + " belongs to bucket "
              + own);
    }
  }

  static ShardwrightException contradiction(String what) {
    return new ShardwrightException(
        ErrorCode.ROUTE_CONTRADICTION, what + "; nothing was sent; drop one of the two");
  }

  static ShardwrightException invalid(String what) {
    return new ShardwrightException(ErrorCode.HINT_INVALID, what);
  }
}
