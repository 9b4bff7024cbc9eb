package io.shardwright.advisor.report;

import io.shardwright.advisor.advice.Advice;
import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.advice.Advice.Verdict;
import io.shardwright.advisor.advice.BusinessCycle;
import io.shardwright.advisor.advice.Capacity.Figure;
import io.shardwright.advisor.advice.DesignRecord;
import io.shardwright.advisor.advice.Evenness;
import io.shardwright.advisor.advice.GrowthYear;
import io.shardwright.advisor.advice.IndexCost;
import io.shardwright.advisor.advice.Isolation;
import io.shardwright.advisor.advice.KeyScore;
import io.shardwright.advisor.advice.Landing;
import io.shardwright.advisor.advice.LandingPath;
import io.shardwright.advisor.advice.Lifecycle;
import io.shardwright.advisor.advice.Scheme;
import io.shardwright.advisor.advice.TupleArithmetic;
import io.shardwright.advisor.advice.Workload.TransactionGroup;
import io.shardwright.advisor.advice.WorkloadHour;
import io.shardwright.advisor.advice.WorkloadTemplate;
import io.shardwright.advisor.logs.LogFile;
import io.shardwright.advisor.report.HtmlPage.Bar;
import io.shardwright.advisor.report.HtmlPage.Cell;
import io.shardwright.advisor.report.HtmlPage.Stack;
import io.shardwright.advisor.report.HtmlPage.Tone;
import io.shardwright.advisor.templates.Activity;
import io.shardwright.advisor.templates.Activity.Latency;
import io.shardwright.advisor.templates.Template;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** An advice as one page: what is recommended first, then why, then what it rests on. */
// Long because: the sections of one page, in their order.
public final class AdvicePage {
  private static final int CANDIDATES_SHOWN = 12;
  private static final int TEMPLATES_SHOWN = 200;
  private static final int TUPLES_SHOWN = 5;
  private static final int GROUPS_SHOWN = 20;

  private final Advice advice;
  private final HtmlPage page = new HtmlPage("Which key to shard by");

  private AdvicePage(Advice advice) {
    this.advice = advice;
  }

  public static String html(Advice advice) {
    return new AdvicePage(advice).build();
  }

  private String build() {
    page.paragraph(
        format(
            "%,d executions on tables in %,d templates, from %d %s. %,d executions could not be"
                + " read, %,d touch no table.",
            advice.workload().executions(),
            advice.workload().templates().size(),
            advice.files().size(),
            advice.files().size() == 1 ? "file" : "files",
            advice.workload().unread(),
            advice.workload().others()));
    for (Group group : advice.groups()) {
      page.verdict(
          group.tables() + ": " + group.headline(),
          group.isSharded() || group.verdict() == Verdict.SHARD_BY_TIME_SLOTS);
    }
    if (!advice.warnings().isEmpty()) {
      page.heading(3, "Know that");
      page.list(advice.warnings());
    }
    advice.groups().forEach(this::group);
    capacity();
    workload();
    design();
    read();
    return page.end();
  }

  private void group(Group group) {
    page.heading(2, "Tables " + String.join(", ", group.tables()));
    page.paragraph(format("%.1f%% of executions. %s.", group.share() * 100, group.headline()));
    page.list(group.reasons());
    if (!group.next().isEmpty()) {
      page.heading(3, "What to do");
      page.list(group.next());
    }
    if (!group.notes().isEmpty()) {
      page.heading(3, "Notes");
      page.list(group.notes());
    }
    candidates(group);
    group.best().ifPresent(best -> under(group, best));
    page.heading(3, "What becomes of the rows");
    page.list(group.lifecycles().stream().map(Lifecycle::written).toList());
  }

