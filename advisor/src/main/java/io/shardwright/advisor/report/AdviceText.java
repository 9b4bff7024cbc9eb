package io.shardwright.advisor.report;

import io.shardwright.advisor.advice.Advice;
import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.advice.BusinessCycle;
import io.shardwright.advisor.advice.Capacity.Figure;
import io.shardwright.advisor.advice.DesignRecord;
import io.shardwright.advisor.advice.Evenness;
import io.shardwright.advisor.advice.GrowthYear;
import io.shardwright.advisor.advice.IndexCost;
import io.shardwright.advisor.advice.Isolation;
import io.shardwright.advisor.advice.KeyScore;
import io.shardwright.advisor.advice.Scheme;
import io.shardwright.advisor.advice.TupleArithmetic;
import io.shardwright.advisor.logs.LogFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Tells an advice to people on a terminal. */
public final class AdviceText {
  private static final int CANDIDATES_SHOWN = 8;
  private static final int PATHS_SHOWN = 20;
  private static final int SHAPES_SHOWN = 5;
  private static final int TUPLES_SHOWN = 3;
  private static final int TEXT_CHARS = 110;

  private AdviceText() {}

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
      file.notes().forEach(n -> lines.add(format("  note, %,d times: %s", n.times(), n.what())));
    }
    lines.add(
        format(
            "%,d executions on tables in %,d templates; %,d others, %,d not read; cost: %s",
            advice.workload().executions(),
            advice.workload().templates().size(),
            advice.workload().others(),
            advice.workload().unread(),
            advice.workload().costUnit()));
    advice.workload().unreadShapes().stream()
        .limit(SHAPES_SHOWN)
        .forEach(
            shape ->
                lines.add(
                    format(
                        "  not read, %,d times: %s: %s",
                        shape.executions(), shape.reason(), cut(shape.shape()))));
    advice.groups().forEach(group -> group(lines, group));
    growth(lines, advice);
    design(lines, advice);
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
    lines.add("  " + group.headline());
    group.reasons().forEach(reason -> lines.add("  - " + reason));
    group.next().forEach(next -> lines.add("  next: " + next));
    group.notes().forEach(note -> lines.add("  note: " + note));
    lines.add("  Candidates, the best first:");
    group.scores().stream().limit(CANDIDATES_SHOWN).forEach(score -> score(lines, score));
    int more = group.scores().size() - CANDIDATES_SHOWN;
    if (more > 0) {
      lines.add("    and " + more + " more, in --json");
    }
    group.tuples().stream()
        .limit(TUPLES_SHOWN)
        .map(TupleArithmetic::written)
        .forEach(tuple -> lines.add("  pair " + tuple));
    if (group.best().isPresent()) {
      lines.add("  The common ways of sharding:");
      group.schemes().forEach(scheme -> lines.add("    " + scheme(scheme)));
      group.isolations().stream()
          .map(Isolation::written)
          .forEach(hot -> lines.add("  hot key " + hot));
      group.indexes().stream()
          .map(IndexCost::written)
          .forEach(index -> lines.add("  index " + index));
      paths(lines, group.best().get());
    }
  }

  private static String scheme(Scheme scheme) {
    return scheme
        .key()
        .map(
            key ->
                format(
                    "%s (%s): %.2f shard statements each, fullest shard %s; %s",
                    scheme.kind().meaning(),
                    key,
                    scheme.load(),
                    scheme
                        .maxToMean()
                        .map(value -> format("%.2f times the mean", value))
                        .orElse("unknown"),
                    scheme.judgement()))
        .orElse(scheme.kind().meaning() + ": " + scheme.judgement());
  }

  private static void growth(List<String> lines, Advice advice) {
    lines.add("");
    lines.add("Capacity and growth:");
    advice.settings().capacity().figures().stream()
        .map(Figure::reserve)
        .forEach(reserve -> lines.add("  " + reserve));
    for (GrowthYear year : advice.growth()) {
      lines.add(
          year.year() == 0
              ? format("  now: %d shards", year.shards())
              : format(
                  "  year %d: %d shards; %d buckets move (%.0f%% of rows), under modulo %.0f%% of"
                      + " rows",
                  year.year(),
                  year.shards(),
                  year.movedBuckets(),
                  year.movedShare() * 100,
                  year.moduloShare() * 100));
    }
    advice.cycle().batches().stream()
        .map(BusinessCycle.Batch::written)
        .forEach(batch -> lines.add("  batch window " + batch));
  }

  private static void design(List<String> lines, Advice advice) {
    lines.add("");
    lines.add("Design record:");
    for (DesignRecord.Point point : advice.design()) {
      lines.add("  " + point.question());
      lines.add("    " + point.answer().orElse("OPEN") + " (" + point.next() + ")");
    }
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
    lines.add(
        format(
            "      %d of %d templates that write have it%s",
            score.propagation().carrying(),
            score.propagation().writes(),
            score.propagation().entriesWithout().isEmpty()
                ? ""
                : "; entry points without it: " + score.propagation().entriesWithout()));
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
        "%s: fullest of %d shards %,.0f / mean %,.1f = %.3f, variation %.3f, hottest key %s %,d of"
            + " %,d = %.2f%%, %,d different%s%s%s",
        e.source(),
        e.rows().size(),
        e.fullest(),
        e.mean(),
        e.maxToMean(),
        e.variation(),
        e.hottestKey(),
        e.hottest(),
        e.sum() + e.beyond(),
        e.hottestShare() * 100,
        e.distinct(),
        (e.beyond() == 0 ? "" : format(", %,d more not told apart", e.beyond()))
            + (e.left() == 0 ? "" : format(", %,d without a shard", e.left())),
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
}
