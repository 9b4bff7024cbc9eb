package io.shardwright.driver;

import io.shardwright.lookup.Lookups;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.ScatterRule;
import io.shardwright.sql.ListAccess;
import io.shardwright.sql.ListIndex;
import io.shardwright.sql.RouteContext;
import io.shardwright.sql.Schema;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the connection, then the configuration, decide for the statements of one object, and what
 * their routes ask of indexes. Not thread-safe.
 */
final class RoutePolicy implements RouteContext {
  private static final String SOURCE = "connection";

  private final ShardwrightConnection connection;
  private final StatementSettings statement;

  /** Of the route that was made last; null when it asked nothing. */
  private Lookups lookups;

  private boolean cached;

  RoutePolicy(ShardwrightConnection connection, StatementSettings statement) {
    this.connection = connection;
    this.statement = statement;
  }

  /**
   * Before a route is made.
   *
   * @param cacheable whether its caller finds out that a place was out of date
   */
  void begin(boolean cacheable) {
    lookups = null;
    cached = cacheable;
  }

  /** What the route asked; null: nothing. */
  Lookups lookups() {
    return lookups;
  }

  @Override
  public Optional<Set<BucketId>> lookUp(Schema.LookupIndex index, List<List<Object>> values) {
    Optional<Indexes.InUse> readable = connection.cluster().indexes().readable(index.name());
    if (readable.isEmpty()) {
      return Optional.empty();
    }
    if (lookups == null) {
      lookups = connection.cluster().indexes().lookups(cached);
    }
    try {
      return Optional.of(lookups.buckets(readable.get().index(), readable.get().version(), values));
    } catch (SQLException e) {
      throw Indexes.unreadable(index.name(), e);
    }
  }

  @Override
  public Optional<ListAccess> open(ListIndex index, List<List<Object>> values, boolean complete) {
    return Optional.empty();
  }

  @Override
  public ScatterRule reads(String group) {
    return connection
        .settings()
        .reads()
        .map(policy -> new ScatterRule(policy, SOURCE))
        .orElseGet(() -> connection.cluster().scatter(group).reads());
  }

  @Override
  public ScatterRule writes(String group) {
    return connection
        .settings()
        .writes()
        .map(policy -> new ScatterRule(policy, SOURCE))
        .orElseGet(() -> connection.cluster().scatter(group).writes());
  }

  @Override
  public Optional<BucketId> bucket(String group) {
    Map<String, BucketId> buckets = connection.settings().routeBuckets();
    return buckets.isEmpty() ? Optional.empty() : Optional.ofNullable(buckets.get(group));
  }

  @Override
  public Optional<String> bound() {
    if (statement.maxRows() > 0) {
      return Optional.of("setMaxRows");
    }
    if (statement.fetchSize() > 0) {
      return Optional.of("setFetchSize");
    }
    return connection.settings().maxRows().isPresent()
        ? Optional.of("the connection's max_rows")
        : Optional.empty();
  }
}
