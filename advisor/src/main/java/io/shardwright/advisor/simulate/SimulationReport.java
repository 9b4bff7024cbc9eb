package io.shardwright.advisor.simulate;

import io.shardwright.advisor.report.HtmlPage;
import io.shardwright.advisor.report.HtmlPage.Bar;
import io.shardwright.advisor.report.HtmlPage.Cell;
import io.shardwright.advisor.report.HtmlPage.Tone;
import io.shardwright.advisor.simulate.Simulation.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A simulation as a document for programs, and as one HTML page that needs no network. */
public final class SimulationReport {
  private final Result result;
  private final HtmlPage page = new HtmlPage("How the keys spread");

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
    page.paragraph(facts());
    page.verdict(verdict(result), result.spreads().get(0).isEven());
    table();
    for (Spread spread : result.spreads()) {
      page.heading(3, title(spread));
      bars(spread);
    }
    if (!result.growths().isEmpty()) {
      growth();
    }
    notes();
    return page.end();
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
    List<List<Cell>> rows = new ArrayList<>();
    for (Spread spread : result.spreads()) {
      rows.add(
          List.of(
              Cell.wide(title(spread)),
              Cell.of(format("%.3f", spread.maxToMean())),
              Cell.of(format("%.4f", spread.variation())),
              Cell.of(format("%.1f%%", spread.difference() * 100)),
              Cell.of(spread.isEven() ? "yes" : "no")));
    }
    page.table(
        List.of(
            Cell.wide("layout"),
            Cell.of("fullest / mean"),
            Cell.of("variation"),
            Cell.of("(max - min) / mean"),
            Cell.of("within 10%")),
        rows);
  }

  private void bars(Spread spread) {
    List<Bar> bars = new ArrayList<>();
    for (int shard = 0; shard < spread.rows().size(); shard++) {
      long rows = spread.rows().get(shard);
      bars.add(
          new Bar(
              Integer.toString(shard),
              rows,
              format("shard %d: %,d rows", shard, rows),
              rows > 1.1 * spread.mean() ? Tone.BAD : Tone.FINE));
    }
    page.bars("rows by shard", bars, spread.mean());
  }

  private void growth() {
    int shards = result.options().shards();
    int grown = result.options().grownTo().orElseThrow();
    page.heading(2, "What moves from " + shards + " to " + grown + " shards");
    List<Bar> bars = new ArrayList<>();
    for (Growth growth : result.growths()) {
      String buckets = growth.movedBuckets() > 0 ? ", " + growth.movedBuckets() + " buckets" : "";
      bars.add(
          new Bar(
              growth.after().layout(),
              growth.movedShare(),
              format("%.1f%% of rows%s", growth.movedShare() * 100, buckets),
              growth.after().layout().equals("modulo") ? Tone.BAD : Tone.FINE));
    }
    page.shares("share of rows that move", bars, 1);
    page.paragraph(
        format(
            "The least that any layout moves when the new shards get their part: %.1f%%.",
            Growth.leastShare(shards, grown) * 100));
  }

  private void notes() {
    page.heading(2, "What was read");
    page.paragraph(
        format(
            "%,d lines (%s%s), %,d blank; %,d rows without a key and %,d rows of keys that no row of"
                + " this type can have are left out.",
            result.lines().all(),
            result.lines().counted() ? "key,count" : "one key on a line",
            result.lines().header() ? ", the first names the columns" : "",
            result.lines().blank(),
            result.lines().nullRows(),
            result.impossibleRows()));
    for (KeyHash hash : KeyHash.values()) {
      page.paragraph(hash.written() + ": " + hash.meaning());
    }
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
