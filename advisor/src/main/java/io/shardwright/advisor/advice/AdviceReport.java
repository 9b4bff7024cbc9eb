package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.advice.Advice.Verdict;
import io.shardwright.advisor.logs.LogFile;
import io.shardwright.advisor.templates.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Tells an advice to people, as lines, and to programs, as a document. */
public final class AdviceReport {
  private static final int CANDIDATES_SHOWN = 8;
  private static final int PATHS_SHOWN = 20;
  private static final int TEXT_CHARS = 110;

  private AdviceReport() {}

  /** Lines for a terminal. Names come from the log: print them with care. */
  public static List<String> lines(Advice advice) {
    List<String> lines = new ArrayList<>();
    for (LogFile file : advice.files()) {
      lines.add(
          file.path().getFileName()
              + ": "
              + file.format().map(f -> f.description()).orElse("refused")
              + format(
                  ", %,d executions, %,d lines skipped", file.executions(), file.skippedLines()));
      file.skipped().forEach(s -> lines.add(format("  skipped %,d: %s", s.lines(), s.reason())));
    }
    lines.add(
        format(
            "%,d executions on tables in %,d templates; %,d others, %,d not read; cost: %s",
            advice.workload().executions(),
            advice.workload().templates().size(),
            advice.workload().others(),
            advice.workload().unread(),
            advice.workload().costUnit()));
    advice.groups().forEach(group -> group(lines, group));
    if (!advice.references().isEmpty()) {
      lines.add("");
      lines.add("Reference tables (read beside others, never written): " + advice.references());
    }
    if (!advice.warnings().isEmpty()) {
      lines.add("");
      lines.add("Know that:");
      advice.warnings().forEach(warning -> lines.add("- " + warning));
    }
    return lines;
  }

  private static void group(List<String> lines, Group group) {
    lines.add("");
    lines.add(format("Tables %s: %.1f%% of executions", group.tables(), group.share() * 100));
    lines.add("  " + headline(group));
    group.reasons().forEach(reason -> lines.add("  - " + reason));
    group.next().forEach(next -> lines.add("  next: " + next));
    group.notes().forEach(note -> lines.add("  note: " + note));
    lines.add("  Candidates, the best first:");
    group.scores().stream().limit(CANDIDATES_SHOWN).forEach(score -> score(lines, score));
    int more = group.scores().size() - CANDIDATES_SHOWN;
    if (more > 0) {
      lines.add("    and " + more + " more, in --json");
    }
    group.best().ifPresent(best -> paths(lines, best));
  }

  static String headline(Group group) {
    String key = group.best().map(best -> best.candidate().name()).orElse("none");
    String provisional = group.isProvisional() ? " (PROVISIONAL: how it spreads is not known)" : "";
    return switch (group.verdict()) {
      case SHARD -> "SHARD by " + key + provisional;
      case SHARD_WHEN_NEEDED -> "SHARD WHEN NEEDED, by " + key + provisional;
      case DO_NOT_SHARD_YET ->
          "DO NOT SHARD YET" + (key.equals("none") ? "" : " (later by " + key + ")");
      case NO_KEY -> "NO KEY will do";
      case TOO_LITTLE -> "TOO LITTLE to judge by";
    };
  }

  private static void score(List<String> lines, KeyScore score) {
    lines.add(
        "    " + score.candidate().name() + score.refused().map(r -> ": REFUSED, " + r).orElse(""));
    lines.add(
        format(
            "      covers %.1f%% of executions, %.1f%% of cost, %s of writes; %.1f%% by weight, and"
                + " %.1f%% cured; %.2f shard statements each",
            score.frequency() * 100,
            score.cost() * 100,
            percent(score.writes()),
            score.weighted() * 100,
            score.cured() * 100,
            score.load()));
    score.rows().ifPresent(e -> lines.add("      " + evenness(e)));
    score.traffic().ifPresent(e -> lines.add("      " + evenness(e)));
    if (score.transactions() > 0) {
      lines.add(
          format(
              "      %,d of %,d transactions keep to one key",
              score.local(), score.transactions()));
    }
  }

  private static String evenness(Evenness e) {
    String promoted =
        e.promotionMaxToMean().map(p -> format("; %.2f with 20 times the top 3", p)).orElse("");
    return format(
        "%s: fullest of %d shards %,d / mean %,.1f = %.3f, variation %.3f, hottest key %s %,d of"
            + " %,d = %.2f%%, %,d different%s%s",
        e.source(),
        e.rows().size(),
        e.max(),
        e.mean(),
        e.maxToMean(),
        e.variation(),
        e.hottestKey(),
        e.hottest(),
        e.sum(),
        e.hottestShare() * 100,
        e.distinct(),
        promoted,
        e.isJudged() ? "" : " (too few to judge)");
  }

  private static void paths(List<String> lines, KeyScore best) {
    lines.add("  Under " + best.candidate().name() + " each template goes to:");
    best.paths().stream()
        .limit(PATHS_SHOWN)
        .forEach(
            path -> {
              lines.add(
                  format(
                      "    %5.1f%% %s, %s%s: %s",
                      path.template().share() * 100,
                      path.template().workloadClass().written(),
                      path.landing().written(),
                      path.way().map(w -> " by " + w.column()).orElse(""),
                      cut(path.template().template().text())));
            });
    int more = best.paths().size() - PATHS_SHOWN;
    if (more > 0) {
      lines.add("    and " + more + " more, in --json");
    }
  }

  private static String cut(String text) {
    return text.length() <= TEXT_CHARS ? text : text.substring(0, TEXT_CHARS) + "...";
  }

