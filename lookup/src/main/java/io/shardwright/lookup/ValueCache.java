package io.shardwright.lookup;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.shardwright.config.IndexKind;
import io.shardwright.routing.KeyType;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Where rows of one unique index were a while ago, by value. A place that is out of date costs a
 * statement and is found out, since the row is not there; a miss is believed while it is kept. Of
 * several threads that want one value, one asks. Thread-safe.
 */
final class ValueCache {
  private final Entries entries;
  private final UniqueIndex index;
  private final long version;
  private final Optional<SharedCache> shared;
  private final IndexKind.Cache settings;
  private final LoadingCache<Key, Places> places;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /** Equal for values that are one for the index, whatever Java types they have. */
  private record Key(Value value, List<Object> canonical) {
    static Key of(Value value) {
      List<Object> canonical = new ArrayList<>();
      for (int i = 0; i < value.columns().size(); i++) {
        KeyType type = value.index().columns().get(i).keyType();
        Object column = value.columns().get(i);
        canonical.add(type.canonical(column).orElse(column));
      }
      return new Key(value, canonical);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && Value.equal(canonical, key.canonical);
    }

    @Override
    public int hashCode() {
      return Value.hash(canonical);
    }
  }

  /**
   * Places that had to be asked for.
   *
   * @param statements that this thread sent for them
   */
  record Loaded(Places places, int statements) {}

  ValueCache(
      Entries entries,
      UniqueIndex index,
      long version,
      IndexKind.Cache settings,
      Optional<SharedCache> shared,
      LookupCaches.Refreshing refreshing) {
    this.entries = entries;
    this.index = index;
    this.version = version;
    this.shared = shared;
    this.settings = settings;
    this.places =
        Caffeine.newBuilder()
            .maximumSize(settings.size())
            .expireAfter(Expiry.writing((Key key, Places found) -> lifetime(found)))
            .refreshAfterWrite(settings.refresh())
            .executor(refreshing.executor())
            .ticker(refreshing.nanoTime()::getAsLong)
            .build(key -> ask(key).places());
  }

  /** Of the state of the index that the places belong to. */
  long version() {
    return version;
  }

  private Duration lifetime(Places found) {
    return found.isEmpty() ? settings.misses() : settings.expire();
  }

  private Loaded ask(Key key) throws SQLException {
    Optional<Places> others =
        shared.flatMap(redis -> redis.get(index.name(), version, key.canonical));
    if (others.isPresent()) {
      return new Loaded(others.get(), 0);
    }
    Entries.Answer answer = entries.read(index, List.of(key.value));
    share(key, answer.places());
    return new Loaded(answer.places(), answer.statements());
  }

  private void share(Key key, Places found) {
    if (!found.isEmpty()) {
      shared.ifPresent(
          redis -> redis.put(index.name(), version, key.canonical, found, settings.expire()));
    }
  }

  /** Without asking anybody. */
  Optional<Places> known(Value value) {
    Optional<Places> known = Optional.ofNullable(places.getIfPresent(Key.of(value)));
    (known.isPresent() ? hits : misses).increment();
    return known;
  }

  /** Asks those who know, once for all threads that want it. */
  Loaded load(Value value) throws SQLException {
    AtomicInteger statements = new AtomicInteger();
    try {
      Places found =
          places.get(
              Key.of(value),
              key -> {
                try {
                  Loaded loaded = ask(key);
                  statements.set(loaded.statements());
                  return loaded.places();
                } catch (SQLException e) {
                  throw new CompletionException(e);
                }
              });
      return new Loaded(found, statements.get());
    } catch (CompletionException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** What is so now. */
  void put(Value value, Places now) {
    Key key = Key.of(value);
    places.put(key, now);
    share(key, now);
  }

  void forget(Value value) {
    Key key = Key.of(value);
    places.invalidate(key);
    shared.ifPresent(redis -> redis.remove(index.name(), version, key.canonical));
  }

  LookupCacheStatistics statistics() {
    return new LookupCacheStatistics(
        hits.sum(),
        misses.sum(),
        places.estimatedSize(),
        shared.map(SharedCache::failures).orElse(0L));
  }
}
