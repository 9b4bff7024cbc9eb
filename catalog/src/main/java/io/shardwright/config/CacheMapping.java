package io.shardwright.config;

import io.shardwright.config.Configuration.Redis;
import io.shardwright.config.IndexKind.Cache;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The cache of a lookup index, and the Redis that processes share. */
final class CacheMapping {
  private static final List<String> KEYS = List.of("size", "expire", "refresh", "misses", "redis");
  private static final List<String> REDIS_KEYS =
      List.of("url", "user", "password", "timeout", "connections");
  private static final String WRITE_URL =
      "write url: \"redis://host:6379\" or \"rediss://host:6380\"";
  private static final Pattern URL = Pattern.compile("rediss?://[^/@:?\\s]+(:\\d{1,5})?");
  private static final int SIZE_MAX = 100_000_000;
  private static final Duration EXPIRE_MAX = Duration.ofDays(7);
  private static final Duration MISSES_MAX = Duration.ofMinutes(1);
  private static final Duration TIMEOUT_MAX = Duration.ofSeconds(5);
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private CacheMapping() {}

  /**
   * @param index that may have a key {@code cache}
   */
  static Optional<Cache> ofIndex(YamlMap index) {
    if (!index.has("cache")) {
      return Optional.empty();
    }
    return index.map("cache").map(map -> cache(map.allow(KEYS)));
  }

  private static Cache cache(YamlMap map) {
    int size = map.integer("size", 1, SIZE_MAX).orElse(Cache.SIZE);
    Duration expire = map.duration("expire", MILLISECOND, EXPIRE_MAX).orElse(Cache.EXPIRE);
    Duration refresh =
        map.duration("refresh", MILLISECOND, EXPIRE_MAX).orElse(Cache.refreshOf(expire));
    Duration misses = map.duration("misses", Duration.ZERO, MISSES_MAX).orElse(Duration.ZERO);
    if (refresh.compareTo(expire) > 0) {
      map.problem(
          "refresh", "is longer than expire", "write a shorter one: it is for values in use");
    }
    boolean shared = false;
    if (map.has("redis")) {
      Optional<String> text = map.text("redis");
      shared = text.filter("true"::equals).isPresent();
      if (!shared && text.filter("false"::equals).isEmpty()) {
        map.problem("redis", "is " + map.shown("redis"), "write true or false");
      }
    }
    return new Cache(size, expire, refresh, misses, shared);
  }

  /**
   * @param root that may have a key {@code redis}
   */
  static Optional<Redis> redis(YamlMap root) {
    if (!root.has("redis")) {
      return Optional.empty();
    }
    Optional<YamlMap> found = root.map("redis");
    if (found.isEmpty()) {
      return Optional.empty();
    }
    YamlMap map = found.get().allow(REDIS_KEYS);
    Optional<String> url = map.requireText("url", WRITE_URL);
    if (url.isPresent() && !URL.matcher(url.get()).matches()) {
      map.problem("url", "is no url of a Redis server without user and path", WRITE_URL);
    }
    Duration timeout = map.duration("timeout", MILLISECOND, TIMEOUT_MAX).orElse(Redis.TIMEOUT);
    int connections = map.integer("connections", 1, 1000).orElse(Redis.CONNECTIONS);
    return url.map(u -> new Redis(u, map.text("user"), map.text("password"), timeout, connections));
  }
}
