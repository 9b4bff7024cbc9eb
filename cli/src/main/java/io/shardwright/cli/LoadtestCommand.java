package io.shardwright.cli;

import io.shardwright.cli.loadtest.HtmlReport;
import io.shardwright.cli.loadtest.LoadTest;
import io.shardwright.cli.loadtest.LoadTestOptions;
import io.shardwright.cli.loadtest.LoadTestReport;
import io.shardwright.cli.loadtest.Scenario;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Bad paths, measured on the servers of a file. */
@Command(
    name = "loadtest",
    description = {
      "Measure what is bad for a sharded database (missing key, slow shard, hot buyer, ...) on the"
          + " servers of FILE, in databases of its own that are dropped at the end, and compare all"
          + " answers with what was loaded. Exit code 1 when one was wrong. See docs/gateway.md."
    })
final class LoadtestCommand implements Callable<Integer> {
  private static final String ALL = "all";
  private static final String AUDIT_LOG_LEVEL = "org.slf4j.simpleLogger.log.io.shardwright.audit";

  private final Console console;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      split = ",",
      required = true,
      description =
          "One or several, or all: missing-key, cross-shard-sort, slow-shard, shard-down,"
              + " deep-paging, hot-buyer, month-boundary, burst, head-keys.")
  private List<String> names;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Orders and lines to load, about. Default: $${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description = "Of each scenario. Default: $${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "50",
      description = "Requests in a second, outside of bursts. Default: $${DEFAULT-VALUE}.")
  private int rate;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of rows and traffic. Default: $${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--keep", description = "Do not drop the databases; print their names.")
  private boolean keep;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the report, or the error, to a file.")
  private Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write the report with charts to a file.")
  private Path html;

  @Mixin private ConfigurationFile configuration;

  LoadtestCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    System.setProperty(AUDIT_LOG_LEVEL, "off");
    LoadTestOptions options = options();
    try {
      return test(options);
    } catch (SQLException | RuntimeException e) {
      if (json != null && !(e instanceof Console.OutputClosedException)) {
        write(json, Json.text(Json.object("error", Failure.of(e).json())) + "\n");
      }
      throw e;
    }
  }

  /**
   * @throws ShardwrightException SW100 with all mistakes
   */
  private LoadTestOptions options() {
    List<String> problems = new ArrayList<>();
    Set<Scenario> scenarios = new LinkedHashSet<>();
    for (String name : names) {
      if (name.equals(ALL)) {
        scenarios.addAll(List.of(Scenario.values()));
      } else {
        Scenario.of(name)
            .ifPresentOrElse(
                scenarios::add,
                () ->
                    problems.add(
                        "--scenario has '" + name + "'; there are " + words() + " and " + ALL));
      }
    }
    check("--rows", rows, LoadTestOptions.ROWS_MIN, LoadTestOptions.ROWS_MAX, problems);
    check("--seconds", seconds, 1, LoadTestOptions.SECONDS_MAX, problems);
    check("--rate", rate, 1, LoadTestOptions.PER_SECOND_MAX, problems);
    for (Path file : Stream.of(json, html).filter(path -> path != null).toList()) {
      try {
        Files.writeString(file, "");
      } catch (IOException e) {
        problems.add(
            "the report cannot be written to " + file + " (" + e + "); check directory and rights");
      }
    }
    LoadTestOptions options =
        new LoadTestOptions(
            configuration.read(),
            List.copyOf(scenarios),
            rows,
            seed,
            Duration.ofSeconds(seconds),
            rate,
            keep);
    problems.addAll(LoadTest.problems(options));
    if (!problems.isEmpty()) {
      throw MoveCommand.wrong(String.join("; ", problems));
    }
    return options;
  }

  private static String words() {
    return Stream.of(Scenario.values()).map(Scenario::word).collect(Collectors.joining(", "));
  }

  private static void check(String option, int value, int min, int max, List<String> problems) {
    if (value < min || value > max) {
      problems.add(option + " is " + value + "; give " + min + " to " + max);
    }
  }

  private int test(LoadTestOptions options) throws Exception {
    Progress progress = new Progress(console);
    LoadTest test = new LoadTest(options, progress::step);
    CountDownLatch ended = new CountDownLatch(1);
    Thread onEnd =
        new Thread(
            () -> {
              test.stop();
              dropUnlessKept(test);
              ended.countDown();
            },
            "shardwright-loadtest-end");
    Runtime.getRuntime().addShutdownHook(onEnd);
    LoadTestReport report;
    try {
      report = test.run();
    } catch (SQLException | RuntimeException e) {
      if (test.isStopped()) {
        // Its databases were taken away; the JVM ends when that is done.
        WorkerCommand.await(ended);
        return ExitCode.FAILED.number();
      }
      throw e;
    } finally {
      progress.end();
      dropUnlessKept(test);
      try {
        Runtime.getRuntime().removeShutdownHook(onEnd);
      } catch (IllegalStateException e) {
        // The JVM is ending.
      }
    }
    return print(report, test);
  }

  private void dropUnlessKept(LoadTest test) {
    if (keep) {
      return;
    }
    for (String statement : test.drop()) {
      console
          .err()
          .println(Printable.text("left behind, drop it by hand: " + statement, console.charset()));
    }
  }

  private int print(LoadTestReport report, LoadTest test) throws IOException, FailedException {
    new LoadtestText(console).print(report);
    if (json != null) {
      write(json, Json.text(report.json()) + "\n");
    }
    if (html != null) {
      write(html, HtmlReport.of(report));
    }
    if (keep) {
      test.databases().forEach(database -> console.println("kept  " + database));
    }
    if (report.isRight()) {
      console.println(
          "ok: "
              + report.scenarios().stream().mapToLong(LoadTestReport.Measured::compared).sum()
              + " answers compared with what was loaded, all right");
      return ExitCode.OK.number();
    }
    console.flush();
    throw new FailedException(
        Failure.of(
            new ShardwrightException(
                ErrorCode.CHECK_FAILED,
                "answers were wrong: " + String.join("; ", report.wrong()))),
        false,
        null);
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }
}
