package io.shardwright.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Refuses, over several shards, what MariaDB answers with any row of a group: a column that is
 * neither grouped by nor inside an aggregate, and ORDER BY on what SELECT DISTINCT does not select.
 */
final class GroupedColumns {
  private final SqlTokens tokens;
  private final Block block;
  private final SelectList items;
  private final List<Range> groups;

  private GroupedColumns(SqlTokens tokens, Block block, SelectList items, List<Range> groups) {
    this.tokens = tokens;
    this.block = block;
    this.items = items;
    this.groups = groups;
  }

  /**
   * @param groups what GROUP BY means
   * @throws io.shardwright.errors.ShardwrightException SW208
   */
  static void require(SqlTokens tokens, Block block, SelectList items, List<Range> groups) {
    if (tokens.dialect().picksFromGroups()) {
      new GroupedColumns(tokens, block, items, groups).require();
    }
  }

  /**
   * Refuses what relies on a GROUP BY of the primary key of {@code source}, whose rows are gathered
   * and have no key then.
   */
  static void requireWithoutKey(SqlTokens tokens, Source source, Block block) {
    if (block.clauses.find("GROUP").isEmpty() || tokens.dialect().picksFromGroups()) {
      return;
    }
    SelectList items = SelectList.of(tokens, block);
    List<Range> groups = new ArrayList<>();
    for (Range group : block.clauses.find("GROUP").get().range().items(tokens)) {
      boolean ordinal =
          group.size() == 1 && tokens.get(group.from()).kind() == SqlTokens.Kind.NUMBER;
      groups.add(
          ordinal && !items.star()
              ? items.grouped(group).map(items::expression).orElse(group)
              : group);
    }
    Set<Facts.ColumnRef> grouped = new HashSet<>();
    groups.forEach(group -> block.column(tokens, group).ifPresent(grouped::add));
    boolean byKey =
        source.table.orElseThrow().uniques().stream()
            .anyMatch(key -> key.stream().allMatch(c -> grouped.contains(source.column(c))));
    if (byKey && items.star()) {
      throw SelectMerge.refused(
          "* beside GROUP BY", "gathered rows have no primary key; name the columns, in both");
    }
    if (byKey) {
      new GroupedColumns(tokens, block, items, groups).require();
    }
  }

  private void require() {
    List<Range> order =
        clauseItems("ORDER").stream()
            .map(item -> OrderItem.of(tokens, item).expression())
            .filter(expression -> items.ordered(expression).isEmpty())
            .toList();
    if (items.distinct() && !order.isEmpty()) {
      throw SelectMerge.refused(
          "ORDER BY " + order.get(0).text(tokens), "SELECT DISTINCT does not select it");
    }
    List<Range> having = clauseItems("HAVING");
    List<Range> all = new ArrayList<>(items.expressions());
    all.addAll(order);
    all.addAll(having);
    if (groups.isEmpty() && all.stream().noneMatch(this::aggregates)) {
      return;
    }
    Stream.concat(items.expressions().stream(), order.stream()).forEach(e -> walk(e, false));
    having.forEach(condition -> walk(condition, true));
  }

  private List<Range> clauseItems(String clause) {
    return block.clauses.find(clause).map(c -> c.range().items(tokens)).orElse(List.of());
  }

  /** Outside its subqueries, whose aggregates are theirs ({@link OuterAggregates}). */
  private boolean aggregates(Range range) {
    for (int i = range.from(); i < range.to(); i++) {
      if (isSubquery(i)) {
        i = tokens.closing(i);
      } else if (isAggregate(i, range)) {
        return true;
      }
    }
    return false;
  }

  private boolean isAggregate(int index, Range range) {
    List<String> call = Functions.calls(tokens, new Range(index, index + 1));
    return !call.isEmpty()
        && !tokens.functions().isOfOneRow(call.get(0))
        && !tokens.isAt(index, "OVER")
        && tokens.closing(index + 1) < range.to()
        && !tokens.isAt(tokens.closing(index + 1) + 1, "OVER");
  }

  private void walk(Range range, boolean having) {
    int i = range.from();
    while (i < range.to()) {
      int grouped = behindGroup(i, range);
      if (grouped > i) {
        i = grouped;
      } else if (isAggregate(i, range) || isSetApart(i)) {
        i = tokens.closing(i + 1) + 1;
      } else if (isSubquery(i) && !tokens.dialect().picksFromGroups()) {
        i = tokens.closing(i) + 1;
      } else {
        i = behindName(i, range, having);
      }
    }
  }

  private boolean isSubquery(int index) {
    return tokens.isSymbolAt(index, "(") && tokens.isAt(index + 1, "SELECT");
  }

  /** {@code FILTER (...)} and the last word of {@code WITHIN GROUP (...)}: of an aggregate. */
  private boolean isSetApart(int index) {
    boolean word =
        tokens.isAt(index, "FILTER")
            || (tokens.isAt(index, "GROUP") && tokens.isAt(index - 1, "WITHIN"));
    return word && tokens.isSymbolAt(index + 1, "(");
  }

  private int behindGroup(int at, Range within) {
    for (Range group : groups) {
      Range here = new Range(at, at + group.size());
      if (here.to() <= within.to() && items.sameMeaning(group, here)) {
        return here.to();
      }
    }
    return at;
  }

  private int behindName(int at, Range within, boolean having) {
    int to = at;
    while (to + 2 < within.to() && tokens.get(to).isName() && tokens.isSymbolAt(to + 1, ".")) {
      to += 2;
    }
    Range name = new Range(at, to + 1);
    boolean column =
        tokens.get(at).isName()
            && !tokens.isSymbolAt(to + 1, "(")
            && block.column(tokens, name).isPresent();
    if (!column) {
      return at + 1;
    }
    boolean grouped = groups.stream().anyMatch(group -> items.sameMeaning(group, name));
    boolean alias = having && items.named(name).isPresent();
    if (!grouped && !alias) {
      throw SelectMerge.refused(
          "'" + name.text(tokens) + "' beside aggregates or groups",
          "it is not grouped by, so that its value would be that of any row; name it in GROUP BY");
    }
    return to + 1;
  }

  /** The select item that a name in HAVING means, where it means no column that is grouped by. */
  static Optional<Integer> aliasInHaving(
      SqlTokens tokens, SelectList items, List<Range> groups, Range name) {
    boolean grouped = groups.stream().anyMatch(group -> items.sameMeaning(group, name));
    return grouped ? Optional.empty() : items.named(name);
  }
}
