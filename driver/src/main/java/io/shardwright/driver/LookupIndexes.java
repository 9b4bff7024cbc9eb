package io.shardwright.driver;

import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.CatalogJobs;
import io.shardwright.catalog.CatalogMoves;
import io.shardwright.catalog.IndexName;
import io.shardwright.catalog.IndexState;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration;
import io.shardwright.config.IndexKind.Listing;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.FeedStatus;
import io.shardwright.lookup.Giants;
import io.shardwright.lookup.ListIndex;
import io.shardwright.lookup.Reconciliation.Options;
import io.shardwright.lookup.Reconciliation.Progress;
import io.shardwright.lookup.Reconciliation.Report;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.IndexObjects;
import io.shardwright.schema.IndexObjects.LockWait;
import io.shardwright.schema.LookupIndex;
import io.shardwright.schema.ShardInspector;
import io.shardwright.schema.ShardSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Builds, checks and drops the lookup indexes that the file declares, while applications write.
 * Each step is on record before the next begins; what was broken off is done by calling it again.
 * Thread-safe; two at once on one index end with SW413 for one of them.
 */
public final class LookupIndexes {
  // Long because: all that is done to an index, in the order of its life.

  /** A process that is cut off from the catalog takes 12 s to lapse. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Cluster cluster;

  LookupIndexes(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Work on one shard. */
  private interface ShardWork {
    void run(ShardId shard, Connection connection, IndexObjects objects) throws SQLException;
  }

