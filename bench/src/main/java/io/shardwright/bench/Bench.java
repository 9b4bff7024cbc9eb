package io.shardwright.bench;

import io.shardwright.catalog.CatalogMoves;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.testkit.TcpProxy;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the benchmarks and prints one table: the driver, the yardstick, the difference and the
 * target. {@code point}, {@code text}, {@code cold}, {@code scatter}, {@code wide}, {@code ids},
 * {@code lookup}, {@code moves}, or all of them without an argument; {@code --quick} gives rough
 * figures in a minute.
 */
public final class Bench {
  private static final Set<String> PARTS =
      Set.of("point", "text", "cold", "scatter", "wide", "ids", "lookup", "moves");
  private static final int SCATTER_ROWS_PER_ROUND = 20;
  private static final int SCANS = 5;

  /** One thread, one call after the other: it takes some thousands until all is compiled. */
  private static final int LOOKUP_CALLS_PER_ROUND = 8;

  /** By one statement on each shard. */
  private static final int BULK_ROWS_PER_ROUND = 10;

  /** Each shard then has its own 20. */
  private static final int SCATTER_ROWS_MIN = 400;

  private static final Duration NETWORK_DELAY = Duration.ofMillis(1);
  private static final String LINE = "%-44s %14s %14s %14s  %s%n";

  private final Effort effort;
  private final PrintStream out;

  /** How long to measure. */
  record Effort(
      int forks,
      int iterations,
      int seconds,
      int coldRuns,
      int scatterRounds,
      int scanRows,
      int moves) {
    static final Effort FULL = new Effort(2, 5, 2, 11, 2_000, 1_000_000, 20);
    static final Effort QUICK = new Effort(1, 3, 1, 5, 500, 1_000_000, 8);

    /** One pass, for a test that the benchmark still runs; the figures mean nothing. */
    static final Effort TINY = new Effort(0, 1, 0, 1, 5, 4_000, 1);
  }

  Bench(Effort effort, PrintStream out) {
    this.effort = effort;
    this.out = out;
  }

  public static void main(String[] arguments) throws Exception {
    List<String> parts = new ArrayList<>(List.of(arguments));
    boolean quick = parts.remove("--quick");
    if (!PARTS.containsAll(parts)) {
      System.err.println(
          "usage: bench [--quick] [point] [text] [cold] [scatter] [wide] [ids] [lookup] [moves]");
      System.exit(2);
    }
    new Bench(quick ? Effort.QUICK : Effort.FULL, System.out)
        .run(parts.isEmpty() ? PARTS : Set.copyOf(parts));
  }

  void run(Set<String> parts) throws Exception {
    List<RunResult> points = parts.contains("point") ? jmh(PointSelectBenchmark.class) : List.of();
    List<RunResult> texts = parts.contains("text") ? jmh(TextSelectBenchmark.class) : List.of();
    List<RunResult> ids = parts.contains("ids") ? jmh(IdBenchmark.class) : List.of();
    out.println();
    out.println(Machine.describe());
    out.println();
    out.printf(LINE, "", "shardwright", "yardstick", "difference", "target");
    if (!points.isEmpty()) {
      printPoint(points, "stub", "at most 3 us, 1024 B");
      printPoint(points, "real", "information");
    }
    if (!texts.isEmpty()) {
      printText(texts);
    }
    if (!ids.isEmpty()) {
      printIds(ids);
    }
    if (parts.contains("cold")) {
      coldStart();
    }
    if (parts.contains("scatter")) {
      scatter();
    }
    if (parts.contains("wide")) {
      wide();
    }
    if (parts.contains("lookup")) {
      lookup();
    }
    if (parts.contains("moves")) {
      moves(DatabaseProduct.POSTGRESQL, "PostgreSQL");
      moves(DatabaseProduct.MARIADB, "MariaDB");
    }
  }

