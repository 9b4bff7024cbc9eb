package io.shardwright.driver;

import io.shardwright.catalog.CatalogState;
import io.shardwright.config.Configuration;
import io.shardwright.lookup.ListIndex;
import io.shardwright.lookup.UniqueIndex;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.ShardSchema;
import io.shardwright.sql.Dialect;
import io.shardwright.sql.Planner;
import io.shardwright.sql.Schema;
import io.shardwright.sql.Schema.GeneIdColumn;
import io.shardwright.sql.Schema.Sharding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The schema as it was last read, and the plans made for it. A changed schema is a new object, with
 * an empty plan cache.
 */
final class LogicalDatabase {
  private static final String GENE_CHECK_PREFIX = "shardwright_gene_";

  private final Schema schema;
  private final Map<String, UniqueIndex> indexes;
  private final Map<String, ListIndex> lists;
  private final int reserved;
  private final long version;
  private final PlanCache plans;

  private LogicalDatabase(
      Schema schema,
      Map<String, UniqueIndex> indexes,
      Map<String, ListIndex> lists,
      CatalogState state,
      Statistics statistics) {
    this.schema = schema;
    this.indexes = Map.copyOf(indexes);
    this.lists = Map.copyOf(lists);
    this.reserved = state.reserved();
    this.version = state.version();
    this.plans = new PlanCache(new Planner(schema), reserved, statistics, PlanCache.MAX_PLANS);
  }

  static LogicalDatabase of(
      Configuration configuration, CatalogState state, ShardSchema shard, Statistics statistics) {
    Map<String, UniqueIndex> indexes = IndexSchema.indexes(configuration, state, shard);
    Map<String, ListIndex> lists = IndexSchema.lists(configuration, state, shard);
    return new LogicalDatabase(
        schema(configuration, state, shard, indexes, lists), indexes, lists, state, statistics);
  }

  /** A unique one by {@code group.index}; empty when nothing maintains it. */
  Optional<UniqueIndex> index(String name) {
    return Optional.ofNullable(indexes.get(name));
  }

  Set<String> tablesWithUniqueIndexes() {
    return indexes.values().stream().map(UniqueIndex::table).collect(Collectors.toSet());
  }

  /** One that is not unique by {@code group.index}; empty when nothing maintains it. */
  Optional<ListIndex> list(String name) {
    return Optional.ofNullable(lists.get(name));
  }

  /** All that are not unique and maintained. */
  Collection<ListIndex> lists() {
    return lists.values();
  }

  Schema schema() {
    return schema;
  }

  /** How many buckets the directories reserve that it routes by. */
  int reserved() {
    return reserved;
  }

  /** Of the catalog's state by which it plans. */
  long version() {
    return version;
  }

  PlanCache plans() {
    return plans;
  }

  /** Every table that the configuration names. */
  static Set<String> tableNames(Configuration configuration) {
    Set<String> names = new LinkedHashSet<>(configuration.reference());
    for (Configuration.Group group : configuration.groups().values()) {
      names.addAll(group.tables().keySet());
    }
    names.addAll(configuration.single().keySet());
    return names;
  }

  /**
   * The tables of the configuration that exist on a shard. A sharded table whose key columns are
   * missing or cannot be hashed is left out: {@code shardwright apply} says why.
   */
  private static Schema schema(
      Configuration configuration,
      CatalogState state,
      ShardSchema shard,
      Map<String, UniqueIndex> indexes,
      Map<String, ListIndex> lists) {
    ColumnOrders orders = new ColumnOrders(configuration.product(), shard.settings());
    List<Schema.Table> tables = new ArrayList<>();
    for (Configuration.Group group : configuration.groups().values()) {
      for (Configuration.Table table : group.tables().values()) {
        shard
            .table(table.name())
            .flatMap(found -> sharded(group, state, table, found, orders, indexes))
            .map(sharded -> sharded.withLists(IndexSchema.listed(table.name(), lists.values())))
            .ifPresent(tables::add);
      }
    }
    for (String name : configuration.reference()) {
      shard
          .table(name)
          .ifPresent(
              found ->
                  tables.add(new Schema.Table(name, Optional.empty(), columns(found, orders))));
    }
    for (Map.Entry<String, ShardId> single : configuration.single().entrySet()) {
      shard
          .table(single.getKey())
          .ifPresent(
              found ->
                  tables.add(
                      new Schema.Table(
                          found.name(),
                          Optional.empty(),
                          Optional.of(single.getValue()),
                          columns(found, orders))));
    }
    return Schema.of(dialect(configuration), tables);
  }

  private static Dialect dialect(Configuration configuration) {
    return PhysicalDatabase.of(configuration.product())
        .dialect(
            configuration.shards().values().stream().map(shard -> shard.endpoint().url()).toList());
  }

