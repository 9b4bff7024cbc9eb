package io.shardwright.schema;

import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.IndexName;
import io.shardwright.catalog.IndexState;
import io.shardwright.catalog.ListRecord;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Index;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.config.IndexKind;
import io.shardwright.config.IndexKind.Listing;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A declared lookup index, found in the tables of a shard.
 *
 * @param columns the indexed ones; the first of them are hashed, in this order
 * @param covering further ones that its entries hold
 * @param primaryKey of the table, without bucket_id; one or more
 * @param function from the values that are hashed to the bucket of their entry. NULLs have none,
 *     and no entry. Its types are never those of {@link Column#keyType()}, which is empty for texts
 *     that are folded
 */
public record LookupIndex(
    IndexName name,
    Table table,
    IndexKind kind,
    List<Column> columns,
    List<Column> covering,
    List<Column> primaryKey,
    BucketFunction function) {
  public LookupIndex {
    columns = List.copyOf(columns);
    covering = List.copyOf(covering);
    primaryKey = List.copyOf(primaryKey);
  }

  /** Hears of what is wrong with an index. */
  interface Problems {
    /**
     * @param table empty: none is at fault alone
     */
    void add(Optional<String> table, String message, String action);
  }

  /** Of the columns that are hashed. */
  public List<KeyType> types() {
    return function.types();
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
        name,
        table.name(),
        columns.stream().map(Column::name).toList(),
        kind instanceof Listing listing ? Optional.of(ListRecord.of(listing)) : Optional.empty(),
        IndexState.DECLARED,
        0);
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
    IndexColumns columns =
        new IndexColumns(
            database,
            table,
            described(group, index),
            (message, action) -> problems.add(Optional.of(table.name()), message, action));
    List<String> covered =
        index.kind() instanceof Listing listing
            ? List.copyOf(listing.covering().keySet())
            : List.of();
    List<KeyType> types = columns.hashed(index.shardBy());
    List<Column> ordered =
        columns.ordered(index.columns().subList(index.shardBy().size(), index.columns().size()));
    List<Column> covering = columns.compared(covered);
    List<Column> primaryKey = columns.primaryKey(covered);
    List<String> names = new ArrayList<>(List.of(ShardSchema.BUCKET_COLUMN));
    names.addAll(index.columns());
    names.addAll(covered);
    primaryKey.forEach(column -> names.add(column.name()));
    // An entry that a unique index has too many is harmless; here it would be an answer.
    boolean deletesUnseen = index.kind() instanceof Listing && columns.deletedBelowTriggers();
    boolean changesUnseen = columns.writtenBelowTriggers(names);
    if (types.size() < index.shardBy().size()
        || index.shardBy().size() + ordered.size() < index.columns().size()
        || covering.size() < covered.size()
        || primaryKey.isEmpty()
        || changesUnseen
        || deletesUnseen) {
      return Optional.empty();
    }
    return Optional.of(
        new LookupIndex(
            new IndexName(group.name(), index.name()),
            table,
            index.kind(),
            index.columns().stream().map(name -> table.column(name).orElseThrow()).toList(),
            covering,
            primaryKey,
            new BucketFunction(types, group.hash(), group.buckets())));
  }

  private static String described(Group group, Index index) {
    return "lookup index " + group.name() + "." + index.name() + " " + index.columns();
  }
}
