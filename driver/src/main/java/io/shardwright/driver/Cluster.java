package io.shardwright.driver;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.DriverLease;
import io.shardwright.catalog.UnknownShardException;
import io.shardwright.config.Configuration;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.driver.ShardPool.Purpose;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.ShardIdentity;
import io.shardwright.schema.ShardInspector;
import io.shardwright.schema.ShardSchema;
import io.shardwright.schema.ShardSettings;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Planner;
import io.shardwright.sql.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all logical connections of one configuration share. Thread-safe. */
final class Cluster implements AutoCloseable {
  // Long because: what connections share is made, watched and closed in one place.

  private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

  /** How often the catalog is asked for newer maps and shards that are down are tried again. */
  private static final long WATCH_MILLIS = 1_000;

  /** An unknown table makes the schema be read anew at most this often. */
  private static final long SCHEMA_REFRESH_MILLIS = 1_000;

  /** Threads for the other shards of scatters; when all are busy the caller does the work. */
  private static final int FAN_OUT_THREADS = 64;

  /** Threads for questions to shards that nobody waits for to the end. */
  static final int ASKER_THREADS = 512;

  private static final long IDLE_THREAD_SECONDS = 30;

  private final String name;
  private final NewShards newShards;
  private volatile Configuration configuration;

  /** Unmodifiable once the cluster is open, and replaced when a shard is added. */
  private volatile SortedMap<ShardId, ShardPool> pools = new TreeMap<>();

  private volatile List<ShardPool> poolList;
  private final CatalogMaps maps;
  private final Tracing tracing;
  private final Statistics statistics;
  private final HeatCounters heat;
  private final Optional<HeatRecorder> recorder;
  private final DdlExecutor ddl;
  private final Indexes indexes;
  private final Optional<IndexSchedule> schedule;
  private final IdIssuer ids;
  private final NextState nextState;
  private final ThreadPoolExecutor executor;
  private final ThreadPoolExecutor askers;
  private final ScheduledExecutorService watcher;
  private final ScheduledThreadPoolExecutor alarms;
  private final ShardSettings settings = new ShardSettings();
  private final AtomicInteger nextShard = new AtomicInteger();
  private final AtomicLong lastRefreshNanos = new AtomicLong();
  private volatile LogicalDatabase database;
  private volatile int defaultIsolation = -1;
  private volatile boolean closed;

  /**
   * Connects, in parallel: the SQL parser warms up while the configuration is read, and the pools
   * fill while the catalog is read.
   *
   * @throws ShardwrightException SW411 when the catalog is down; SW401, SW403, SW103 or SW104 when
   *     no shard can be used
   */
  Cluster(String name, Supplier<Configuration> reader) {
    this(name, reader, new DriverLease());
  }

