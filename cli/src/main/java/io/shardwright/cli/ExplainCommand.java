package io.shardwright.cli;

import io.shardwright.config.Configuration;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.Lookups;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.ListUse;
import io.shardwright.sql.Merge;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.ShardStatementText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What a statement would do. Sends nothing but what opening the database needs. */
@Command(
    name = "explain",
    description = {
      "Print where a statement goes, what each shard is sent and how the answers become one.",
      "Nothing is run; at most a lookup index is asked."
    })
final class ExplainCommand implements Callable<Integer> {
  /** Beyond this a list of buckets is no longer read by anyone. */
  private static final int BUCKETS_SHOWN_MAX = 20;

  private final Console console;

  @Mixin private ConfigurationFile configuration;
  @Mixin private ParameterOption parameters;
  @Mixin private JsonOption json;

  @Parameters(paramLabel = "SQL", description = "One statement.")
  private String sql;

  ExplainCommand(Console console) {
    this.console = console;
  }

  /** One statement and the shards that get it. */
  private record Sent(List<String> shards, List<BucketId> buckets, ShardStatementText text) {
    /** The same with the parameters numbered as those of the whole statement. */
    Sent in(Merge.Part part) {
      List<Argument> arguments =
          text.arguments().stream()
              .map(
                  argument ->
                      argument instanceof Argument.Parameter own
                          ? new Argument.Parameter(part.parameters().get(own.index()))
                          : argument)
              .toList();
      return new Sent(shards, buckets, new ShardStatementText(text.sql(), arguments));
    }
  }

