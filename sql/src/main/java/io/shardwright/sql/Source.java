package io.shardwright.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One item of a FROM clause, or the target of a write. Mutable while the statement is analysed;
 * equality is identity, since one table may occur twice.
 */
final class Source {
  /** How the join adds this item to those before it. */
  enum Join {
    INNER,
    /** LEFT JOIN: this item may be NULL-extended. */
    OPTIONAL,
    /** RIGHT or FULL JOIN: the items before may be NULL-extended. */
    OTHER
  }

  /** Empty for subqueries, CTEs and functions. */
  final Optional<Schema.Table> table;

  /** The folded name that qualifies its columns. */
  final String name;

  /** The qualifier as the statement writes it. */
  final String qualifier;

  Join join;

  /** The ON condition of its join. */
  Optional<Range> on = Optional.empty();

  /** Its tokens in the FROM clause, the alias included. */
  Range place = new Range(0, 0);

  /** The tokens of the query whose rows the item has: a subquery, or a WITH query. */
  Optional<Range> query = Optional.empty();

  /** Names that the alias gives the columns, from the first on. */
  List<String> columnNames = List.of();

  /** The block of {@link #query}, where the item is the only one that has its rows. */
  Optional<Block> rows = Optional.empty();

  /**
   * The columns of {@link #rows} by name, where they are known; none behind a name whose column is
   * no plain copy.
   */
  Optional<Map<String, Optional<Facts.ColumnRef>>> columns = Optional.empty();

  /** The WITH query, when the item is the name of one. */
  Optional<BlockReader.CommonTable> commonTable = Optional.empty();

  /** The function, in lower case, when the item is the call of one. */
  Optional<String> function = Optional.empty();

  /** Number of the FROM item with which the joins that lead to this one start. */
  int joinStart;

  /** A relation of information_schema or pg_catalog. */
  boolean systemCatalog;

  /** Columns of its USING clause. */
  final List<String> using = new ArrayList<>();

  /** What holds for this item's rows; set once the block's conditions are read. */
  Facts facts = new Facts();

  /** OR conditions that hold for this item's rows, each a list of branches. */
  List<List<Conditions.Branch>> alternatives = List.of();

  Source(Optional<Schema.Table> table, String qualifier, String name, Join join) {
    this.table = table;
    this.qualifier = qualifier;
    this.name = name;
    this.join = join;
  }

  Optional<Schema.Sharding> sharding() {
    return table.flatMap(Schema.Table::sharding);
  }

  boolean isSharded() {
    return sharding().isPresent();
  }

  /** True when its rows are not on every shard. */
  boolean isDistributed() {
    return table.filter(t -> !t.isReference()).isPresent();
  }

  /** True when all its columns are known. */
  boolean isKnown() {
    return table.isPresent() || columns.isPresent();
  }

  /** True when each of its columns is one of a table. */
  boolean hasColumnsOfTables() {
    return isKnown() && names().allMatch(name -> find(name).isPresent());
  }

  boolean has(String column) {
    return table.isPresent()
        ? table.get().column(column).isPresent()
        : columns.isPresent() && columns.get().containsKey(column);
  }

  /** The names of its columns, where they are known. */
  Stream<String> names() {
    return table.isPresent()
        ? table.get().columns().stream().map(Schema.Column::name)
        : columns.stream().flatMap(all -> all.keySet().stream());
  }

  /** The column of a table that a name means, here or inside {@link #rows}. */
  Optional<Facts.ColumnRef> find(String column) {
    if (table.isPresent()) {
      return table.get().column(column).map(c -> column(column));
    }
    return columns.flatMap(all -> all.getOrDefault(column, Optional.empty()));
  }

  Facts.ColumnRef column(String column) {
    return new Facts.ColumnRef(this, column);
  }
}
