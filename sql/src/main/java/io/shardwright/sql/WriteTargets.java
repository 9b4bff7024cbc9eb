package io.shardwright.sql;

import io.shardwright.sql.Clauses.Clause;
import io.shardwright.sql.Facts.ColumnRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tables that an UPDATE or DELETE writes. In PostgreSQL the first one named; in MariaDB any of
 * those that it joins: the ones whose columns are assigned, or that DELETE names.
 */
final class WriteTargets {
  private final SqlTokens tokens;
  private final Block block;

  private WriteTargets(SqlTokens tokens, Block block) {
    this.tokens = tokens;
    this.block = block;
  }

  /**
   * The tables, at least one, that are all sharded, all reference or all single tables.
   *
   * @throws io.shardwright.errors.ShardwrightException SW202
   */
  static List<Schema.Table> of(SqlTokens tokens, Block block) {
    WriteTargets targets = new WriteTargets(tokens, block);
    List<Schema.Table> tables = new ArrayList<>();
    for (Source source : targets.sources()) {
      tables.add(
          source.table.orElseThrow(
              () -> BlockReader.unsupported("a write to something that is no table")));
    }
    Schema.Table first = tables.get(0);
    for (Schema.Table table : tables) {
      if (table.isReference() != first.isReference() || !table.home().equals(first.home())) {
        throw BlockReader.unsupported(
            "one write to " + first.name() + " and " + table.name() + ", which live elsewhere,");
      }
    }
    return tables;
  }

  private List<Source> sources() {
    if (block.sources.isEmpty()) {
      throw BlockReader.unsupported("a write without a table");
    }
    if (!tokens.dialect().writesJoins() || block.sources.size() == 1) {
      return List.of(block.sources.get(0));
    }
    List<Source> sources = new ArrayList<>();
    if (tokens.isAt(block.clauses.start(), "UPDATE")) {
      block.clauses.find("SET").ifPresent(set -> assigned(set.range(), sources));
    } else {
      named(sources);
    }
    if (sources.isEmpty()) {
      throw BlockReader.unsupported("a write of several tables that does not say which of them");
    }
    return sources;
  }

  private void assigned(Range set, List<Source> sources) {
    for (Range assignment : set.items(tokens)) {
      int last = assignment.from();
      while (tokens.isSymbolAt(last + 1, ".")) {
        last += 2;
      }
      Range column = new Range(assignment.from(), last + 1);
      Optional<ColumnRef> reference = block.column(tokens, column);
      if (reference.isEmpty()) {
        throw BlockReader.unsupported(
            "an UPDATE of several tables that assigns '"
                + column.text(tokens)
                + "', whose table is not known;"
                + " it");
      }
      sources.add(reference.get().source());
    }
  }

  /** {@code DELETE a, b.* FROM ...} or {@code DELETE FROM a, b USING ...}. */
  private void named(List<Source> sources) {
    Clause list =
        block.clauses.find("USING").isPresent()
            ? block.clauses.find("FROM").orElseThrow()
            : block.clauses.head();
    int from = list.from();
    while (from < list.to()
        && tokens.dialect().keywords().writeOptions().contains(tokens.get(from).keyword())) {
      from++;
    }
    for (Range item : new Range(from, list.to()).items(tokens)) {
      int last = item.from();
      while (tokens.isSymbolAt(last + 1, ".") && !tokens.isSymbolAt(last + 2, "*")) {
        last += 2;
      }
      String name = tokens.tableName(last);
      sources.add(
          block.sources.stream()
              .filter(source -> source.name.equals(name))
              .findFirst()
              .orElseThrow(() -> FromReader.unknownTable(name)));
    }
  }
}
