package io.shardwright.schema;

import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.IndexName;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import io.shardwright.schema.ShardSchema.Unique;
import io.shardwright.schema.ShardSchema.UniqueKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A table whose rows move with their buckets, as it is on a shard.
 *
 * @param placement name of the bucket map that its buckets are of
 * @param key columns beside bucket_id that no UPDATE may change; none of entries of an index
 */
record FencedTable(String placement, Table table, List<String> key) {
  FencedTable {
    key = List.copyOf(key);
  }

  private record Name(String placement, String table, List<String> key) {}

  /** Those that exist, have a bucket_id, and whose placement is in the catalog. */
  static List<FencedTable> read(
      Connection connection, Configuration configuration, CatalogState state) throws SQLException {
    List<Name> names = new ArrayList<>();
    for (Group group : configuration.groups().values()) {
      group
          .tables()
          .values()
          .forEach(table -> names.add(new Name(group.name(), table.name(), table.key())));
      for (String index : group.indexes().keySet()) {
        IndexName name = new IndexName(group.name(), index);
        names.add(new Name(name.placement(), name.entryTable(), List.of()));
      }
    }
    ShardSchema schema =
        ShardInspector.inspect(connection, names.stream().map(Name::table).toList());
    return names.stream()
        .filter(name -> state.maps().containsKey(name.placement))
        .flatMap(
            name ->
                schema.table(name.table).stream()
                    .filter(table -> table.column(ShardSchema.BUCKET_COLUMN).isPresent())
                    .filter(table -> name.key.stream().allMatch(k -> table.column(k).isPresent()))
                    .map(table -> new FencedTable(name.placement, table, name.key)))
        .toList();
  }

  String name() {
    return table.name();
  }

  String captureTable() {
    return Fence.captureTable(name());
  }

  /** Without bucket_id; empty when there is no primary key. */
  List<Column> primaryKey() {
    return table.uniques().stream()
        .filter(unique -> unique.kind() == UniqueKind.PRIMARY_KEY)
        .map(Unique::columns)
        .flatMap(List::stream)
        .filter(column -> !column.equals(ShardSchema.BUCKET_COLUMN))
        .flatMap(column -> table.column(column).stream())
        .toList();
  }

  /** Those that the server computes after triggers have run. */
  Optional<Column> computedKey() {
    return primaryKey().stream().filter(column -> column.source() == Source.GENERATED).findFirst();
  }
}
