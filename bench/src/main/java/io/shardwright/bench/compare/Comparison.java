package io.shardwright.bench.compare;

import io.shardwright.bench.compare.ContestantProcess.RefusedException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Measures all sides beside each other: in each round each side has one turn, and each round begins
 * with another side, so that what the machine does meanwhile meets all of them alike.
 */
public final class Comparison implements AutoCloseable {
  private static final String HEAP = "1g";
  private static final int COUNTED_OPERATIONS = 20;
  private static final int COUNTED_OPERATIONS_TINY = 3;
  private static final int COUNTS_MAX = 6;

  private static final int WARM_OPERATIONS = 100;

  /** Turns of a side that is warm, and from which share of the least processor time on one is. */
  private static final int STEADY_TURNS = 2;

  private static final double STEADY = 0.97;
  private static final long COUNTING_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The operations that are counted are the same each time. */
  private static final long SEED = 8_191;

  private final Database database;
  private final Scale scale;
  private final PrintStream progress;
  private final List<Workload> workloads = new ArrayList<>();
  private final Set<String> names;
  private final Stand stand;
  private final Map<Side, ContestantProcess> processes = new EnumMap<>(Side.class);
  private final Map<Side, ContestantProcess> stubProcesses = new EnumMap<>(Side.class);
  private final Optional<Profile> profile;
  private boolean sealed;

  private Comparison(
      Database database,
      Scale scale,
      List<String> names,
      Optional<Profile> profile,
      PrintStream progress)
      throws SQLException, IOException {
    this.database = database;
    this.profile = profile;
    this.scale = scale;
    this.progress = progress;
    Map<String, Workload> all = Workloads.all();
    Set<String> sets = new LinkedHashSet<>(List.of("8"));
    for (String name : names) {
      if (all.containsKey(name) && database.has(all.get(name).set())) {
        workloads.add(all.get(name));
        sets.add(all.get(name).set());
      }
    }
    this.names = Set.copyOf(names);
    progress.println(database.label() + ": loading " + scale.rows() + " orders");
    this.stand = Stand.start(database, scale, sets);
  }

  /** Of all workloads. */
  public static List<String> names() {
    return Workloads.names();
  }

  /** Those that match no workload. */
  public static List<String> unknown(List<String> patterns) {
    return patterns.stream().filter(pattern -> Workloads.matching(pattern).isEmpty()).toList();
  }

  /**
   * Measures, and writes REPORT.md and results.json.
   *
   * @param patterns names of workloads, or their beginnings with a star
   * @param databases one after the other
   * @param progress a line per step
   */
  public static void write(
      List<Database> databases,
      Scale scale,
      List<String> patterns,
      Path directory,
      PrintStream progress)
      throws IOException, SQLException {
    List<Outcome> outcomes = new ArrayList<>();
    for (Database database : databases) {
      try (Comparison comparison = open(database, scale, matching(patterns), progress)) {
        outcomes.add(comparison.run());
      }
    }
    Map<String, String> machine = Machine.facts();
    Files.createDirectories(directory);
    Path report = directory.resolve("REPORT.md");
    Files.writeString(report, ReportText.of(outcomes, machine));
    Files.writeString(directory.resolve("results.json"), ReportJson.of(outcomes, machine));
    for (Goal goal : Goal.of(outcomes)) {
      progress.println(
          (goal.isMet() ? "met      " : "NOT MET  ") + goal.what() + ": " + goal.measured());
    }
    progress.println("written: " + report);
  }

  /**
   * Runs the same with a recording of each process, and writes PROFILE.md and the recordings. No
   * results: recording takes time of its own.
   */
  public static void profile(
      List<Database> databases,
      Scale scale,
      List<String> patterns,
      Path directory,
      PrintStream progress)
      throws IOException, SQLException {
    Profile profile = new Profile(directory);
    for (Database database : databases) {
      try (Comparison comparison =
          new Comparison(
              database, scale.profiled(), matching(patterns), Optional.of(profile), progress)) {
        comparison.measureAll();
      }
    }
    progress.println("written: " + profile.write() + "; figures of a profiled run are no results");
  }

  private static List<String> matching(List<String> patterns) {
    Set<String> names = new LinkedHashSet<>();
    patterns.forEach(pattern -> names.addAll(Workloads.matching(pattern)));
    return List.copyOf(names);
  }