  /** Those that the file declares or the catalog records: {@code group.index}. */
  public SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>(states().keySet());
    for (Configuration.Group group : cluster.configuration().groups().values()) {
      for (String index : group.indexes().keySet()) {
        names.add(new IndexName(group.name(), index).placement());
      }
    }
    return names;
  }

  /** Of all {@link #names()}. Needs all shards; takes no locks that writers meet. */
  public List<LookupIndexStatus> status() throws SQLException {
    Map<String, CatalogIndex> recorded = states();
    List<LookupIndexStatus> all = new ArrayList<>();
    for (String name : names()) {
      CatalogIndex index = recorded.get(name);
      all.add(index == null ? notRecorded(IndexName.parse(name)) : status(index));
    }
    return all;
  }

  private LookupIndexStatus notRecorded(IndexName name) {
    Configuration.Index index =
        cluster.configuration().groups().get(name.group()).indexes().get(name.index());
    return new LookupIndexStatus(
        name.placement(),
        index.table(),
        index.columns(),
        Optional.empty(),
        true,
        List.of(),
        List.of());
  }

  private LookupIndexStatus status(CatalogIndex index) throws SQLException {
    boolean declared = isDeclared(index);
    return new LookupIndexStatus(
        index.name().placement(),
        Optional.of(index.table()),
        index.columns(),
        Optional.of(index.state()),
        declared,
        declared ? onShards(index) : List.of(),
        declared ? feeds(index) : List.of());
  }

  /** None of shards whose tables are gone: they are reported as such. */
  private List<FeedStatus> feeds(CatalogIndex index) throws SQLException {
    Optional<ListIndex> list = cluster.database().list(index.name().placement());
    List<FeedStatus> feeds = new ArrayList<>();
    for (ShardId shard : list.isPresent() ? cluster.pools().keySet() : Set.<ShardId>of()) {
      try {
        feeds.add(cluster.indexes().feed().status(list.get(), shard));
      } catch (SQLException e) {
        if (!SqlFailure.isMissingTable(e)) {
          throw e;
        }
      }
    }
    return feeds;
  }

  private boolean isDeclared(CatalogIndex index) {
    Configuration.Group group = cluster.configuration().groups().get(index.name().group());
    return group != null && group.indexes().containsKey(index.name().index());
  }

  private List<LookupIndexStatus.OnShard> onShards(CatalogIndex index) throws SQLException {
    List<LookupIndexStatus.OnShard> shards = new ArrayList<>();
    onShards(
        index,
        (shard, connection, objects) -> {
          IndexObjects.Found found = objects.inspect(connection);
          shards.add(
              new LookupIndexStatus.OnShard(
                  shard,
                  found.missing(),
                  found.foreign(),
                  index.state().isMaintained() ? objects.missingTriggers(found) : List.of()));
        });
    return shards;
  }

  /** What the catalog calls the scheduled comparison of {@code group.index} with its rows. */
  public static String comparisonJob(String index) {
    return "reconcile:" + index;
  }

  /** By {@code group.index}, as the catalog has them now. */
  public Map<String, CatalogIndex> states() {
    cluster.pollCatalog();
    return new TreeMap<>(cluster.catalogMaps().state().indexes());
  }

  /**
   * Makes every write maintain the index, gives each row its entry, compares both ways, and lets
   * statements be answered by it. When it is readable it is compared only, unless triggers are
   * missing: then it is built again.
   *
   * @param rowsPerSecond of the filling; 0: as fast as it goes
   * @return what the last comparison found
   * @throws ShardwrightException SW104 when apply has not been run; SW419 when rows share a value,
   *     or a comparison found differences; the index stays as far as it came
   * @throws SQLException of a shard
   */
  public Report create(String name, long rowsPerSecond, Progress progress) throws SQLException {
    CatalogIndex index = known(name);
    if (index.state() == IndexState.DECLARED) {
      index = change(index, index.withGiants(giants(index)).with(IndexState.WRITE_ONLY));
    } else if (isUnguarded(index)) {
      index = change(index, index.with(IndexState.WRITE_ONLY));
    }
    IndexUpkeep upkeep = upkeep(name);
    if (index.state() == IndexState.WRITE_ONLY) {
      awaitSeen(index);
      long version = index.version();
      onShards(index, (shard, c, objects) -> objects.installTriggers(c, version, LockWait.DEFAULT));
      requireSound(name, fill(index, upkeep, rowsPerSecond, progress), true);
    }
    Report report = upkeep.compare(new Options(false, rowsPerSecond, progress));
    requireSound(name, report, false);
    if (index.state() == IndexState.WRITE_ONLY) {
      index = change(index, index.with(IndexState.VERIFIED));
    }
    if (index.state() == IndexState.VERIFIED) {
      change(index, index.with(IndexState.READABLE));
    }
    return report;
  }

  private Report fill(CatalogIndex index, IndexUpkeep upkeep, long rowsPerSecond, Progress progress)
      throws SQLException {
    int buckets = cluster.maps().apply(index.name().group()).buckets();
    try (CatalogJobs jobs = new CatalogJobs(cluster.configuration().catalog().orElseThrow())) {
      return IndexFill.run(index, upkeep, jobs, buckets, rowsPerSecond, progress);
    }
  }

  /**
   * Compares rows and entries, both ways.
   *
   * @param repair what differs
   */
  public Report verify(String name, boolean repair, long rowsPerSecond, Progress progress)
      throws SQLException {
    CatalogIndex index = known(name);
    if (!index.state().isMaintained()) {
      throw new ShardwrightException(
          ErrorCode.NOT_APPLIED,
          "lookup index " + name + " is not maintained yet; run: shardwright index create " + name);
    }
    return upkeep(name).compare(new Options(repair, rowsPerSecond, progress));
  }

  /**
   * Lets changes be delivered again that an index which is not unique did not take.
   *
   * @return how many
   */
  public int replay(String name) throws SQLException {
    CatalogIndex index = known(name);
    ListIndex list =
        cluster
            .database()
            .list(index.name().placement())
            .orElseThrow(
                () ->
                    new ShardwrightException(
                        ErrorCode.COMMAND_INVALID,
                        "lookup index "
                            + name
                            + " has no changes to replay: it is unique, or not maintained; see"
                            + " shardwright index status"));
    int replayed = 0;
    for (ShardId shard : cluster.pools().keySet()) {
      replayed += cluster.indexes().feed().replay(list, shard);
      cluster.indexes().wrote(shard);
    }
    return replayed;
  }

  /**
   * Ends its use, then its upkeep, then removes its tables and its record.
   *
   * @throws ShardwrightException SW603 when its entries are in a move
   */
  public void drop(String name) throws SQLException {
    CatalogIndex index = known(name);
    try (CatalogMoves moves = new CatalogMoves(cluster.configuration())) {
      moves.requireAtRest(index.name());
    }
    if (index.state() == IndexState.READABLE || index.state() == IndexState.VERIFIED) {
      index = change(index, index.with(IndexState.WRITE_ONLY));
    }
    if (index.state() == IndexState.WRITE_ONLY) {
      awaitSeen(index);
      onShards(index, (shard, c, objects) -> objects.removeTriggers(c, LockWait.DEFAULT));
      index = change(index, index.with(IndexState.DECLARED));
    }
    awaitSeen(index);
    onShards(index, (shard, c, objects) -> objects.dropTables(c));
    cluster.catalogMaps().catalog().removeIndex(index);
    cluster.pollCatalog();
  }

  /** Statements are or will be answered by it, and on some shard not every write maintains it. */
  private boolean isUnguarded(CatalogIndex index) throws SQLException {
    return index.state() != IndexState.WRITE_ONLY
        && onShards(index).stream().anyMatch(shard -> !shard.missingTriggers().isEmpty());
  }

  private CatalogIndex known(String name) {
    CatalogIndex index = states().get(name);
    if (index == null) {
      throw new ShardwrightException(
          ErrorCode.NOT_APPLIED,
          "the catalog has no lookup index "
              + name
              + " (it has "
              + states().keySet()
              + "); declare it under groups: and run: shardwright apply -c FILE");
    }
    if (!isDeclared(index)) {
      throw new ShardwrightException(
          ErrorCode.CATALOG_MISMATCH,
          "lookup index "
              + name
              + " is in the catalog and the file lacks it; put it back under groups."
              + index.name().group()
              + ".indexes, then drop it: shardwright index drop "
              + name
              + " -c FILE");
    }
    return index;
  }

  private CatalogIndex change(CatalogIndex index, CatalogIndex next) {
    CatalogIndex changed = cluster.catalogMaps().catalog().changeIndex(index, next);
    cluster.pollCatalog();
    return changed;
  }

  private void awaitSeen(CatalogIndex index) {
    List<UUID> behind = cluster.catalogMaps().catalog().awaitSeen(index.version(), PATIENCE);
    if (!behind.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.CATALOG_CONFLICT,
          behind.size()
              + " processes have not taken notice of the state of lookup index "
              + index.name()
              + " within "
              + PATIENCE.toSeconds()
              + " s; it stays "
              + index.state()
              + "; repeat the command");
    }
  }

  private IndexUpkeep upkeep(String name) {
    LogicalDatabase database = cluster.database();
    Indexes indexes = cluster.indexes();
    return database
        .index(name)
        .<IndexUpkeep>map(index -> new IndexUpkeep.OfUnique(indexes, index))
        .or(() -> database.list(name).map(list -> new IndexUpkeep.OfList(indexes.feed(), list)))
        .orElseThrow(
            () ->
                new ShardwrightException(
                    ErrorCode.SCHEMA_INVALID,
                    "lookup index "
                        + name
                        + " does not fit the tables; run: shardwright apply -c FILE, which says"
                        + " why"));
  }

  /** What the index is to have on record of its giants, for all its life. */
  private List<Long> giants(CatalogIndex index) throws SQLException {
    if (!(declared(index).kind() instanceof Listing listing) || listing.spread().isEmpty()) {
      return List.of();
    }
    List<LookupIndex> found = new ArrayList<>();
    onShards(index, (shard, connection, objects) -> found.add(objects.index()));
    List<List<String>> values = listing.spread().get().values();
    return values.isEmpty()
        ? cluster
            .indexes()
            .giants(ListIndex.of(found.get(0), index, cluster.configuration().product()))
        : Giants.of(found.get(0), values);
  }

  private Configuration.Index declared(CatalogIndex index) {
    return cluster
        .configuration()
        .groups()
        .get(index.name().group())
        .indexes()
        .get(index.name().index());
  }

  private static void requireSound(String name, Report report, boolean repaired) {
    if (!report.isSound(repaired)) {
      throw new ShardwrightException(
          ErrorCode.INDEX_UNSOUND,
          "lookup index "
              + name
              + ": of "
              + report.rows()
              + " rows "
              + report.conflicts()
              + " have a value that another row has "
              + report.examples()
              + ", "
              + report.missing()
              + " had no entry; "
              + report.extra()
              + " of "
              + report.candidates()
              + " entries had no row; "
              + report.busy()
              + " values could not be judged; "
              + (report.conflicts() > 0 ? "make the values unique and " : "")
              + "repeat the command");
    }
  }

  private void onShards(CatalogIndex index, ShardWork work) throws SQLException {
    Configuration configuration = cluster.configuration();
    Configuration.Group group = configuration.groups().get(index.name().group());
    for (ShardPool pool : cluster.pools().values()) {
      Lease lease = pool.lease(ShardPool.Purpose.LOCK, LeaseWait.UNENDED);
      try {
        ShardSchema schema =
            ShardInspector.inspect(lease.connection(), List.copyOf(group.tables().keySet()));
        LookupIndex found =
            LookupIndex.find(configuration.product(), group, declared(index), schema)
                .orElseThrow(
                    () ->
                        new ShardwrightException(
                            ErrorCode.SCHEMA_INVALID,
                            "lookup index "
                                + index.name()
                                + " does not fit the tables of shard "
                                + pool.shard()
                                + "; run: shardwright apply -c FILE, which says why"));
        work.run(pool.shard(), lease.connection(), IndexObjects.of(found, configuration));
      } finally {
        lease.release();
      }
    }
  }
}
