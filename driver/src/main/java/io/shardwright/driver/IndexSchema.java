package io.shardwright.driver;

import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.IndexName;
import io.shardwright.config.Configuration;
import io.shardwright.config.IndexKind;
import io.shardwright.lookup.ListIndex;
import io.shardwright.lookup.ListIndex.CoveringColumn;
import io.shardwright.lookup.ListIndex.ListColumn;
import io.shardwright.lookup.UniqueIndex;
import io.shardwright.lookup.UniqueIndex.IndexColumn;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.LookupIndex;
import io.shardwright.schema.ShardSchema;
import io.shardwright.sql.ListIndex.Covering;
import io.shardwright.sql.ListIndex.EntryBuckets;
import io.shardwright.sql.Schema;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The lookup indexes of a schema: those that writes maintain. */
final class IndexSchema {
  private IndexSchema() {}

  /**
   * Unique ones by {@code group.index}. One that is on record but does not fit the tables is left
   * out.
   */
  static Map<String, UniqueIndex> indexes(
      Configuration configuration, CatalogState state, ShardSchema shard) {
    Map<String, UniqueIndex> indexes = new HashMap<>();
    for (CatalogIndex known : state.indexes().values()) {
      if (known.list().isEmpty()) {
        find(configuration, known, shard)
            .map(found -> UniqueIndex.of(found, configuration.product()))
            .ifPresent(index -> indexes.put(known.name().placement(), index));
      }
    }
    return indexes;
  }

  /** The same of those that are not unique. */
  static Map<String, ListIndex> lists(
      Configuration configuration, CatalogState state, ShardSchema shard) {
    Map<String, ListIndex> lists = new HashMap<>();
    for (CatalogIndex known : state.indexes().values()) {
      if (known.list().isPresent()) {
        find(configuration, known, shard)
            .map(found -> ListIndex.of(found, known, configuration.product()))
            .ifPresent(list -> lists.put(known.name().placement(), list));
      }
    }
    return lists;
  }

  private static Optional<LookupIndex> find(
      Configuration configuration, CatalogIndex known, ShardSchema shard) {
    Configuration.Group group = configuration.groups().get(known.name().group());
    return known.state().isMaintained() && group != null
        ? Optional.ofNullable(group.indexes().get(known.name().index()))
            .flatMap(index -> LookupIndex.find(configuration.product(), group, index, shard))
        : Optional.empty();
  }

  /** Of those unique indexes that the file gives one. */
  static Map<String, IndexKind.Cache> caches(Configuration configuration) {
    Map<String, IndexKind.Cache> caches = new HashMap<>();
    for (Configuration.Group group : configuration.groups().values()) {
      for (Configuration.Index index : group.indexes().values()) {
        if (index.kind() instanceof IndexKind.Unique unique) {
          unique
              .cache()
              .ifPresent(
                  cache ->
                      caches.put(new IndexName(group.name(), index.name()).placement(), cache));
        }
      }
    }
    return caches;
  }

  /** Those of one table, as the planner sees them. */
  static List<Schema.LookupIndex> lookups(String table, Collection<UniqueIndex> indexes) {
    return indexes.stream()
        .filter(index -> index.table().equals(table))
        .map(IndexSchema::lookup)
        .toList();
  }

  private static Schema.LookupIndex lookup(UniqueIndex index) {
    return new Schema.LookupIndex(
        index.name().placement(),
        names(index.columns()),
        index.columns().stream().map(column -> compared(column.keyType())).toList(),
        names(index.primaryKey()));
  }

  /** Those that are not unique of one table, as the planner sees them. */
  static List<io.shardwright.sql.ListIndex> listed(String table, Collection<ListIndex> lists) {
    return lists.stream()
        .filter(list -> list.table().equals(table))
        .map(IndexSchema::listed)
        .toList();
  }

  private static io.shardwright.sql.ListIndex listed(ListIndex list) {
    Map<String, Covering> covering = new HashMap<>();
    for (CoveringColumn column : list.covering()) {
      covering.put(
          column.column().name(),
          switch (column.covering()) {
            case STALE_OK -> Covering.STALE_OK;
            case CHECK -> Covering.CHECK;
          });
    }
    Schema.Sharding entries =
        new Schema.Sharding(
            list.name().placement(),
            listNames(list.shardBy()),
            list.function(),
            Optional.empty(),
            List.of(),
            Optional.of(new Buckets(list)));
    return new io.shardwright.sql.ListIndex(
        list.view(), entries, listNames(list.columns()), covering, listNames(list.primaryKey()));
  }

  private static List<String> listNames(List<ListColumn> columns) {
    return columns.stream().map(ListColumn::name).toList();
  }

  /** Where the entries of values are. */
  private record Buckets(ListIndex list) implements EntryBuckets {
    @Override
    public List<BucketId> of(List<?> values) {
      return list.buckets(values);
    }

    @Override
    public boolean isSpread() {
      return !list.spread().giants().isEmpty();
    }
  }

  /** Folding is for the hash only. */
  private static KeyType compared(KeyType type) {
    return type == KeyType.FOLDED_TEXT ? KeyType.TEXT : type;
  }

  private static List<String> names(List<IndexColumn> columns) {
    return columns.stream().map(IndexColumn::name).toList();
  }
}
