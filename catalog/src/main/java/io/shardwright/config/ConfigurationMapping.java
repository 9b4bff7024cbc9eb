package io.shardwright.config;

import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Moves;
import io.shardwright.config.Configuration.Redis;
import io.shardwright.config.Configuration.Scatter;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The top level of the file: what it holds and what must agree across its parts. Reads on after a
 * mistake; the result counts only if no problem was added.
 */
final class ConfigurationMapping {
  private static final List<String> KEYS =
      List.of(
          "version",
          "catalog",
          "shards",
          "groups",
          "reference",
          "single",
          "warn_shards",
          "scatter",
          "redis",
          "moves",
          "mover",
          "heat",
          "query");
  private static final Duration CUTOVER_WAIT_MAX = Duration.ofMinutes(5);
  private static final int VERSION = 1;
  private static final int WARN_SHARDS_MAX = 1_000_000;
  private static final String SHARDS = "write shards: {s0: {url: ..., user: ...}}";
  private static final String SINGLE = "write single: {s0: [table, table]}";
  private static final String GROUPS =
      "write groups: {name: {key: [column], buckets: 4096, tables: {table: {}}}}";

  private final YamlMap root;

  /** Where each table was first named, to find it a second time. */
  private final Map<String, String> tablePlaces = new HashMap<>();

  ConfigurationMapping(YamlMap root) {
    this.root = root.allow(KEYS);
  }

  Configuration read() {
    readVersion();
    Optional<Endpoint> catalog =
        root.has("catalog")
            ? root.map("catalog")
                .map(map -> map.allow(EndpointMapping.KEYS))
                .flatMap(this::endpoint)
            : Optional.empty();
    Map<ShardId, Shard> shards = new LinkedHashMap<>();
    root.requireMap("shards", SHARDS).ifPresent(map -> readShards(map, shards));
    Map<String, Group> groups = new LinkedHashMap<>();
    Scatter scatter = ScatterMapping.read(root, "scatter", Scatter.DEFAULT);
    root.requireMap("groups", GROUPS).ifPresent(map -> readGroups(map, shards, scatter, groups));
    Optional<Redis> redis = CacheMapping.redis(root);
    checkRedis(groups, redis);
    return new Configuration(
        catalog,
        shards,
        groups,
        reference(),
        single(shards),
        redis,
        warnShards(),
        moves(),
        MoverMapping.read(root, shards.values()),
        HeatMapping.read(root),
        QueryMapping.read(root, tablesOf(groups)));
  }

