package io.shardwright.lookup;

import io.shardwright.catalog.IndexName;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.LookupIndex;
import io.shardwright.schema.ShardSchema.Column;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A unique lookup index of a table.
 *
 * @param columns that are indexed, in index order
 * @param primaryKey of the table, without bucket_id
 * @param product of the shards
 * @param function from indexed values to the bucket of their entry, in the index's own map. Values
 *     that are equal for the database have one bucket.
 */
public record UniqueIndex(
    IndexName name,
    String table,
    List<IndexColumn> columns,
    List<IndexColumn> primaryKey,
    DatabaseProduct product,
    BucketFunction function) {
  public UniqueIndex {
    columns = List.copyOf(columns);
    primaryKey = List.copyOf(primaryKey);
  }

  /**
   * A column of an entry.
   *
   * @param type as a cast names it, without length
   * @param keyType how its values come and go
   */
  public record IndexColumn(String name, String type, KeyType keyType) {
    static IndexColumn of(Column column, KeyType keyType) {
      return new IndexColumn(column.name(), column.typeName(), keyType);
    }
  }

  /** An index as it was found on a shard. */
  public static UniqueIndex of(LookupIndex found, DatabaseProduct product) {
    List<IndexColumn> columns =
        IntStream.range(0, found.columns().size())
            .mapToObj(i -> IndexColumn.of(found.columns().get(i), found.types().get(i)))
            .toList();
    List<IndexColumn> primaryKey =
        found.primaryKey().stream()
            .map(column -> IndexColumn.of(column, column.keyType().orElse(KeyType.TEXT)))
            .toList();
    return new UniqueIndex(
        found.name(), found.table().name(), columns, primaryKey, product, found.function());
  }

  List<String> columnNames() {
    return columns.stream().map(IndexColumn::name).toList();
  }
}
