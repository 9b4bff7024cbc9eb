package io.shardwright.sql;

import io.shardwright.routing.BucketMap;
import io.shardwright.sql.Route.ShardStatementText;
import io.shardwright.sql.Route.Target;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A statement whose target does not depend on values: on reference tables or no table, or DDL. It
 * is sent as it is.
 */
final class FixedPlan implements Plan {
  private final Kind kind;
  private final SqlTokens tokens;
  private final boolean returnsRows;
  private final boolean locksOrWrites;
  private final Route route;

  FixedPlan(Kind kind, SqlTokens tokens, Target target, boolean returnsRows, String reason) {
    this(kind, tokens, List.of(), target, returnsRows, reason);
  }

  /** A question about the schema, for the first shard. */
  FixedPlan(SqlTokens tokens, List<Edit> edits, String reason) {
    this(Kind.SELECT, tokens, edits, Target.FIRST_SHARD, true, reason);
  }

  private FixedPlan(
      Kind kind,
      SqlTokens tokens,
      List<Edit> edits,
      Target target,
      boolean returnsRows,
      String reason) {
    this.kind = kind;
    this.tokens = tokens;
    this.returnsRows = returnsRows;
    this.locksOrWrites = target == Target.EVERY_SHARD;
    ShardStatementText text = Rendering.render(tokens, edits, Rendering.Share.WHOLE);
    Merge merge =
        target == Target.EVERY_SHARD && kind != Kind.DDL
            ? new Merge.SumCounts()
            : new Merge.PassThrough();
    this.route = new Route(target, List.of(), text, merge, OptionalLong.empty(), reason);
  }

  @Override
  public String sql() {
    return tokens.sql();
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public boolean returnsRows() {
    return returnsRows;
  }

  @Override
  public Hints hints() {
    return tokens.hints();
  }

  @Override
  public int parameterCount() {
    return tokens.parameters().size();
  }

  @Override
  public Optional<String> group() {
    return Optional.empty();
  }

  @Override
  public boolean locksOrWrites() {
    return locksOrWrites;
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
