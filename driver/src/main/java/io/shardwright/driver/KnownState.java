package io.shardwright.driver;

import io.shardwright.catalog.CatalogState;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import java.util.function.Function;

/**
 * A state of the catalog as statements are routed by it: maps and what moves are of one instant.
 * Each object is a state of its own, equal only to itself. Immutable.
 */
final class KnownState implements Function<String, BucketMap> {
  private final CatalogState catalog;
  private final int reserved;

  KnownState(CatalogState catalog) {
    this.catalog = catalog;
    this.reserved = catalog.reserved();
  }

  CatalogState catalog() {
    return catalog;
  }

  @Override
  public BucketMap apply(String group) {
    BucketMap map = catalog.maps().get(group);
    if (map == null) {
      throw new ShardwrightException(
          ErrorCode.INVARIANT_BROKEN, "there is no bucket map of group " + group);
    }
    return map;
  }

  /** Of a group, or of an index by its name. */
  BucketSet announced(String group) {
    return catalog.announced().getOrDefault(group, BucketSet.EMPTY);
  }

  /** How many buckets directories reserve. */
  int reserved() {
    return reserved;
  }

  /** No bucket is in a move. */
  boolean isQuiet() {
    return catalog.announced().isEmpty();
  }

  /** Without a catalog database nothing can move. */
  boolean isFixed() {
    return catalog.clusterId().isEmpty();
  }
}
