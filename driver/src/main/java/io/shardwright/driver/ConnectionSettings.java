package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.sql.Hints;
import io.shardwright.sql.Hints.Freshness;
import io.shardwright.sql.Hints.Partial;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * What one connection decides for its statements, between their own hints and the configuration.
 * Immutable.
 */
final class ConnectionSettings {
  /** What is accepted after the {@code ?} of the url, and what for. */
  static final Map<String, String> NAMES =
      Map.of(
          "scatter", "refuse, bounded or allow: SELECT without the route key",
          "scatter_writes", "refuse or allow: UPDATE and DELETE without the route key",
          "timeout", "of each statement, such as 500ms, 2s or 1m",
          "max_rows", "a SELECT with more rows fails",
          "partial", "refuse or allow: a read without the shards that do not answer",
          "freshness", "lagging or own-writes: what an index that may lag behind finds",
          "transaction", "single or multi: shards of one transaction",
          "lock_timeout", "of each wait for a lock in a transaction over several shards");

  private static final Duration DEFAULT_LOCK_TIMEOUT =
      Duration.ofMillis(MultiShardWrite.LOCK_TIMEOUT_MILLIS);

  static final ConnectionSettings NONE = new ConnectionSettings();

  private Map<String, BucketId> routeBuckets = Map.of();
  private Optional<ScatterPolicy> reads = Optional.empty();
  private Optional<ScatterPolicy> writes = Optional.empty();
  private Optional<Duration> timeout = Optional.empty();
  private OptionalLong maxRows = OptionalLong.empty();
  private Optional<Partial> partial = Optional.empty();
  private Optional<Freshness> freshness = Optional.empty();
  private Optional<TransactionMode> transaction = Optional.empty();
  private Optional<Duration> lockTimeout = Optional.empty();

  /** How many shards one transaction may have. */
  enum TransactionMode {
    SINGLE,
    MULTI
  }

  private ConnectionSettings() {}

  private ConnectionSettings(ConnectionSettings other) {
    routeBuckets = other.routeBuckets;
    reads = other.reads;
    writes = other.writes;
    timeout = other.timeout;
    maxRows = other.maxRows;
    partial = other.partial;
    freshness = other.freshness;
    transaction = other.transaction;
    lockTimeout = other.lockTimeout;
  }

  /** Those of a url: {@code name=value&name=value}. */
  static ConnectionSettings ofUrl(String query, Properties properties) throws SQLException {
    ConnectionSettings settings = new ConnectionSettings();
    if (properties != null) {
      // Others are passed over, as drivers do: pools and tools add their own.
      for (String name : properties.stringPropertyNames()) {
        if (NAMES.containsKey(name)) {
          settings.set(name, properties.getProperty(name));
        }
      }
    }
    for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw invalid("'" + part + "' in the url is no name=value");
      }
      settings.set(part.substring(0, equals), part.substring(equals + 1));
    }
    return settings;
  }

  /**
   * @param value null: not set
   * @throws SQLException SW106
   */
  ConnectionSettings with(String name, String value) throws SQLException {
    ConnectionSettings changed = new ConnectionSettings(this);
    changed.set(name, value);
    return changed;
  }

  private void set(String name, String value) throws SQLException {
    switch (name) {
      case "scatter" -> reads = choice(name, value, List.of(ScatterPolicy.values()));
      case "scatter_writes" ->
          writes = choice(name, value, List.of(ScatterPolicy.REFUSE, ScatterPolicy.ALLOW));
      case "timeout" -> timeout = duration(name, value);
      case "max_rows" -> maxRows = rows(name, value);
      case "partial" -> partial = choice(name, value, List.of(Partial.values()));
      case "freshness" -> freshness = choice(name, value, List.of(Freshness.values()));
      case "transaction" -> transaction = choice(name, value, List.of(TransactionMode.values()));
      case "lock_timeout" -> lockTimeout = duration(name, value);
      default ->
          throw invalid(
              "the connection setting "
                  + name
                  + " is unknown; the settings are "
                  + NAMES.keySet().stream().sorted().collect(Collectors.joining(", ")));
    }
  }

  private static <E extends Enum<E>> Optional<E> choice(String name, String value, List<E> allowed)
      throws SQLException {
    if (value == null) {
      return Optional.empty();
    }
    for (E constant : allowed) {
      if (Hints.written(constant).equalsIgnoreCase(value)) {
        return Optional.of(constant);
      }
    }
    List<String> words = allowed.stream().map(Hints::written).toList();
    throw invalidValue(name, value, "one of " + String.join(", ", words));
  }

  private static Optional<Duration> duration(String name, String value) throws SQLException {
    if (value == null) {
      return Optional.empty();
    }
    Optional<Duration> duration = Hints.duration(value);
    if (duration.isEmpty()) {
      throw invalidValue(
          name, value, "a number above 0 with its unit, up to a day: 500ms, 2s or 1m");
    }
    return duration;
  }

  private static OptionalLong rows(String name, String value) throws SQLException {
    if (value == null) {
      return OptionalLong.empty();
    }
    if (!value.matches("[1-9]\\d{0,17}")) {
      throw invalidValue(name, value, "a whole number from 1 on");
    }
    return OptionalLong.of(Long.parseLong(value));
  }

  private static SQLException invalidValue(String name, String value, String wanted) {
    return invalid(
        "the connection setting " + name + " has the value '" + value + "'; write " + wanted);
  }

  static SQLException invalid(String what) {
    return SqlErrors.of(ErrorCode.SETTING_INVALID, what);
  }

  Optional<ScatterPolicy> reads() {
    return reads;
  }

  Optional<ScatterPolicy> writes() {
    return writes;
  }

  Optional<Duration> timeout() {
    return timeout;
  }

  OptionalLong maxRows() {
    return maxRows;
  }

  Optional<Partial> partial() {
    return partial;
  }

  Optional<Freshness> freshness() {
    return freshness;
  }

  boolean isMulti() {
    return transaction.filter(mode -> mode == TransactionMode.MULTI).isPresent();
  }

  Duration lockTimeout() {
    return lockTimeout.orElse(DEFAULT_LOCK_TIMEOUT);
  }

  /** By group: the bucket of the route key that was set. */
  Map<String, BucketId> routeBuckets() {
    return routeBuckets;
  }

  /**
   * @param bucket null: none any more
   */
  ConnectionSettings withRouteBucket(String group, BucketId bucket) {
    Map<String, BucketId> buckets = new HashMap<>(routeBuckets);
    if (bucket == null) {
      buckets.remove(group);
    } else {
      buckets.put(group, bucket);
    }
    ConnectionSettings changed = new ConnectionSettings(this);
    changed.routeBuckets = Map.copyOf(buckets);
    return changed;
  }

  ConnectionSettings withoutRouteBuckets() {
    ConnectionSettings changed = new ConnectionSettings(this);
    changed.routeBuckets = Map.of();
    return changed;
  }
}