  private static Optional<Schema.Table> sharded(
      Configuration.Group group,
      CatalogState state,
      Configuration.Table table,
      ShardSchema.Table found,
      ColumnOrders orders,
      Map<String, UniqueIndex> indexes) {
    List<KeyType> types = new ArrayList<>();
    for (String key : table.key()) {
      Optional<KeyType> type = found.column(key).flatMap(ShardSchema.Column::keyType);
      if (type.isEmpty()) {
        return Optional.empty();
      }
      types.add(type.get());
    }
    BucketFunction function = state.function(group, types);
    List<Schema.LookupIndex> lookups = IndexSchema.lookups(table.name(), indexes.values());
    Sharding sharding =
        new Sharding(
            group.name(),
            table.key(),
            function,
            geneId(group, table, found),
            NumberColumns.of(group, table, found, function, lookups),
            Optional.empty());
    return Optional.of(
        new Schema.Table(
            table.name(),
            Optional.of(sharding),
            Optional.empty(),
            columns(found, orders),
            uniques(found),
            lookups,
            List.of()));
  }

  private static List<List<String>> uniques(ShardSchema.Table found) {
    return found.uniques().stream()
        .filter(unique -> unique.kind() != ShardSchema.UniqueKind.EXCLUSION)
        .map(ShardSchema.Unique::columns)
        .toList();
  }

  /** An id routes only where a CHECK on the shard guarantees that its gene is the bucket. */
  private static Optional<GeneIdColumn> geneId(
      Configuration.Group group, Configuration.Table table, ShardSchema.Table found) {
    // A NULL id passes the CHECK but names no bucket.
    boolean usable =
        group.id().flatMap(id -> found.column(id.column())).filter(c -> !c.nullable()).isPresent();
    if (!usable) {
      return Optional.empty();
    }
    String column = group.id().get().column();
    GeneIdLayout layout = group.id().get().layout();
    boolean guarded = found.checks().stream().anyMatch(check -> guards(check, column, layout));
    return guarded
        ? Optional.of(new GeneIdColumn(column, layout, isOwnId(column, table, found)))
        : Optional.empty();
  }

  /**
   * Whether it alone, beside the columns that place the row, is the primary key, and leads to no
   * other table.
   */
  private static boolean isOwnId(
      String column, Configuration.Table table, ShardSchema.Table found) {
    return found.foreignKeys().stream().noneMatch(foreign -> foreign.columns().contains(column))
        && found.uniques().stream()
            .filter(unique -> unique.kind() == ShardSchema.UniqueKind.PRIMARY_KEY)
            .anyMatch(
                primary ->
                    primary.columns().contains(column)
                        && primary.columns().stream()
                            .allMatch(
                                other ->
                                    other.equals(column)
                                        || other.equals(ShardSchema.BUCKET_COLUMN)
                                        || table.key().contains(other)));
  }

  private static boolean guards(ShardSchema.Check check, String column, GeneIdLayout layout) {
    String bare = check.definition().replaceAll("[\\s()\"`]", "").toLowerCase(Locale.ROOT);
    return check.validated()
        && check.name().startsWith(GENE_CHECK_PREFIX)
        && bare.contains(column.toLowerCase(Locale.ROOT) + ">>" + layout.geneShift())
        && bare.contains("&" + (layout.buckets() - 1));
  }

  private static List<Schema.Column> columns(ShardSchema.Table table, ColumnOrders orders) {
    return table.columns().stream().map(column -> column(column, orders)).toList();
  }

  private static Schema.Column column(ShardSchema.Column column, ColumnOrders orders) {
    Optional<String> own =
        column
            .collation()
            .map(ShardSchema.Collation::name)
            .filter(n -> !n.equals(orders.settings().collation()));
    return new Schema.Column(
        column.name(),
        orders.of(column),
        column.maxLength(),
        own,
        column.keyType(),
        integers(column.typeName()));
  }

  /** What MariaDB's integer types hold; INSERT IGNORE stores the nearest of it. */
  private static Optional<Schema.Integers> integers(String typeName) {
    return switch (typeName) {
      case "tinyint" -> Optional.of(new Schema.Integers(Byte.MIN_VALUE, Byte.MAX_VALUE));
      case "tinyint unsigned" -> Optional.of(new Schema.Integers(0, (1 << 8) - 1));
      case "smallint" -> Optional.of(new Schema.Integers(Short.MIN_VALUE, Short.MAX_VALUE));
      case "smallint unsigned" -> Optional.of(new Schema.Integers(0, (1 << 16) - 1));
      case "mediumint" -> Optional.of(new Schema.Integers(-(1 << 23), (1 << 23) - 1));
      case "mediumint unsigned" -> Optional.of(new Schema.Integers(0, (1 << 24) - 1));
      case "int" -> Optional.of(new Schema.Integers(Integer.MIN_VALUE, Integer.MAX_VALUE));
      case "int unsigned" -> Optional.of(new Schema.Integers(0, (1L << 32) - 1));
      case "bigint" -> Optional.of(new Schema.Integers(Long.MIN_VALUE, Long.MAX_VALUE));
      default -> Optional.empty();
    };
  }
}
