package io.shardwright.sql;

import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Rendering.Share;
import io.shardwright.sql.Route.ShardStatement;
import io.shardwright.sql.Route.ShardStatementText;
import io.shardwright.sql.Route.Target;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A statement whose target does not depend on values: on reference tables, single tables or no
 * table, or DDL. It is sent as it is.
 */
record FixedPlan(Traits traits, Route route) implements TextPlan {
  private static final Merge PASS_THROUGH = new Merge.PassThrough();

  /** A read that any shard can answer. */
  static FixedPlan onAnyShard(SqlTokens tokens, String reason) {
    Traits traits = new Traits(tokens, Kind.SELECT, true, false, Optional.empty());
    return of(traits, List.of(), Target.ANY_SHARD, PASS_THROUGH, reason);
  }

  /** A question about the schema, for the first shard. */
  static FixedPlan onFirstShard(SqlTokens tokens, List<Edit> edits, String reason) {
    Traits traits = new Traits(tokens, Kind.SELECT, true, false, Optional.empty());
    return of(traits, edits, Target.FIRST_SHARD, PASS_THROUGH, reason);
  }

  /** A write to a reference table, or DDL. */
  static FixedPlan onEveryShard(Kind kind, SqlTokens tokens, boolean returnsRows, String reason) {
    Traits traits = new Traits(tokens, kind, returnsRows, true, Optional.empty());
    Merge merge = kind == Kind.DDL ? PASS_THROUGH : new Merge.SumCounts();
    return of(traits, List.of(), Target.EVERY_SHARD, merge, reason);
  }

  private static FixedPlan of(
      Traits traits, List<Edit> edits, Target target, Merge merge, String reason) {
    ShardStatementText text = Rendering.render(traits.tokens(), edits, Share.WHOLE);
    return new FixedPlan(
        traits, new Route(target, List.of(), text, merge, Optional.empty(), reason));
  }

  /**
   * A statement on single tables, whose rows are all on one shard, so that locks, sequences and the
   * clock are those of one database.
   *
   * @param locks of a SELECT; writes do anyway
   */
  static FixedPlan onHome(
      Kind kind, SqlTokens tokens, ShardId home, boolean returnsRows, boolean locks) {
    Traits traits =
        new Traits(tokens, kind, returnsRows, locks || kind != Kind.SELECT, Optional.empty());
    ShardStatementText text = Rendering.render(tokens, List.of(), Share.WHOLE);
    return new FixedPlan(
        traits,
        new Route(
            Target.SHARDS,
            List.of(new ShardStatement(home, List.of(), text)),
            ShardStatementText.NONE,
            PASS_THROUGH,
            Optional.empty(),
            "single tables of shard " + home));
  }

  @Override
  public Route route(List<?> parameters, Function<String, BucketMap> maps, RouteContext context) {
    return route;
  }

  @Override
  public String reason() {
    return route.reason();
  }
}
