package io.shardwright.schema;

import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.IndexName;
import io.shardwright.catalog.IndexState;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Index;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Table;
import io.shardwright.schema.ShardSchema.Unique;
import io.shardwright.schema.ShardSchema.UniqueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A declared lookup index, found in the tables of a shard.
 *
 * @param columns the indexed ones, in the order in which they are hashed
 * @param types of {@code columns}; never those of {@link Column#keyType()}, which is empty for
 *     texts that are folded
 * @param primaryKey of the table, without bucket_id; one or more
 * @param buckets of the group
 */
public record LookupIndex(
    IndexName name,
    Table table,
    List<Column> columns,
    List<KeyType> types,
    List<Column> primaryKey,
    HashAlgorithm hash,
    int buckets) {
  public LookupIndex {
    columns = List.copyOf(columns);
    types = List.copyOf(types);
    primaryKey = List.copyOf(primaryKey);
  }

  /** Hears of what is wrong with an index. */
  interface Problems {
    /**
     * @param table empty: none is at fault alone
     */
    void add(Optional<String> table, String message, String action);
  }

  /** From the indexed values to the bucket of their entry. NULLs have none, and no entry. */
  public BucketFunction function() {
    return new BucketFunction(types, hash, buckets);
  }

  /** Empty when the tables do not fit; {@link Apply} says why. */
  public static Optional<LookupIndex> find(
      DatabaseProduct product, Group group, Index index, ShardSchema schema) {
    return find(product, group, index, schema, (table, message, action) -> {});
  }

  static Optional<LookupIndex> find(
      DatabaseProduct product, Group group, Index index, ShardSchema schema, Problems problems) {
    return table(group, index, schema, problems)
        .flatMap(table -> of(ShardDatabase.of(product), group, index, table, problems));
  }

  CatalogIndex declared() {
    return new CatalogIndex(
        name, table.name(), columns.stream().map(Column::name).toList(), IndexState.DECLARED, 0);
  }

  /** Tables that do not exist are not reported here. */
  private static Optional<Table> table(
      Group group, Index index, ShardSchema schema, Problems problems) {
    if (index.table().isPresent()) {
      return index.table().flatMap(schema::table);
    }
    List<Table> tables =
        group.tables().keySet().stream().flatMap(name -> schema.table(name).stream()).toList();
    if (tables.size() < group.tables().size()) {
      return Optional.empty();
    }
    List<Table> having =
        tables.stream()
            .filter(table -> index.columns().stream().allMatch(c -> table.column(c).isPresent()))
            .toList();
    if (having.size() != 1) {
      String which =
          having.isEmpty() ? "no table" : having.stream().map(Table::name).toList().toString();
      problems.add(
          Optional.empty(),
          described(group, index) + " may be one of " + which + " of group " + group.name(),
          having.isEmpty()
              ? "correct its columns: no table has all of them"
              : "write table: under groups." + group.name() + ".indexes." + index.name());
      return Optional.empty();
    }
    return Optional.of(having.get(0));
  }

  private static Optional<LookupIndex> of(
      ShardDatabase database, Group group, Index index, Table table, Problems problems) {
    List<Column> columns = new ArrayList<>();
    List<KeyType> types = new ArrayList<>();
    for (String name : index.columns()) {
      Optional<Column> column = table.column(name);
      Optional<KeyType> type = column.flatMap(database::indexType);
      column.ifPresent(columns::add);
      type.ifPresent(types::add);
      if (column.isEmpty()) {
        problems.add(
            Optional.of(table.name()),
            described(group, index) + ": table " + table.name() + " has no column " + name,
            "correct its columns, or add the column on all shards");
      } else if (type.isEmpty()) {
        problems.add(
            Optional.of(table.name()),
            described(group, index)
                + ": column "
                + name
                + " is "
                + column.get().type()
                + ", which cannot be indexed",
            database.whyNoIndex(column.get()));
      }
    }
    List<Column> primaryKey = primaryKey(database, group, index, table, problems);
    Optional<String> below = database.writtenBelowTriggers(table, names(columns, primaryKey));
    below.ifPresent(
        key ->
            problems.add(
                Optional.of(table.name()),
                described(group, index)
                    + ": foreign key "
                    + key
                    + " changes its columns without triggers",
                "make it ON UPDATE RESTRICT, and ON DELETE RESTRICT or CASCADE"));
    return types.size() == index.columns().size() && !primaryKey.isEmpty() && below.isEmpty()
        ? Optional.of(
            new LookupIndex(
                new IndexName(group.name(), index.name()),
                table,
                columns,
                types,
                primaryKey,
                group.hash(),
                group.buckets()))
        : Optional.empty();
  }

  private static List<String> names(List<Column> columns, List<Column> primaryKey) {
    List<String> names = new ArrayList<>(List.of(ShardSchema.BUCKET_COLUMN));
    columns.forEach(column -> names.add(column.name()));
    primaryKey.forEach(column -> names.add(column.name()));
    return names;
  }

  /** Empty when an entry could not name a row by it. */
  private static List<Column> primaryKey(
      ShardDatabase database, Group group, Index index, Table table, Problems problems) {
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
          Optional.of(table.name()),
          described(group, index)
              + ": table "
              + table.name()
              + " has no primary key of columns"
              + " beside bucket_id, by which an entry names its row",
          "add one on all shards");
    }
    for (Column column : columns) {
      if (!database.isExact(column)) {
        problems.add(
            Optional.of(table.name()),
            described(group, index)
                + ": primary key column "
                + column.name()
                + " is "
                + column.type()
                + ", by which an entry cannot name a row",
            "use integers, texts, UUIDs, dates or byte strings in the primary key");
        return List.of();
      }
    }
    return columns;
  }

  private static String described(Group group, Index index) {
    return "lookup index " + group.name() + "." + index.name() + " " + index.columns();
  }
}
