package io.shardwright.config;

import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.IdColumn;
import io.shardwright.config.Configuration.Index;
import io.shardwright.config.Configuration.Invariant;
import io.shardwright.config.Configuration.Scatter;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.config.Configuration.Table;
import io.shardwright.config.Configuration.UniqueScope;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.Directory;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** One table group. */
final class GroupMapping {
  private static final List<String> KEYS =
      List.of(
          "key",
          "buckets",
          "directory",
          "hash",
          "layout",
          "id",
          "tables",
          "scatter",
          "indexes",
          "invariants",
          "zones");
  private static final List<String> TABLE_KEYS = List.of("key", "unique", "verify");
  private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]{0,62}");
  private static final String TABLES = "write tables: {table: {}}";

  private final String name;
  private final YamlMap map;
  private final Map<String, String> tablePlaces;
  private final Map<ShardId, Shard> shards;
  private final boolean catalog;

  /**
   * @param shards that have to share the buckets
   * @param catalog whether the file names one
   */
  GroupMapping(
      String name,
      YamlMap map,
      Map<String, String> tablePlaces,
      Map<ShardId, Shard> shards,
      boolean catalog) {
    this.name = name;
    this.map = map.allow(KEYS);
    this.tablePlaces = tablePlaces;
    this.shards = shards;
    this.catalog = catalog;
  }

  /**
   * @param scatter where the group says nothing
   */
  Optional<Group> group(Scatter scatter) {
    if (!map.has("key")) {
      map.problem("key", "is missing", "write key: [column]");
    }
    List<String> key = map.has("key") ? key(map) : List.of();
    OptionalInt buckets = map.requireInteger("buckets", 1, BucketFunction.MAX_BUCKETS);
    Directory directory = DirectoryMapping.read(map, key.size(), buckets);
    OptionalInt all =
        buckets.isEmpty() ? buckets : OptionalInt.of(buckets.getAsInt() + directory.reserved());
    List<IdColumn> ids = new IdMapping(map, key, buckets, all, this::folded).columns();
    checkBuckets(buckets);
    readHash();
    readLayout();
    Map<String, Table> tables = new LinkedHashMap<>();
    map.requireMap("tables", TABLES).ifPresent(entry -> readTables(entry, key, tables));
    Map<String, Index> indexes =
        new IndexMapping(name, map, catalog, this::folded).read(tables.keySet(), buckets);
    Scatter own = ScatterMapping.read(map, "groups." + name + ".scatter", scatter);
    List<Invariant> invariants = invariants();
    if (map.has("zones") && !catalog) {
      map.problem("zones", "is for maps that can change", "add catalog: or leave zones: out");
    }
    List<Zone> zones = ZoneMapping.zones(map, all, shards.values());
    return buckets.isEmpty() || key.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Group(
                name,
                key,
                buckets.getAsInt(),
                directory,
                HashAlgorithm.XXH64,
                ids,
                tables,
                own,
                indexes,
                invariants,
                zones));
  }

  private List<Invariant> invariants() {
    List<Invariant> invariants = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlMap entry : map.maps("invariants")) {
      entry.allow(List.of("name", "sql"));
      Optional<String> called = entry.requireText("name", "give it a name, which messages tell");
      Optional<String> sql =
          entry.requireText("sql", "write a SELECT that finds what breaks the invariant");
      called
          .filter(text -> !names.add(text))
          .ifPresent(text -> entry.problem("name", "is there twice", "give each its own name"));
      sql.flatMap(text -> InvariantSql.of(text).mistake())
          .ifPresent(mistake -> entry.problem("sql", mistake));
      if (called.isPresent() && sql.isPresent()) {
        invariants.add(new Invariant(called.get(), sql.get()));
      }
    }
    return invariants;
  }

  /** Names are those that the database stores; a schema in front of a table is not read. */
  static boolean checkName(YamlMap map, YamlMap.Text name, String what) {
    Optional<Mistake> mistake = nameMistake(name.value(), what);
    mistake.ifPresent(m -> map.problem(name, m.message(), m.instead()));
    return mistake.isEmpty();
  }

  static Optional<Mistake> nameMistake(String name, String what) {
    String quoted = "'" + name + "' is not a " + what + " name";
    if (name.indexOf('.') >= 0) {
      return Optional.of(
          new Mistake(quoted, "write it without schema; the connection's search_path finds it"));
    }
    if (!NAME.matcher(name).matches()) {
      return Optional.of(
          new Mistake(
              quoted, "use a letter or _, then up to 62 letters, digits, _ or $, without quotes"));
    }
    if (name.startsWith("shardwright_") || name.equals("bucket_id")) {
      return Optional.of(new Mistake(quoted, "the name is reserved; use another one"));
    }
    return Optional.empty();
  }

  /** Column names as the database compares them: MariaDB's without case. */
  private String folded(String column) {
    boolean caseless =
        shards.values().stream()
            .anyMatch(shard -> shard.endpoint().product() == DatabaseProduct.MARIADB);
    return caseless ? column.toLowerCase(Locale.ROOT) : column;
  }

  private List<String> key(YamlMap map) {
    Optional<List<YamlMap.Text>> list = map.texts("key");
    List<YamlMap.Text> columns = list.orElse(List.of());
    if (list.isPresent() && columns.isEmpty()) {
      map.problem("key", "has no column", "write key: [column]");
    }
    if (columns.size() > BucketFunction.MAX_COLUMNS) {
      map.problem(
          "key", "has " + columns.size() + " columns", "use at most " + BucketFunction.MAX_COLUMNS);
    }
    Set<String> seen = new HashSet<>();
    for (YamlMap.Text column : columns) {
      if (checkName(map, column, "column") && !seen.add(folded(column.value()))) {
        map.problem(column, "column " + column.value() + " is there twice", "name it once");
      }
    }
    return columns.stream().map(YamlMap.Text::value).map(this::folded).toList();
  }

  private void checkBuckets(OptionalInt buckets) {
    if (buckets.isPresent() && shards.size() > buckets.getAsInt()) {
      map.problem(
          "buckets",
          "is " + buckets.getAsInt() + ", fewer than the " + shards.size() + " shards",
          "use far more buckets than shards, e.g. 4096; they are fixed for the life of the group");
    }
  }

  private void readHash() {
    map.text("hash")
        .filter(hash -> !hash.equals("xxh64"))
        .ifPresent(
            hash ->
                map.problem(
                    "hash",
                    "is " + map.shown("hash") + ", which is not in this version",
                    "write hash: xxh64 or leave it out"));
  }

  private void readLayout() {
    map.text("layout")
        .filter(layout -> !layout.equals("column"))
        .ifPresent(
            layout ->
                map.problem(
                    "layout",
                    "is " + map.shown("layout") + ", which is not in this version",
                    "write layout: column or leave it out"));
  }

  private void readTables(YamlMap tableMap, List<String> groupKey, Map<String, Table> tables) {
    if (tableMap.names().isEmpty()) {
      tableMap.problem("holds no table", TABLES);
    }
    for (String table : tableMap.names()) {
      nameMistake(table, "table").ifPresent(m -> tableMap.problem(table, m));
      String place = tablePlaces.putIfAbsent(table, "group " + name);
      if (place != null) {
        tableMap.problem(
            table,
            "table " + table + " is already in " + place,
            "a table is in one group, a reference table or a single one: remove one of the two");
      }
      tableMap.map(table).ifPresent(e -> tables.put(table, table(table, e, groupKey)));
    }
  }

  private Table table(String name, YamlMap entry, List<String> groupKey) {
    entry.allow(TABLE_KEYS);
    List<String> key = entry.has("key") ? key(entry) : groupKey;
    if (!groupKey.isEmpty() && !key.isEmpty() && key.size() != groupKey.size()) {
      entry.problem(
          "key",
          "has " + key.size() + " columns, the group's key has " + groupKey.size(),
          "name this table's column for each of " + groupKey + ", in this order");
    }
    Map<String, UniqueScope> unique = new LinkedHashMap<>();
    entry.map("unique").ifPresent(decisions -> readUnique(decisions, unique));
    return new Table(name, key, unique, notCompared(entry, key));
  }

  private List<String> notCompared(YamlMap entry, List<String> key) {
    Optional<YamlMap> verify = entry.map("verify").map(m -> m.allow(List.of("exclude")));
    List<String> columns = new ArrayList<>();
    for (YamlMap.Text column : verify.flatMap(m -> m.texts("exclude")).orElse(List.of())) {
      if (checkName(entry, column, "column")) {
        String folded = folded(column.value());
        if (key.contains(folded)) {
          entry.problem(
              column,
              "column " + column.value() + " is in the table's key",
              "keys are always compared: take it out");
        }
        columns.add(folded);
      }
    }
    return columns;
  }

  private void readUnique(YamlMap decisions, Map<String, UniqueScope> unique) {
    for (String constraint : decisions.names()) {
      String scope = decisions.requireText(constraint, "write local, id or index").orElse("");
      switch (scope) {
        case "local" -> unique.put(constraint, UniqueScope.LOCAL);
        case "id" -> unique.put(constraint, UniqueScope.ID);
        case "" -> {}
        case "index" -> {
          unique.put(constraint, UniqueScope.INDEX);
          if (!map.has("indexes")) {
            decisions.problem(
                constraint,
                "is 'index', and group " + name + " has no lookup index",
                "declare it: " + IndexMapping.INDEXES);
          }
        }
        default ->
            decisions.problem(
                constraint,
                "is " + decisions.shown(constraint),
                "write local (unique within one shard), id (values are issued unique) or index (a"
                    + " lookup index guards them over all shards)");
      }
    }
  }
}
