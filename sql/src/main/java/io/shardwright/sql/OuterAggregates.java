package io.shardwright.sql;

import java.util.List;
import java.util.Optional;

/**
 * An aggregate in a subquery belongs to the query whose columns its arguments use: {@code SELECT
 * (SELECT sum(o.n)) FROM t o} is an aggregate of t. Split over shards it would be one of each
 * shard.
 */
final class OuterAggregates {
  private OuterAggregates() {}

  /** Refuses aggregates inside the subqueries of {@code top} that may belong to it. */
  static void refuse(SqlTokens tokens, List<Block> blocks, Block top) {
    find(tokens, blocks, top)
        .ifPresent(
            name -> {
              throw SelectMerge.refused(
                  "the call of " + name + " in a subquery",
                  "it may be an aggregate of the query around it");
            });
  }

  /** The name of such a call. */
  static Optional<String> find(SqlTokens tokens, List<Block> blocks, Block top) {
    for (Block block : blocks) {
      if (block == top || !isInside(block, top)) {
        continue;
      }
      for (int i = block.clauses.start(); i < block.clauses.end(); i++) {
        List<String> call = Functions.calls(tokens, new Range(i, i + 1));
        if (!call.isEmpty()
            && !tokens.functions().isOfOneRow(call.get(0))
            && !usesOwnColumn(tokens, block, i)) {
          return Optional.of(call.get(0));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isInside(Block block, Block top) {
    Optional<Block> at = block.outer;
    while (at.isPresent()) {
      if (at.get() == top) {
        return true;
      }
      at = at.get().outer;
    }
    return false;
  }

  /**
   * True when the arguments of the call at {@code name} are {@code *} or use a column of the block.
   */
  private static boolean usesOwnColumn(SqlTokens tokens, Block block, int name) {
    int close = tokens.closing(name + 1);
    if (tokens.isSymbolAt(name + 2, "*") && !block.sources.isEmpty()) {
      return true;
    }
    for (int i = name + 2; i < close; i++) {
      int to = i;
      while (tokens.get(to).isName() && tokens.isSymbolAt(to + 1, ".")) {
        to += 2;
      }
      boolean own =
          tokens.get(i).isName()
              && block
                  .column(tokens, new Range(i, to + 1))
                  .filter(ref -> block.sources.contains(ref.source()))
                  .isPresent();
      if (own) {
        return true;
      }
    }
    return false;
  }
}