  private void candidates(Group group) {
    if (group.scores().isEmpty()) {
      return;
    }
    page.heading(3, "Candidates");
    page.soft("Shard statements for one weighted execution: the fewer the better.");
    List<KeyScore> shown =
        group.scores().subList(0, Math.min(CANDIDATES_SHOWN, group.scores().size()));
    double most = shown.stream().mapToDouble(KeyScore::load).max().orElse(1);
    List<Bar> bars = new ArrayList<>();
    for (KeyScore score : shown) {
      bars.add(
          new Bar(
              score.candidate().name(),
              score.load(),
              format("%.2f%s", score.load(), score.refused().isPresent() ? ", refused" : ""),
              score.refused().isPresent() ? Tone.OFF : Tone.FINE));
    }
    page.shares("shard statements by candidate", bars, most);
    page.table(
        List.of(
            Cell.of("key"),
            Cell.wide("verdict"),
            Cell.of("executions"),
            Cell.of("cost"),
            Cell.of("writes"),
            Cell.of("by weight"),
            Cell.of("cured"),
            Cell.of("fullest / mean"),
            Cell.of("hottest key"),
            Cell.of("one-key transactions"),
            Cell.of("writers with it")),
        shown.stream().map(AdvicePage::candidate).toList());
    if (shown.size() < group.scores().size()) {
      page.soft("And " + (group.scores().size() - shown.size()) + " more, in the JSON document.");
    }
    page.list(group.tuples().stream().limit(TUPLES_SHOWN).map(TupleArithmetic::written).toList());
  }

  private static List<Cell> candidate(KeyScore score) {
    Optional<Evenness> spread = score.rows().or(score::traffic);
    return List.of(
        Cell.of(score.candidate().name()),
        Cell.wide(score.refused().map(why -> "refused: " + why).orElse("possible")),
        Cell.of(percent(score.frequency())),
        Cell.of(percent(score.cost())),
        Cell.of(percent(score.writes())),
        Cell.of(percent(score.weighted())),
        Cell.of(percent(score.cured())),
        Cell.of(spread.map(e -> format("%.2f", e.maxToMean())).orElse("?")),
        Cell.of(spread.map(e -> percent(e.hottestShare())).orElse("?")),
        Cell.of(percent(score.locality())),
        Cell.of(score.propagation().carrying() + " of " + score.propagation().writes()));
  }

  private void under(Group group, KeyScore best) {
    String key = best.candidate().name();
    score(best);
    best.rows().ifPresent(e -> spread("How rows spread by " + key, e));
    best.traffic().ifPresent(e -> spread("How statements spread by " + key, e));
    if (!group.isolations().isEmpty()) {
      page.heading(3, "Hot keys");
      page.list(group.isolations().stream().map(Isolation::written).toList());
    }
    page.heading(3, "The common ways of sharding, on this workload");
    page.table(
        List.of(
            Cell.of("way"),
            Cell.of("key"),
            Cell.of("shard statements"),
            Cell.of("by weight"),
            Cell.of("cured"),
            Cell.of("fullest / mean"),
            Cell.of("one-key transactions"),
            Cell.wide("what it means")),
        group.schemes().stream().map(AdvicePage::scheme).toList());
    page.heading(3, "Where statements go under " + key);
    landings(best);
    paths(best);
    if (!group.indexes().isEmpty()) {
      page.heading(3, "Indexes to declare, and what they cost");
      page.list(group.indexes().stream().map(IndexCost::written).toList());
    }
  }

  private void score(KeyScore best) {
    page.heading(3, "The arithmetic of " + best.candidate().name());
    List<String> lines = new ArrayList<>();
    lines.add(
        format(
            "coverage: %s of executions, %s of cost, %s of writes, %s by weight; %s by weight are"
                + " cured by one read more; %s go to all shards",
            percent(best.frequency()),
            percent(best.cost()),
            percent(best.writes()),
            percent(best.weighted()),
            percent(best.cured()),
            percent(best.scattered())));
    lines.add(format("load: %.2f shard statements for one weighted execution", best.load()));
    lines.add(
        best.transactions() == 0
            ? "transactions: the log has none of several statements"
            : format(
                "transactions: %,d of %,d keep to one key", best.local(), best.transactions()));
    lines.add("stability: no UPDATE sets it, nobody declared it to change");
    lines.add(
        format(
            "who writes: %d of %d templates have it; %d entry points declared%s",
            best.propagation().carrying(),
            best.propagation().writes(),
            best.propagation().entries(),
            best.propagation().entriesWithout().isEmpty()
                ? ""
                : ", without it: " + best.propagation().entriesWithout()));
    page.list(lines);
  }

