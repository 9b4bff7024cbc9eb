package io.shardwright.sql;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Facts.ColumnRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the blocks whose rows are those of a FROM item: subqueries in FROM and WITH queries.
 *
 * <p>Problem: {@code SELECT ... FROM (SELECT buyer_id, ... FROM orders) t WHERE t.buyer_id = 5}
 * says nothing about orders unless one looks inside. Idea: a column of the item that is a plain
 * copy of a column inside <i>is</i> that column, so that what is said about the one is said about
 * the other. A condition from outside may be applied inside where it keeps or drops together all
 * the rows that one row of the item is computed from: always without DISTINCT, groups and windows;
 * with them for the columns they group by, or are partitioned by; never with LIMIT. A WITH query
 * that several places use has rows for all of them, and is left out.
 */
final class DerivedTables {
  private final SqlTokens tokens;
  private final List<Block> blocks;
  private final Map<Integer, Block> blockAt = new HashMap<>();
  private final Set<Source> named = new HashSet<>();

  private DerivedTables(SqlTokens tokens, List<Block> blocks) {
    this.tokens = tokens;
    this.blocks = blocks;
  }

  /** Links the items of all blocks. */
  static void link(SqlTokens tokens, List<Block> blocks) {
    boolean any = false;
    for (Block block : blocks) {
      for (Source source : block.sources) {
        any |= source.query.isPresent();
      }
    }
    if (any) {
      new DerivedTables(tokens, blocks).link();
    }
  }

  private void link() {
    Map<Range, Integer> uses = new HashMap<>();
    for (Block block : blocks) {
      blockAt.put(block.clauses.start(), block);
      for (Source source : block.sources) {
        source.query.ifPresent(query -> uses.merge(query, 1, Integer::sum));
      }
    }
    for (Block block : blocks) {
      for (Source source : block.sources) {
        source
            .query
            .filter(query -> uses.get(query) == 1)
            .flatMap(this::wholeBlock)
            .ifPresent(
                rows -> {
                  source.rows = Optional.of(rows);
                  rows.parent = Optional.of(block);
                  rows.item = Optional.of(source);
                });
      }
    }
    blocks.forEach(this::nameColumns);
  }

  private Optional<Block> wholeBlock(Range query) {
    Range inside = query.unwrapped(tokens);
    return Optional.ofNullable(blockAt.get(inside.from()))
        .filter(block -> block.clauses.end() == inside.to());
  }

  private void nameColumns(Block block) {
    for (Source source : block.sources) {
      if (source.rows.isPresent() && named.add(source)) {
        nameColumns(source.rows.get());
        source.columns = columns(source.rows.get(), source.columnNames);
      }
    }
  }

  /** The item's columns by name; empty when they are not known. */
  private Optional<Map<String, Optional<ColumnRef>>> columns(Block rows, List<String> names) {
    try {
      SelectList items = SelectList.of(tokens, rows);
      if (items.distinct() && tokens.isAt(rows.clauses.start() + 2, "ON")) {
        return Optional.empty();
      }
      Optional<Set<ColumnRef>> grouping = grouping(rows, items);
      rows.takesConditions = !isCut(rows);
      rows.rowByRow = rows.takesConditions && grouping.isEmpty() && !items.distinct();
      Map<String, Optional<ColumnRef>> columns = new LinkedHashMap<>();
      int number = 0;
      for (int i = 0; i < items.size(); i++) {
        Optional<List<Named>> item = named(rows, items, i);
        if (item.isEmpty()) {
          return Optional.empty();
        }
        for (Named column : item.get()) {
          String name = number < names.size() ? names.get(number) : column.name();
          number++;
          Optional<ColumnRef> ref =
              column.ref().filter(r -> grouping.isEmpty() || grouping.get().contains(r));
          boolean twice = columns.containsKey(name);
          columns.put(name, twice ? Optional.empty() : ref);
        }
      }
      return Optional.of(columns);
    } catch (ShardwrightException notUnderstood) {
      return Optional.empty();
    }
  }

  private record Named(String name, Optional<ColumnRef> ref) {}

