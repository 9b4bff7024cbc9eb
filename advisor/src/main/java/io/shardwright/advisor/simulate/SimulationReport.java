package io.shardwright.advisor.simulate;

import io.shardwright.advisor.simulate.Simulation.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A simulation as a document for programs, and as one HTML page that needs no network. */
public final class SimulationReport {
  private static final int CHART_WIDTH = 720;
  private static final int BAR_HEIGHT_MAX = 160;

  /** More bars than these could not be told apart. */
  private static final int BARS_MAX = 256;

  private final Result result;
  private final StringBuilder html = new StringBuilder(1 << 15);

  private SimulationReport(Result result) {
    this.result = result;
  }

  /** Maps, lists, texts and numbers, in a fixed order. */
  public static Map<String, Object> document(Result result) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("file", result.options().file().getFileName().toString());
    document.put("key_type", result.type().name().toLowerCase(Locale.ROOT));
    document.put("shards", result.options().shards());
    document.put("buckets", result.options().buckets());
    document.put("rows", result.rows());
    document.put("keys", result.keys());
    document.put("keys_exact", result.exact());
    document.put("lines", result.lines().all());
    document.put("blank_lines", result.lines().blank());
    document.put("rows_without_key", result.lines().nullRows());
    document.put("rows_of_impossible_keys", result.impossibleRows());
    Map<String, Object> hottest = new LinkedHashMap<>();
    hottest.put("key", result.hottestKey());
    hottest.put("rows", result.hottestRows());
    hottest.put("share", result.hottestShare());
    hottest.put("to_mean_of_shards", result.hottestToMean());
    document.put("hottest_key", hottest);
    document.put("layouts", result.spreads().stream().map(SimulationReport::spread).toList());
    document.put("hashes_left_out", result.left().stream().map(KeyHash::written).toList());
    List<Object> growths = new ArrayList<>();
    for (Growth growth : result.growths()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("moved_rows", growth.movedRows());
      entry.put("moved_share", growth.movedShare());
      entry.put("moved_buckets", growth.movedBuckets());
      entry.put("after", spread(growth.after()));
      growths.add(entry);
    }
    document.put("grown_to", result.options().grownTo());
    document.put("growth", growths);
    return document;
  }

  private static Map<String, Object> spread(Spread spread) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("layout", spread.layout());
    entry.put("hash", spread.hash());
    entry.put("max_to_mean", spread.maxToMean());
    entry.put("variation", spread.variation());
    entry.put("difference", spread.difference());
    entry.put("even", spread.isEven());
    entry.put("rows_by_shard", spread.rows());
    return entry;
  }

  /** What the page says first, also for the terminal. */
  public static String verdict(Result result) {
    Spread own = result.spreads().get(0);
    String even =
        String.format(
            Locale.ROOT,
            "The shards differ by %.1f%% of their mean, the fullest holds %.2f times the mean: %s.",
            own.difference() * 100,
            own.maxToMean(),
            own.isEven() ? "even (within 10%)" : "UNEVEN (more than 10%)");
    double hottest = result.hottestToMean();
    return hottest < 0.1
        ? even
        : even
            + String.format(
                Locale.ROOT,
                " One key alone is %.2f of a shard's mean: no hash can divide it.",
                hottest);
  }

  public static String html(Result result) {
    return new SimulationReport(result).build();
  }

  private String build() {
    html.append(
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Key distribution</title>
        <style>
        body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:1rem auto;padding:0 1rem;color:#1b2733}
        h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
        svg{width:100%;height:auto;display:block}
        table{border-collapse:collapse;width:100%;font-size:.9rem}
        .wide{overflow-x:auto}
        td,th{padding:.3rem .5rem;text-align:right;border-bottom:1px solid #d8dee6}
        td:first-child,th:first-child{text-align:left}
        .verdict{border-left:4px solid #2a6f97;background:#eef4f8;padding:.6rem .8rem}
        .uneven{border-color:#b3261e;background:#fbeceb}
        small{color:#52606d}
        </style></head><body>
        """);
    html.append("<h1>How the keys spread</h1>\n");
    text("p", null, facts());
    boolean even = result.spreads().get(0).isEven();
    text("p", even ? "verdict" : "verdict uneven", verdict(result));
    table();
    for (Spread spread : result.spreads()) {
      text("h2", null, title(spread));
      bars(spread);
    }
    if (!result.growths().isEmpty()) {
      growth();
    }
    notes();
    html.append("</body></html>\n");
    return html.toString();
  }

  private String facts() {
    return String.format(
        Locale.ROOT,
        "%,d rows of %s%,d keys (%s) over %d shards by %d buckets. The hottest key, %s, has %,d rows,"
            + " %.3f%% of all.",
        result.rows(),
        result.exact() ? "" : "at least ",
        result.keys(),
        result.type().name().toLowerCase(Locale.ROOT),
        result.options().shards(),
        result.options().buckets(),
        result.hottestKey(),
        result.hottestRows(),
        result.hottestShare() * 100);
  }

  private static String title(Spread spread) {
    return switch (spread.layout()) {
      case "map" -> "Bucket map, hash " + spread.hash();
      case "ring" -> "Ring of " + Ring.POINTS_PER_SHARD + " points a shard, hash " + spread.hash();
      default -> "Plain modulo of the shards, hash " + spread.hash();
    };
  }

  private void table() {
    html.append("<div class=\"wide\"><table><tr><th>layout</th><th>fullest / mean</th>");
    html.append("<th>variation</th><th>(max - min) / mean</th><th>within 10%</th></tr>\n");
    for (Spread spread : result.spreads()) {
      html.append("<tr><td>").append(escaped(title(spread))).append("</td>");
      html.append(
          String.format(
              Locale.ROOT,
              "<td>%.3f</td><td>%.4f</td><td>%.1f%%</td><td>%s</td></tr>%n",
              spread.maxToMean(),
              spread.variation(),
              spread.difference() * 100,
              spread.isEven() ? "yes" : "no"));
    }
    html.append("</table></div>\n");
  }

  /** Bars from zero, a line at the mean. */
  private void bars(Spread spread) {
    int shown = Math.min(spread.rows().size(), BARS_MAX);
    double step = (double) CHART_WIDTH / shown;
    double scale = BAR_HEIGHT_MAX / (double) Math.max(1, spread.max());
    double mean = BAR_HEIGHT_MAX - spread.mean() * scale;
    html.append(
        String.format(
            Locale.ROOT,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"rows by shard\">%n",
            CHART_WIDTH,
            BAR_HEIGHT_MAX + 20));
    for (int i = 0; i < shown; i++) {
      double height = spread.rows().get(i) * scale;
      html.append(
          String.format(
              Locale.ROOT,
              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>shard %d:"
                  + " %,d rows</title></rect>%n",
              i * step + step * 0.1,
              BAR_HEIGHT_MAX - height,
              step * 0.8,
              height,
              spread.rows().get(i) > 1.1 * spread.mean() ? "#b3261e" : "#2a6f97",
              i,
              spread.rows().get(i)));
      if (shown <= 32) {
        html.append(
            String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%d\" font-size=\"11\" text-anchor=\"middle\">%d</text>%n",
                i * step + step / 2,
                BAR_HEIGHT_MAX + 14,
                i));
      }
    }
    html.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"0\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#1b2733\""
                + " stroke-dasharray=\"5 4\"/></svg>%n",
            CHART_WIDTH,
            mean,
            mean));
    if (shown < spread.rows().size()) {
      text("small", null, "The first " + shown + " of " + spread.rows().size() + " shards.");
    }
  }

  private void growth() {
    int shards = result.options().shards();
    int grown = result.options().grownTo().orElseThrow();
    text("h2", null, "What moves from " + shards + " to " + grown + " shards");
    int y = 0;
    html.append(
        String.format(
            Locale.ROOT,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"share of rows that move\">%n",
            CHART_WIDTH,
            result.growths().size() * 44));
    for (Growth growth : result.growths()) {
      double share = growth.movedShare();
      html.append(
          String.format(
              Locale.ROOT,
              "<text x=\"0\" y=\"%d\" font-size=\"13\">%s: %.1f%% of rows%s</text>"
                  + "<rect x=\"0\" y=\"%d\" width=\"%.1f\" height=\"16\" fill=\"%s\"/>%n",
              y + 14,
              escaped(growth.after().layout()),
              share * 100,
              growth.movedBuckets() > 0 ? ", " + growth.movedBuckets() + " buckets" : "",
              y + 20,
              Math.max(1, share * CHART_WIDTH),
              growth.after().layout().equals("modulo") ? "#b3261e" : "#2a6f97"));
      y += 44;
    }
    html.append("</svg>\n");
    text(
        "p",
        null,
        String.format(
            Locale.ROOT,
            "The least that any layout moves when the new shards get their part: %.1f%%.",
            Growth.leastShare(shards, grown) * 100));
  }

  private void notes() {
    text("h2", null, "What was read");
    text(
        "p",
        null,
        String.format(
            Locale.ROOT,
            "%,d lines (%s%s), %,d blank; %,d rows without a key and %,d rows of keys that no row of"
                + " this type can have are left out.",
            result.lines().all(),
            result.lines().counted() ? "key,count" : "one key on a line",
            result.lines().header() ? ", the first names the columns" : "",
            result.lines().blank(),
            result.lines().nullRows(),
            result.impossibleRows()));
    for (KeyHash hash : KeyHash.values()) {
      text("p", null, hash.written() + ": " + hash.meaning());
    }
  }

  private void text(String tag, String cssClass, String text) {
    html.append('<').append(tag);
    if (cssClass != null) {
      html.append(" class=\"").append(cssClass).append('"');
    }
    html.append('>').append(escaped(text)).append("</").append(tag).append(">\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