  private void spread(String title, Evenness e) {
    page.heading(3, title);
    page.soft(
        format(
            "%s: fullest %,.0f / mean %,.1f = %.3f; difference %.1f%% of the mean%s; variation %.3f;"
                + " hottest key %s with %,d of %,d = %.2f%%%s%s",
            e.source(),
            e.fullest(),
            e.mean(),
            e.maxToMean(),
            e.difference() * 100,
            e.difference() <= 0.1 ? " (even)" : " (more than 10%)",
            e.variation(),
            e.hottestKey(),
            e.hottest(),
            e.sum() + e.beyond(),
            e.hottestShare() * 100,
            e.promotionMaxToMean()
                .map(p -> format("; fullest %.2f times the mean with 20 times the top 3", p))
                .orElse(""),
            e.isJudged() ? "" : "; too few to judge"));
    List<Bar> bars = new ArrayList<>();
    for (int shard = 0; shard < e.rows().size(); shard++) {
      long rows = e.rows().get(shard);
      bars.add(
          new Bar(
              Integer.toString(shard),
              rows,
              format("shard %d: %,d", shard, rows),
              rows > 1.1 * e.mean() ? Tone.BAD : Tone.FINE));
    }
    page.bars(title, bars, e.mean());
  }

  private static List<Cell> scheme(Scheme scheme) {
    boolean has = scheme.key().isPresent();
    return List.of(
        Cell.of(scheme.kind().meaning()),
        Cell.of(scheme.key().orElse("none")),
        Cell.of(has ? format("%.2f", scheme.load()) : ""),
        Cell.of(has ? percent(scheme.covered()) : ""),
        Cell.of(has ? percent(scheme.cured()) : ""),
        Cell.of(scheme.maxToMean().map(m -> format("%.2f", m)).orElse("?")),
        Cell.of(scheme.locality().map(AdvicePage::percent).orElse("?")),
        Cell.wide(scheme.judgement()));
  }

  /** How much of the executions goes which way. */
  private void landings(KeyScore best) {
    List<Bar> bars = new ArrayList<>();
    for (Landing landing : Landing.values()) {
      double share =
          best.paths().stream()
              .filter(path -> path.landing() == landing)
              .mapToDouble(path -> path.template().share())
              .sum();
      if (share > 0) {
        bars.add(
            new Bar(
                landing.written(),
                share,
                percent(share),
                landing.isCovered() ? Tone.FINE : landing.isCured() ? Tone.MORE : Tone.BAD));
      }
    }
    page.shares("executions by landing", bars, 1);
    page.beginDetails("What these words mean");
    page.list(
        Arrays.stream(Landing.values())
            .map(
                landing ->
                    landing.written()
                        + ": "
                        + landing.meaning()
                        + "; sees "
                        + landing.consistency().meaning())
            .toList());
    page.endDetails();
  }

  private void paths(KeyScore best) {
    page.beginDetails("Every template: how often, how many rows, how fast, where it goes");
    page.table(
        List.of(
            Cell.of("template"),
            Cell.of("share"),
            Cell.of("class"),
            Cell.of("peak a second"),
            Cell.of("at a time"),
            Cell.of("rows"),
            Cell.of("p50 / p95 / p99"),
            Cell.of("has the key"),
            Cell.of("goes to"),
            Cell.of("shards"),
            Cell.of("statements more"),
            Cell.of("needs"),
            Cell.of("gets"),
            Cell.wide("text")),
        best.paths().stream().limit(TEMPLATES_SHOWN).map(AdvicePage::path).toList());
    page.endDetails();
  }

