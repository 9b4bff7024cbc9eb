package io.shardwright.examples.orders;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardwright.catalog.Catalog;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.GeneIdGenerator;
import io.shardwright.ids.NodeLease;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import io.shardwright.schema.PlacementCheck;
import io.shardwright.schema.PlacementReport;
import java.io.IOException;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The whole product on real data: starts the shards, creates the schema through Shardwright, loads
 * the invoices, runs and measures every access path, and checks the result.
 */
public final class OrdersDemo {
  /** The demo is the only process that issues ids. */
  private static final int NODE = 0;

  private static final int GENERATION = 0;

  private final DemoOptions options;
  private final Consumer<String> progress;
  private final long start = System.nanoTime();
  private long startedServers;
  private long createdSchema;
  private long loaded;
  private long ranPaths;
  private long grown;

  private OrdersDemo(DemoOptions options, Consumer<String> progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * @param progress one line for each step
   * @return the report; {@link DemoReport#ok()} says whether every check passed
   * @throws ShardwrightException SW601 when a server does not start, SW603 for data that is missing
   *     or damaged, SW105 when the schema is not what the configuration says
   */
  public static DemoReport run(DemoOptions options, Consumer<String> progress)
      throws SQLException, InterruptedException, IOException {
    DemoReport report = new OrdersDemo(options, progress).run();
    if (options.json().isPresent()) {
      new ObjectMapper()
          .writerWithDefaultPrettyPrinter()
          .writeValue(options.json().get().toFile(), report);
    }
    return report;
  }

  private DemoReport run() throws SQLException, InterruptedException {
    RetailData data = RetailData.in(options.data());
    progress.accept("starting " + options.shards() + " PostgreSQL servers");
    try (DemoShards shards = DemoShards.start(options.shards(), options.keep())) {
      startedServers = millis();
      Configuration configuration = ConfigurationReader.read(shards.file());
      // The tables do not exist yet, and that is all that may be missing.
      Apply.run(configuration, Apply.Options.DEFAULT);
      try (ShardwrightDataSource database = Shardwright.open(shards.file())) {
        progress.accept("creating the schema on all shards");
        createSchema(configuration, database);
        createdSchema = millis();
        return useShards(data, shards, database);
      }
    }
  }

  static void createSchema(Configuration configuration, ShardwrightDataSource database)
      throws SQLException {
    SchemaScript.run(database);
    ApplyReport applied = Apply.run(configuration, Apply.Options.DEFAULT);
    if (!applied.ok()) {
      throw new ShardwrightException(
          ErrorCode.SCHEMA_INVALID, "the schema of the demo: " + applied.problems());
    }
    database.refreshSchema();
    SchemaScript.fillCountries(database);
  }

  private DemoReport useShards(RetailData data, DemoShards shards, ShardwrightDataSource database)
      throws SQLException, InterruptedException {
    BucketFunction buckets =
        database.schema().table("orders").orElseThrow().sharding().orElseThrow().function();
    InstantSource clock = InstantSource.system();
    OrderIds ids =
        new OrderIds(
            buckets,
            new GeneIdGenerator(
                GeneIdLayout.forBuckets(buckets.buckets()),
                GENERATION,
                NodeLease.fixed(NODE),
                clock));
    OrderService service = new OrderService(database, ids, clock);
    OrderQueries queries = new OrderQueries(database);
    progress.accept("loading " + options.rows() + " invoices");
    OrderLoad.Loaded source =
        new OrderLoad(service)
            .load(
                data,
                options.rows(),
                orders -> progress.accept("loading: " + orders + " of " + options.rows()));
    loaded = millis();
    DemoChecks checks = new DemoChecks(database, shards);
    checks.sourceTotals(source);
    progress.accept("running the access paths");
    AccessPaths paths = new AccessPaths(database, service, queries);
    List<DemoReport.Path> measured = paths.run();
    DemoReport.Refusal refusal = paths.refused();
    progress.accept("comparing look-ups by number over 4, 8 and 16 shards");
    List<DemoReport.Lookup> lookups = new LookupComparison(shards).run();
    ranPaths = millis();
    DemoReport.Growth growth = options.move() ? grow(shards, service, queries, checks) : null;
    grown = millis();
    progress.accept("checking every row");
    checks.refusal(refusal);
    checks.pages(queries);
    PlacementReport placement = placement(ConfigurationReader.read(shards.file()));
    checks.placement(placement);
    return report(
        source,
        measured,
        refusal,
        lookups,
        growth,
        placement,
        checks,
        database.bucketMap("orders").version(),
        options.keep() ? shards.handOver() : List.of());
  }

  private DemoReport.Growth grow(
      DemoShards shards, OrderService service, OrderQueries queries, DemoChecks checks)
      throws SQLException, InterruptedException {
    long ordersBefore = checks.orders();
    OrderTraffic traffic = new OrderTraffic(service, queries);
    DemoReport.Growth growth;
    try {
      growth = new SecondAct(shards, traffic, progress).run();
    } finally {
      traffic.stop();
    }
    checks.growth(growth, traffic, ordersBefore);
    return growth;
  }

  private static PlacementReport placement(Configuration configuration) {
    try (Catalog catalog = Catalog.open(configuration)) {
      return PlacementCheck.run(configuration, catalog.load());
    }
  }

  private DemoReport report(
      OrderLoad.Loaded source,
      List<DemoReport.Path> paths,
      DemoReport.Refusal refusal,
      List<DemoReport.Lookup> lookups,
      DemoReport.Growth growth,
      PlacementReport placement,
      DemoChecks checks,
      long mapVersion,
      List<String> kept) {
    Map<String, Map<String, Long>> rows = new LinkedHashMap<>();
    for (PlacementReport.TableRows table : placement.checked()) {
      rows.computeIfAbsent(table.table(), key -> new LinkedHashMap<>())
          .put(table.shard().name(), table.rows());
    }
    long loadMillis = Math.max(1, loaded - createdSchema);
    long total = millis();
    return new DemoReport(
        new DemoReport.Environment(
            options.shards() + (growth == null ? 0 : growth.added().size()),
            mapVersion,
            "Java " + Runtime.version().feature(),
            System.getProperty("os.name") + " " + System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors(),
            false),
        new DemoReport.Load(
            source.invoices(),
            source.lines(),
            source.refunds(),
            source.amount(),
            loadMillis,
            source.invoices() * 1_000 / loadMillis),
        paths,
        refusal,
        lookups,
        growth,
        rows,
        checks.results(),
        new DemoReport.Timings(
            startedServers,
            createdSchema - startedServers,
            loadMillis,
            ranPaths - loaded,
            grown - ranPaths,
            total - grown,
            total),
        kept);
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }
}
