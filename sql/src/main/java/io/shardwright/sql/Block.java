package io.shardwright.sql;

import io.shardwright.sql.Facts.ColumnRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One SELECT, UPDATE or DELETE of a statement with the tables it reads, and the block around it,
 * whose columns it may use. Filled while the statement is analysed, not changed afterwards.
 */
final class Block {
  final Optional<Block> outer;
  final Clauses clauses;
  final List<Source> sources = new ArrayList<>();
  Facts facts = new Facts();

  /** Set when its rows are those of an item of another block: that item, and its block. */
  Optional<Source> item = Optional.empty();

  Optional<Block> parent = Optional.empty();

  /** True when what the parent says about the item's columns may be said inside. */
  boolean takesConditions;

  /** True when each row of it is made of one row of each of its tables. */
  boolean rowByRow;

  /**
   * What every row of this block has among the rows of a subquery, {@code (a, b) IN (SELECT ...)},
   * by the token with which the subquery starts.
   */
  final Map<Integer, List<Range>> inQueries = new HashMap<>();

  Block(Optional<Block> outer, Clauses clauses) {
    this.outer = outer;
    this.clauses = clauses;
  }

  /**
   * The column that a run of tokens names: {@code column}, {@code t.column} or {@code s.t.column}.
   */
  Optional<ColumnRef> column(SqlTokens tokens, Range operand) {
    Range range = operand.unwrapped(tokens);
    for (int i = range.from(); i < range.to(); i++) {
      boolean name = (i - range.from()) % 2 == 0;
      if (name ? !tokens.get(i).isName() : !tokens.isSymbolAt(i, ".")) {
        return Optional.empty();
      }
    }
    return switch (range.size()) {
      case 1 -> resolve("", tokens.name(range.to() - 1));
      case 3, 5 -> resolve(tokens.tableName(range.to() - 3), tokens.name(range.to() - 1));
      default -> Optional.empty();
    };
  }

  /**
   * The table occurrence that a column belongs to; empty when it is unknown or ambiguous. An
   * unqualified name that several items have is ambiguous unless USING made them one, and then any
   * of them will do.
   *
   * @param qualifier folded, empty when there is none
   * @param name folded
   */
  Optional<ColumnRef> resolve(String qualifier, String name) {
    if (!qualifier.isEmpty()) {
      for (Source source : sources) {
        if (source.name.equals(qualifier)) {
          return source.find(name);
        }
      }
      return outer.flatMap(block -> block.resolve(qualifier, name));
    }
    List<Source> having = sources.stream().filter(s -> s.has(name)).toList();
    boolean opaque = sources.stream().anyMatch(s -> !s.isKnown());
    if (having.isEmpty()) {
      return opaque ? Optional.empty() : outer.flatMap(block -> block.resolve("", name));
    }
    boolean one = having.stream().skip(1).allMatch(s -> s.using.contains(name));
    return one ? having.get(0).find(name) : Optional.empty();
  }

  Optional<Schema.Column> schemaColumn(ColumnRef ref) {
    return ref.source().table.flatMap(t -> t.column(ref.column()));
  }

  /** The block, and those outwards whose items have its rows. */
  List<Block> levels() {
    if (parent.isEmpty()) {
      return List.of(this);
    }
    List<Block> levels = new ArrayList<>();
    Optional<Block> at = Optional.of(this);
    while (at.isPresent()) {
      levels.add(at.get());
      at = at.get().parent;
    }
    return levels;
  }

  boolean hasJoin(Source.Join join) {
    return sources.stream().anyMatch(s -> s.join == join);
  }
}
