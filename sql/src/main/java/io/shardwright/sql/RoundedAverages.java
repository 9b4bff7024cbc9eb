package io.shardwright.sql;

import io.shardwright.sql.Clauses.Clause;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * MariaDB carries an average within an expression, such as {@code AVG(x) * 2}, to more digits than
 * it shows of one; but when a sort by something else than the groups goes through a temporary
 * table, it rounds it first. Which of the two comes out depends on how it chooses to sort, so it is
 * not to be had over several shards.
 */
final class RoundedAverages {
  private RoundedAverages() {}

  /**
   * @throws io.shardwright.errors.ShardwrightException SW208
   */
  static void refuse(SqlTokens tokens, List<Block> blocks) {
    if (!tokens.dialect().roundsQuotients()) {
      return;
    }
    for (Block block : blocks) {
      if (sortsBeyondGroups(tokens, block) && calculatesWithAverage(tokens, block)) {
        throw SelectMerge.refused(
            "AVG within an expression, sorted by something else than the GROUP BY expressions",
            "whether the database rounds it first depends on its way to sort");
      }
    }
  }

  private static boolean sortsBeyondGroups(SqlTokens tokens, Block block) {
    Set<String> groups = new HashSet<>();
    block
        .clauses
        .find("GROUP")
        .ifPresent(
            group -> group.range().items(tokens).forEach(item -> groups.add(bare(tokens, item))));
    return block
        .clauses
        .find("ORDER")
        .map(Clause::range)
        .filter(
            order ->
                order.items(tokens).stream()
                    .map(item -> OrderItem.of(tokens, item).expression())
                    .anyMatch(item -> !groups.contains(bare(tokens, item))))
        .isPresent();
  }

  /** Without the word BY, which the ranges of these clauses may begin with. */
  private static String bare(SqlTokens tokens, Range item) {
    Range range = tokens.isAt(item.from(), "BY") ? new Range(item.from() + 1, item.to()) : item;
    return range.text(tokens);
  }

  private static boolean calculatesWithAverage(SqlTokens tokens, Block block) {
    int depth = tokens.get(block.clauses.start()).depth();
    for (int i = block.clauses.start(); i < block.clauses.end(); i++) {
      if (tokens.isAt(i, "AVG") && tokens.isSymbolAt(i + 1, "(")) {
        boolean inside = tokens.get(i).depth() > depth;
        boolean left = tokens.get(i - 1).kind() == SqlTokens.Kind.SYMBOL && !isComma(tokens, i - 1);
        int behind = tokens.closing(i + 1) + 1;
        boolean right =
            behind < tokens.size()
                && tokens.get(behind).kind() == SqlTokens.Kind.SYMBOL
                && !isComma(tokens, behind)
                && !tokens.isSymbolAt(behind, ")");
        if (inside || left || right) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isComma(SqlTokens tokens, int index) {
    return tokens.isSymbolAt(index, ",");
  }
}