  private static Set<String> tablesOf(Map<String, Group> groups) {
    return groups.values().stream()
        .flatMap(group -> group.tables().keySet().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private void readVersion() {
    root.requireText("version", "write version: " + VERSION)
        .filter(version -> !version.equals(Integer.toString(VERSION)))
        .ifPresent(
            version ->
                root.problem(
                    "version",
                    "is " + root.shown("version"),
                    "this release reads version: " + VERSION));
  }

  private Optional<Endpoint> endpoint(YamlMap map) {
    return new EndpointMapping(map).endpoint();
  }

  private void readShards(YamlMap map, Map<ShardId, Shard> shards) {
    if (map.names().isEmpty()) {
      map.problem("holds no shard", SHARDS);
    }
    Map<String, String> shardByDatabase = new HashMap<>();
    for (String name : map.names()) {
      if (!ShardId.isValid(name)) {
        map.problem(
            name,
            "is not a shard name",
            "use a lower-case letter, then up to 62 lower-case letters, digits, _ or -");
      }
      Optional<Shard> shard =
          map.map(name).flatMap(entry -> new EndpointMapping(entry).shard(name));
      shard.ifPresent(s -> shards.put(s.id(), s));
      shard
          .map(s -> shardByDatabase.putIfAbsent(EndpointMapping.database(s.endpoint().url()), name))
          .ifPresent(
              other ->
                  map.problem(
                      name,
                      "has the same database as shard " + other,
                      "give each shard a database of its own"));
    }
    checkProduct(map, shards);
  }

  /** What merges rows of one product cannot merge those of two. */
  private static void checkProduct(YamlMap map, Map<ShardId, Shard> shards) {
    Shard first = null;
    for (Shard shard : shards.values()) {
      first = first == null ? shard : first;
      if (shard.endpoint().product() != first.endpoint().product()) {
        map.problem(
            shard.id().name(),
            "is "
                + shard.endpoint().product()
                + " and shard "
                + first.id()
                + " is "
                + first.endpoint().product(),
            "all shards are of one product; the catalog may be of the other one");
      }
    }
  }

  private void readGroups(
      YamlMap map, Map<ShardId, Shard> shards, Scatter scatter, Map<String, Group> groups) {
    if (map.names().isEmpty()) {
      map.problem("holds no group", GROUPS);
    }
    for (String name : map.names()) {
      if (!ShardId.isValid(name)) {
        map.problem(
            name,
            "is not a group name",
            "use a lower-case letter, then up to 62 lower-case letters, digits, _ or -");
      }
      map.map(name)
          .flatMap(
              entry ->
                  new GroupMapping(name, entry, tablePlaces, shards, root.has("catalog"))
                      .group(scatter))
          .ifPresent(group -> groups.put(name, group));
    }
  }

  private void checkRedis(Map<String, Group> groups, Optional<Redis> redis) {
    boolean wanted =
        groups.values().stream()
            .flatMap(group -> group.indexes().values().stream())
            .anyMatch(
                index ->
                    index.kind() instanceof IndexKind.Unique unique
                        && unique.cache().filter(IndexKind.Cache::redis).isPresent());
    if (wanted && redis.isEmpty()) {
      root.problem(
          "redis",
          "is missing, which a cache of a lookup index uses",
          "write redis: {url: \"redis://host:6379\"}");
    }
  }

  private OptionalInt warnShards() {
    return root.has("warn_shards")
        ? root.integer("warn_shards", 1, WARN_SHARDS_MAX)
        : OptionalInt.empty();
  }

  private Moves moves() {
    Optional<YamlMap> map = root.has("moves") ? root.map("moves") : Optional.empty();
    return map.map(found -> found.allow(List.of("cutover_wait")))
        .flatMap(found -> found.duration("cutover_wait", Duration.ofMillis(1), CUTOVER_WAIT_MAX))
        .map(Moves::new)
        .orElse(Moves.DEFAULT);
  }

  private List<String> reference() {
    List<String> tables = new ArrayList<>();
    for (YamlMap.Text table : root.texts("reference").orElse(List.of())) {
      tables.add(tableName(root, table, "reference"));
    }
    return tables;
  }

  private Map<String, ShardId> single(Map<ShardId, Shard> shards) {
    Map<String, ShardId> tables = new LinkedHashMap<>();
    Optional<YamlMap> byShard = root.has("single") ? root.map("single") : Optional.empty();
    for (String shard : byShard.map(YamlMap::names).orElse(List.of())) {
      YamlMap map = byShard.get();
      if (!ShardId.isValid(shard) || !shards.containsKey(new ShardId(shard))) {
        map.problem(shard, "is not a shard of this file", SINGLE);
        continue;
      }
      for (YamlMap.Text table : map.texts(shard).orElse(List.of())) {
        tables.put(tableName(map, table, "single"), new ShardId(shard));
      }
    }
    return tables;
  }

  private String tableName(YamlMap map, YamlMap.Text table, String kind) {
    GroupMapping.checkName(map, table, "table");
    String place = tablePlaces.putIfAbsent(table.value(), kind);
    if (place != null) {
      map.problem(
          table,
          "table " + table.value() + " is already in " + place,
          "a table is in one group, a reference table or a single one: remove one of the two");
    }
    return table.value();
  }
}
