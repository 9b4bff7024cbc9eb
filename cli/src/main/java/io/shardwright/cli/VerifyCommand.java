package io.shardwright.cli;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogState;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.schema.PlacementCheck;
import io.shardwright.schema.PlacementReport;
import io.shardwright.schema.PlacementReport.TableRows;
import io.shardwright.schema.PlacementReport.Violation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks the rows themselves. */
@Command(
    name = "verify",
    description = {
      "Check every row of every sharded table: its bucket is the hash of its key, its id names the"
          + " bucket, and it sits on the shard that owns the bucket.",
      "Tell, too, which tables' fence is missing, disabled or changed, so that writes are not checked"
          + " by the shard.",
      "Reads all tables in one snapshot per shard; changes nothing."
    })
final class VerifyCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ConfigurationFile configuration;
  @Mixin private JsonOption json;

  @Option(names = "--placement", description = "Check bucket, id and shard of every row.")
  private boolean placement;

  VerifyCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (!placement) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "say what to verify: --placement; see shardwright verify --help");
    }
    Configuration file = configuration.read();
    CatalogState state;
    try (Catalog catalog = Catalog.open(file)) {
      state = catalog.load();
    }
    PlacementReport report = PlacementCheck.run(file, state);
    if (json.isSet()) {
      Json.print(console, json(report));
    } else {
      print(file, report);
    }
    return (report.violatingRows().isEmpty()
            ? ApplyCommand.exit(report.problems())
            : ExitCode.PROBLEMS_FOUND)
        .number();
  }

  private void print(Configuration file, PlacementReport report) {
    List<String> shards = file.shardIds().stream().map(Object::toString).toList();
    Map<String, Map<String, Long>> rows = new LinkedHashMap<>();
    for (TableRows checked : report.checked()) {
      rows.computeIfAbsent(checked.table(), table -> new LinkedHashMap<>())
          .put(checked.shard().name(), checked.rows());
    }
    if (!rows.isEmpty()) {
      List<String> header = new ArrayList<>(List.of("rows checked"));
      header.addAll(shards);
      List<Boolean> right = new ArrayList<>(List.of(false));
      shards.forEach(shard -> right.add(true));
      TextTable table = new TextTable(console, header, right);
      rows.forEach(
          (name, byShard) -> {
            List<String> cells = new ArrayList<>(List.of(name));
            shards.forEach(
                shard ->
                    cells.add(byShard.containsKey(shard) ? byShard.get(shard).toString() : "-"));
            table.row(cells);
          });
      table.end();
    }
    report.violations().forEach(violation -> console.println("violation  " + text(violation)));
    report.violatingRows().keySet().stream()
        .sorted()
        .forEach(kind -> console.println("repair     " + name(kind) + ": " + kind.repair()));
    report
        .problems()
        .forEach(
            problem ->
                console.println(
                    "problem    " + Printable.text(problem.toString(), console.charset())));
    console.println(summary(report));
  }

  private static String summary(PlacementReport report) {
    long wrong = report.violatingRows().values().stream().mapToLong(Long::longValue).sum();
    return (report.ok() ? "ok: " : "not ok: ")
        + ParameterOption.count(report.rowsChecked(), "row", "rows")
        + " checked, "
        + wrong
        + " misplaced"
        + (report.problems().isEmpty()
            ? ""
            : ", " + ParameterOption.count(report.problems().size(), "problem", "problems"));
  }

  private static String name(PlacementReport.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String text(Violation violation) {
    return name(violation.kind())
        + ": "
        + ParameterOption.count(violation.rows(), "row", "rows")
        + " of "
        + violation.table()
        + " on "
        + violation.shard()
        + ", bucket_id "
        + (violation.bucket().isPresent() ? violation.bucket().getAsInt() : "not a bucket")
        + (violation.expectedBucket().isPresent()
            ? ", expected " + violation.expectedBucket().getAsInt()
            : "")
        + violation.owner().map(owner -> ", owned by " + owner).orElse("");
  }

  private static Map<String, Object> json(PlacementReport report) {
    Map<String, Object> byKind = new LinkedHashMap<>();
    report.violatingRows().keySet().stream()
        .sorted()
        .forEach(kind -> byKind.put(key(kind), report.violatingRows().get(kind)));
    return Json.object(
        "ok", report.ok(),
        "rowsChecked", report.rowsChecked(),
        "checked",
            report.checked().stream()
                .map(c -> Json.object("shard", c.shard(), "table", c.table(), "rows", c.rows()))
                .toList(),
        "violatingRows", byKind,
        "violations",
            report.violations().stream()
                .map(
                    v ->
                        Json.object(
                            "kind", key(v.kind()),
                            "shard", v.shard(),
                            "table", v.table(),
                            "bucket", v.bucket(),
                            "expectedBucket", v.expectedBucket(),
                            "owner", v.owner(),
                            "rows", v.rows()))
                .toList(),
        "problems", ApplyCommand.json(report.problems()));
  }

  private static String key(PlacementReport.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
