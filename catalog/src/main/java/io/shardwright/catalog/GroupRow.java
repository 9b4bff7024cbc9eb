package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Index;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A group as the catalog records it. */
record GroupRow(Definition definition, long mapVersion, List<MapRange> ranges) {
  static final String LAYOUT = "column";

  /** What is fixed for the life of a group. */
  record Definition(String name, List<String> key, String hash, int buckets, String layout) {
    Definition {
      key = List.copyOf(key);
    }

    static Definition of(Group group) {
      return new Definition(group.name(), group.key(), hashName(group), group.buckets(), LAYOUT);
    }

    /** By the name of a bucket map: of a group, or of an index. */
    static Optional<Definition> of(Configuration configuration, String name) {
      if (name.indexOf('.') < 0) {
        return Optional.ofNullable(configuration.groups().get(name)).map(Definition::of);
      }
      IndexName index = IndexName.parse(name);
      return Optional.ofNullable(configuration.groups().get(index.group()))
          .filter(group -> group.indexes().containsKey(index.index()))
          .map(group -> of(group, group.indexes().get(index.index())));
    }

    /** An index has the hash and the buckets of its group, and a map of its own. */
    static Definition of(Group group, Index index) {
      return new Definition(
          new IndexName(group.name(), index.name()).placement(),
          index.shardBy(),
          hashName(group),
          group.buckets(),
          LAYOUT);
    }
  }

  static String hashName(Group group) {
    return group.hash().name().toLowerCase(Locale.ROOT);
  }

  static List<String> splitNames(String names) {
    return Arrays.asList(names.split(",", -1));
  }

  /** How many its map has: V, and with a directory more. */
  int buckets() {
    return ranges.isEmpty()
        ? definition.buckets
        : Math.max(definition.buckets, ranges.get(ranges.size() - 1).last() + 1);
  }

  /**
   * @param buckets that it must have, the reserved ones included
   * @throws ShardwrightException SW416 when the file says otherwise, or lacks a shard of the map
   */
  BucketMap checkedMap(Definition file, Set<ShardId> shards, int buckets) {
    check("key", definition.key, file.key);
    check("buckets", definition.buckets, file.buckets);
    check("hash", definition.hash, file.hash);
    check("layout", definition.layout, file.layout);
    BucketMap map = MapRange.toMap(definition.name, mapVersion, buckets, ranges);
    for (ShardId owner : map.shards()) {
      if (!shards.contains(owner)) {
        throw new UnknownShardException(
            "version " + mapVersion + " of the bucket map of group " + definition.name, owner);
      }
    }
    return map;
  }

  private void check(String what, Object catalog, Object file) {
    if (!catalog.equals(file)) {
      throw new ShardwrightException(
          ErrorCode.CATALOG_MISMATCH,
          "group "
              + definition.name
              + ": "
              + what
              + " is "
              + catalog
              + " in the catalog and "
              + file
              + " in the file; key, buckets, hash and layout are fixed for the life of a group:"
              + " write "
              + what
              + ": "
              + catalog
              + " in the file, or use a new group");
    }
  }
}
