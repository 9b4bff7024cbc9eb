package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Route.ShardStatement;
import io.shardwright.sql.Route.ShardStatementText;
import io.shardwright.sql.Route.Target;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A statement on single tables, whose rows are all on one shard: sent there as it is, so that
 * locks, sequences and the clock are those of one database.
 */
final class SinglePlan implements Plan {
  private final Kind kind;
  private final SqlTokens tokens;
  private final boolean returnsRows;
  private final boolean locksOrWrites;
  private final Route route;

  SinglePlan(Kind kind, SqlTokens tokens, ShardId home, boolean returnsRows, boolean locks) {
    this.kind = kind;
    this.tokens = tokens;
    this.returnsRows = returnsRows;
    this.locksOrWrites = locks || kind != Kind.SELECT;
    ShardStatementText text = Rendering.render(tokens, List.of(), Rendering.Share.WHOLE);
    this.route =
        new Route(
            Target.SHARDS,
            List.of(new ShardStatement(home, List.of(), text)),
            ShardStatementText.NONE,
            new Merge.PassThrough(),
            OptionalLong.empty(),
            "single tables of shard " + home);
  }

  /**
   * The shard of the single tables among these sources.
   *
   * @return empty when there is none
   * @throws ShardwrightException SW207 beside sharded tables or those of another shard
   */
  static Optional<ShardId> home(BlockReader.Blocks blocks) {
    List<Schema.Table> tables =
        blocks.all().stream()
            .flatMap(block -> block.sources.stream())
            .flatMap(source -> source.table.stream())
            .toList();
    Set<ShardId> homes =
        tables.stream().flatMap(table -> table.home().stream()).collect(Collectors.toSet());
    if (homes.isEmpty()) {
      return Optional.empty();
    }
    boolean sharded = tables.stream().anyMatch(table -> table.sharding().isPresent());
    if (sharded || homes.size() > 1) {
      String single =
          tables.stream()
              .filter(table -> table.home().isPresent())
              .map(Schema.Table::name)
              .distinct()
              .collect(Collectors.joining(", "));
      throw new ShardwrightException(
          ErrorCode.TABLES_NOT_COLOCATED,
          single
              + ": a single table has its rows on one shard ("
              + homes.stream().sorted().map(ShardId::name).collect(Collectors.joining(", "))
              + ") and cannot be used beside tables that are elsewhere; use two statements");
    }
    return Optional.of(homes.iterator().next());
  }

  /** True when the tables of a statement belong to several groups or shards. */
  static boolean isSpread(BlockReader.Blocks blocks) {
    return blocks.all().stream()
            .flatMap(block -> block.sources.stream())
            .filter(Source::isDistributed)
            .map(
                source ->
                    source
                        .sharding()
                        .map(Schema.Sharding::group)
                        .<Object>map(group -> group)
                        .orElseGet(() -> source.table.orElseThrow().home().orElseThrow()))
            .distinct()
            .count()
        > 1;
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
