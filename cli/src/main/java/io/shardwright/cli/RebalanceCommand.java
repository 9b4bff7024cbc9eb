package io.shardwright.cli;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.Move;
import io.shardwright.config.Configuration;
import io.shardwright.migration.BucketSizes;
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
import java.util.TreeMap;
import java.util.concurrent.Callable;
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

  /** A step with what it carries. */
  private record Step(RebalancePlan.Step step, long rows, long bytes) {}

  private record Planned(RebalancePlan plan, List<Step> steps) {}

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
            + " its share of the bytes, by shards.<shard>.weight (default 1; 0: none). --plan shows"
            + " it, --run does it."
      })
  static final class Rebalance implements Callable<Integer> {
    private final Console console;

    @Option(names = "--plan", description = "Show what would move.")
    private boolean plan;

    @Option(names = "--run", description = "Record the moves and work on them.")
    private boolean run;

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
      command.plan(false, weights);
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
      command.plan(true, weights);
      return plan ? command.show() : command.run();
    }
  }

  private Map<ShardId, Integer> weights() {
    Map<ShardId, Integer> weights = new TreeMap<>();
    configuration.shards().values().forEach(shard -> weights.put(shard.id(), shard.weight()));
    return weights;
  }

  private void plan(boolean drain, Map<ShardId, Integer> weights) {
    CatalogState state;
    try (Catalog catalog = Catalog.open(configuration)) {
      state = catalog.load();
    }
    for (BucketMap map : new TreeMap<>(state.maps()).values()) {
      BucketSizes sizes = BucketSizes.read(configuration, map);
      RebalancePlan plan =
          drain
              ? RebalancePlan.draining(map, sizes.bytes(), weights)
              : RebalancePlan.of(map, sizes.bytes(), weights);
      plans.add(
          new Planned(
              plan,
              plan.steps().stream()
                  .map(
                      step ->
                          new Step(
                              step,
                              sum(sizes.rows(), step.buckets()),
                              sum(sizes.bytes(), step.buckets())))
                  .toList()));
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
    for (Planned planned : plans) {
      console.println(
          "%s: fullest shard by its share %.2f before, %.2f afterwards"
              .formatted(
                  planned.plan.group(), planned.plan.skewBefore(), planned.plan.skewAfter()));
    }
    long all = steps().stream().mapToLong(Step::rows).sum();
    console.println(
        rows.isEmpty()
            ? "ok: nothing has to move"
            : ParameterOption.count(all, "row", "rows")
                + ", about "
                + MoveWords.text(time(all))
                + " at "
                + rate()
                + " rows a second");
    return ExitCode.OK.number();
  }

  private int rate() {
    return how.rate() == 0 ? USUAL_ROWS_PER_SECOND : how.rate();
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
        "skewBefore", planned.plan.skewBefore(),
        "skewAfter", planned.plan.skewAfter(),
        "bytesBefore", planned.plan.before(),
        "bytesAfter", planned.plan.after(),
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
