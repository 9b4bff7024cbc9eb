package io.shardwright.lookup;

import io.shardwright.config.Configuration;
import io.shardwright.config.IndexKind.Cache;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/** The caches of all unique indexes that have one. Thread-safe. */
public final class LookupCaches implements AutoCloseable {
  private final Entries entries;
  private final Map<String, Cache> settings;
  private final Optional<SharedCache> redis;
  private final ExecutorService threads;
  private final Refreshing refreshing;
  private final Map<String, ValueCache> caches = new ConcurrentHashMap<>();

  /** When places that are in use are asked for again, and by whom. */
  record Refreshing(LongSupplier nanoTime, Executor executor) {}

  /**
   * @param settings by {@code group.index}
   * @param redis empty: none
   */
  public LookupCaches(
      Entries entries,
      Map<String, Cache> settings,
      Optional<Configuration.Redis> redis,
      ThreadFactory threads,
      LongSupplier nanoTime) {
    this.entries = entries;
    this.settings = Map.copyOf(settings);
    this.redis = redis.map(LookupCaches::connect);
    this.threads = Executors.newSingleThreadExecutor(threads);
    this.refreshing = new Refreshing(nanoTime, this.threads);
  }

  private static SharedCache connect(Configuration.Redis redis) {
    try {
      return new RedisCache(redis);
    } catch (NoClassDefFoundError e) {
      throw new ShardwrightException(
          ErrorCode.CONFIGURATION_INVALID,
          "the file has redis: and the application lacks its client; add redis.clients:jedis, version"
              + " 8, to the class path",
          e);
    }
  }

  /**
   * Empty for an index without one.
   *
   * @param version of the index's state: places of an earlier one are forgotten
   */
  Optional<ValueCache> of(UniqueIndex index, long version) {
    String name = index.name().placement();
    Cache cache = settings.get(name);
    if (cache == null) {
      return Optional.empty();
    }
    ValueCache known = caches.get(name);
    if (known == null || known.version() < version) {
      known =
          caches.merge(
              name,
              new ValueCache(
                  entries,
                  index,
                  version,
                  cache,
                  redis.filter(shared -> cache.redis()),
                  refreshing),
              (old, made) -> old.version() < version ? made : old);
    }
    return Optional.of(known).filter(found -> found.version() == version);
  }

  /** A committed row has the value. */
  void written(Candidate candidate) {
    used(candidate.value())
        .ifPresent(
            cache ->
                cache.put(
                    candidate.value(),
                    new Places(Map.of(candidate.token(), candidate.row().bucket()))));
  }

  /** A row gave the value up. */
  void givenUp(Value value) {
    used(value).ifPresent(cache -> cache.forget(value));
  }

  private Optional<ValueCache> used(Value value) {
    return Optional.ofNullable(caches.get(value.index().name().placement()));
  }

  /** By {@code group.index}, of those that have been used. */
  public Map<String, LookupCacheStatistics> statistics() {
    Map<String, LookupCacheStatistics> statistics = new TreeMap<>();
    caches.forEach((name, cache) -> statistics.put(name, cache.statistics()));
    return statistics;
  }

  @Override
  public void close() {
    threads.shutdown();
    redis.ifPresent(SharedCache::close);
  }
}
