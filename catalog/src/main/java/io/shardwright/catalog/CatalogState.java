package io.shardwright.catalog;

import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
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
 * @param indexes by {@link IndexName#placement}, those that the catalog has on record
 * @param announced by group or {@link IndexName#placement} the buckets whose rows may be on two
 *     shards, or change their owner; a group of which none is has no entry
 */
public record CatalogState(
    Optional<UUID> clusterId,
    long version,
    Map<String, BucketMap> maps,
    Map<String, CatalogIndex> indexes,
    Map<String, BucketSet> announced) {
  public CatalogState {
    maps = Map.copyOf(maps);
    indexes = Map.copyOf(indexes);
    announced = Map.copyOf(announced);
  }

  /** Without indexes and moves. */
  public CatalogState(Optional<UUID> clusterId, Map<String, BucketMap> maps) {
    this(clusterId, 0, maps, Map.of(), Map.of());
  }
}
