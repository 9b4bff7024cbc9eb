package io.shardwright.driver;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.DriverLease;
import io.shardwright.catalog.UnknownShardException;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current bucket maps: read when opened, then refreshed by {@link #poll}. A catalog that goes
 * down later stops nothing: the last maps stay in use, and the fact is logged once. Thread-safe.
 */
final class CatalogMaps implements Function<String, BucketMap>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogMaps.class);

  private final Catalog catalog;
  private final DriverLease lease;
  private volatile KnownState known;
  private volatile boolean stale;

  /**
   * @throws ShardwrightException SW411 and others of {@link Catalog#load()}
   */
  CatalogMaps(Catalog catalog, DriverLease lease) {
    this.catalog = catalog;
    this.lease = lease;
    CatalogState state = catalog.load();
    this.known = new KnownState(state);
    Optional<CatalogState> unused = catalog.renew(lease, state);
  }

  @Override
  public BucketMap apply(String group) {
    return known.apply(group);
  }

  /** What statements are routed by now. */
  KnownState current() {
    return known;
  }

  /**
   * True as long as this process knows that nothing has moved that {@code state} does not announce.
   */
  boolean vouchesFor(KnownState state) {
    return state == known && (state.isFixed() || lease.isLive());
  }

  /**
   * @return false when the state is still older at the end of {@code patience}
   */
  boolean awaits(long version, NextState nextState, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    KnownState known = current();
    try {
      while (known.catalog().version() < version && end - System.nanoTime() > 0) {
        nextState.await(known, 1);
        known = current();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return known.catalog().version() >= version;
  }

  Optional<UUID> clusterId() {
    return state().clusterId();
  }

  Catalog catalog() {
    return catalog;
  }

  CatalogState state() {
    return known.catalog();
  }

  /** False when others may have been told that nobody works by this state any more. */
  boolean isLive() {
    return lease.isLive();
  }

  /**
   * Renews the lease and looks for a newer state; never throws.
   *
   * @param work puts a newer state to work; it is looked for again when that fails
   * @param adoption makes a shard that the newer state names usable; empty: the old state stays,
   *     and whoever waits for this process goes on waiting
   */
  synchronized void poll(
      Consumer<CatalogState> work,
      Function<UnknownShardException, Optional<Configuration>> adoption) {
    try {
      Optional<CatalogState> newer = renew(adoption);
      if (newer.isPresent()) {
        CatalogState state = newer.get();
        work.accept(state);
        known = new KnownState(state);
        LOG.info("the catalog's state is now {}: {}", state.version(), state.maps().values());
        // At once, since others wait for it.
        Optional<CatalogState> unused = catalog.renew(lease, state);
      }
      stale = false;
    } catch (UnknownShardException e) {
      stale = true;
    } catch (RuntimeException e) {
      if (!stale) {
        stale = true;
        LOG.warn("the catalog cannot be read; the last known bucket maps stay in use", e);
      }
    }
  }

  private Optional<CatalogState> renew(
      Function<UnknownShardException, Optional<Configuration>> adoption) {
    try {
      return catalog.renew(lease, state());
    } catch (UnknownShardException e) {
      catalog.adopt(adoption.apply(e).orElseThrow(() -> e));
      return catalog.renew(lease, state());
    }
  }

  /** As the catalog knows this process. */
  UUID leaseId() {
    return lease.id();
  }

  /** True from a failed refresh until the next one that succeeds. */
  boolean isStale() {
    return stale;
  }

  @Override
  public void close() {
    try {
      catalog.release(lease);
    } catch (ShardwrightException e) {
      LOG.debug("the lease lapses by itself", e);
    }
    catalog.close();
  }
}
