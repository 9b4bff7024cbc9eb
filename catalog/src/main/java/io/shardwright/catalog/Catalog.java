package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.routing.BucketMap;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The one truth about which shard owns a bucket. Thread-safe.
 *
 * <p>All methods throw {@link io.shardwright.errors.ShardwrightException}: SW411 when the catalog
 * is down, SW412 when it refuses the login, SW104 when {@code shardwright apply} has not been run,
 * SW414 when its format is newer than this release, SW416 when it contradicts the configuration. A
 * reader that already has a state goes on with it then.
 */
public interface Catalog extends AutoCloseable {

  /** The current state, all groups at one instant. Five round trips. */
  CatalogState load();

  /**
   * The current state if it is newer than {@code known}, which costs one round trip when it is not.
   *
   * @throws io.shardwright.errors.ShardwrightException SW416 when the catalog went back to an older
   *     version than {@code known}, as after a restore
   */
  Optional<CatalogState> loadIfNewer(CatalogState known);

  /**
   * Makes {@code next} the current map by compare-and-set: of several publishers of one version
   * exactly one wins.
   *
   * @param next its version is the current one plus 1
   * @param reason for people, 1 to 500 characters
   * @return {@code next}
   * @throws io.shardwright.errors.ShardwrightException SW413 when another version was published in
   *     between: load, decide anew, publish again; SW404 when the connection broke at the commit
   *     and the outcome could not be found out: load before anything else; SW415 on a static map
   */
  BucketMap publish(BucketMap next, String reason);

  /**
   * The same as {@link #loadIfNewer}, and at the same cost, for a process that says: nothing of
   * mine works by an older state than {@code known} any more. Call it each second. The lease is
   * live afterwards unless it had lapsed and {@code known} is not the current state: then put the
   * new state to work and call it again.
   */
  Optional<CatalogState> renew(DriverLease lease, CatalogState known);

  /**
   * From now on the catalog is compared with this configuration.
   *
   * @param next the same as before, with more shards
   */
  void adopt(Configuration next);

  /** Nobody waits for this process any more. */
  void release(DriverLease lease);

  /**
   * Waits until no process works by an older state than {@code version}: each has said so by {@link
   * #renew}, or its lease has lapsed.
   *
   * @param patience a process that is cut off from the catalog takes 12 s
   * @return the leases that are still behind; empty: all have seen it
   */
  List<UUID> awaitSeen(long version, Duration patience);

  /**
   * Sets the state of an index by compare-and-set: of several who change {@code known} exactly one
   * wins.
   *
   * @return the index with its new state and version, which is the catalog's too
   * @throws io.shardwright.errors.ShardwrightException SW413 when it is not as {@code known} any
   *     more; SW404 when the connection broke at the commit: load before anything else; SW415
   *     without a catalog
   */
  CatalogIndex changeIndex(CatalogIndex known, CatalogIndex next);

  default CatalogIndex changeIndex(CatalogIndex known, IndexState next) {
    return changeIndex(known, known.with(next));
  }

  /**
   * Forgets an index and its map; its objects on the shards have to be gone.
   *
   * @param known {@link IndexState#DECLARED}
   * @throws io.shardwright.errors.ShardwrightException as {@link #changeIndex}
   */
  void removeIndex(CatalogIndex known);

  @Override
  void close();

  /** Connects at the first call of a method, not here, and anew after a connection broke. */
  static Catalog open(Configuration configuration) {
    return configuration
        .catalog()
        .<Catalog>map(endpoint -> new JdbcCatalog(configuration, endpoint))
        .orElseGet(() -> new StaticCatalog(configuration));
  }
}
