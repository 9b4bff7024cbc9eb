package io.shardwright.cli;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.examples.orders.DemoOptions;
import io.shardwright.examples.orders.DemoReport;
import io.shardwright.examples.orders.OrdersDemo;
import io.shardwright.examples.orders.RetailData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The whole product on real data, with one command. */
@Command(
    name = "demo",
    description = {
      "Start PostgreSQL servers as shards, load a year of real orders, run and measure every access"
          + " path, add two shards while an application runs, check the result, stop.",
      "Exit code 1 when a check fails. Needs no database and no network."
    })
final class DemoCommand implements Callable<Integer> {
  private static final String HOME = "shardwright.home";

  private final Console console;

  @Option(
      names = "--shards",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Servers to start, 1 to " + DemoOptions.SHARDS_MAX + ". Default: $${DEFAULT-VALUE}.")
  private int shards;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "" + RetailData.INVOICES,
      description = "Invoices to load, the first ones. Default: all $${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--skip-move",
      description = "Leave out the second act, in which two shards are added under traffic.")
  private boolean skipMove;

  @Option(
      names = "--keep",
      description = "Leave the servers running and print how to connect and how to stop them.")
  private boolean keep;

  @Option(
      names = "--stop",
      paramLabel = "DIRECTORY",
      description = "Stop the servers that --keep left running and delete their data.")
  private Path stop;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the report, or the error, to a file.")
  private Path json;

  DemoCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    if (stop != null) {
      new KeptServers(stop).stop().forEach(console::println);
      return ExitCode.OK.number();
    }
    checkWritable();
    try {
      return demo();
    } catch (SQLException | RuntimeException e) {
      if (json != null && !(e instanceof Console.OutputClosedException)) {
        writeError(Failure.of(e));
      }
      throw e;
    }
  }

  private int demo() throws SQLException, InterruptedException, IOException, FailedException {
    DemoOptions options =
        new DemoOptions(shards, rows, !skipMove, keep, data(), Optional.ofNullable(json));
    Progress progress = new Progress(console);
    DemoReport report;
    try {
      report = OrdersDemo.run(options, progress::step);
    } finally {
      progress.end();
    }
    for (String line : report.lines()) {
      console.println(Printable.text(line, console.charset()));
    }
    console.println("");
    List<DemoReport.Check> failed = report.checks().stream().filter(c -> !c.ok()).toList();
    if (failed.isEmpty()) {
      console.println("ok: all " + report.checks().size() + " checks passed; " + times(report));
      return ExitCode.OK.number();
    }
    console.println(times(report));
    console.flush();
    throw new FailedException(
        Failure.of(
            new ShardwrightException(
                ErrorCode.CHECK_FAILED,
                failed.size()
                    + " of "
                    + report.checks().size()
                    + " checks of the demo failed: "
                    + String.join("; ", failed.stream().map(DemoReport.Check::name).toList()))),
        false,
        null);
  }

  private static String times(DemoReport report) {
    DemoReport.Timings millis = report.millis();
    return String.format(
        Locale.ROOT,
        "%.1f s in all: servers %.1f, schema %.1f, load %.1f, access paths %.1f, two shards more"
            + " %.1f, checks %.1f",
        millis.total() / 1e3,
        millis.startServers() / 1e3,
        millis.createSchema() / 1e3,
        millis.load() / 1e3,
        millis.paths() / 1e3,
        millis.growth() / 1e3,
        millis.checks() / 1e3);
  }

  /** The launcher says where the repository is; without it the current directory must be it. */
  private static Path data() {
    return Path.of(System.getProperty(HOME, "")).resolve(Path.of("examples", "orders", "data"));
  }

  /** Before a minute of work, not after it. */
  private void checkWritable() {
    if (json == null) {
      return;
    }
    try {
      Files.writeString(json, "{}\n");
    } catch (IOException e) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "the report cannot be written to " + json + " (" + e + "); check directory and rights",
          e);
    }
  }

  private void writeError(Failure failure) throws IOException {
    Files.writeString(
        json, Json.text(Json.object("error", failure.json())) + "\n", StandardCharsets.UTF_8);
  }
}
