package io.shardwright.bench;

import io.shardwright.bench.compare.Comparison;
import io.shardwright.bench.compare.Database;
import io.shardwright.bench.compare.Machine;
import io.shardwright.bench.compare.Scale;
import io.shardwright.catalog.CatalogMoves;
import io.shardwright.config.DatabaseProduct;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
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
 * {@code ./shardwright bench}: the comparison with other ways to reach the same rows, written to
 * {@code bench/results}; or, by name, what parts of our own cost, as one table: the part, the
 * yardstick, the difference and the target.
 */
public final class Bench {
  private static final Set<String> PARTS = Set.of("ids", "lookup", "moves");
  private static final int WRONG_USE = 2;
  private static final String USAGE =
      """
      usage: ./shardwright bench [--quick] [--only NAME,...] [--database NAME] [--profile]
                                 [--out DIRECTORY]
             ./shardwright bench [--quick] ids|lookup|moves ...

      Without a name: Shardwright, statements routed by hand, ShardingSphere-JDBC and one database
      beside each other, on PostgreSQL and then on MariaDB, some 20 minutes. Writes REPORT.md and
      results.json to DIRECTORY, bench/results by default.
        --quick     fewer rows, shorter turns, rough figures
        --only      only these workloads; NAME* for all that begin so
        --list      names of the workloads
        --database  postgresql or mariadb alone. MariaDB has those workloads that use one set of
                    eight shards, or a lookup index
        --profile   record each side by Flight Recorder; writes PROFILE.md and the recordings to
                    DIRECTORY, but no results, since recording takes time of its own
      ids, lookup, moves: what these parts of Shardwright cost, printed. See docs/performance.md.
      """;

  /** One thread, one call after the other: it takes some thousands until all is compiled. */
  private static final int LOOKUP_CALLS_PER_ROUND = 8;

  /** By one statement on each shard. */
  private static final int BULK_ROWS_PER_ROUND = 10;

  private static final String LINE = "%-44s %14s %14s %14s  %s%n";

  private final Effort effort;
  private final PrintStream out;

  /** How long to measure. */
  record Effort(int forks, int iterations, int seconds, int rounds, int copiedRows, int moves) {
    static final Effort FULL = new Effort(2, 5, 2, 2_000, 250_000, 20);
    static final Effort QUICK = new Effort(1, 3, 1, 500, 250_000, 8);

    /** One pass, for a test that the benchmark still runs; the figures mean nothing. */
    static final Effort TINY = new Effort(0, 1, 0, 5, 1_000, 1);
  }

  Bench(Effort effort, PrintStream out) {
    this.effort = effort;
    this.out = out;
  }

  public static void main(String[] arguments) throws Exception {
    List<String> given = new ArrayList<>(List.of(arguments));
    if (given.remove("--help") || given.remove("-h")) {
      System.out.print(USAGE);
      return;
    }
    if (given.remove("--list")) {
      Comparison.names().forEach(System.out::println);
      return;
    }
    boolean quick = given.remove("--quick");
    boolean profile = given.remove("--profile");
    String only = option(given, "--only", "*");
    String database = option(given, "--database", "");
    Path directory = Path.of(option(given, "--out", home().resolve("bench/results").toString()));
    if (!PARTS.containsAll(given)) {
      given.removeAll(PARTS);
      System.err.println("unknown: " + String.join(" ", given));
      System.err.print(USAGE);
      System.exit(WRONG_USE);
    }
    if (given.isEmpty()) {
      List<String> patterns = List.of(only.split(",", -1));
      List<String> unknown = Comparison.unknown(patterns);
      if (!unknown.isEmpty()) {
        System.err.println(
            "no workload is named " + String.join(", ", unknown) + "; --list names them");
        System.exit(WRONG_USE);
      }
      if (!database.isEmpty() && Database.of(database).isEmpty()) {
        System.err.println("no database is named " + database + ": " + Database.names());
        System.exit(WRONG_USE);
      }
      List<Database> databases =
          Database.of(database).map(List::of).orElse(List.of(Database.values()));
      Scale scale = quick ? Scale.QUICK : Scale.FULL;
      if (profile) {
        Comparison.profile(databases, scale, patterns, directory, System.err);
      } else {
        Comparison.write(databases, scale, patterns, directory, System.err);
      }
    } else {
      new Bench(quick ? Effort.QUICK : Effort.FULL, System.out).run(Set.copyOf(given));
    }
  }

  /** Of the repository. */
  private static Path home() {
    return Path.of(System.getProperty("shardwright.home", ""));
  }

  private static String option(List<String> given, String name, String otherwise) {
    int at = given.indexOf(name);
    if (at < 0) {
      return otherwise;
    }
    given.remove(at);
    if (at == given.size()) {
      System.err.println(name + " needs a value");
      System.err.print(USAGE);
      System.exit(WRONG_USE);
    }
    return given.remove(at);
  }

  void run(Set<String> parts) throws Exception {
    List<RunResult> ids = parts.contains("ids") ? jmh(IdBenchmark.class) : List.of();
    out.println();
    out.println(Machine.describe());
    out.println();
    out.printf(LINE, "", "shardwright", "yardstick", "difference", "target");
    if (!ids.isEmpty()) {
      printIds(ids);
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

  private void lookup() throws SQLException {
    try (LookupWays ways = LookupWays.open(LOOKUP_CALLS_PER_ROUND * effort.rounds())) {
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
      Map<String, Double> bulk = ways.bulk(BULK_ROWS_PER_ROUND * effort.rounds());
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
      Map<String, Double> cost = new FenceCost(shards, effort.rounds()).run();
      String flush = "a flush takes %.0f us".formatted(cost.get("flush"));
      printFence(name + ", fenced INSERT, us", cost, "insert", 1, "at most 40 us; " + flush);
      printFence(name + ", fenced UPDATE, us", cost, "update", 1, "at most 40 us; " + flush);
      int rows = FenceCost.rowsOfAStatement();
      printFence("  row of many, each of another bucket, us", cost, "many", rows, "at most 6 us");
      printFence("  row of many, all of one bucket, us", cost, "same", rows, "at most 1 us");
    }
    try (MoveShards shards = new MoveShards(product)) {
      MoveRates.Rates rates = new MoveRates(shards).rates(effort.copiedRows());
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
}