  static Comparison open(Database database, Scale scale, List<String> names, PrintStream progress)
      throws SQLException, IOException {
    return new Comparison(database, scale, names, Optional.empty(), progress);
  }

  Outcome run() throws IOException, SQLException {
    List<Result> results = measureAll();
    Optional<Result> cold = Optional.empty();
    if (names.contains(ColdStart.NAME) && hasProcessStarts()) {
      progress.println("measuring " + ColdStart.NAME);
      cold = Optional.of(new ColdStart(stand, scale).measure());
    }
    Map<Side, String> heaps = Map.of();
    if (names.contains(LeastHeap.NAME) && hasProcessStarts()) {
      progress.println("measuring " + LeastHeap.NAME);
      heaps = new LeastHeap(stand, scale).find();
    }
    Map<Side, List<Long>> skewed = new EnumMap<>(Side.class);
    if (names.contains(Workloads.SKEWED)) {
      for (Side side : List.of(Side.RAW, Side.SHARDWRIGHT, Side.SHARDINGSPHERE)) {
        skewed.put(side, stand.skewedOrders(side));
      }
    }
    return new Outcome(database, scale, stand.settings(), results, cold, heaps, skewed);
  }

  /** What fresh processes take is measured on one database alone. */
  private boolean hasProcessStarts() {
    return database == Database.POSTGRESQL;
  }

  /** One workload after the other; then the processes end. */
  private List<Result> measureAll() throws IOException {
    List<Result> results = new ArrayList<>();
    for (Workload workload : workloads) {
      if (workload.isOnStub()) {
        warmUpStubs();
      }
      progress.println("measuring " + workload.name());
      results.add(measure(workload));
    }
    closeProcesses();
    return results;
  }

  private ContestantProcess process(Workload workload, Side side) throws IOException {
    boolean own = workload.isOnStub() && !scale.isTiny();
    Map<Side, ContestantProcess> known = own ? stubProcesses : processes;
    ContestantProcess process = known.get(side);
    if (process == null) {
      String name = database.id() + "-" + side.label() + (own ? "-stub" : "");
      List<String> options = profile.map(p -> p.options(name)).orElse(List.of());
      process = new ContestantProcess(stand.countedSetup(side), HEAP, options);
      known.put(side, process);
    }
    return process;
  }

  /** Once all stubs have been asked everything, the server behind them is cut off. */
  private void warmUpStubs() throws IOException {
    if (sealed) {
      return;
    }
    sealed = true;
    for (Workload workload : workloads) {
      if (workload.isOnStub()) {
        for (Side side : workload.sides()) {
          try {
            process(workload, side).run(workload, workload.set(), 0, 1);
            // However slow: each shard has to be met before.
            process(workload, side).run(workload, workload.set(), Long.MAX_VALUE, stubWarmUp());
          } catch (RefusedException e) {
            progress.println("  " + e.getMessage());
          }
        }
      }
    }
    for (ContestantProcess process : (scale.isTiny() ? processes : stubProcesses).values()) {
      process.sealStubs();
    }
  }

  private long stubWarmUp() {
    return scale.warmUpMillis() == 0 ? 1 : 500;
  }

  private long warmUp() {
    return TimeUnit.MILLISECONDS.toNanos(scale.warmUpMillis());
  }

  /**
   * Until two turns have taken no less processor time than those before, or the time for it is up:
   * the side that has more code needs more turns until it is compiled.
   */
  private void warmUp(ContestantProcess process, Workload workload)
      throws IOException, RefusedException {
    double least = Double.MAX_VALUE;
    int steady = 0;
    long nanos = 0;
    while (steady < STEADY_TURNS && (least == Double.MAX_VALUE || nanos < warmUp())) {
      Slot turn =
          process.run(workload, set(workload), Math.min(turnNanos(), warmUp()), Long.MAX_VALUE);
      nanos += turn.wallNanos();
      double cpu = (double) turn.cpuNanos() / turn.operations();
      steady = cpu > least * STEADY ? steady + 1 : 0;
      least = Math.min(least, cpu);
    }
  }

  private long turnNanos() {
    return TimeUnit.MILLISECONDS.toNanos(scale.turnMillis());
  }