  /** The same with a lease that others may let lapse. */
  Cluster(String name, Supplier<Configuration> reader, DriverLease lease) {
    // Long because: what connections share is opened here in its order, side by side.
    this.name = name;
    this.newShards = new NewShards(name, reader);
    ThreadFactory threads = daemonThreads("shardwright-scatter");
    this.executor =
        new ThreadPoolExecutor(
            0,
            FAN_OUT_THREADS,
            IDLE_THREAD_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            threads,
            new ThreadPoolExecutor.CallerRunsPolicy());
    this.askers =
        new ThreadPoolExecutor(
            0,
            ASKER_THREADS,
            IDLE_THREAD_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemonThreads("shardwright-asker"));
    this.watcher = Executors.newSingleThreadScheduledExecutor(daemonThreads("shardwright-watcher"));
    this.alarms = new ScheduledThreadPoolExecutor(1, daemonThreads("shardwright-alarms"));
    alarms.setRemoveOnCancelPolicy(true);
    boolean opened = false;
    CompletableFuture<CatalogMaps> catalog = null;
    try {
      CompletableFuture<Void> parser = CompletableFuture.runAsync(Cluster::warmParser, executor);
      Configuration read = reader.get();
      this.configuration = read;
      catalog =
          CompletableFuture.supplyAsync(() -> new CatalogMaps(Catalog.open(read), lease), executor);
      for (Configuration.Shard shard : configuration.shards().values()) {
        pools.put(shard.id(), pool(shard));
      }
      this.poolList = List.copyOf(pools.values());
      this.maps = joined(catalog);
      maps.state().checkDirectories(read);
      this.nextState = new NextState(maps, executor, this::pollCatalog);
      this.statistics = new Statistics(configuration.warnShards());
      boolean counting = read.heat().isOn() && read.catalog().isPresent();
      this.heat = new HeatCounters(counting);
      this.recorder =
          counting
              ? Optional.of(new HeatRecorder(heat, read, daemonThreads("shardwright-heat")))
              : Optional.empty();
      this.tracing = new Tracing(() -> List.copyOf(pools.keySet()));
      this.ddl = new DdlExecutor(this);
      this.ids = new IdIssuer(configuration);
      this.indexes =
          new Indexes(
              this,
              new IndexLanes(this::configuration, maps, nextState, heat),
              Cluster::daemonThreads);
      this.database = readDatabase(maps.state());
      this.schedule = IndexSchedule.of(this, daemonThreads("shardwright-schedule"));
      indexes.serve(database.lists());
      joined(parser);
      opened = true;
    } finally {
      if (!opened) {
        release();
        if (catalog != null) {
          CompletableFuture<Void> unused = catalog.thenAccept(CatalogMaps::close);
        }
      }
    }
    Future<?> unused =
        watcher.scheduleWithFixedDelay(
            this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    schedule.ifPresent(IndexSchedule::start);
    recorder.ifPresent(HeatRecorder::start);
  }

  private ShardPool pool(Configuration.Shard shard) {
    return new ShardPool(shard, connection -> checkShard(shard.id(), connection));
  }

  private void checkShard(ShardId shard, Connection connection) throws SQLException {
    checkIdentity(shard, connection);
    if (product() == DatabaseProduct.MARIADB) {
      settings.check(shard, connection);
    }
  }

  private void checkIdentity(ShardId shard, Connection connection) throws SQLException {
    ShardIdentity identity =
        ShardIdentity.read(connection)
            .orElseThrow(
                () ->
                    new ShardwrightException(
                        ErrorCode.NOT_APPLIED,
                        "shard "
                            + shard
                            + " has no Shardwright tables; run shardwright apply -c FILE"));
    identity.check(shard, maps.clusterId());
  }

  private static <T> T joined(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof ShardwrightException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** The first statement of a fresh JVM would otherwise pay for loading the parser. */
  private static void warmParser() {
    try {
      new Planner(Schema.of(List.of())).plan("SELECT 1");
    } catch (RuntimeException e) {
      LOG.debug("warming up the parser", e);
    }
  }

  // What statements need

  /** For a text that will not come again. */
  Plan planOnce(String sql) {
    return database.plans().planOnce(sql);
  }

  Planned plan(String sql) {
    return plan(PlanCache::plan, sql);
  }

  /** The same for a text that may hold values, which others will not have. */
  Planned planText(String sql) {
    return plan(PlanCache::planText, sql);
  }

  /** The same for one that is sent as it is. */
  Planned planWholeText(String sql) {
    return plan(PlanCache::planWholeText, sql);
  }

  private Planned plan(BiFunction<PlanCache, String, Planned> how, String sql) {
    if (closed) {
      throw new ShardwrightException(
          ErrorCode.CONNECTION_CLOSED, "the data source is closed; open a new one");
    }
    try {
      return how.apply(database.plans(), sql);
    } catch (ShardwrightException e) {
      if (e.code() == ErrorCode.TABLE_UNKNOWN && refreshDue()) {
        refresh();
        return how.apply(database.plans(), sql);
      }
      throw e;
    }
  }

  /** The path of the configuration, or what stands for it. */
  String name() {
    return name;
  }

  LogicalDatabase database() {
    return database;
  }

  Function<String, BucketMap> maps() {
    return maps;
  }

  Configuration configuration() {
    return configuration;
  }

  CatalogMaps catalogMaps() {
    return maps;
  }

  NextState nextState() {
    return nextState;
  }

  PhysicalDatabase physical() {
    return poolList.get(0).database();
  }

  Tracing tracing() {
    return tracing;
  }

  Statistics statistics() {
    return statistics;
  }

  HeatCounters heat() {
    return heat;
  }

  /** Records in the catalog what was counted until now; never throws. */
  void recordHeat() {
    recorder.ifPresent(HeatRecorder::record);
  }

  Indexes indexes() {
    return indexes;
  }

  /** Empty when the file declares no index. */
  Optional<IndexSchedule> schedule() {
    return schedule;
  }

  IdIssuer ids() {
    return ids;
  }

  DdlExecutor ddl() {
    return ddl;
  }

  /** For what must happen at a time; its tasks only hand on work. */
  ScheduledExecutorService alarms() {
    return alarms;
  }

  DatabaseProduct product() {
    return configuration.product();
  }

  /** For statements of a group without a route key, as configured. */
  Configuration.Scatter scatter(String group) {
    return configuration.groups().get(group).scatter();
  }

  Executor executor() {
    return executor;
  }

  /** For questions that nobody may wait for; rejects those beyond {@link #ASKER_THREADS}. */
  Executor askers() {
    return askers;
  }

  /** In shard name order. */
  SortedMap<ShardId, ShardPool> pools() {
    return pools;
  }

  ShardPool pool(ShardId shard) throws SQLException {
    ShardPool pool = pools.get(shard);
    if (pool == null) {
      throw SqlErrors.of(
          ErrorCode.CATALOG_MISMATCH,
          "the bucket map names shard "
              + shard
              + ", which shardwright.yaml does not have; nothing was sent; add it to the file");
    }
    return pool;
  }

  /**
   * Of any shard, in turn; those that are down are passed over.
   *
   * @throws SQLException that of the last shard tried when none can be used
   */
  Lease leaseAny(Purpose purpose, LeaseWait wait) throws SQLException {
    return leaseOneOf(candidates(), purpose, wait);
  }

  /** Of the first shard in name order; those that are down come last. */
  Lease leaseFirst(LeaseWait wait) throws SQLException {
    List<ShardPool> all = poolList;
    return leaseOneOf(all.get(0).isDown() ? upFirst(all) : all, Purpose.READ, wait);
  }

  private static Lease leaseOneOf(List<ShardPool> candidates, Purpose purpose, LeaseWait wait)
      throws SQLException {
    SQLException failure = null;
    for (ShardPool pool : candidates) {
      try {
        return pool.lease(purpose, wait);
      } catch (SQLException e) {
        if (!(e instanceof ShardwrightError error) || error.code() == ErrorCode.CONNECTION_CLOSED) {
          throw e;
        }
        if (failure != null) {
          e.addSuppressed(failure);
        }
        failure = e;
      }
    }
    throw failure;
  }

  private List<ShardPool> candidates() {
    List<ShardPool> all = poolList;
    int first = Math.floorMod(nextShard.getAndIncrement(), all.size());
    if (!all.get(first).isDown()) {
      // The usual case costs no list of its own but a view.
      return first == 0 ? all : rotated(all, first);
    }
    return upFirst(rotated(all, first));
  }

  private static List<ShardPool> upFirst(List<ShardPool> pools) {
    List<ShardPool> sorted = new ArrayList<>(pools);
    sorted.sort((a, b) -> Boolean.compare(a.isDown(), b.isDown()));
    return sorted;
  }

  private static List<ShardPool> rotated(List<ShardPool> all, int first) {
    List<ShardPool> rotated = new ArrayList<>(all.size());
    rotated.addAll(all.subList(first, all.size()));
    rotated.addAll(all.subList(0, first));
    return rotated;
  }

  /**
   * The servers' own, asked once: with the first schema, since a transaction that asks holds a
   * lease.
   */
  int defaultIsolation() {
    return defaultIsolation;
  }

  // The schema

  /** Reads the schema anew, from the first shard that answers. */
  void refresh() {
    while (!use(readDatabase(maps.state()))) {
      // A newer state was put to work while the schema was read by the one before.
      Thread.onSpinWait();
    }
  }

  /** False when one of a newer state of the catalog is in use: others rely on that. */
  synchronized boolean use(LogicalDatabase read) {
    if (read.version() < database.version()) {
      return false;
    }
    database = read;
    indexes.serve(read.lists());
    return true;
  }

  /** Looks for a newer state now; never throws. */
  void pollCatalog() {
    maps.poll(this::work, this::adopt);
  }

  /** Makes the shards usable that the file has by now, one among them that the catalog names. */
  private Optional<Configuration> adopt(UnknownShardException unknown) {
    Optional<Configuration> next =
        newShards.look(unknown, configuration, maps.leaseId(), this::openAll);
    next.ifPresent(
        found -> {
          configuration = found;
          indexes.serve(database.lists());
        });
    return next;
  }

  /** All or none; each has answered. */
  private void openAll(Collection<Configuration.Shard> shards) throws SQLException {
    TreeMap<ShardId, ShardPool> all = new TreeMap<>(pools);
    boolean opened = false;
    try {
      for (Configuration.Shard shard : shards) {
        all.put(shard.id(), pool(shard));
        all.get(shard.id()).lease(Purpose.READ, LeaseWait.UNENDED).release();
      }
      opened = !closed;
    } finally {
      if (!opened) {
        shards.stream()
            .map(Configuration.Shard::id)
            .map(all::remove)
            .filter(Objects::nonNull)
            .forEach(ShardPool::close);
      }
    }
    poolList = List.copyOf(all.values());
    pools = Collections.unmodifiableSortedMap(all);
  }

  /**
   * The plans of old maps are those of new ones, but not those of other indexes and directories.
   */
  private void work(CatalogState newer) {
    if (!newer.indexes().equals(maps.state().indexes())
        || !newer.directories().equals(maps.state().directories())) {
      boolean unused = use(readDatabase(newer));
    }
  }

  /** The same where a failure must not hide what happened before; the old schema stays then. */
  void refreshIfPossible() {
    try {
      refresh();
    } catch (ShardwrightException e) {
      LOG.warn("the schema could not be read again; statements are planned with the old one", e);
    }
  }

  private boolean refreshDue() {
    long last = lastRefreshNanos.get();
    long now = System.nanoTime();
    boolean due = last == 0 || now - last > TimeUnit.MILLISECONDS.toNanos(SCHEMA_REFRESH_MILLIS);
    return due && lastRefreshNanos.compareAndSet(last, now);
  }

  private LogicalDatabase readDatabase(CatalogState state) {
    try {
      Lease lease = leaseAny(Purpose.READ, LeaseWait.UNENDED);
      try {
        if (defaultIsolation < 0) {
          defaultIsolation = lease.connection().getTransactionIsolation();
        }
        ShardSchema shard =
            ShardInspector.inspect(lease.connection(), LogicalDatabase.tableNames(configuration));
        return LogicalDatabase.of(configuration, state, shard, statistics);
      } finally {
        lease.release();
      }
    } catch (SQLException e) {
      if (e instanceof ShardwrightError error) {
        throw new ShardwrightException(
            error.code(), e.getMessage().substring(error.code().code().length() + 2), e);
      }
      throw new ShardwrightException(
          ErrorCode.SHARD_UNAVAILABLE, "the schema cannot be read: " + e.getMessage(), e);
    }
  }

  // Life

  private void watch() {
    try {
      for (ShardPool pool : poolList) {
        if (pool.isDown()) {
          executor.execute(pool::tryAgain);
        }
      }
      // Last, since it waits for a catalog that does not answer.
      pollCatalog();
    } catch (RuntimeException e) {
      LOG.warn("watching catalog and shards failed; it goes on", e);
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** Open leases are lost: whoever still reads gets an error. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      schedule.ifPresent(IndexSchedule::close);
      indexes.close();
      ids.close();
      recorder.ifPresent(HeatRecorder::close);
      release();
      maps.close();
    }
  }

  private void release() {
    watcher.shutdownNow();
    alarms.shutdownNow();
    pools.values().forEach(ShardPool::close);
    executor.shutdown();
    askers.shutdown();
  }

  private static ThreadFactory daemonThreads(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