  private static String percent(double share) {
    return Double.isNaN(share) ? "no" : format("%.1f%%", share * 100);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** Maps, lists, texts and numbers, in a fixed order. */
  public static Map<String, Object> document(Advice advice) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("shards", advice.settings().judgedShards());
    document.put("buckets", advice.settings().buckets());
    document.put("files", advice.files().stream().map(AdviceReport::file).toList());
    document.put("executions", advice.workload().executions());
    document.put("executions_without_tables", advice.workload().others());
    document.put("executions_not_read", advice.workload().unread());
    document.put("cost_unit", advice.workload().costUnit());
    document.put("first", advice.workload().first().map(Object::toString));
    document.put("last", advice.workload().last().map(Object::toString));
    document.put("capacity", advice.settings().capacity().arithmetic());
    document.put(
        "templates", advice.workload().templates().stream().map(AdviceReport::template).toList());
    document.put("groups", advice.groups().stream().map(AdviceReport::groupOf).toList());
    document.put("reference_tables", List.copyOf(advice.references()));
    document.put("warnings", advice.warnings());
    document.put("configuration", advice.configuration());
    return document;
  }

  private static Map<String, Object> file(LogFile file) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("file", file.path().getFileName().toString());
    entry.put("format", file.format().map(f -> f.description()));
    entry.put("lines", file.lines());
    entry.put("statements", file.records());
    entry.put("executions", file.executions());
    Map<String, Object> skipped = new LinkedHashMap<>();
    file.skipped().forEach(s -> skipped.put(s.reason(), s.lines()));
    entry.put("skipped", skipped);
    entry.put("refused", file.refusal().map(r -> "line " + r.line() + ": " + r.why()));
    return entry;
  }

  private static Map<String, Object> template(WorkloadTemplate template) {
    Template t = template.template();
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("fingerprint", t.fingerprint());
    entry.put("text", t.text());
    entry.put("class", template.workloadClass().written());
    entry.put("class_declared", template.declared());
    entry.put("executions", t.executions());
    entry.put("share", template.share());
    entry.put("cost", template.cost());
    entry.put(
        "mean_milliseconds",
        t.timed() == 0 ? Optional.empty() : Optional.of(t.duration().toNanos() / 1e6 / t.timed()));
    entry.put("rows_sent", t.rowsSent());
    entry.put("rows_examined", t.rowsExamined());
    entry.put("rows_affected", t.rowsAffected());
    entry.put("kind", t.use().kind().name().toLowerCase(Locale.ROOT));
    entry.put("tables", List.copyOf(template.tables()));
    entry.put("columns", t.use().columns().stream().map(Object::toString).toList());
    return entry;
  }

  private static Map<String, Object> groupOf(Group group) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("tables", List.copyOf(group.tables()));
    entry.put("share", group.share());
    entry.put("verdict", group.verdict().name().toLowerCase(Locale.ROOT));
    boolean recommended =
        group.verdict() == Verdict.SHARD || group.verdict() == Verdict.SHARD_WHEN_NEEDED;
    entry.put("key", recommended ? group.best().map(AdviceReport::names) : Optional.empty());
    entry.put("provisional", group.isProvisional());
    entry.put("reasons", group.reasons());
    entry.put("next", group.next());
    entry.put("notes", group.notes());
    entry.put("candidates", group.scores().stream().map(AdviceReport::scoreOf).toList());
    entry.put("paths", group.best().map(b -> b.paths().stream().map(AdviceReport::path).toList()));
    return entry;
  }

  private static List<String> names(KeyScore score) {
    return score.candidate().columns().stream().map(KeyColumn::name).toList();
  }

  private static Map<String, Object> scoreOf(KeyScore score) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("columns", names(score));
    entry.put("refused", score.refused());
    entry.put("coverage_by_executions", score.frequency());
    entry.put("coverage_by_cost", known(score.cost()));
    entry.put("coverage_of_writes", known(score.writes()));
    entry.put("coverage_by_weight", score.weighted());
    entry.put("cured_by_weight", score.cured());
    entry.put("shard_statements", score.load());
    entry.put("rows", score.rows().map(AdviceReport::spread));
    entry.put("traffic", score.traffic().map(AdviceReport::spread));
    entry.put("transactions", score.transactions());
    entry.put("transactions_of_one_key", score.local());
    entry.put("tables_without", score.missing());
    return entry;
  }

  private static Optional<Double> known(double value) {
    return Double.isNaN(value) ? Optional.empty() : Optional.of(value);
  }

  private static Map<String, Object> spread(Evenness e) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("source", e.source());
    entry.put("judged", e.isJudged());
    entry.put("rows_by_shard", e.rows());
    entry.put("max_to_mean", e.maxToMean());
    entry.put("variation", e.variation());
    entry.put("bucket_max_to_mean", known(e.bucketMaxToMean()));
    entry.put("different", e.distinct());
    entry.put("left_out", e.left());
    entry.put("hottest_key", e.hottestKey());
    entry.put("hottest_rows", e.hottest());
    entry.put("hottest_share", e.hottestShare());
    entry.put("max_to_mean_with_top_3_twentyfold", e.promotionMaxToMean());
    return entry;
  }

  private static Map<String, Object> path(LandingPath path) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("fingerprint", path.template().template().fingerprint());
    entry.put("landing", path.landing().written());
    entry.put("meaning", path.landing().meaning());
    entry.put("column", path.way().map(w -> w.table() + "." + w.column()));
    entry.put("shards_asked", path.fanOut());
    entry.put("why", path.why());
    return entry;
  }
}
