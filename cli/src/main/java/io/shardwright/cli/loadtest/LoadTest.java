package io.shardwright.cli.loadtest;

import io.shardwright.cli.loadtest.LoadTestReport.Measured;
import io.shardwright.cli.loadtest.Orders.Item;
import io.shardwright.cli.loadtest.Orders.Table;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.config.DatabaseProduct;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The flow: databases of its own on the servers of a configuration, tables, rows, driver and
 * gateway in this process, one scenario after the other, and away with it all. Used by one thread,
 * but for {@link #stop} and {@link #drop}.
 */
public final class LoadTest {
  private static final int LOADERS = 4;
  private static final int BATCH = 1_000;
  private static final int WARM_UP = 200;
  private static final Duration WARM_UP_MAX = Duration.ofSeconds(3);
  private static final long LOOK_MILLIS = 20;
  private static final int SHARDS_MIN = 2;

  private final LoadTestOptions options;
  private final Consumer<String> steps;
  private final OwnDatabases databases;
  private final Map<String, Long> millis = new LinkedHashMap<>();
  private volatile OpenLoop running;
  private volatile boolean stopped;

  /**
   * @param steps hears what is being done
   */
  public LoadTest(LoadTestOptions options, Consumer<String> steps) {
    this.options = options;
    this.steps = steps;
    this.databases = new OwnDatabases(options.servers());
  }

  /** What keeps it from being run, as far as the options tell. */
  public static List<String> problems(LoadTestOptions options) {
    List<String> problems = new ArrayList<>();
    Configuration servers = options.servers();
    if (servers.shards().size() < SHARDS_MIN) {
      problems.add("the file has one shard; a load test needs " + SHARDS_MIN + " or more");
    }
    boolean proxy = options.scenarios().stream().anyMatch(Scenario::needsProxy);
    Map<String, String> urls = new LinkedHashMap<>();
    servers.catalog().ifPresent(catalog -> urls.put("catalog.url", catalog.url()));
    for (Shard shard : servers.shards().values()) {
      urls.put("shards." + shard.id() + ".url", shard.endpoint().url());
    }
    urls.forEach(
        (key, url) -> {
          if (ServerUrl.of(url).isEmpty()) {
            problems.add(
                key
                    + " does not name one host and a database, so that no other database of the"
                    + " server can be named by it; write jdbc:postgresql://host:5432/database");
          } else if (proxy && ServerUrl.of(url).orElseThrow().checksHost()) {
            problems.add(
                key
                    + " wants the server's certificate to name its host, and scenarios slow-shard"
                    + " and shard-down put a proxy in between; leave them out");
          }
        });
    return problems;
  }

  /**
   * Runs it; the databases are left for {@link #drop}.
   *
   * @throws io.shardwright.errors.ShardwrightException SW401, SW403 when databases cannot be
   *     created, and those of {@code apply}
   */
  public LoadTestReport run() throws SQLException, InterruptedException {
    long start = System.nanoTime();
    steps.accept("databases: creating " + (options.servers().shards().size() + 1));
    databases.create();
    OwnSchema schema = new OwnSchema(databases, options.servers());
    schema.create();
    start = took("databases", start);
    Orders orders = new Orders(options.rows(), options.seed());
    List<Measured> measured = new ArrayList<>();
    try (Stand stand = new Stand(schema.configuration())) {
      load(stand, orders, schema);
      took("rows", start);
      warmUp(stand, schema, orders);
      for (Scenario scenario : options.scenarios()) {
        if (!stopped) {
          steps.accept(scenario.word() + ": " + scenario.description());
          measured.add(new Run(stand, schema, orders).of(scenario));
        }
      }
    }
    return new LoadTestReport(setting(orders), millis, measured);
  }

  private long took(String part, long sinceNanos) {
    long now = System.nanoTime();
    millis.put(part, TimeUnit.NANOSECONDS.toMillis(now - sinceNanos));
    return now;
  }

  private Map<String, Object> setting(Orders orders) {
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put("database", options.servers().product().toString());
    setting.put("shards", options.servers().shards().size());
    setting.put("orders", orders.rows(Table.ORDERS).size());
    setting.put("lines", orders.rows(Table.LINES).size());
    setting.put("buyers", orders.buyers().size());
    setting.put("seed", options.seed());
    setting.put("secondsOfEach", options.time().toMillis() / 1e3);
    setting.put("requestsPerSecond", options.perSecond());
    setting.put("processors", Runtime.getRuntime().availableProcessors());
    return setting;
  }

  private void load(Stand stand, Orders orders, OwnSchema schema)
      throws SQLException, InterruptedException {
    Rows rows = new Rows(options.servers().product());
    ExecutorService loaders = Executors.newFixedThreadPool(LOADERS);
    try {
      for (Table table : Table.values()) {
        List<Item> items = orders.rows(table);
        steps.accept("rows: " + items.size() + " of " + table.word());
        List<Future<?>> parts = new ArrayList<>();
        for (int i = 0; i < items.size(); i += BATCH) {
          List<Item> part = items.subList(i, Math.min(items.size(), i + BATCH));
          parts.add(
              loaders.submit(
                  () -> {
                    rows.load(stand.source(), table, part, BATCH);
                    return null;
                  }));
        }
        for (Future<?> part : parts) {
          part.get();
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      loaders.shutdownNow();
    }
    schema.analyze();
  }

  /** The first requests of a process say more about the process than about the shards. */
  private void warmUp(Stand stand, OwnSchema schema, Orders orders) {
    steps.accept("warming up");
    SplittableRandom random = new SplittableRandom(options.seed());
    long start = System.nanoTime();
    for (int i = 0; i < WARM_UP && System.nanoTime() - start < WARM_UP_MAX.toNanos(); i++) {
      PageQuery query = Scenarios.ofADay(random);
      long buyer = orders.buyers().get(i % orders.buyers().size());
      QueryCall.of(stand, schema.token(), query, orders).send();
      QueryCall.of(stand, schema.token(), query.ofBuyer(buyer), orders).send();
    }
  }

  /** One scenario. */
  private final class Run {
    private final Stand stand;
    private final OwnSchema schema;
    private final Orders orders;

    Run(Stand stand, OwnSchema schema, Orders orders) {
      this.stand = stand;
      this.schema = schema;
      this.orders = orders;
    }

    Measured of(Scenario scenario) throws SQLException {
      Measurement measurement = new Measurement(scenario, options.time(), stand.shards());
      if (scenario.needsProxy()) {
        try (Faults faults = new Faults(schema, orders)) {
          faults.warmUp();
          return measured(
              measurement,
              faults.stand(),
              () -> {
                Duration took = loop(measurement, faults.traffic(measurement, options.perSecond()));
                faults.recover(measurement);
                return took;
              });
        }
      }
      if (scenario == Scenario.DEEP_PAGING) {
        boolean postgres = options.servers().product() == DatabaseProduct.POSTGRESQL;
        DeepPaging paging = new DeepPaging(stand, schema, orders, postgres);
        return measured(measurement, stand, () -> paging.run(measurement, () -> stopped));
      }
      Writes writes = new Writes(stand, new Rows(options.servers().product()), scenario);
      Scenarios scenarios = new Scenarios(stand, schema, orders, options.perSecond());
      return measured(
          measurement,
          stand,
          () -> {
            Duration took = loop(measurement, scenarios.of(measurement, writes));
            writes.check(measurement);
            return took;
          });
    }

    private Duration loop(Measurement measurement, OpenLoop.Traffic traffic) {
      long seed = options.seed() + measurement.scenario().number();
      OpenLoop loop = new OpenLoop(measurement, new SplittableRandom(seed));
      running = loop;
      if (stopped) {
        loop.stop();
      }
      return loop.run(traffic);
    }
  }

  private interface Part {
    Duration run() throws SQLException;
  }

  private static Measured measured(Measurement measurement, Stand stand, Part part)
      throws SQLException {
    Map<String, Long> before = stand.statements();
    long merged = stand.rowsMerged();
    ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor();
    try {
      var unused =
          looking.scheduleAtFixedRate(
              () -> measurement.held(stand.source().activeConnections()),
              0,
              LOOK_MILLIS,
              TimeUnit.MILLISECONDS);
      Duration took = part.run();
      looking.shutdownNow();
      Map<String, Long> statements = new LinkedHashMap<>(stand.statements());
      statements.replaceAll((shard, count) -> count - before.get(shard));
      return measurement.report(took, statements, stand.rowsMerged() - merged);
    } finally {
      looking.shutdownNow();
    }
  }

  /** Ends the traffic soon. From any thread. */
  public void stop() {
    stopped = true;
    OpenLoop loop = running;
    if (loop != null) {
      loop.stop();
    }
  }

  public boolean isStopped() {
    return stopped;
  }

  /** The server and name of each database that is there. */
  public List<String> databases() {
    return databases.names();
  }

  /**
   * Drops the databases, whoever uses them; none is created afterwards. From any thread, and again.
   *
   * @return the statements that failed, and why
   */
  public List<String> drop() {
    return databases.drop();
  }
}
