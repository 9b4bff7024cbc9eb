package io.shardwright.driver;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.shardwright.catalog.OwnedBuckets;
import io.shardwright.config.Configuration;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.lookup.IndexShards;
import io.shardwright.lookup.Lane;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The connections of lookup indexes: a small pool for each shard and lane, beside the pools of
 * statements, so that nobody who holds a row's connection waits for one that another such holds.
 * Opened at the first use. Thread-safe.
 */
final class IndexLanes implements IndexShards, AutoCloseable {
  private static final long IDLE_MILLIS = 60_000;

  /** The longest wait for the end of a transaction that writes the same value. */
  private static final int CLAIM_TIMEOUT_MILLIS = 2_000;

  /** For who holds a value's candidates meanwhile: longer, so that not both of a circle give up. */
  private static final int LOCK_TIMEOUT_MILLIS = 5_000;

  private final Supplier<Configuration> configuration;
  private final CatalogMaps maps;
  private final NextState nextState;
  private final HeatCounters heat;
  private final Duration cutoverWait;
  private final Map<Key, HikariDataSource> pools = new ConcurrentHashMap<>();
  private volatile boolean closed;

  private record Key(ShardId shard, Lane lane) {}

  /**
   * @param configuration of now: shards may be added to it
   */
  IndexLanes(
      Supplier<Configuration> configuration,
      CatalogMaps maps,
      NextState nextState,
      HeatCounters heat) {
    this.heat = heat;
    this.configuration = configuration;
    this.cutoverWait = configuration.get().moves().cutoverWait();
    this.maps = maps;
    this.nextState = nextState;
  }

  @Override
  public Connection open(ShardId shard, Lane lane) throws SQLException {
    if (closed) {
      throw SqlErrors.of(ErrorCode.CONNECTION_CLOSED, "the data source is closed; open a new one");
    }
    return pools.computeIfAbsent(new Key(shard, lane), this::pool).getConnection();
  }

  @Override
  public BucketMap map(String name) {
    return maps.apply(name);
  }

  /** A map of another state is not taken for the current one, even if it is of one version. */
  @Override
  public boolean confirms(
      Connection connection, ShardId shard, BucketMap map, Collection<BucketId> buckets)
      throws SQLException {
    KnownState known = maps.current();
    boolean sure = isCurrent(known, map) && maps.vouchesFor(known);
    BucketSet announced = known.announced(map.group());
    List<BucketId> asked =
        sure ? buckets.stream().filter(announced::contains).toList() : List.copyOf(buckets);
    return asked.isEmpty()
        || !OwnedBuckets.exist(connection)
        || OwnedBuckets.notCurrent(
                connection, map, BucketSet.of(asked), OwnedBuckets.States.OWNED_OR_NEXT)
            .isEmpty();
  }

  @Override
  public void asked(Work work) {
    BucketCounters counters = heat.of(work.map());
    if (counters != null) {
      counters.read(work.buckets(), work.nanos());
      counters.rows(work.buckets(), work.rows());
    }
  }

  @Override
  public void changed(Work work) {
    BucketCounters counters = heat.of(work.map());
    if (counters != null) {
      counters.wrote(work.buckets(), work.nanos());
      counters.rows(work.buckets(), work.rows());
    }
  }

  @Override
  public void awaitNewer(BucketMap map) {
    KnownState known = maps.current();
    if (isCurrent(known, map)) {
      try {
        nextState.await(known, 2);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // Each state has maps of its own.
  private static boolean isCurrent(KnownState known, BucketMap map) {
    return known.apply(map.group()) == map;
  }

  @Override
  public Duration cutoverWait() {
    return cutoverWait;
  }

  private HikariDataSource pool(Key key) {
    Configuration.Shard shard = configuration.get().shards().get(key.shard());
    HikariConfig config = ShardPool.config(shard);
    config.setPoolName("shardwright-index-" + key.shard() + "-" + key.lane());
    config.setMaximumPoolSize(size(key.lane(), shard.pool().max()));
    config.setMinimumIdle(0);
    config.setIdleTimeout(IDLE_MILLIS);
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    DatabaseProduct product = shard.endpoint().product();
    config.setConnectionInitSql(Fence.checkOfServer(product, session(key.lane(), product)));
    return new HikariDataSource(config);
  }

  private static String session(Lane lane, DatabaseProduct product) {
    PhysicalDatabase database = PhysicalDatabase.of(product);
    return switch (lane) {
      case ENTRIES, CANDIDATES, OWNERS -> database.boundedLockWait(LOCK_TIMEOUT_MILLIS);
      case JUDGE -> database.boundedLockWait(CLAIM_TIMEOUT_MILLIS);
      case FEED, LISTS -> database.boundedLockWaitInUtc(LOCK_TIMEOUT_MILLIS);
    };
  }

  /** Entries are on the path of statements; the others are used when writers meet. */
  private static int size(Lane lane, int max) {
    int quarter = Math.max(1, max / 4);
    return switch (lane) {
      case ENTRIES, FEED, LISTS, OWNERS -> Math.max(2, quarter);
      case CANDIDATES, JUDGE -> quarter;
    };
  }

  @Override
  public void close() {
    closed = true;
    pools.values().forEach(HikariDataSource::close);
  }
}
