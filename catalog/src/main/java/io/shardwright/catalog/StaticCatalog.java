package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.Directory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** No catalog database: version 1 of every map, derived from the configuration, for ever. */
final class StaticCatalog implements Catalog {
  private final CatalogState state;

  StaticCatalog(Configuration configuration) {
    Map<String, BucketMap> maps = new HashMap<>();
    Map<String, Directory> directories = new HashMap<>();
    for (Group group : configuration.groups().values()) {
      maps.put(group.name(), group.firstMap(configuration.shards().values()));
      directories.put(group.name(), group.directory());
    }
    this.state = new CatalogState(Optional.empty(), 0, maps, directories, Map.of(), Map.of());
  }

  @Override
  public CatalogState load() {
    return state;
  }

  @Override
  public Optional<CatalogState> loadIfNewer(CatalogState known) {
    return Optional.empty();
  }

  @Override
  public Optional<CatalogState> renew(DriverLease lease, CatalogState known) {
    lease.extend(lease.now());
    return Optional.empty();
  }

  @Override
  public void adopt(Configuration next) {
    throw new UnsupportedOperationException("nothing changes without a catalog");
  }

  @Override
  public void release(DriverLease lease) {
    lease.end();
  }

  @Override
  public List<UUID> awaitSeen(long version, Duration patience) {
    return List.of();
  }

  @Override
  public CatalogIndex changeIndex(CatalogIndex known, CatalogIndex next) {
    throw noIndex(known);
  }

  @Override
  public void removeIndex(CatalogIndex known) {
    throw noIndex(known);
  }

  private static ShardwrightException noIndex(CatalogIndex index) {
    return new ShardwrightException(
        ErrorCode.CATALOG_READ_ONLY,
        "lookup index "
            + index.name()
            + " cannot be changed: the configuration names no catalog; add catalog: and run"
            + " shardwright apply -c FILE");
  }

  @Override
  public BucketMap publish(BucketMap next, String reason) {
    throw new ShardwrightException(
        ErrorCode.CATALOG_READ_ONLY,
        "version "
            + next.version()
            + " of the bucket map of group "
            + next.group()
            + " cannot be published: the configuration names no catalog, so the map is static;"
            + " add catalog: and run shardwright apply -c FILE");
  }

  @Override
  public void close() {}
}
