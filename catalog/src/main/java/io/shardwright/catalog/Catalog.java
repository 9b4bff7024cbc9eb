package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.routing.BucketMap;
import java.util.Optional;

/**
 * The one truth about which shard owns a bucket. Thread-safe.
 *
 * <p>All methods throw {@link io.shardwright.errors.ShardwrightException}: SW411 when the catalog
 * is down, SW412 when it refuses the login, SW104 when {@code shardwright apply} has not been run,
 * SW414 when its format is newer than this release, SW416 when it contradicts the configuration. A
 * reader that already has a state goes on with it then.
 */
public interface Catalog extends AutoCloseable {

  /** The current state, all groups at one instant. Three round trips. */
  CatalogState load();

  /**
   * The current state if it holds a newer map than {@code known}, which costs one round trip when
   * it does not.
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
