package io.shardwright.cli;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogHeat;
import io.shardwright.catalog.CatalogMoves;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.Move;
import io.shardwright.config.Configuration;
import io.shardwright.migration.Balance;
import io.shardwright.migration.RebalancePlan;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.BiPredicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives every shard its share, or empties one. */
final class RebalanceCommand {
  /** For the time that is told when no --rate bounds it. */
  private static final int USUAL_ROWS_PER_SECOND = 20_000;

  private final Console console;
  private final Configuration configuration;
  private final MoveCommand.How how;
  private final JsonOption json;
  private final List<Planned> plans = new ArrayList<>();

  /** That earlier moves copied by. */
  private OptionalLong usualRate = OptionalLong.empty();

  /** Zero: no traffic was recorded. */
  private Duration measured = Duration.ZERO;

  /** A step with what it carries. */
  private record Step(RebalancePlan.Step step, long rows, long bytes) {}

  /**
   * @param bytes and {@code time}: what becomes of them, whatever the plan was made for
   */
  private record Planned(
      RebalancePlan plan,
      List<Step> steps,
      RebalancePlan.Measure bytes,
      RebalancePlan.Measure time) {}

  private RebalanceCommand(
      Console console, Configuration configuration, MoveCommand.How how, JsonOption json) {
    this.console = console;
    this.configuration = configuration;
    this.how = how;
    this.json = json;
  }

  @Command(
      name = "rebalance",
      description = {
        "Plan which buckets of every group and lookup index have to move so that each shard holds"
            + " its share of the bytes and of the traffic, by shards.<shard>.weight (default 1; 0:"
            + " none). --plan shows it, --run does it."
      })
  static final class Rebalance implements Callable<Integer> {
    private final Console console;

    @Option(names = "--plan", description = "Show what would move.")
    private boolean plan;

    @Option(names = "--run", description = "Record the moves and work on them.")
    private boolean run;

    @Option(
        names = "--by",
        paramLabel = "MEASURE",
        defaultValue = "bytes+traffic",
        description =
            "What each shard gets its share of: bytes, reads, writes, time (of statements at the"
                + " shard) or bytes+traffic, the default: bytes and, as far as it was recorded,"
                + " time.")
    private String by;

    @Option(
        names = "--since",
        paramLabel = "TIME",
        defaultValue = "24h",
        description = "The traffic of the last 15m to 24h; default: ${DEFAULT-VALUE}.")
    private String since;

    @Mixin private MoveCommand.How how;
    @Mixin private ConfigurationFile configuration;
    @Mixin private JsonOption json;

    Rebalance(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() {
      if (plan == run) {
        throw MoveCommand.wrong("give --plan to see what would move, or --run to move it");
      }
      RebalanceCommand command = new RebalanceCommand(console, configuration.read(), how, json);
      Map<ShardId, Integer> weights = command.weights();
      if (weights.values().stream().noneMatch(weight -> weight > 0)) {
        throw MoveCommand.wrong("every shard has weight: 0; leave some a weight");
      }
      command.plan(new Wanted(false, Balance.By.of(by), HeatCommand.since(since)), weights);
      return plan ? command.show() : command.run();
    }
  }

  @Command(
      name = "drain",
      description = {
        "Move all buckets of a shard, of all groups and lookup indexes, to the others, by their"
            + " load and weight. Give it weight: 0 in the file, too, or rebalance fills it again."
      })
  static final class Drain implements Callable<Integer> {
    private final Console console;
    @Mixin private ShardCommand.Name name;

    @Option(names = "--plan", description = "Only show what would move.")
    private boolean plan;

    @Mixin private MoveCommand.How how;
    @Mixin private JsonOption json;

    Drain(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() {
      RebalanceCommand command = new RebalanceCommand(console, name.readWithShard(), how, json);
      Map<ShardId, Integer> weights = command.weights();
      weights.put(name.shard(), 0);
      if (weights.values().stream().noneMatch(weight -> weight > 0)) {
        throw MoveCommand.wrong(
            "no other shard has a weight above 0, so nobody can take the buckets of "
                + name.shard());
      }
      command.plan(new Wanted(true, Balance.By.BYTES_AND_TRAFFIC, CatalogHeat.KEPT), weights);
      return plan ? command.show() : command.run();
    }
  }

