package io.shardwright.driver;

import io.shardwright.catalog.BucketHeat;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.FeedCounters;
import io.shardwright.lookup.LookupCacheStatistics;
import io.shardwright.lookup.Lookups;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route;
import io.shardwright.sql.Schema;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Logical connections to all shards. Its connections cost nothing until they run a statement, so it
 * needs no pool in front. Thread-safe; close it once.
 */
public final class ShardwrightDataSource implements DataSource, AutoCloseable {
  private final Cluster cluster;

  ShardwrightDataSource(Cluster cluster) {
    this.cluster = cluster;
  }

  Cluster cluster() {
    return cluster;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return connection(ConnectionSettings.NONE, () -> {});
  }

  Connection connection(ConnectionSettings settings, Runnable onClose) throws SQLException {
    if (cluster.isClosed()) {
      throw SqlErrors.of(ErrorCode.CONNECTION_CLOSED, "the data source is closed; open a new one");
    }
    return new ShardwrightConnection(cluster, settings, onClose);
  }

  /** The plan of a statement; nothing is sent. */
  public Plan plan(String sql) {
    return cluster.plan(sql).plan();
  }

  /**
   * Where a statement would go now from a connection without settings; at most a lookup index is
   * asked.
   *
   * @param parameters one per {@code ?}; null is SQL NULL
   * @throws io.shardwright.errors.ShardwrightException 2xx and 3xx: why it would be refused
   */
  public Route explain(String sql, List<?> parameters) {
    return explain(sql, parameters, asked -> {});
  }

  /**
   * The same.
   *
   * @param lookups hears of each question to an index that decided the route
   */
  public Route explain(String sql, List<?> parameters, Consumer<Lookups.Asked> lookups) {
    try (ShardwrightConnection connection =
            new ShardwrightConnection(cluster, ConnectionSettings.NONE, () -> {});
        ShardwrightStatement statement =
            new ShardwrightStatement(
                connection, new StatementSettings(ResultSet.TYPE_FORWARD_ONLY, true))) {
      Parameters given = Parameters.of(cluster.product(), parameters);
      Execution execution = new Execution(connection, statement, cluster.plan(sql), given);
      Route route = execution.explain();
      RoutePolicy policy = statement.routePolicy();
      if (policy.lookups() != null) {
        policy.lookups().asked().forEach(lookups);
      }
      policy.listsAsked().forEach(lookups);
      return route;
    } catch (SQLException e) {
      throw Indexes.unreadable("that the statement asks", e);
    }
  }

  /** By {@code group.index}, of the unique lookup indexes whose caches were used. */
  public Map<String, LookupCacheStatistics> lookupCaches() {
    return cluster.indexes().cacheStatistics();
  }

  /**
   * What this process has delivered to lookup indexes that are not unique, by {@code group.index}
   * and shard of the rows. What waits is told by {@link LookupIndexes#status}.
   */
  public Map<String, Map<ShardId, FeedCounters>> deliveries() {
    return cluster.indexes().feed().counters();
  }

  /**
   * Returns when reads by this data source see what the token's writer had committed. Each shard's
   * own rows are read from the server that has the writes, so what is waited for is that this
   * process routes by a state that is not older than the writer's.
   *
   * @param patience until the catalog is known to be as new
   * @throws io.shardwright.errors.ShardwrightException SW814 when that cannot be said: the token is
   *     of another cluster, the catalog was not read in time, or a shard was failed over since
   * @throws SQLException when a shard cannot be asked
   */
  public void awaitWrites(WriteToken token, Duration patience) throws SQLException {
    String own = cluster.catalogMaps().clusterId().map(UUID::toString).orElse("");
    if (!own.equals(token.cluster())) {
      throw unproven("the token is of another cluster");
    }
    if (!cluster.catalogMaps().awaits(token.version(), cluster.nextState(), patience)) {
      throw unproven("the catalog's state " + token.version() + " is not known here yet");
    }
    try (ShardwrightConnection connection =
        new ShardwrightConnection(cluster, ConnectionSettings.NONE, () -> {})) {
      for (Map.Entry<ShardId, String> written : token.servers().entrySet()) {
        if (!cluster.pools().containsKey(written.getKey())) {
          throw unproven("shard " + written.getKey() + " was removed since");
        }
        if (!connection.server(written.getKey()).equals(written.getValue())) {
          throw unproven("shard " + written.getKey() + " was failed over since");
        }
      }
    }
  }

