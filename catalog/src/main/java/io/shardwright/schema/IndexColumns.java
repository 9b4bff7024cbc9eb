package io.shardwright.schema;

import io.shardwright.routing.KeyType;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Table;
import io.shardwright.schema.ShardSchema.Unique;
import io.shardwright.schema.ShardSchema.UniqueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The columns of a lookup index, found in its table, and whether they are of types that it can use.
 * A list that is shorter than the one asked for has left out what was reported.
 *
 * @param index in messages
 */
record IndexColumns(ShardDatabase database, Table table, String index, Problems problems) {

  /** Hears of what is wrong with the columns. */
  interface Problems {
    void add(String message, String action);
  }

  /** How the columns that decide the bucket of an entry are hashed. */
  List<KeyType> hashed(List<String> names) {
    List<KeyType> types = new ArrayList<>();
    for (Column column : found(names)) {
      Optional<KeyType> type = database.indexType(column);
      type.ifPresentOrElse(
          types::add, () -> unfit(column, "which cannot be indexed", database.whyNoIndex(column)));
    }
    return types;
  }

  /** Columns by which entries are ordered. */
  List<Column> ordered(List<String> names) {
    return fit(
        names,
        database::isOrdered,
        "which cannot be indexed",
        "use numbers, texts of bounded length, dates, times, UUIDs or byte strings");
  }

  /** Columns whose changes can be seen. */
  List<Column> compared(List<String> names) {
    return fit(
        names,
        database::isCopied,
        "which an entry cannot hold",
        "leave it out: statements that need it read the row");
  }

  private List<Column> fit(
      List<String> names, Predicate<Column> fits, String which, String action) {
    List<Column> columns = new ArrayList<>();
    for (Column column : found(names)) {
      if (fits.test(column)) {
        columns.add(column);
      } else {
        unfit(column, which, action);
      }
    }
    return columns;
  }

  private List<Column> found(List<String> names) {
    List<Column> columns = new ArrayList<>();
    for (String name : names) {
      table
          .column(name)
          .ifPresentOrElse(
              columns::add,
              () ->
                  problems.add(
                      index + ": table " + table.name() + " has no column " + name,
                      "correct its columns, or add the column on all shards"));
    }
    return columns;
  }

  private void unfit(Column column, String which, String action) {
    problems.add(
        index + ": column " + column.name() + " is " + column.type() + ", " + which, action);
  }

  /**
   * Empty when an entry could not name a row by it.
   *
   * @param covered columns that an entry holds beside
   */
  List<Column> primaryKey(List<String> covered) {
    List<Column> columns =
        table.uniques().stream()
            .filter(unique -> unique.kind() == UniqueKind.PRIMARY_KEY)
            .map(Unique::columns)
            .flatMap(List::stream)
            .filter(name -> !name.equals(ShardSchema.BUCKET_COLUMN))
            .flatMap(name -> table.column(name).stream())
            .toList();
    if (columns.isEmpty()) {
      problems.add(
          index
              + ": table "
              + table.name()
              + " has no primary key of columns beside bucket_id, by which an entry names its row",
          "add one on all shards");
    }
    for (Column column : columns) {
      if (!database.isExact(column)) {
        problems.add(
            index
                + ": primary key column "
                + column.name()
                + " is "
                + column.type()
                + ", by which an entry cannot name a row",
            "use integers, texts, UUIDs, dates or byte strings in the primary key");
        return List.of();
      }
      if (covered.contains(column.name())) {
        problems.add(
            index
                + ": covering column "
                + column.name()
                + " is of the primary key, which entries hold anyway",
            "leave it out of covering");
        return List.of();
      }
    }
    return columns;
  }

  /** Whether a foreign key changes one of the columns without triggers. */
  boolean writtenBelowTriggers(List<String> names) {
    Optional<String> below = database.writtenBelowTriggers(table, names);
    below.ifPresent(
        key ->
            problems.add(
                index + ": foreign key " + key + " changes its columns without triggers",
                "make it ON UPDATE RESTRICT, and ON DELETE RESTRICT or CASCADE"));
    return below.isPresent();
  }

  /** Whether a foreign key deletes rows without triggers. */
  boolean deletedBelowTriggers() {
    Optional<String> below = database.deletedBelowTriggers(table);
    below.ifPresent(
        key ->
            problems.add(
                index + ": foreign key " + key + " deletes rows without triggers",
                "make it ON DELETE RESTRICT"));
    return below.isPresent();
  }
}
