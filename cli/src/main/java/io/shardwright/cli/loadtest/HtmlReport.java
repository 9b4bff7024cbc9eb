package io.shardwright.cli.loadtest;

import io.shardwright.cli.loadtest.LoadTestReport.Measured;
import io.shardwright.cli.loadtest.LoadTestReport.Note;
import io.shardwright.cli.loadtest.LoadTestReport.Requests;
import io.shardwright.cli.loadtest.LoadTestReport.Spread;
import java.util.Map;
import java.util.stream.Collectors;

/** The report as one page that needs nothing else: no script, no font, no picture of elsewhere. */
public final class HtmlReport {
  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Shardwright load test</title>
      <style>
      :root { --ink: #1c2430; --paper: #ffffff; --soft: #5b6675; --rule: #d9dee5; --tile: #f3f5f8;
        --blue: #2f6fb5; --red: #c2402a; --green: #20744a; }
      @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --paper: #14181e;
        --soft: #a0a9b5; --rule: #333b46; --tile: #1e242c; --blue: #6ea8e6; --red: #ee7b66;
        --green: #62c796; } }
      body { font: 16px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
        max-width: 1080px; margin: 0 auto; padding: 12px 14px 40px; }
      h1 { font-size: 1.4rem; margin: 8px 0; } h2 { font-size: 1.15rem; margin: 0; }
      p { margin: 6px 0; } .soft { color: var(--soft); }
      .right { color: var(--green); font-weight: 600; } .wrong { color: var(--red);
        font-weight: 600; overflow-wrap: anywhere; }
      section { border-top: 2px solid var(--rule); margin-top: 28px; padding-top: 14px; }
      .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr));
        gap: 8px; margin: 12px 0; }
      .tiles div { background: var(--tile); border-radius: 6px; padding: 8px 10px; }
      .tiles b { display: block; font-size: 1.05rem; overflow-wrap: anywhere; }
      .tiles span { font-size: .8rem; color: var(--soft); }
      .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(330px, 100%), 1fr));
        gap: 18px; align-items: start; }
      svg { width: 100%; height: auto; font-family: system-ui, sans-serif; }
      svg .label { font-size: 12px; fill: var(--ink); }
      svg .value { font-size: 11px; fill: var(--ink); }
      svg .axis { font-size: 11px; fill: var(--soft); }
      svg .grid { stroke: var(--rule); stroke-width: 1; }
      svg .mark { stroke: var(--ink); stroke-width: 1.5; }
      svg .ok { fill: var(--blue); } svg .bad { fill: var(--red); }
      svg polyline { fill: none; stroke-width: 1.8; }
      svg .half { stroke: var(--blue); } svg .slowest { stroke: var(--soft);
        stroke-dasharray: 3 2; }
      .scroll { overflow-x: auto; margin-top: 12px; }
      table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
      th, td { text-align: right; padding: 4px 8px; border-bottom: 1px solid var(--rule);
        white-space: nowrap; } th:first-child, td:first-child { text-align: left; }
      a { color: var(--blue); }
      </style>
      </head>
      <body>
      """;

  private final StringBuilder page = new StringBuilder(HEAD);

  private HtmlReport() {}

  public static String of(LoadTestReport report) {
    return new HtmlReport().write(report);
  }

  private String write(LoadTestReport report) {
    page.append("<h1>Load test: bad paths</h1>\n");
    long compared = report.scenarios().stream().mapToLong(Measured::compared).sum();
    page.append(
        report.isRight()
            ? "<p class=\"right\">All "
                + Charts.number(compared)
                + " compared answers were right.</p>\n"
            : "<p class=\"wrong\">Answers were wrong, see below.</p>\n");
    page.append("<p class=\"soft\">");
    page.append(Charts.escape(report.summary()));
    page.append("</p>\n<div class=\"scroll\"><table><tr><th>scenario</th><th>requests</th>");
    page.append("<th>errors</th><th>answers</th></tr>\n");
    report.scenarios().forEach(this::overview);
    page.append("</table></div>\n");
    report.scenarios().forEach(this::section);
    return page.append("</body>\n</html>\n").toString();
  }

  private void overview(Measured measured) {
    long errors = measured.errors().values().stream().mapToLong(Long::longValue).sum();
    String word = measured.scenario().word();
    row(
        "<a href=\"#" + word + "\">" + word + "</a>",
        Charts.number(measured.requests()),
        Charts.number(errors),
        measured.isRight() ? "right" : "<span class=\"wrong\">wrong</span>");
  }

  /** Cells are HTML already. */
  private void row(String... cells) {
    page.append("<tr>");
    for (String cell : cells) {
      page.append("<td>").append(cell).append("</td>");
    }
    page.append("</tr>\n");
  }

  private void section(Measured measured) {
    page.append("<section id=\"").append(measured.scenario().word()).append("\">\n<h2>");
    page.append(measured.scenario().word()).append("</h2>\n<p class=\"soft\">");
    page.append(Charts.escape(measured.scenario().description())).append("</p>\n");
    if (measured.isRight()) {
      page.append("<p class=\"right\">").append(Charts.number(measured.compared()));
      page.append(" answers compared with what was loaded, all right</p>\n");
    } else {
      page.append("<p class=\"wrong\">").append(Charts.number(measured.wrongCount()));
      page.append(" answers were wrong; the first:</p>\n");
      measured
          .wrong()
          .forEach(
              wrong ->
                  page.append("<p class=\"wrong\">").append(Charts.escape(wrong)).append("</p>\n"));
    }
    tiles(measured);
    page.append("<div class=\"charts\">\n<div><p>How long, from p50 to p99; the mark is p95");
    page.append("</p>").append(Charts.times(measured.series())).append("</div>\n<div>");
    page.append(Charts.timeline(measured.timeline())).append("</div>\n<div>");
    page.append(
        Charts.shards("Statements of each shard; the mark is the mean", measured.statements()));
    page.append(Charts.shards("Rows of each shard; the mark is the mean", measured.rows()));
    page.append("</div>\n</div>\n");
    table(measured);
    page.append("</section>\n");
  }

  private void tiles(Measured measured) {
    page.append("<div class=\"tiles\">\n");
    tile(Charts.number(measured.requests() / measured.seconds()), "requests a second");
    tile(measured.errors().isEmpty() ? "none" : codes(measured.errors()), "errors");
    tile(
        Charts.number(measured.fanOut().mean())
            + ", at most "
            + Charts.number(measured.fanOut().max()),
        "fan-out: shards of a request");
    tile(spread(measured.statements()), "statements of a shard: max, mean");
    tile(spread(measured.rows()), "rows of a shard: max, mean");
    tile(Charts.number(measured.rowsSent()), "rows sent by shards for merging");
    tile(
        measured.connections().most() + ", " + measured.connections().mostOfOneShard(),
        "connections in use at once: in all, of one shard");
    for (Note note : measured.notes()) {
      tile(Charts.number(note.value()) + " " + note.unit(), note.name());
    }
    page.append("</div>\n");
  }

  private static String spread(Map<String, Long> counts) {
    Spread spread = Spread.of(counts);
    return Charts.number(spread.max()) + ", " + Charts.number(spread.mean());
  }

  private void tile(String value, String name) {
    page.append("<div><b>").append(Charts.escape(value)).append("</b><span>");
    page.append(Charts.escape(name)).append("</span></div>\n");
  }

  private static String codes(Map<String, Long> errors) {
    return errors.entrySet().stream()
        .map(error -> error.getKey() + ": " + error.getValue())
        .collect(Collectors.joining(", "));
  }

  private void table(Measured measured) {
    page.append("<div class=\"scroll\"><table><tr><th>requests</th><th>count</th><th>per s</th>");
    page.append("<th>p50 ms</th><th>p95 ms</th><th>p99 ms</th><th>max ms</th>");
    page.append("<th>partial</th><th>errors</th></tr>\n");
    for (Requests one : measured.series()) {
      row(
          Charts.escape(one.name()),
          Charts.number(one.requests()),
          Charts.number(one.perSecond()),
          Charts.number(one.millis().p50()),
          Charts.number(one.millis().p95()),
          Charts.number(one.millis().p99()),
          Charts.number(one.millis().max()),
          Charts.number(one.partial()),
          Charts.escape(codes(one.errors())));
    }
    page.append("</table></div>\n");
  }
}