  private Map<ShardId, Integer> weights() {
    Map<ShardId, Integer> weights = new TreeMap<>();
    configuration.shards().values().forEach(shard -> weights.put(shard.id(), shard.weight()));
    return weights;
  }

  /**
   * @param since how much of the last traffic counts
   */
  private record Wanted(boolean drain, Balance.By by, Duration since) {}

  private void plan(Wanted wanted, Map<ShardId, Integer> weights) {
    CatalogState state;
    try (Catalog catalog = Catalog.open(configuration)) {
      state = catalog.load();
    }
    CatalogHeat.Recorded traffic = Balance.traffic(configuration, wanted.since);
    boolean onTraffic = wanted.by != Balance.By.BYTES && wanted.by != Balance.By.BYTES_AND_TRAFFIC;
    if (onTraffic && traffic.buckets().isEmpty()) {
      throw MoveCommand.wrong(
          "--by "
              + wanted.by
              + ": no traffic was recorded in that time; driver processes record it once in"
              + " heat.interval; give --by bytes until then");
    }
    measured = traffic.measured();
    usualRate = earlierRate();
    for (BucketMap map : new TreeMap<>(state.maps()).values()) {
      Balance balance = Balance.read(configuration, map, traffic);
      List<RebalancePlan.Sizes> measures = balance.measures(wanted.by);
      BiPredicate<BucketId, ShardId> permits =
          (bucket, shard) -> configuration.forbids(map.group(), bucket, shard).isEmpty();
      RebalancePlan plan =
          wanted.drain
              ? RebalancePlan.drainingAll(map, measures, weights, permits)
              : RebalancePlan.ofAll(map, measures, weights, permits);
      List<Step> steps =
          plan.steps().stream()
              .map(
                  step ->
                      new Step(
                          step,
                          sum(balance.rows(), step.buckets()),
                          sum(balance.bytes().byBucket(), step.buckets())))
              .toList();
      plans.add(
          new Planned(plan, steps, plan.of(map, balance.bytes()), plan.of(map, balance.time())));
    }
  }

  private static long sum(List<Long> sizes, BucketSet buckets) {
    return buckets.toList().stream().map(BucketId::value).mapToLong(sizes::get).sum();
  }

  private List<Step> steps() {
    return plans.stream().flatMap(planned -> planned.steps.stream()).toList();
  }

  private int show() {
    if (json.isSet()) {
      Json.print(console, Json.object("groups", plans.stream().map(this::json).toList()));
      return ExitCode.OK.number();
    }
    List<List<String>> rows = new ArrayList<>();
    for (Planned planned : plans) {
      for (Step step : planned.steps) {
        rows.add(
            List.of(
                planned.plan.group(),
                step.step.source().name(),
                step.step.target().name(),
                Integer.toString(step.step.buckets().size()),
                Long.toString(step.rows),
                bytes(step.bytes),
                step.step.buckets().toString()));
      }
    }
    if (!rows.isEmpty()) {
      TextTable.print(
          console, List.of("group", "from", "to", "count", "rows", "size", "buckets"), rows);
    }
    printShards();
    plans.forEach(this::printSkew);
    long all = steps().stream().mapToLong(Step::rows).sum();
    console.println(
        rows.isEmpty()
            ? "ok: nothing has to move"
            : ParameterOption.count(all, "row", "rows")
                + ", about "
                + MoveWords.text(time(all))
                + " at "
                + rate()
                + " rows a second"
                + (how.rate() == 0 && usualRate.isPresent() ? ", as moves before" : ""));
    return ExitCode.OK.number();
  }

  /** Before and after, of groups that something moves of. */
  private void printShards() {
    List<String> names = new ArrayList<>(List.of("group", "shard", "size", "then"));
    if (!measured.isZero()) {
      names.addAll(List.of("busy", "then"));
    }
    List<List<String>> rows = new ArrayList<>();
    for (Planned planned : plans) {
      if (planned.steps.isEmpty()) {
        continue;
      }
      for (ShardId shard : planned.bytes.before().keySet()) {
        List<String> row = new ArrayList<>(List.of(planned.plan.group(), shard.name()));
        row.add(bytes(planned.bytes.before().get(shard)));
        row.add(bytes(planned.bytes.after().get(shard)));
        if (!measured.isZero()) {
          row.add(busy(planned.time.before().get(shard)));
          row.add(busy(planned.time.after().get(shard)));
        }
        rows.add(row);
      }
    }
    if (!rows.isEmpty()) {
      console.println("");
      TextTable.print(console, names, rows);
    }
  }

