package io.shardwright.sql;

import io.shardwright.sql.BlockReader.Blocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Which columns of its tables a statement uses, as far as its tokens tell. */
final class ColumnUse {
  /** Words of conditions that name nothing. */
  private static final Set<String> CONDITION_WORDS =
      Set.of(
          "AND",
          "OR",
          "NOT",
          "IN",
          "IS",
          "NULL",
          "LIKE",
          "ILIKE",
          "BETWEEN",
          "TRUE",
          "FALSE",
          "DISTINCT",
          "FROM",
          "CASE",
          "WHEN",
          "THEN",
          "ELSE",
          "END",
          "ANY",
          "ALL",
          "DATE",
          "TIMESTAMP",
          "INTERVAL",
          "ESCAPE");

  private final SqlTokens tokens;
  private final Blocks blocks;

  ColumnUse(SqlTokens tokens, Blocks blocks) {
    this.tokens = tokens;
    this.blocks = blocks;
  }

  /** Whether the text has the name anywhere, also as an alias or of another table. */
  boolean names(String column) {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isNamed(i, column)) {
        return true;
      }
    }
    return false;
  }

  /** {@code *}, {@code t.*}, NATURAL JOIN, and the row as a whole. */
  boolean allColumns(Source source, Block block) {
    boolean select = tokens.isAt(block.clauses.start(), "SELECT");
    if (select && SelectList.of(tokens, block).star()) {
      return true;
    }
    for (int i = 0; i < tokens.size(); i++) {
      boolean row =
          tokens.get(i).isName()
              && tokens.tableName(i).equals(source.name)
              && !isInAnyPlace(i)
              && (tokens.isSymbolAt(i + 2, "*") || !tokens.isSymbolAt(i + 1, "."));
      if (row || tokens.isAt(i, "NATURAL")) {
        return true;
      }
    }
    return false;
  }

  private boolean isInAnyPlace(int index) {
    return blocks.all().stream()
        .flatMap(block -> block.sources.stream())
        .anyMatch(source -> source.place.contains(index));
  }

  /** Whether a column is written with the schema of its table, which a view or a part is not in. */
  boolean qualifiesBySchema(Range range) {
    for (int i = range.from(); i + 3 < range.to(); i++) {
      if (tokens.get(i).isName()
          && tokens.isSymbolAt(i + 1, ".")
          && tokens.isSymbolAt(i + 3, ".")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Conditions that every row of an item must meet to matter, as far as they are about those of its
   * columns that are {@code allowed}.
   */
  List<Range> conditionsOn(Source source, Block block, Predicate<String> allowed) {
    if (block.hasJoin(Source.Join.OTHER)) {
      return List.of();
    }
    List<Range> conditions = new ArrayList<>();
    if (source.join == Source.Join.INNER) {
      block
          .clauses
          .find("WHERE")
          .ifPresent(where -> conditions.addAll(Conditions.conjuncts(tokens, where.range())));
    }
    source.on.ifPresent(on -> conditions.addAll(Conditions.conjuncts(tokens, on)));
    return conditions.stream()
        .filter(condition -> isOnlyOf(condition, block, source, allowed))
        .toList();
  }

  /**
   * True when a condition or expression is one of each row of {@code source} alone: it has some of
   * the columns that are {@code allowed}, and nothing else of a table or a query.
   */
  boolean isOnlyOf(Range condition, Block block, Source source, Predicate<String> allowed) {
    boolean uses = false;
    if (!Functions.calls(tokens, condition).stream().allMatch(tokens.functions()::isScalar)) {
      return false;
    }
    for (int i = condition.from(); i < condition.to(); i++) {
      if (tokens.isAt(i, "SELECT")) {
        return false;
      }
      boolean name =
          tokens.get(i).isName()
              && !tokens.isSymbolAt(i + 1, "(")
              && !tokens.isSymbolAt(i - 1, ".")
              && !tokens.isSymbolAt(i - 1, "::");
      if (name) {
        int to = i;
        while (tokens.get(to).isName() && tokens.isSymbolAt(to + 1, ".")) {
          to += 2;
        }
        Optional<Facts.ColumnRef> column = block.column(tokens, new Range(i, to + 1));
        boolean own =
            column.filter(ref -> ref.source() == source && allowed.test(ref.column())).isPresent();
        if (!own && (column.isPresent() || !CONDITION_WORDS.contains(tokens.get(i).keyword()))) {
          return false;
        }
        uses |= own;
      }
    }
    return uses;
  }
}
