package io.shardwright.sql;

import io.shardwright.sql.BlockReader.Blocks;
import java.util.Optional;

/** Whether a part of a statement's text is a statement of its own. */
final class Independence {
  private final SqlTokens tokens;
  private final Blocks blocks;

  Independence(SqlTokens tokens, Blocks blocks) {
    this.tokens = tokens;
    this.blocks = blocks;
  }

  /**
   * True when it uses no name from around it and the collations of its columns are known. Where a
   * name from outside is overlooked, the shard knows no such column and says so.
   */
  boolean of(Range range) {
    for (Block block : blocks.all()) {
      for (Source source : block.sources) {
        boolean outer =
            range.contains(block.clauses.start())
                && source.commonTable.filter(table -> table.from() < range.from()).isPresent();
        if (outer) {
          return false;
        }
      }
    }
    for (int i = range.from(); i < range.to(); i++) {
      boolean name = tokens.get(i).isName() && !tokens.isSymbolAt(i - 1, ".");
      if (name && namesOutside(i, range)) {
        return false;
      }
    }
    return hasKnownCollations(range);
  }

  private boolean namesOutside(int index, Range range) {
    Optional<Block> block = blocks.around(index);
    if (block.isEmpty() || tokens.isSymbolAt(index + 1, "(")) {
      return false;
    }
    if (!tokens.isSymbolAt(index + 1, ".")) {
      return block
          .get()
          .resolve("", tokens.name(index))
          .filter(ref -> !range.contains(ref.source().place.from()))
          .isPresent();
    }
    Optional<Block> at = block;
    while (at.isPresent()) {
      for (Source source : at.get().sources) {
        if (source.name.equals(tokens.tableName(index))) {
          return !range.contains(at.get().clauses.start());
        }
      }
      at = at.get().outer;
    }
    return false;
  }

  /** Rows that were gathered have the database's collation: columns with their own are refused. */
  private boolean hasKnownCollations(Range range) {
    for (int i = range.from(); i < range.to(); i++) {
      if (tokens.isAt(i, "COLLATE")) {
        return false;
      }
    }
    return blocks.all().stream()
        .filter(block -> range.contains(block.clauses.start()))
        .flatMap(block -> block.sources.stream())
        .flatMap(source -> source.table.stream())
        .flatMap(table -> table.columns().stream())
        .noneMatch(column -> column.collation().isPresent() && mentions(range, column.name()));
  }

  boolean mentions(Range range, String name) {
    for (int i = range.from(); i < range.to(); i++) {
      boolean star =
          tokens.isSymbolAt(i, "*") && !tokens.isSymbolAt(i - 1, "(") && i > range.from();
      if (star || tokens.isNamed(i, name)) {
        return true;
      }
    }
    return false;
  }
}
