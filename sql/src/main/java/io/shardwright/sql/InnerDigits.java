package io.shardwright.sql;

import io.shardwright.sql.BlockReader.Blocks;
import java.util.Optional;
import java.util.Set;

/**
 * MariaDB carries quotients and averages to more digits than a result has of them, also out of
 * scalar subqueries and of subqueries in FROM that it merges into the query around them. A part of
 * a statement that gave them as values would lose these digits.
 */
final class InnerDigits {
  private static final Set<String> ROUNDING =
      Set.of("round", "truncate", "floor", "ceil", "ceiling", "cast", "convert", "format");

  private final SqlTokens tokens;
  private final Blocks blocks;

  InnerDigits(SqlTokens tokens, Blocks blocks) {
    this.tokens = tokens;
    this.blocks = blocks;
  }

  /** True when values that the query in {@code range} gives may have them. */
  boolean leave(Range range) {
    if (!tokens.dialect().roundsQuotients() || !arise(tokens, range)) {
      return false;
    }
    Optional<Block> only =
        blocks.all().stream()
            .filter(b -> b.clauses.start() == range.from() && b.clauses.end() == range.to())
            .findFirst();
    return only.filter(block -> isStored(block, range) || isRounded(block)).isEmpty();
  }

  /** True when there are any in the statement, and the item has columns that are no table's. */
  static boolean mayBeIn(SqlTokens tokens, Source source) {
    return tokens.dialect().roundsQuotients()
        && !source.hasColumnsOfTables()
        && arise(tokens, new Range(0, tokens.size()));
  }

  private static boolean arise(SqlTokens tokens, Range range) {
    for (int i = range.from(); i < range.to(); i++) {
      if (tokens.isSymbolAt(i, "/") || tokens.isAt(i, "AVG")) {
        return true;
      }
    }
    return false;
  }

  /** The server stores the rows of such an item of FROM, with the digits that a result has. */
  private boolean isStored(Block block, Range range) {
    boolean item =
        blocks.all().stream()
            .flatMap(b -> b.sources.stream())
            .anyMatch(source -> source.query.filter(range::equals).isPresent());
    SelectList items = SelectList.of(tokens, block);
    boolean combines =
        items.distinct()
            || block.clauses.find("GROUP").isPresent()
            || block.clauses.window().isPresent()
            || items.expressions().stream()
                .flatMap(expression -> Functions.calls(tokens, expression).stream())
                .anyMatch(name -> !tokens.functions().isScalar(name));
    return item && combines;
  }

  private boolean isRounded(Block block) {
    return SelectList.of(tokens, block).expressions().stream()
        .allMatch(
            item ->
                item.size() > 2
                    && tokens.isSymbolAt(item.from() + 1, "(")
                    && tokens.closing(item.from() + 1) == item.to() - 1
                    && ROUNDING.contains(tokens.name(item.from())));
  }
}
