package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.Directory;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ReservedBuckets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What the catalog held at one instant.
 *
 * @param clusterId names this set of shards, equal on every shard; empty without a catalog database
 * @param version grows with each change of maps and indexes; 0 without a catalog database, and in
 *     one that an older release set up
 * @param maps the current bucket map by group, one for each group of the configuration; and by
 *     {@link IndexName#placement} one for each index of the configuration that is in {@code
 *     indexes}
 * @param directories by group those that are on record; a group without one has no entry
 * @param indexes by {@link IndexName#placement}, those that the catalog has on record
 * @param announced by group or {@link IndexName#placement} the buckets whose rows may be on two
 *     shards, or change their owner; a group of which none is has no entry
 */
public record CatalogState(
    Optional<UUID> clusterId,
    long version,
    Map<String, BucketMap> maps,
    Map<String, Directory> directories,
    Map<String, CatalogIndex> indexes,
    Map<String, BucketSet> announced) {
  public CatalogState {
    maps = Map.copyOf(maps);
    directories = Map.copyOf(directories);
    indexes = Map.copyOf(indexes);
    announced = Map.copyOf(announced);
  }

  /** Without directories, indexes and moves. */
  public CatalogState(Optional<UUID> clusterId, Map<String, BucketMap> maps) {
    this(clusterId, 0, maps, Map.of(), Map.of(), Map.of());
  }

  public Directory directory(String group) {
    return directories.getOrDefault(group, Directory.EMPTY);
  }

  /** Route keys of one of the group's tables to buckets. */
  public BucketFunction function(Group group, List<KeyType> types) {
    return new BucketFunction(
        types, group.hash(), group.buckets(), ReservedBuckets.of(types, directory(group.name())));
  }

  /**
   * That the catalog knows of all that the file reserves: where it does not, rows of a giant would
   * go to hashed buckets, and stay there.
   *
   * @throws ShardwrightException SW104
   */
  public void checkDirectories(Configuration configuration) {
    for (Group group : configuration.groups().values()) {
      int known = directory(group.name()).entries().size();
      if (known < group.directory().entries().size()) {
        throw new ShardwrightException(
            ErrorCode.NOT_APPLIED,
            "group "
                + group.name()
                + ": "
                + group.directory().entries().get(known)
                + " of its directory is in the file and not in the catalog; run shardwright apply"
                + " -c FILE before its first row is written");
      }
    }
  }

  /** How many buckets are reserved in all groups. It only grows. */
  public int reserved() {
    return directories.values().stream().mapToInt(Directory::reserved).sum();
  }
}
