package io.shardwright.sql;

import io.shardwright.routing.BucketMap;
import io.shardwright.sql.BlockReader.Blocks;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A SELECT from tables of several groups or shards: its parts are read, then one shard runs it. */
final class GatherPlan implements TextPlan {
  private final Traits traits;
  private final Pieces pieces;
  private final Scatter scatter;
  private final WindowSlots window;
  private final String tables;

  GatherPlan(SqlTokens tokens, Pieces pieces, Blocks blocks, WindowSlots window) {
    if (tokens.hints().route().isPresent()) {
      throw BlockReader.unsupported("a route hint for tables of several groups or shards");
    }
    Optional<String> group =
        pieces.units().stream().flatMap(unit -> unit.plan().group().stream()).findFirst();
    this.traits = new Traits(tokens, Kind.SELECT, true, false, group);
    this.pieces = pieces;
    this.scatter = Scatter.of(Kind.SELECT, group.orElse(""), tokens, blocks);
    this.window = window;
    this.tables =
        blocks.all().stream()
            .flatMap(block -> block.sources.stream())
            .filter(Source::isDistributed)
            .map(source -> source.table.orElseThrow().name())
            .distinct()
            .collect(Collectors.joining(", "));
  }

  @Override
  public Route route(List<?> parameters, Function<String, BucketMap> maps, RouteContext context) {
    boolean limited = window.window(parameters).limit().isPresent();
    String admitted = "";
    for (Pieces.Unit unit : pieces.units()) {
      if (unit.plan().scatterReason().isPresent()) {
        Scatter part = scatter.in(unit.plan().group().orElseThrow());
        admitted = "; " + part.admit(context, limited, tables, unit.plan().reason());
      }
    }
    return pieces.route(parameters, maps, context, reason() + admitted);
  }

  /** That of the first part which goes to every shard. */
  @Override
  public Optional<ScatterReason> scatterReason() {
    return pieces.units().stream()
        .flatMap(unit -> unit.plan().scatterReason().stream())
        .findFirst();
  }

  @Override
  public Traits traits() {
    return traits;
  }

  @Override
  public String reason() {
    return pieces.units().stream()
        .map(unit -> unit.plan().reason())
        .collect(Collectors.joining("; "));
  }
}
