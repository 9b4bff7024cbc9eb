package io.shardwright.driver;

import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.IndexState;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.Entries;
import io.shardwright.lookup.Feed;
import io.shardwright.lookup.Feeder;
import io.shardwright.lookup.Giants;
import io.shardwright.lookup.IndexWork;
import io.shardwright.lookup.Lane;
import io.shardwright.lookup.ListIndex;
import io.shardwright.lookup.LookupCacheStatistics;
import io.shardwright.lookup.LookupCaches;
import io.shardwright.lookup.Lookups;
import io.shardwright.lookup.Reconciliation;
import io.shardwright.lookup.Reservations;
import io.shardwright.lookup.Sweeper;
import io.shardwright.lookup.UniqueIndex;
import io.shardwright.lookup.WriterSession;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Schema.LookupIndex;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.Supplier;

/** The lookup indexes as statements use them. Thread-safe. */
final class Indexes implements AutoCloseable {
  private final Cluster cluster;
  private final IndexLanes lanes;
  private final Entries entries;
  private final LookupCaches caches;
  private final Sweeper sweeper;

  /** By physical connection, as long as that is used. */
  private final Map<Connection, WriterSession> sessions =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Feed feed;
  private final Feeder feeder;

  /**
   * One that may answer statements.
   *
   * @param version of its state in the catalog
   */
  record InUse(UniqueIndex index, long version) {}

  /**
   * @param threads of a name
   */
  Indexes(Cluster cluster, IndexLanes lanes, Function<String, ThreadFactory> threads) {
    this.cluster = cluster;
    this.lanes = lanes;
    this.entries = new Entries(lanes);
    this.caches =
        new LookupCaches(
            entries,
            IndexSchema.caches(cluster.configuration()),
            cluster.configuration().redis(),
            threads.apply("shardwright-cache"),
            System::nanoTime);
    this.sweeper = new Sweeper(entries, caches, threads.apply("shardwright-sweeper"));
    this.feed = new Feed(lanes, System::nanoTime);
    this.feeder = new Feeder(feed, threads.apply("shardwright-feed"));
  }

  /** Delivers changes to these from now on. */
  void serve(Collection<ListIndex> lists) {
    feeder.serve(lists, cluster.pools().keySet());
  }

  /** Somebody wrote rows on a shard whose changes may have to be delivered. */
  void wrote(ShardId shard) {
    feeder.wake(shard);
  }

  /** Hashes of the values that very many rows have. */
  List<Long> giants(ListIndex index) throws SQLException {
    return Giants.count(lanes, index);
  }

  Feed feed() {
    return feed;
  }

  /**
   * The index, when statements may be answered by it now: it is readable, and this process's lease
   * tells that this is still so.
   */
  Optional<InUse> readable(String name) {
    CatalogIndex known = cluster.catalogMaps().state().indexes().get(name);
    return isReadable(known)
        ? cluster.database().index(name).map(index -> new InUse(index, known.version()))
        : Optional.empty();
  }

  /** The same of one that is not unique. */
  Optional<ListIndex> readableList(String name) {
    return isReadable(cluster.catalogMaps().state().indexes().get(name))
        ? cluster.database().list(name)
        : Optional.empty();
  }

  /**
   * @param known null: it is not on record
   */
  private boolean isReadable(CatalogIndex known) {
    return known != null && known.state() == IndexState.READABLE && cluster.catalogMaps().isLive();
  }

  /** A connection beside those of statements; closing it gives it back. */
  Connection open(ShardId shard, Lane lane) throws SQLException {
    return lanes.open(shard, lane);
  }

  /**
   * @param cached whether places may be answered by caches
   */
  Lookups lookups(boolean cached) {
    return new Lookups(entries, caches, cached);
  }

  Map<String, LookupCacheStatistics> cacheStatistics() {
    return caches.statistics();
  }

  /**
   * @param reservations tokens of those whose values may be taken
   */
  IndexWork begin(Supplier<Set<Long>> reservations) {
    return sweeper.begin(reservations);
  }

  /**
   * What a leased connection's session has said; says so when it has not, or not of the newest
   * state. Outside a transaction.
   */
  void introduce(Lease lease) throws SQLException {
    Connection session = lease.connection().unwrap(Connection.class);
    long version = cluster.catalogMaps().state().version();
    WriterSession known = sessions.get(session);
    if (known == null || known.version() < version) {
      Set<String> tables = cluster.database().tablesWithUniqueIndexes();
      sessions.put(
          session,
          WriterSession.begin(lease.connection(), lease.pool().product(), version, tables));
    }
  }

  /** Whether a plain INSERT on the leased connection may tell of its rows itself. */
  boolean knowsInserted(Maintenance maintenance, Lease lease) throws SQLException {
    WriterSession known = sessions.get(lease.connection().unwrap(Connection.class));
    return known != null && maintenance.knowsInserted(known);
  }

  Reservations reservations() {
    return new Reservations(sweeper);
  }

  /** How the entries that a statement changes are maintained; empty when it changes none. */
  Optional<Maintenance> maintenance(Plan plan) {
    if (plan.maintained().isEmpty()) {
      return Optional.empty();
    }
    List<UniqueIndex> indexes = new ArrayList<>();
    for (LookupIndex index : plan.maintained()) {
      indexes.add(
          cluster
              .database()
              .index(index.name())
              .orElseThrow(
                  () ->
                      new ShardwrightException(
                          ErrorCode.CATALOG_CONFLICT,
                          "lookup index "
                              + index.name()
                              + " was dropped while the statement was planned; repeat it")));
    }
    return Optional.of(new Maintenance(indexes, cluster.catalogMaps().state().version()));
  }

  Reconciliation.Report reconcile(UniqueIndex index, Reconciliation.Options options)
      throws SQLException {
    return Reconciliation.run(entries, sweeper, index, options);
  }

  /** An error of an index's shards, as statements report it. */
  static ShardwrightException unreadable(String index, SQLException e) {
    if (!(e instanceof ShardwrightError) && SqlFailure.isData(e)) {
      return new ShardwrightException(
          ErrorCode.ROUTE_KEY_VALUE_INVALID,
          "the lookup index "
              + index
              + " does not take a value ("
              + e.getMessage()
              + "); nothing was sent; give values of the types of its columns",
          e);
    }
    ErrorCode code =
        e instanceof ShardwrightError error ? error.code() : ErrorCode.SHARD_UNAVAILABLE;
    return new ShardwrightException(
        code,
        "the lookup index "
            + index
            + " cannot be read ("
            + e.getMessage()
            + "); nothing was sent; give the route key, or repeat it later",
        e);
  }

  @Override
  public void close() {
    feeder.close();
    sweeper.close();
    caches.close();
    lanes.close();
  }
}
