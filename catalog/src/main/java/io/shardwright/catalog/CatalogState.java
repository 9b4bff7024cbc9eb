package io.shardwright.catalog;

import io.shardwright.routing.BucketMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What the catalog held at one instant.
 *
 * @param clusterId names this set of shards, equal on every shard; empty without a catalog database
 * @param maps the current bucket map by group, one for each group of the configuration
 */
public record CatalogState(Optional<UUID> clusterId, Map<String, BucketMap> maps) {
  public CatalogState {
    maps = Map.copyOf(maps);
  }
}