  /** Seconds at the shard by second. */
  private String busy(long nanos) {
    return HeatCommand.decimals(nanos / (double) measured.toNanos(), 3);
  }

  private void printSkew(Planned planned) {
    RebalancePlan plan = planned.plan;
    String traffic = measured.isZero() ? "" : "; busiest " + skews(plan, planned.time);
    console.println(
        plan.group() + ": fullest shard by its share " + skews(plan, planned.bytes) + traffic);
    for (RebalancePlan.Beyond beyond : plan.beyond()) {
      console.println(
          "%s: bucket %d has %s fair shares of the %s, on shard %s: no move evens that out"
              .formatted(
                  plan.group(),
                  beyond.bucket(),
                  HeatCommand.decimals(beyond.shares(), 2),
                  beyond.measure(),
                  beyond.shard()));
    }
  }

  private static String skews(RebalancePlan plan, RebalancePlan.Measure measure) {
    return HeatCommand.decimals(plan.skew(measure.before()), 2)
        + " before, "
        + HeatCommand.decimals(plan.skew(measure.after()), 2)
        + " afterwards";
  }

  private int rate() {
    return how.rate() == 0
        ? (int) Math.min(Integer.MAX_VALUE, usualRate.orElse(USUAL_ROWS_PER_SECOND))
        : how.rate();
  }

  private OptionalLong earlierRate() {
    if (configuration.catalog().isEmpty()) {
      return OptionalLong.empty();
    }
    try (CatalogMoves moves = new CatalogMoves(configuration)) {
      return moves.copiedPerSecond();
    }
  }

  private Duration time(long rows) {
    return Duration.ofSeconds(Math.max(1, rows / rate()));
  }

  private static String bytes(long bytes) {
    return bytes < 1 << 20
        ? (bytes + 1023) / 1024 + " kB"
        : String.format(Locale.ROOT, "%.1f MB", bytes / (double) (1 << 20));
  }

  private Map<String, Object> json(Planned planned) {
    return Json.object(
        "group", planned.plan.group(),
        "skewBefore", planned.plan.skew(planned.bytes.before()),
        "skewAfter", planned.plan.skew(planned.bytes.after()),
        "bytesBefore", planned.bytes.before(),
        "bytesAfter", planned.bytes.after(),
        "trafficSeconds", measured.toMillis() / 1e3,
        "trafficSkewBefore", planned.plan.skew(planned.time.before()),
        "trafficSkewAfter", planned.plan.skew(planned.time.after()),
        "nanosBefore", planned.time.before(),
        "nanosAfter", planned.time.after(),
        "beyond",
            planned.plan.beyond().stream()
                .map(
                    beyond ->
                        Json.object(
                            "measure", beyond.measure(),
                            "bucket", beyond.bucket(),
                            "shard", beyond.shard(),
                            "shares", beyond.shares()))
                .toList(),
        "seconds", time(planned.steps.stream().mapToLong(Step::rows).sum()).toSeconds(),
        "steps",
            planned.steps.stream()
                .map(
                    step ->
                        Json.object(
                            "source", step.step.source(),
                            "target", step.step.target(),
                            "buckets", step.step.buckets(),
                            "bucketCount", step.step.buckets().size(),
                            "rows", step.rows,
                            "bytes", step.bytes))
                .toList());
  }

  private int run() {
    List<Step> steps = steps();
    if (steps.isEmpty() && !json.isSet()) {
      console.println("ok: nothing has to move");
      return ExitCode.OK.number();
    }
    try (MovesAtWork work = new MovesAtWork(console, configuration, json.isSet())) {
      List<Move> moves = new ArrayList<>();
      for (Planned planned : plans) {
        for (Step step : planned.steps) {
          moves.addAll(
              work.moves()
                  .create(
                      planned.plan.group(),
                      step.step.buckets(),
                      step.step.target(),
                      how.options()));
        }
      }
      return MoveCommand.finish(console, json, work, moves, how.background());
    }
  }
}