  private static List<Cell> path(LandingPath path) {
    WorkloadTemplate template = path.template();
    Template t = template.template();
    Activity activity = t.activity();
    return List.of(
        Cell.of(t.fingerprint().substring(0, 8)),
        Cell.of(percent(template.share())),
        Cell.of(template.workloadClass().written() + (template.declared() ? "" : " (assumed)")),
        Cell.of(activity.peakPerSecond() == 0 ? "?" : format("%,d", activity.peakPerSecond())),
        Cell.of(activity.peakConcurrency() == 0 ? "?" : format("%.2f", activity.peakConcurrency())),
        Cell.of(format("%,d", Math.max(t.rowsSent(), t.rowsAffected()) / t.executions())),
        Cell.of(latencies(activity)),
        Cell.of(path.landing().isCovered() ? "yes" : "no"),
        Cell.of(path.landing().written() + path.way().map(way -> " by " + way.column()).orElse("")),
        Cell.of(Integer.toString(path.fanOut())),
        Cell.of(format("%,.0f", (path.shardStatements() - 1) * t.executions())),
        Cell.of(template.workloadClass().needs().written()),
        Cell.of(path.landing().consistency().written()),
        Cell.wide(t.text()));
  }

  private static String latencies(Activity activity) {
    return activity
        .latency()
        .map(l -> millis(l.p50()) + " / " + millis(l.p95()) + " / " + millis(l.p99()) + " ms")
        .orElse("?");
  }

  private static String millis(Duration duration) {
    double millis = duration.toNanos() / 1e6;
    return millis >= 100 ? format("%,.0f", millis) : format("%.2f", millis);
  }

  private void capacity() {
    page.heading(2, "Capacity and growth");
    List<Figure> figures = advice.settings().capacity().figures();
    if (figures.isEmpty()) {
      page.open(
          "OPEN: no capacity figures were given. The shards below are what keys were judged on, and"
              + " are taken to be full now.");
    } else {
      page.paragraph("Shards = the largest of ceil(need / (what a shard carries x what is used)):");
      page.list(advice.settings().capacity().arithmetic());
      page.paragraph("What is kept free of each shard:");
      page.list(figures.stream().map(Figure::reserve).toList());
    }
    List<Bar> bars = new ArrayList<>();
    for (GrowthYear year : advice.growth()) {
      if (year.year() == 0) {
        page.paragraph(
            year.shards() + " shards now, " + advice.settings().buckets() + " buckets for good.");
        continue;
      }
      String name = format("year %d, %d shards", year.year(), year.shards());
      String told =
          format("%d buckets move, %.0f%% of rows", year.movedBuckets(), year.movedShare() * 100);
      bars.add(new Bar(name, year.movedShare(), told, Tone.FINE));
      String modulo = format("%.0f%% of rows would move", year.moduloShare() * 100);
      bars.add(new Bar("the same by hash modulo shards", year.moduloShare(), modulo, Tone.BAD));
    }
    page.shares("rows that move", bars, 1);
  }

  private void workload() {
    page.heading(2, "The workload over time");
    BusinessCycle cycle = advice.cycle();
    List<WorkloadHour> hours = advice.workload().hours();
    if (!hours.isEmpty()) {
      List<Stack> day = new ArrayList<>();
      for (int hour = 0; hour < Activity.HOURS; hour++) {
        int of = hour;
        long reads = sum(hours, of, WorkloadHour::reads);
        long writes = sum(hours, of, WorkloadHour::writes);
        day.add(
            new Stack(
                Integer.toString(hour),
                List.of((double) writes, (double) reads),
                format("%02d:00 UTC: %,d writes, %,d reads", of, writes, reads)));
      }
      page.stacks("executions by hour of the day", day, List.of(Tone.FINE, Tone.MORE));
      page.soft("Executions by hour of the day, UTC: writes dark, reads light.");
    }
    if (cycle.peakToMeanWrites() > 0) {
      page.paragraph(
          format(
              "The hour with the most writes has %.1f times the mean.", cycle.peakToMeanWrites()));
    }
    page.list(cycle.batches().stream().map(BusinessCycle.Batch::written).toList());
    page.list(cycle.gaps());
    List<TransactionGroup> together = advice.workload().transactionGroups();
    if (!together.isEmpty()) {
      page.heading(3, "Tables that one transaction writes");
      page.list(
          together.stream()
              .limit(GROUPS_SHOWN)
              .map(g -> format("%s: %,d transactions", g.tables(), g.transactions()))
              .toList());
    }
    locks();
  }