  private static ShardwrightException unproven(String why) {
    return new ShardwrightException(
        ErrorCode.WRITES_UNPROVEN,
        "whether these writes would be seen cannot be said: "
            + why
            + "; read without the token, and look whether they are there");
  }

  /** The tables as they were last read from a shard. */
  public Schema schema() {
    return cluster.database().schema();
  }

  /** The bucket map in use. */
  public BucketMap bucketMap(String group) {
    return cluster.maps().apply(group);
  }

  /** Physical connections in use now, by shard. */
  public Map<ShardId, Integer> activeConnections() {
    Map<ShardId, Integer> active = new LinkedHashMap<>();
    cluster.pools().forEach((shard, pool) -> active.put(shard, pool.active()));
    return active;
  }

  /** True while statements for the shard are refused without an attempt to connect. */
  boolean isDown(ShardId shard) {
    return cluster.pools().get(shard).isDown();
  }

  /** What the statements did so far, by shape. Counters start when the data source opens. */
  public StatementStatistics statistics() {
    return cluster.statistics().snapshot();
  }

  /** What moves of buckets cost the statements so far. */
  public MoveStatistics moveStatistics() {
    return cluster.statistics().moves().snapshot();
  }

  /**
   * What the statements did to each bucket since the data source was opened, those buckets with
   * traffic; nothing with {@code heat: off} or without a catalog. All processes together are in
   * {@link io.shardwright.catalog.CatalogHeat}.
   */
  public List<BucketHeat> heat() {
    return cluster.heat().all();
  }

  /** Adds what is new of {@link #heat} to the catalog, as happens by itself. Never fails. */
  public void recordHeat() {
    cluster.recordHeat();
  }

  /**
   * The values of a unique lookup index, to reserve them.
   *
   * @param index {@code group.index}
   */
  public UniqueValues uniqueValues(String index) {
    return new UniqueValues(cluster, index);
  }

  Optional<IndexSchedule> schedule() {
    return cluster.schedule();
  }

  /** The lookup indexes of the file. */
  public LookupIndexes lookupIndexes() {
    return new LookupIndexes(cluster);
  }

  public void addListener(StatementListener listener) {
    cluster.tracing().add(listener);
  }

  public void removeListener(StatementListener listener) {
    cluster.tracing().remove(listener);
  }

  /**
   * Schema changes that some shards have and others lack, oldest first. Needs all shards.
   *
   * @throws SQLException SW401 when a shard cannot be asked, SW505 when the shards' logs contradict
   *     each other
   */
  public List<PendingDdl> pendingDdl() throws SQLException {
    return cluster.ddl().pending();
  }

  /**
   * Runs {@link #pendingDdl()} on the shards that lack them.
   *
   * @return what was pending
   * @throws SQLException SW502 when a shard still refuses; the rest stays pending
   */
  public List<PendingDdl> resumeDdl() throws SQLException {
    return cluster.ddl().resume();
  }

  /** Looks for newer bucket maps now, which happens by itself each second. Never fails. */
  public void refreshMaps() {
    cluster.pollCatalog();
  }

  /** Reads the tables anew, after a change that was made outside the driver. */
  public void refreshSchema() {
    cluster.refresh();
  }

  @Override
  public void close() {
    cluster.close();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw SqlErrors.unsupported(
        "a user for one connection", "users and passwords are those of shardwright.yaml");
  }

  @Override
  public PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    throw SqlErrors.unsupported("a log writer", "logs go to slf4j");
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    throw SqlErrors.unsupported(
        "a login timeout", "set shards.<name>.pool.timeout in shardwright.yaml");
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("io.shardwright");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw SqlErrors.unsupported(
        "unwrapping the data source to " + type.getName(), "use javax.sql.DataSource");
  }
}
