package io.shardwright.cli;

import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.migration.Moves;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import io.shardwright.schema.Finding;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Creates Shardwright's own objects and checks everything. */
@Command(
    name = "apply",
    description = {
      "Create Shardwright's own tables in the catalog and on every shard, and check that the user's"
          + " tables fit the configuration and each other. All problems are reported at once.",
      "A shard whose server is another one since a fail-over or a restore is compared with the"
          + " catalog, and used again from then on.",
      "May be repeated; changes nothing that exists."
    })
final class ApplyCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ConfigurationFile configuration;
  @Mixin private JsonOption json;

  @Option(
      names = "--dry-run",
      description =
          "Only read: tell what would be created, and what is wrong with the tables. The exit code"
              + " is of the problems found; CHECKs of ids, indexes, directories and fences are left"
              + " to apply, which may find more.")
  private boolean dryRun;

  ApplyCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Configuration file = configuration.read();
    ApplyReport report =
        dryRun ? Apply.dryRun(file, Apply.Options.DEFAULT) : Apply.run(file, Apply.Options.DEFAULT);
    if (!dryRun && hasFailedOver(report) && file.mover().isPresent()) {
      List<String> reconciled = reconcile(file);
      if (!json.isSet()) {
        reconciled.forEach(text -> console.println("in order " + text));
      }
      report = Apply.run(file, Apply.Options.DEFAULT);
    }
    if (json.isSet()) {
      Json.print(
          console,
          Json.object(
              "ok", report.ok(),
              "dry_run", dryRun,
              "created", report.created(),
              "existing", report.existing(),
              "problems", json(report.problems()),
              "warnings", json(report.warnings())));
    } else {
      print(report);
    }
    return exit(report.problems()).number();
  }

  private static boolean hasFailedOver(ApplyReport report) {
    return report.problems().stream()
        .anyMatch(problem -> problem.code() == ErrorCode.SHARD_INCARNATION);
  }

  private static List<String> reconcile(Configuration file) {
    try (Moves moves = new Moves(file, MovesAtWork.processName())) {
      return moves.reconcile();
    }
  }

  private void print(ApplyReport report) {
    String created = dryRun ? "would create" : "created";
    report.created().forEach(name -> console.println(created + "  " + name));
    report.warnings().forEach(finding -> console.println("warning  " + text(finding)));
    report.problems().forEach(finding -> console.println("problem  " + text(finding)));
    console.println(
        (report.ok() ? "ok: " : "not ready: ")
            + report.created().size()
            + (dryRun ? " to be created, " : " created, ")
            + report.existing().size()
            + " there before, "
            + ParameterOption.count(report.problems().size(), "problem", "problems")
            + ", "
            + ParameterOption.count(report.warnings().size(), "warning", "warnings")
            + (dryRun ? "; nothing was changed" : ""));
  }

  private String text(Finding finding) {
    return Printable.text(finding.toString(), console.charset());
  }

  static List<Map<String, Object>> json(List<Finding> findings) {
    return findings.stream()
        .map(
            finding ->
                Json.object(
                    "code", finding.code().code(),
                    "shards", finding.shards(),
                    "table", finding.table(),
                    "message", finding.message(),
                    "action", finding.action()))
        .toList();
  }

  /** A server that is down outweighs a setting, and a setting outweighs what a check found. */
  static ExitCode exit(List<Finding> problems) {
    return problems.stream()
        .map(finding -> ExitCode.of(finding.code()))
        .map(
            exit ->
                exit == ExitCode.FAILED || exit == ExitCode.CONFIGURATION
                    ? exit
                    : ExitCode.PROBLEMS_FOUND)
        .max(Comparator.comparingInt(ExitCode::number))
        .orElse(ExitCode.OK);
  }
}