  private static long sum(List<WorkloadHour> hours, int ofDay, Function<WorkloadHour, Long> what) {
    return hours.stream()
        .filter(hour -> hour.start().atOffset(ZoneOffset.UTC).getHour() == ofDay)
        .mapToLong(what::apply)
        .sum();
  }

  private void locks() {
    List<WorkloadTemplate> waiting =
        advice.workload().templates().stream()
            .filter(t -> !t.template().lockTime().isZero())
            .sorted((a, b) -> b.template().lockTime().compareTo(a.template().lockTime()))
            .limit(10)
            .toList();
    if (waiting.isEmpty()) {
      return;
    }
    page.heading(3, "Who waits for locks");
    page.table(
        List.of(Cell.of("all, ms"), Cell.of("longest, ms"), Cell.of("p99, ms"), Cell.wide("text")),
        waiting.stream()
            .map(
                t ->
                    List.of(
                        Cell.of(millis(t.template().lockTime())),
                        Cell.of(millis(t.template().activity().longestLock())),
                        Cell.of(
                            t.template()
                                .activity()
                                .latency()
                                .map(Latency::p99)
                                .map(AdvicePage::millis)
                                .orElse("?")),
                        Cell.wide(t.template().text())))
            .toList());
  }

  private void design() {
    page.heading(2, "Design record");
    for (DesignRecord.Point point : advice.design()) {
      page.heading(3, point.question());
      if (point.answer().isPresent()) {
        page.paragraph(point.answer().get());
      } else {
        page.open("OPEN");
      }
      page.soft(point.next());
    }
  }

  private void read() {
    page.heading(2, "What was read");
    List<List<Cell>> rows = new ArrayList<>();
    for (LogFile file : advice.files()) {
      List<String> skipped =
          file.skipped().stream().map(s -> format("%,d %s", s.lines(), s.reason())).toList();
      List<String> notes =
          file.notes().stream().map(n -> format("%,d %s", n.times(), n.what())).toList();
      rows.add(
          List.of(
              Cell.of(file.path().getFileName().toString()),
              Cell.wide(file.format().map(f -> f.description()).orElse("refused")),
              Cell.of(format("%,d", file.lines())),
              Cell.of(format("%,d", file.executions())),
              Cell.wide(String.join("; ", skipped)),
              Cell.wide(String.join("; ", notes))));
    }
    page.table(
        List.of(
            Cell.of("file"),
            Cell.wide("format"),
            Cell.of("lines"),
            Cell.of("executions"),
            Cell.wide("lines skipped"),
            Cell.wide("notes")),
        rows);
    if (!advice.workload().unreadShapes().isEmpty()) {
      page.beginDetails("Statements that could not be read, by shape");
      page.table(
          List.of(Cell.of("executions"), Cell.wide("shape"), Cell.wide("reason")),
          advice.workload().unreadShapes().stream()
              .map(
                  u ->
                      List.of(
                          Cell.of(format("%,d", u.executions())),
                          Cell.wide(u.shape()),
                          Cell.wide(u.reason())))
              .toList());
      page.endDetails();
    }
    if (!advice.references().isEmpty()) {
      page.paragraph("Reference tables, copied to every shard: " + advice.references());
    }
  }

  private static String percent(double share) {
    return Double.isNaN(share) ? "no" : format("%.1f%%", share * 100);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
