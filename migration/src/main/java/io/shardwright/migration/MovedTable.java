package io.shardwright.migration;

import io.shardwright.schema.Fence;
import io.shardwright.schema.ShardSchema;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.ForeignKey;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import io.shardwright.schema.ShardSchema.Unique;
import io.shardwright.schema.ShardSchema.UniqueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A table whose rows go with their buckets.
 *
 * @param columns that are written: all but those that the server computes
 * @param key the primary key, bucket_id first
 */
record MovedTable(Table table, List<Column> columns, List<Column> key) {
  MovedTable {
    columns = List.copyOf(columns);
    key = List.copyOf(key);
  }

  /** Of a table that is as apply wants it. */
  static MovedTable of(Table table) {
    List<Column> columns =
        table.columns().stream().filter(c -> c.source() != Source.GENERATED).toList();
    List<Column> key = new ArrayList<>();
    table.column(ShardSchema.BUCKET_COLUMN).ifPresent(key::add);
    table.uniques().stream()
        .filter(unique -> unique.kind() == UniqueKind.PRIMARY_KEY)
        .map(Unique::columns)
        .flatMap(List::stream)
        .filter(column -> !column.equals(ShardSchema.BUCKET_COLUMN))
        .forEach(column -> table.column(column).ifPresent(key::add));
    return new MovedTable(table, columns, key);
  }

  String name() {
    return table.name();
  }

  String captureTable() {
    return Fence.captureTable(name());
  }

  /** The names of the key's columns in the capture table: bucket_id, p1, p2. */
  List<String> noted() {
    List<String> names = new ArrayList<>(List.of(ShardSchema.BUCKET_COLUMN));
    IntStream.range(1, key.size()).forEach(i -> names.add("p" + i));
    return names;
  }

  /** Columns that are unique together beside the primary key, as far as they are plain columns. */
  List<List<String>> otherUniques() {
    return table.uniques().stream()
        .filter(unique -> unique.kind() != UniqueKind.PRIMARY_KEY)
        .map(Unique::columns)
        .filter(names -> names.stream().allMatch(name -> table.column(name).isPresent()))
        .toList();
  }

  /** Parents before children. */
  static List<MovedTable> parentsFirst(List<MovedTable> tables) {
    List<MovedTable> ordered = new ArrayList<>();
    List<MovedTable> rest = new ArrayList<>(tables);
    while (!rest.isEmpty()) {
      Set<String> waiting = Set.copyOf(rest.stream().map(MovedTable::name).toList());
      List<MovedTable> next =
          rest.stream()
              .filter(
                  table ->
                      table.table.foreignKeys().stream()
                          .map(ForeignKey::target)
                          .noneMatch(
                              target -> !target.equals(table.name()) && waiting.contains(target)))
              .toList();
      // Tables that refer to each other in a circle: preflight refuses them on PostgreSQL.
      List<MovedTable> taken = next.isEmpty() ? List.copyOf(rest) : next;
      ordered.addAll(taken);
      rest.removeAll(taken);
    }
    return ordered;
  }

  /** Those of {@code tables} that refer to this one. */
  List<MovedTable> children(List<MovedTable> tables) {
    return tables.stream()
        .filter(
            other ->
                other.table.foreignKeys().stream().anyMatch(key -> key.target().equals(name())))
        .toList();
  }
}
