package io.shardwright.lookup;

import io.shardwright.catalog.IndexName;
import io.shardwright.config.Configuration;
import io.shardwright.routing.BucketId;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/**
 * Places that processes share through Redis. When it does not answer it is left alone for a second
 * and the indexes are asked, so it never makes an answer wrong or impossible. Thread-safe.
 *
 * <p>Format 1: key {@code shardwright:1:<group.index>:<version>:<SHA-256 of the values>}, value
 * {@code <token in hex>=<bucket>} for each candidate, with commas between.
 */
final class RedisCache implements SharedCache {
  private static final Logger LOG = LoggerFactory.getLogger(RedisCache.class);
  private static final int TOKEN_DIGITS = 16;
  private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

  private final RedisClient redis;
  private final LongAdder failures = new LongAdder();

  /** By the monotonic clock; it is asked again from then on. */
  private final AtomicLong askedFrom = new AtomicLong(System.nanoTime());

  RedisCache(Configuration.Redis settings) {
    int millis = Math.toIntExact(settings.timeout().toMillis());
    URI uri = URI.create(settings.url());
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxWait(settings.timeout());
    pool.setMaxTotal(settings.connections());
    redis =
        RedisClient.builder()
            .hostAndPort(new HostAndPort(uri.getHost(), uri.getPort() < 0 ? 6379 : uri.getPort()))
            .clientConfig(
                DefaultJedisClientConfig.builder()
                    .connectionTimeoutMillis(millis)
                    .socketTimeoutMillis(millis)
                    .sslOptions(uri.getScheme().equals("rediss") ? SslOptions.defaults() : null)
                    .user(settings.user().orElse(null))
                    .password(settings.password().orElse(null))
                    .build())
            .poolConfig(pool)
            .build();
  }

  @Override
  public Optional<Places> get(IndexName index, long version, List<Object> values) {
    return tried(client -> client.get(key(index, version, values))).flatMap(RedisCache::parsed);
  }

  @Override
  public void put(
      IndexName index, long version, List<Object> values, Places places, Duration expire) {
    tried(
        client ->
            client.set(
                key(index, version, values),
                text(places),
                SetParams.setParams().px(expire.toMillis())));
  }

  @Override
  public void remove(IndexName index, long version, List<Object> values) {
    tried(client -> client.del(key(index, version, values)));
  }

  @Override
  public long failures() {
    return failures.sum();
  }

  private <T> Optional<T> tried(Function<RedisClient, T> work) {
    if (System.nanoTime() - askedFrom.get() < 0) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(work.apply(redis));
    } catch (JedisException e) {
      askedFrom.set(System.nanoTime() + PAUSE_NANOS);
      if (failures.sum() == 0) {
        LOG.warn("Redis does not answer; look-ups ask their indexes ({})", e.getMessage());
      }
      failures.increment();
      return Optional.empty();
    }
  }

  static String key(IndexName index, long version, List<Object> values) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Object value : values) {
        byte[] bytes =
            value instanceof byte[] raw ? raw : value.toString().getBytes(StandardCharsets.UTF_8);
        digest.update(Integer.toString(bytes.length).getBytes(StandardCharsets.US_ASCII));
        digest.update((byte) ':');
        digest.update(bytes);
      }
      String hash = Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
      return "shardwright:1:" + index.placement() + ":" + version + ":" + hash;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static String text(Places places) {
    StringBuilder text = new StringBuilder();
    String separator = "";
    for (Map.Entry<Long, BucketId> place : places.byToken().entrySet()) {
      text.append(separator)
          .append(HexFormat.of().toHexDigits(place.getKey()))
          .append('=')
          .append(place.getValue().value());
      separator = ",";
    }
    return text.toString();
  }

  /** Empty for what somebody else wrote there. */
  static Optional<Places> parsed(String text) {
    Map<Long, BucketId> byToken = new HashMap<>();
    try {
      for (String place : text.split(",", -1)) {
        int sign = place.indexOf('=');
        if (sign != TOKEN_DIGITS) {
          return Optional.empty();
        }
        byToken.put(
            HexFormat.fromHexDigitsToLong(place, 0, sign),
            new BucketId(Integer.parseInt(place.substring(sign + 1))));
      }
    } catch (RuntimeException e) {
      return Optional.empty();
    }
    return Optional.of(new Places(byToken));
  }

  @Override
  public void close() {
    redis.close();
  }
}
