package io.shardwright.cli;

import io.shardwright.cli.loadtest.LoadTestReport;
import io.shardwright.cli.loadtest.LoadTestReport.Measured;
import io.shardwright.cli.loadtest.LoadTestReport.Requests;
import io.shardwright.cli.loadtest.LoadTestReport.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The report of a load test, for people. */
final class LoadtestText {
  private final Console console;

  LoadtestText(Console console) {
    this.console = console;
  }

  void print(LoadTestReport report) {
    line(report.summary());
    report.scenarios().forEach(this::print);
    line("");
  }

  private void print(Measured measured) {
    line("");
    line(measured.scenario().word() + ": " + measured.scenario().description());
    series(measured);
    line(
        "throughput   "
            + number("%.1f", measured.requests() / measured.seconds())
            + " requests a second, "
            + measured.requests()
            + " in "
            + number("%.1f", measured.seconds())
            + " s");
    line("errors       " + (measured.errors().isEmpty() ? "none" : codes(measured.errors())));
    line(
        "fan-out      "
            + number("%.2f", measured.fanOut().mean())
            + " shards of a request, at most "
            + number("%.0f", measured.fanOut().max()));
    line("statements   " + byShard(measured.statements()));
    line(
        "rows         "
            + byShard(measured.rows())
            + "; sent by shards for merging: "
            + measured.rowsSent());
    line(
        "connections  at most "
            + measured.connections().most()
            + " in use at once, "
            + measured.connections().mostOfOneShard()
            + " of one shard");
    for (LoadTestReport.Note note : measured.notes()) {
      line("note         " + note.name() + " " + number("%.1f", note.value()) + " " + note.unit());
    }
    line(
        "answers      "
            + measured.compared()
            + " compared with what was loaded: "
            + (measured.isRight() ? "all right" : measured.wrongCount() + " WRONG"));
    measured.wrong().forEach(wrong -> line("wrong        " + wrong));
  }

  private void series(Measured measured) {
    List<List<String>> rows = new ArrayList<>();
    for (Requests series : measured.series()) {
      rows.add(
          List.of(
              series.name(),
              String.valueOf(series.requests()),
              number("%.1f", series.perSecond()),
              number("%.2f", series.millis().p50()),
              number("%.2f", series.millis().p95()),
              number("%.2f", series.millis().p99()),
              number("%.2f", series.millis().max()),
              series.partial() == 0 ? "" : series.partial() + " partial",
              codes(series.errors())));
    }
    TextTable.print(
        console,
        List.of(
            "requests",
            "count",
            "per s",
            "p50 ms",
            "p95 ms",
            "p99 ms",
            "max ms",
            "of them",
            "errors"),
        rows);
  }

  private static String codes(Map<String, Long> errors) {
    return errors.entrySet().stream()
        .map(error -> error.getKey() + ": " + error.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String byShard(Map<String, Long> counts) {
    Spread spread = Spread.of(counts);
    return "of a shard at most "
        + number("%.0f", spread.max())
        + ", on average "
        + number("%.0f", spread.mean())
        + " ("
        + number("%.2f", spread.skew())
        + " times)";
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private void line(String text) {
    console.println(Printable.text(text, console.charset()));
  }
}