  /** One item, or what {@code *} stands for. */
  private Optional<List<Named>> named(Block rows, SelectList items, int item) {
    Range expression = items.expression(item);
    int last = expression.to() - 1;
    if (!items.isStar(item)) {
      String name = tokens.dialect().foldStored(items.label(item));
      return Optional.of(List.of(new Named(name, rows.column(tokens, expression))));
    }
    String qualifier = expression.size() == 1 ? "" : tokens.tableName(last - 2);
    List<Named> all = new ArrayList<>();
    for (Source source : rows.sources) {
      if (qualifier.isEmpty() || source.name.equals(qualifier)) {
        if (!source.isKnown() || (qualifier.isEmpty() && !source.using.isEmpty())) {
          return Optional.empty();
        }
        source.names().forEach(name -> all.add(new Named(name, source.find(name))));
      }
    }
    return Optional.of(all);
  }

  private static boolean isCut(Block rows) {
    return rows.clauses.locks()
        || Stream.of("LIMIT", "OFFSET", "FETCH")
            .anyMatch(name -> rows.clauses.find(name).isPresent());
  }

  /**
   * The columns that decide which rows are combined into one, or seen by its window functions;
   * empty when none are.
   */
  private Optional<Set<ColumnRef>> grouping(Block rows, SelectList items) {
    Optional<Set<ColumnRef>> grouping = Optional.empty();
    Optional<Clauses.Clause> group = rows.clauses.find("GROUP");
    if (group.isPresent()) {
      List<Range> groups = new ArrayList<>();
      for (Range written : group.get().range().items(tokens)) {
        SelectMerge.requirePlainGroup(tokens, written);
        groups.add(items.grouped(written).map(items::expression).orElse(written));
      }
      GroupedColumns.require(tokens, rows, items, groups);
      grouping = Optional.of(columnsAmong(rows, groups));
    } else if (rows.clauses.find("HAVING").isPresent()
        || OuterAggregates.find(tokens, blocks, rows).isPresent()) {
      return Optional.of(Set.of());
    }
    List<Range> evaluated = new ArrayList<>(items.expressions());
    rows.clauses.find("ORDER").ifPresent(order -> evaluated.add(order.range()));
    for (Range range : evaluated) {
      for (int i = range.from(); i < range.to(); i++) {
        boolean subquery =
            tokens.isSymbolAt(i, "(")
                && (tokens.isAt(i + 1, "SELECT") || tokens.isAt(i + 1, "WITH"));
        if (subquery) {
          i = tokens.closing(i);
        } else if (tokens.isAt(i, "OVER")) {
          Set<ColumnRef> partition = partition(rows, i);
          grouping.ifPresent(partition::retainAll);
          grouping = Optional.of(partition);
        } else if (group.isEmpty() && combinesRows(i)) {
          return Optional.of(Set.of());
        }
      }
    }
    return grouping;
  }

  private Set<ColumnRef> columnsAmong(Block rows, List<Range> expressions) {
    Set<ColumnRef> columns = new HashSet<>();
    expressions.forEach(e -> rows.column(tokens, e).ifPresent(columns::add));
    return columns;
  }

  /** Of {@code OVER (PARTITION BY a, b ORDER BY ...)}. */
  private Set<ColumnRef> partition(Block rows, int over) {
    if (!tokens.isSymbolAt(over + 1, "(") || !tokens.isAt(over + 2, "PARTITION")) {
      return new HashSet<>();
    }
    int close = tokens.closing(over + 1);
    int to = over + 4;
    while (to < close
        && !(tokens.get(to).depth() == tokens.get(over + 2).depth()
            && Set.of("ORDER", "ROWS", "RANGE", "GROUPS").contains(tokens.get(to).keyword()))) {
      to++;
    }
    return columnsAmong(rows, new Range(over + 4, to).items(tokens));
  }

  /** True for the call of what may be an aggregate, or give several rows. */
  private boolean combinesRows(int index) {
    List<String> call = Functions.calls(tokens, new Range(index, index + 1));
    if (call.isEmpty() || tokens.functions().isOfOneRow(call.get(0))) {
      return false;
    }
    int behind = tokens.closing(index + 1) + 1;
    if (tokens.isAt(behind, "FILTER") && tokens.isSymbolAt(behind + 1, "(")) {
      behind = tokens.closing(behind + 1) + 1;
    }
    return !tokens.isAt(behind, "OVER");
  }
}
