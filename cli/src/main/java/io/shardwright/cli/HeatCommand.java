package io.shardwright.cli;

import io.shardwright.catalog.BucketHeat;
import io.shardwright.catalog.CatalogHeat;
import io.shardwright.migration.HeatReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells which buckets and shards have how much traffic. */
@Command(
    name = "heat",
    description = {
      "List the buckets with the most traffic and the sums of each shard, as driver processes"
          + " recorded them in the catalog each heat.interval (60 s).",
      "busy: seconds per second that statements spent at the shard, of all connections together."
    })
final class HeatCommand implements Callable<Integer> {
  private static final int TOP_MAX = 65_536;
  private static final double NANOS = 1e9;

  private final Console console;

  @Option(names = "--group", paramLabel = "G", description = "Only this group or GROUP.INDEX.")
  private String group;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "10",
      description = "So many buckets of each group; default: ${DEFAULT-VALUE}.")
  private int top;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "1h",
      description = "How far back, 15m to 24h; default: ${DEFAULT-VALUE}.")
  private String since;

  @Mixin private ConfigurationFile configuration;
  @Mixin private JsonOption json;

  HeatCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (top < 1 || top > TOP_MAX) {
      throw MoveCommand.wrong("--top is " + top + "; give 1 to " + TOP_MAX);
    }
    HeatReport report = HeatReport.read(configuration.read(), since(since));
    List<HeatReport.Group> groups =
        report.groups().stream().filter(one -> group == null || one.name().equals(group)).toList();
    if (groups.isEmpty()) {
      throw MoveCommand.wrong(
          "there is no group or lookup index '"
              + group
              + "'; use one of "
              + report.groups().stream().map(HeatReport.Group::name).toList());
    }
    if (json.isSet()) {
      Json.print(
          console,
          Json.object(
              "seconds", seconds(report),
              "groups", groups.stream().map(this::json).toList()));
    } else if (report.measured().isZero()) {
      console.println(
          "nothing was recorded in the last "
              + since
              + "; driver processes record once in heat.interval, and not with heat: off");
    } else {
      print(groups, seconds(report));
    }
    return ExitCode.OK.number();
  }

  /** What the option says. */
  static Duration since(String text) {
    Duration time = MoveCommand.duration("--since", text);
    if (time.isZero() || time.compareTo(CatalogHeat.KEPT) > 0) {
      throw MoveCommand.wrong(
          "--since is " + text + "; the catalog has the last 24 hours, in steps of 15 minutes");
    }
    return time;
  }

  /** Not less than a second, so that nothing is divided by zero. */
  private static double seconds(HeatReport report) {
    return Math.max(1, report.measured().toMillis() / 1e3);
  }

  private void print(List<HeatReport.Group> groups, double seconds) {
    List<List<String>> buckets = new ArrayList<>();
    List<List<String>> shards = new ArrayList<>();
    for (HeatReport.Group one : groups) {
      for (HeatReport.Bucket bucket : hottest(one)) {
        List<String> row = new ArrayList<>();
        row.add(one.name());
        row.add(Integer.toString(bucket.heat().bucket()));
        row.add(bucket.shard().name());
        row.addAll(rates(bucket.heat(), seconds));
        row.add(decimals(100 * bucket.share(), 1) + " %");
        buckets.add(row);
      }
      one.shards()
          .forEach(
              (shard, sum) -> {
                List<String> row = new ArrayList<>(List.of(one.name(), shard.name()));
                row.addAll(rates(sum, seconds));
                shards.add(row);
              });
      if (!one.scattered().isNothing()) {
        List<String> row = new ArrayList<>(List.of(one.name(), "(without key)"));
        row.addAll(rates(one.scattered(), seconds));
        shards.add(row);
      }
    }
    List<String> rates = List.of("reads/s", "writes/s", "rows/s", "busy");
    TextTable.print(console, names(List.of("group", "bucket", "shard"), rates, "share"), buckets);
    console.println("");
    TextTable.print(console, names(List.of("group", "shard"), rates), shards);
    groups.forEach(this::printSkew);
  }

  private static List<String> names(List<String> first, List<String> rates, String... last) {
    List<String> names = new ArrayList<>(first);
    names.addAll(rates);
    names.addAll(List.of(last));
    return names;
  }

  private List<HeatReport.Bucket> hottest(HeatReport.Group one) {
    return one.buckets().subList(0, Math.min(top, one.buckets().size()));
  }

  private void printSkew(HeatReport.Group one) {
    String hint =
        one.hint()
            .map(
                move ->
                    "; %s after: shardwright move --group %s --buckets %d --to %s"
                        .formatted(
                            decimals(move.mostAfter(), 2),
                            one.name(),
                            move.bucket(),
                            move.target()))
            .orElse("");
    console.println(
        "%s: busiest shard by the mean %s%s".formatted(one.name(), decimals(one.skew(), 2), hint));
  }

  private static List<String> rates(BucketHeat heat, double seconds) {
    return List.of(
        decimals(heat.reads() / seconds, 1),
        decimals(heat.writes() / seconds, 1),
        decimals(heat.rows() / seconds, 1),
        decimals(heat.nanos() / NANOS / seconds, 3));
  }

  static String decimals(double number, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", number);
  }

  private Map<String, Object> json(HeatReport.Group one) {
    return Json.object(
        "group", one.name(),
        "skew", one.skew(),
        "buckets",
            hottest(one).stream()
                .map(
                    bucket ->
                        counts(
                            bucket.heat(),
                            "bucket",
                            bucket.heat().bucket(),
                            "shard",
                            bucket.shard(),
                            "share",
                            bucket.share()))
                .toList(),
        "shards",
            one.shards().entrySet().stream()
                .map(shard -> counts(shard.getValue(), "shard", shard.getKey()))
                .toList(),
        "withoutKey", counts(one.scattered()),
        "hint",
            one.hint()
                .map(
                    move ->
                        Json.object(
                            "bucket", move.bucket(),
                            "source", move.source(),
                            "target", move.target(),
                            "skewAfter", move.mostAfter())));
  }

  private static Map<String, Object> counts(BucketHeat heat, Object... names) {
    Map<String, Object> counts = Json.object(names);
    counts.putAll(
        Json.object(
            "reads", heat.reads(),
            "writes", heat.writes(),
            "rows", heat.rows(),
            "nanos", heat.nanos()));
    return counts;
  }
}