  private Result measure(Workload workload) throws IOException {
    Map<Side, List<Slot>> turns = new LinkedHashMap<>();
    Map<Side, Score.Counts> counts = new EnumMap<>(Side.class);
    Map<Side, String> refusals = new EnumMap<>(Side.class);
    for (Side side : workload.sides()) {
      turns.put(side, new ArrayList<>());
      try {
        warmUp(process(workload, side), workload);
        if (isCounted(workload, side)) {
          counts.put(side, count(workload, side));
        }
      } catch (RefusedException e) {
        progress.println("  " + e.getMessage());
        refusals.put(side, e.getMessage());
      }
    }
    long nanos = turnNanos();
    for (int round = 0; round < scale.rounds(); round++) {
      for (int i = 0; i < workload.sides().size(); i++) {
        Side side = workload.sides().get((i + round) % workload.sides().size());
        if (!refusals.containsKey(side)) {
          try {
            turns
                .get(side)
                .add(process(workload, side).run(workload, set(workload), nanos, Long.MAX_VALUE));
          } catch (RefusedException e) {
            progress.println("  " + e.getMessage());
            refusals.put(side, e.getMessage());
            turns.get(side).clear();
          }
        }
      }
    }
    List<Score> scores = new ArrayList<>();
    turns.forEach(
        (side, slots) ->
            scores.add(
                new Score(
                    side,
                    slots,
                    workload.isOnStub() ? ofStub(slots) : counts.get(side),
                    refusals.getOrDefault(side, ""))));
    return new Result(workload, scores);
  }

  /** Tiny, no set is opened a second time without a count. */
  private String set(Workload workload) {
    return scale.isTiny() && Stand.isCounted(workload.set())
        ? workload.set() + Stand.COUNTED
        : workload.set();
  }

  private static boolean isCounted(Workload workload, Side side) {
    return !workload.isOnStub()
        && workload.threads() == 1
        && side != Side.SLOWEST_SHARD
        && Stand.isCounted(workload.set());
  }

  private Score.Counts count(Workload workload, Side side) throws IOException, RefusedException {
    String set = workload.set() + Stand.COUNTED;
    ContestantProcess process = process(workload, side);
    List<WireCounter> counters = stand.counters(side);
    // Names of statements, and what a connection asks when it is new.
    int most = scale.isTiny() ? COUNTED_OPERATIONS_TINY : COUNTED_OPERATIONS;
    int warm = scale.isTiny() ? most : WARM_OPERATIONS;
    long operations = process.run(workload, set, COUNTING_NANOS, warm, SEED).operations();
    operations = Math.min(operations, most);
    long[] before = null;
    // A pool that still grows sends statements of its own; what comes twice alike is exact.
    for (int attempt = 0; attempt < COUNTS_MAX; attempt++) {
      long statements = sum(counters, WireCounter::statements);
      long roundTrips = sum(counters, WireCounter::roundTrips);
      process.run(workload, set, Long.MAX_VALUE, operations, SEED);
      long[] sent = {
        sum(counters, WireCounter::statements) - statements,
        sum(counters, WireCounter::roundTrips) - roundTrips
      };
      if (Arrays.equals(sent, before)) {
        counters.forEach(WireCounter::forgetConnections);
        process.run(workload, set, 0, 1, SEED);
        return new Score.Counts(
            (double) sent[0] / operations,
            (double) sent[1] / operations,
            sum(counters, WireCounter::connectionsUsed));
      }
      before = sent;
    }
    progress.println("  " + side + ", " + workload.name() + ": no two counts are alike");
    return null;
  }

  private static long sum(List<WireCounter> counters, ToLongFunction<WireCounter> figure) {
    return counters.stream().mapToLong(figure).sum();
  }

  /** All turns together. */
  private static Score.Counts ofStub(List<Slot> slots) {
    double operations = slots.stream().mapToLong(Slot::operations).sum();
    double statements = slots.stream().mapToLong(Slot::statements).sum();
    double ends = slots.stream().mapToLong(Slot::transactionEnds).sum();
    return new Score.Counts(statements / operations, (statements + ends) / operations, Double.NaN);
  }

  private void closeProcesses() {
    processes.values().forEach(ContestantProcess::close);
    stubProcesses.values().forEach(ContestantProcess::close);
    processes.clear();
    stubProcesses.clear();
  }

  @Override
  public void close() {
    closeProcesses();
    stand.close();
  }
}