  @Override
  public Integer call() {
    Configuration file = configuration.read();
    List<Script.Statement> statements = Script.split(sql, file.product());
    if (statements.size() > 1) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "explain takes one statement, there are " + statements.size() + "; give one at a time");
    }
    try (ShardwrightDataSource database = Shardwright.open(file)) {
      Plan plan = database.plan(statements.get(0).sql());
      parameters.check(plan);
      List<Lookups.Asked> lookups = new ArrayList<>();
      Route route = database.explain(plan.sql(), parameters.values(), lookups::add);
      List<String> all = file.shardIds().stream().map(Object::toString).toList();
      List<Sent> sent = sent(route, all);
      if (json.isSet()) {
        Json.print(console, json(plan, route, lookups, sent));
      } else {
        print(plan, route, lookups, sent, all.size());
      }
    }
    return ExitCode.OK.number();
  }

  private static List<Sent> sent(Route route, List<String> all) {
    return switch (route.target()) {
      case ANY_SHARD, FIRST_SHARD ->
          List.of(new Sent(List.of(), List.of(), route.anyShardStatement()));
      case EVERY_SHARD -> List.of(new Sent(all, List.of(), route.anyShardStatement()));
      case SHARDS ->
          route.statements().stream()
              .map(s -> new Sent(List.of(s.shard().name()), s.buckets(), s.text()))
              .toList();
      case GATHERED ->
          ((Merge.Gathered) route.merge())
              .parts().stream()
                  .flatMap(part -> sent(part.route(), all).stream().map(s -> s.in(part)))
                  .toList();
    };
  }

  private static String merge(Plan plan, Route route, int shards) {
    return plan.kind() == Plan.Kind.DDL
        ? "none: done and recorded shard by shard; shardwright ddl resume goes on after a failure"
        : MergeWords.of(route.merge(), shards);
  }

  private static int shardCount(List<Sent> sent) {
    return sent.stream().mapToInt(s -> Math.max(1, s.shards().size())).sum();
  }

  private void print(
      Plan plan, Route route, List<Lookups.Asked> lookups, List<Sent> sent, int allShards) {
    int shards = shardCount(sent);
    List<String> names = sent.stream().flatMap(s -> s.shards().stream()).toList();
    console.println("kind         " + plan.kind().name().toLowerCase(Locale.ROOT));
    plan.group().ifPresent(group -> console.println("group        " + group));
    console.println("route        " + route.reason());
    route.list().ifPresent(use -> console.println("list index   " + list(use)));
    lookups.forEach(asked -> console.println("lookup       " + lookup(asked)));
    if (!plan.hints().text().isEmpty()) {
      console.println("hints        " + Printable.text(plan.hints().text(), console.charset()));
    }
    if (route.mapVersion().isPresent()) {
      console.println("map version  " + route.mapVersion().getAsLong());
    }
    console.println(
        "shards       "
            + (names.isEmpty()
                ? "any one of " + allShards
                : shards + " of " + allShards + ": " + String.join(" ", names)));
    console.println("merge        " + merge(plan, route, shards));
    for (Sent group : grouped(sent)) {
      console.println("");
      console.println(
          "to "
              + (group.shards().isEmpty() ? "any shard" : String.join(", ", group.shards()))
              + (group.buckets().isEmpty() ? "" : ", " + buckets(group.buckets())));
      group
          .text()
          .sql()
          .lines()
          .forEach(line -> console.println("  " + Printable.text(line, console.charset())));
      for (int i = 0; i < group.text().arguments().size(); i++) {
        console.println(
            "  ?" + (i + 1) + " = " + Printable.text(argument(group, i), console.charset()));
      }
    }
  }

  /** Shards that get the same text with the same arguments are named together. */
  private static List<Sent> grouped(List<Sent> sent) {
    Map<ShardStatementText, Sent> groups = new LinkedHashMap<>();
    for (Sent one : sent) {
      groups.merge(
          one.text(),
          one,
          (a, b) -> {
            List<String> shards = new ArrayList<>(a.shards());
            shards.addAll(b.shards());
            List<BucketId> buckets = new ArrayList<>(a.buckets());
            buckets.addAll(b.buckets());
            return new Sent(shards, buckets, a.text());
          });
    }
    return List.copyOf(groups.values());
  }

  private static String list(ListUse use) {
    return use.index()
        + ": "
        + switch (use.path()) {
          case COVERED -> "covered: its entries are the answer";
          case PAGE -> "page: " + ParameterOption.count(use.keys(), "key", "keys") + " of it";
          case KEYS -> "keys: " + ParameterOption.count(use.keys(), "row", "rows") + " in all";
        };
  }

  private static String lookup(Lookups.Asked asked) {
    return asked.index()
        + ": "
        + ParameterOption.count(asked.values(), "value", "values")
        + " asked on "
        + asked.shards().stream().map(ShardId::name).collect(Collectors.joining(" "))
        + (asked.buckets().isEmpty()
            ? "; no row has it"
            : "; rows in " + buckets(List.copyOf(asked.buckets())));
  }

  private static String buckets(List<BucketId> buckets) {
    List<String> shown = buckets.stream().limit(BUCKETS_SHOWN_MAX).map(BucketId::toString).toList();
    return (buckets.size() == 1 ? "bucket " : buckets.size() + " buckets: ")
        + String.join(", ", shown)
        + (buckets.size() > BUCKETS_SHOWN_MAX ? ", ..." : "");
  }

  private String argument(Sent sent, int index) {
    Argument argument = sent.text().arguments().get(index);
    if (argument instanceof Argument.Parameter parameter) {
      String value = parameters.values().get(parameter.index());
      String shown = value == null ? "NULL" : Printable.cell(value, console.charset());
      return shown + "  (parameter " + (parameter.index() + 1) + ")";
    }
    if (argument instanceof Argument.IssuedId id) {
      return "a new id of bucket " + id.bucket() + "  (issued by the driver)";
    }
    if (argument instanceof Argument.Given given) {
      String shown = Printable.cell(String.valueOf(given.value()), console.charset());
      return shown + "  (key of a row, from the list index)";
    }
    return ((Argument.Int64) argument).value() + "  (" + origin(sent, index) + ")";
  }

  /** A number of ours is a bucket, or the limit of a shard, which only ever comes last. */
  private static String origin(Sent sent, int index) {
    boolean last = index == sent.text().arguments().size() - 1;
    boolean limit = last && sent.text().sql().contains("LIMIT ?");
    return limit ? "limit, set by Shardwright" : "bucket, set by Shardwright";
  }

  private Map<String, Object> json(
      Plan plan, Route route, List<Lookups.Asked> lookups, List<Sent> sent) {
    List<Object> statements = new ArrayList<>();
    for (Sent one : sent) {
      List<Object> arguments = new ArrayList<>();
      for (int i = 0; i < one.text().arguments().size(); i++) {
        arguments.add(jsonArgument(one, i));
      }
      statements.add(
          Json.object(
              "shards", one.shards(),
              "buckets", one.buckets().stream().map(BucketId::value).toList(),
              "sql", one.text().sql(),
              "arguments", arguments));
    }
    return Json.object(
        "kind", plan.kind().name().toLowerCase(Locale.ROOT),
        "group", plan.group(),
        "target", route.target().name().toLowerCase(Locale.ROOT),
        "reason", route.reason(),
        "lookups",
            lookups.stream()
                .map(
                    asked ->
                        Json.object(
                            "index", asked.index(),
                            "shards", asked.shards(),
                            "values", asked.values(),
                            "buckets", asked.buckets().stream().map(BucketId::value).toList()))
                .toList(),
        "list",
            route
                .list()
                .map(
                    use ->
                        Json.object(
                            "index", use.index(),
                            "path", use.path().name().toLowerCase(Locale.ROOT),
                            "keys", use.keys())),
        "hints", plan.hints().text(),
        "mapVersion", route.mapVersion(),
        "merge", merge(plan, route, shardCount(sent)),
        "statements", statements);
  }

  private Map<String, Object> jsonArgument(Sent sent, int index) {
    Argument argument = sent.text().arguments().get(index);
    if (argument instanceof Argument.Parameter parameter) {
      return Json.object(
          "parameter", parameter.index() + 1, "value", parameters.values().get(parameter.index()));
    }
    if (argument instanceof Argument.IssuedId id) {
      return Json.object("origin", "id, issued by the driver", "column", id.column().column());
    }
    if (argument instanceof Argument.Given given) {
      return Json.object(
          "origin", "key of a row, from the list index", "value", String.valueOf(given.value()));
    }
    return Json.object("origin", origin(sent, index), "value", ((Argument.Int64) argument).value());
  }
}