  private List<RunResult> jmh(Class<?> benchmark) throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(benchmark.getSimpleName())
            .forks(effort.forks())
            .warmupIterations(effort.forks() == 0 ? 0 : effort.iterations())
            .measurementIterations(effort.iterations())
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true);
    TimeValue time =
        effort.seconds() == 0 ? TimeValue.milliseconds(20) : TimeValue.seconds(effort.seconds());
    Collection<RunResult> results =
        new Runner(options.warmupTime(time).measurementTime(time).build()).run();
    return List.copyOf(results);
  }

  private void printPoint(List<RunResult> results, String shards, String target) {
    RunResult driver = find(results, "shardwright", shards);
    RunResult byHand = find(results, "handRouted", shards);
    double micros = driver.getPrimaryResult().getScore();
    double microsByHand = byHand.getPrimaryResult().getScore();
    print("point SELECT, " + shards + ", us", micros, microsByHand, micros - microsByHand, target);
    double bytes = allocated(driver);
    double bytesByHand = allocated(byHand);
    print(
        "point SELECT, " + shards + ", bytes allocated",
        bytes,
        bytesByHand,
        bytes - bytesByHand,
        target);
  }

  private void printText(List<RunResult> results) {
    RunResult driver = find(results, "shardwright");
    RunResult byHand = find(results, "handRouted");
    double micros = driver.getPrimaryResult().getScore();
    double microsByHand = byHand.getPrimaryResult().getScore();
    print(
        "point SELECT with literals, stub, us",
        micros,
        microsByHand,
        micros - microsByHand,
        "at most 8 us, 3072 B");
    double bytes = allocated(driver);
    double bytesByHand = allocated(byHand);
    print("  bytes allocated", bytes, bytesByHand, bytes - bytesByHand, "");
    RunResult neverSeen = find(results, "neverSeen");
    double never = neverSeen.getPrimaryResult().getScore();
    print("  text of a new shape, us", never, microsByHand, never - microsByHand, "at most 300 us");
  }

  private void printIds(List<RunResult> results) {
    RunResult ids = find(results, "shardwright");
    RunResult byHand = find(results, "byHand");
    double perMicro = ids.getPrimaryResult().getScore();
    double perMicroByHand = byHand.getPrimaryResult().getScore();
    print(
        "gene ids of one thread, million a second",
        perMicro,
        perMicroByHand,
        perMicro - perMicroByHand,
        "at least 4");
    double bytes = allocated(ids);
    print("  bytes allocated", bytes, allocated(byHand), bytes - allocated(byHand), "0");
  }

  private void wide() throws Exception {
    try (BenchShards shards =
            BenchShards.wide(
                WideReads.SHARDS,
                SCATTER_ROWS_MIN + effort.scatterRounds() * SCATTER_ROWS_PER_ROUND,
                effort.scanRows());
        ShardwrightDataSource shardwright = Shardwright.open(shards.configuration());
        HandRouter byHand = shards.handRouter()) {
      WideReads reads = new WideReads(shardwright, byHand, effort.scatterRounds());
      print("100 keys of 8 shards by IN, us", reads.inList());
      print("top 100 of 8 shards, us", reads.top());
      WideReads scans = new WideReads(shardwright, byHand, Math.min(SCANS, effort.scatterRounds()));
      print(effort.scanRows() + " rows of 8 shards streamed, us", scans.scan());
    }
  }

  private void print(String name, WideReads.Result result) {
    print(
        name,
        result.shardwrightMicros(),
        result.byHandMicros(),
        result.shardwrightMicros() - result.byHandMicros(),
        "%.2f times by hand".formatted(result.ratio()));
  }

  private void lookup() throws SQLException {
    try (LookupWays ways = LookupWays.open(LOOKUP_CALLS_PER_ROUND * effort.scatterRounds())) {
      Map<String, Double> micros = ways.run();
      print("row by unique index, us", micros, "index", "key", "at most 2.2");
      print("row by cached unique index, us", micros, "cache", "key", "at most 1.1");
      print("page of 20 by list index, us", micros, "page", "key", "information");
      print(
          "INSERT with a unique index, us",
          micros,
          "insert, unique index",
          "insert",
          "information");
      print("INSERT with a list index, us", micros, "insert, list index", "insert", "information");
      Map<String, Double> bulk = ways.bulk(BULK_ROWS_PER_ROUND * effort.scatterRounds());
      print("row of many, list index's triggers, us", bulk, "told", "plain", "information");
      print(
          "the same until it is delivered, us",
          bulk,
          "delivered",
          "plain",
          "%.0f rows a second".formatted(1e6 / bulk.get("delivered")));
    }
  }

  private void moves(DatabaseProduct product, String name) throws Exception {
    try (MoveShards shards = new MoveShards(product)) {
      Map<String, Double> cost = new FenceCost(shards, effort.scatterRounds()).run();
      String flush = "a flush takes %.0f us".formatted(cost.get("flush"));
      printFence(name + ", fenced INSERT, us", cost, "insert", 1, "at most 40 us; " + flush);
      printFence(name + ", fenced UPDATE, us", cost, "update", 1, "at most 40 us; " + flush);
      int rows = FenceCost.rowsOfAStatement();
      printFence("  row of many, each of another bucket, us", cost, "many", rows, "at most 6 us");
      printFence("  row of many, all of one bucket, us", cost, "same", rows, "at most 1 us");
    }
    try (MoveShards shards = new MoveShards(product)) {
      MoveRates.Rates rates = new MoveRates(shards).rates(effort.scanRows() / 4);
      print(
          name + ", rows copied a second",
          rates.copied(),
          rates.byHand(),
          rates.copied() - rates.byHand(),
          "%.2f times by hand, at least 0.5".formatted(rates.copied() / rates.byHand()));
      print(name + ", changes caught up a second", rates.caughtUp(), 0, 0, "at least 20000");
    }
    try (MoveShards shards = new MoveShards(product)) {
      MoveRates.Pauses pauses = new MoveRates(shards).pauses(effort.moves());
      double p99 = pauses.quantile(99).toNanos() / 1e6;
      out.printf(
          LINE,
          name + ", pause of a batch, p50/p99/most ms",
          number(pauses.quantile(50).toNanos() / 1e6),
          number(p99),
          number(pauses.quantile(100).toNanos() / 1e6),
          "p99 at most 50 ms; %d batches, %.0f writes a second; most of each stage: %s"
              .formatted(pauses.pauses().size(), pauses.writes(), stages(pauses)));
    }
  }

  private static String stages(MoveRates.Pauses pauses) {
    return pauses.stages().entrySet().stream()
        .filter(stage -> stage.getKey().compareTo(CatalogMoves.Stage.CLOSE) >= 0)
        .map(
            stage ->
                stage.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                    + " "
                    + number(stage.getValue().toNanos() / 1e6))
        .collect(Collectors.joining(", "));
  }

  /** Of a row. */
  private void printFence(
      String name, Map<String, Double> micros, String what, int rows, String target) {
    double with = micros.get(what + " orders") / rows;
    double without = micros.get(what + " bare") / rows;
    print(name, with, without, with - without, target);
  }

  private void print(
      String name, Map<String, Double> micros, String way, String yardstick, String target) {
    double ours = micros.get(way);
    double theirs = micros.get(yardstick);
    print(
        name,
        ours,
        theirs,
        ours - theirs,
        "%.2f times %s, %s".formatted(ours / theirs, yardstick, target));
  }

  private void coldStart() throws SQLException, IOException, InterruptedException {
    try (BenchShards shards = BenchShards.real(1)) {
      ColdStart.Result cold = ColdStart.measure(shards, effort.coldRuns());
      print(
          "open to first row, fresh JVM, ms",
          cold.shardwrightMillis(),
          cold.handRoutedMillis(),
          cold.differenceMillis(),
          "at most 400 ms");
    }
  }

  private void scatter() throws Exception {
    try (BenchShards shards =
        BenchShards.real(SCATTER_ROWS_MIN + effort.scatterRounds() * SCATTER_ROWS_PER_ROUND)) {
      scatter("top 20 of 4 shards, on this machine, us", shards);
      List<TcpProxy> proxies = new ArrayList<>();
      try {
        List<String> urls = new ArrayList<>();
        for (String url : shards.urls()) {
          TcpProxy proxy = new TcpProxy("127.0.0.1", shards.port());
          proxy.delay(NETWORK_DELAY);
          proxies.add(proxy);
          urls.add(url.replace(":" + shards.port() + "/", ":" + proxy.port() + "/"));
        }
        scatter("top 20 of 4 shards, 1 ms away, us", shards.through(urls));
      } finally {
        proxies.forEach(TcpProxy::close);
      }
    }
  }

  private void scatter(String name, BenchShards shards) throws Exception {
    try (ShardwrightDataSource shardwright = Shardwright.open(shards.configuration());
        HandRouter byHand = shards.handRouter()) {
      ScatterTop20.Result result =
          ScatterTop20.measure(
              shardwright, byHand, effort.scatterRounds() / 2, effort.scatterRounds());
      print(
          name,
          result.scatterMicros(),
          result.slowestShardMicros(),
          result.scatterMicros() - result.slowestShardMicros(),
          "%.2f times the slowest shard, at most 1.2".formatted(result.ratio()));
      print(
          "  against all at once by hand",
          result.scatterMicros(),
          result.byHandMicros(),
          result.scatterMicros() - result.byHandMicros(),
          "information");
    }
  }

  private void print(
      String name, double driver, double yardstick, double difference, String target) {
    out.printf(LINE, name, number(driver), number(yardstick), number(difference), target);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static double allocated(RunResult result) {
    return result.getSecondaryResults().get("gc.alloc.rate.norm").getScore();
  }

  private static RunResult find(List<RunResult> results, String method) {
    return results.stream()
        .filter(r -> r.getParams().getBenchmark().endsWith("." + method))
        .findFirst()
        .orElseThrow();
  }

  private static RunResult find(List<RunResult> results, String method, String shards) {
    return results.stream()
        .filter(r -> r.getParams().getBenchmark().endsWith("." + method))
        .filter(r -> r.getParams().getParam("shards").equals(shards))
        .findFirst()
        .orElseThrow();
  }
}
