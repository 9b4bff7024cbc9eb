package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Where the tables of a statement are that have all their rows on one shard. */
final class SingleTables {
  private SingleTables() {}

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
}
