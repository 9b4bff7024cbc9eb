package io.shardwright.advisor.report;

import io.shardwright.advisor.advice.Advice;
import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.advice.Capacity.Figure;
import io.shardwright.advisor.advice.Capacity.Headroom;
import io.shardwright.advisor.advice.Evenness;
import io.shardwright.advisor.advice.HotKey;
import io.shardwright.advisor.advice.IndexCost;
import io.shardwright.advisor.advice.Isolation;
import io.shardwright.advisor.advice.KeyColumn;
import io.shardwright.advisor.advice.KeyScore;
import io.shardwright.advisor.advice.LandingPath;
import io.shardwright.advisor.advice.Scheme;
import io.shardwright.advisor.advice.TupleArithmetic;
import io.shardwright.advisor.advice.WorkloadTemplate;
import io.shardwright.advisor.logs.LogFile;
import io.shardwright.advisor.logs.LogFile.Refusal;
import io.shardwright.advisor.templates.Activity.Latency;
import io.shardwright.advisor.templates.Template;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Tells an advice to programs. */
// Long because: the document is written field by field, in its order.
public final class AdviceDocument {
  private AdviceDocument() {}

  /** Maps, lists, texts and numbers, in a fixed order. */
  public static Map<String, Object> of(Advice advice) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("shards", advice.settings().judgedShards());
    document.put("buckets", advice.settings().buckets());
    document.put("files", advice.files().stream().map(AdviceDocument::file).toList());
    document.put("executions", advice.workload().executions());
    document.put("executions_without_tables", advice.workload().others());
    document.put("executions_not_read", advice.workload().unread());
    document.put("cost_unit", advice.workload().costUnit());
    document.put("first", advice.workload().first().map(Object::toString));
    document.put("last", advice.workload().last().map(Object::toString));
    capacity(document, advice);
    hours(document, advice);
    document.put(
        "not_read",
        advice.workload().unreadShapes().stream()
            .map(
                u ->
                    entries("shape", u.shape(), "reason", u.reason(), "executions", u.executions()))
            .toList());
    document.put(
        "templates", advice.workload().templates().stream().map(AdviceDocument::template).toList());
    document.put("groups", advice.groups().stream().map(AdviceDocument::groupOf).toList());
    document.put("reference_tables", List.copyOf(advice.references()));
    document.put(
        "design",
        advice.design().stream()
            .map(p -> entries("question", p.question(), "answer", p.answer(), "next", p.next()))
            .toList());
    document.put("warnings", advice.warnings());
    document.put("configuration", advice.configuration());
    return document;
  }

  private static void capacity(Map<String, Object> document, Advice advice) {
    document.put("capacity", advice.settings().capacity().arithmetic());
    document.put(
        "headroom",
        advice.settings().capacity().figures().stream().map(AdviceDocument::headroom).toList());
    document.put(
        "growth",
        advice.growth().stream()
            .map(
                y ->
                    entries(
                        "year", y.year(),
                        "shards", y.shards(),
                        "moved_buckets", y.movedBuckets(),
                        "moved_share", y.movedShare(),
                        "moved_share_by_modulo", y.moduloShare()))
            .toList());
  }

  private static void hours(Map<String, Object> document, Advice advice) {
    document.put("cycle_gaps", advice.cycle().gaps());
    document.put(
        "batch_windows",
        advice.cycle().batches().stream()
            .map(b -> entries("from_hour", b.from(), "to_hour", b.to(), "share", b.share()))
            .toList());
    document.put("peak_hour_of_writes_to_mean", advice.cycle().peakToMeanWrites());
    document.put(
        "hours",
        advice.workload().hours().stream()
            .map(
                h ->
                    entries(
                        "start", h.start().toString(), "reads", h.reads(), "writes", h.writes()))
            .toList());
    document.put(
        "transaction_groups",
        advice.workload().transactionGroups().stream()
            .map(g -> entries("tables", g.tables(), "transactions", g.transactions()))
            .toList());
  }

  private static Map<String, Object> entries(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }

  private static Map<String, Object> headroom(Figure figure) {
    Map<String, Object> items = new LinkedHashMap<>();
    for (Headroom headroom : figure.headroom()) {
      items.put(headroom.what(), headroom.share());
    }
    return entries(
        "of",
        figure.name(),
        "items",
        items,
        "utilisation",
        figure.utilisation(),
        "yearly_growth",
        figure.yearlyGrowth());
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
    Map<String, Object> notes = new LinkedHashMap<>();
    file.notes().forEach(n -> notes.put(n.what(), n.times()));
    entry.put("notes", notes);
    entry.put("refused", file.refusal().map(Refusal::told));
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
    Optional<Latency> latency = t.activity().latency();
    entry.put("p50_milliseconds", latency.map(l -> millis(l.p50())));
    entry.put("p95_milliseconds", latency.map(l -> millis(l.p95())));
    entry.put("p99_milliseconds", latency.map(l -> millis(l.p99())));
    entry.put("max_milliseconds", latency.map(l -> millis(l.max())));
    entry.put("lock_milliseconds", millis(t.lockTime()));
    entry.put("longest_lock_milliseconds", millis(t.activity().longestLock()));
    entry.put("peak_per_second", t.activity().peakPerSecond());
    entry.put("peak_concurrency", t.activity().peakConcurrency());
    entry.put("by_hour", t.activity().byHour());
    entry.put("needs_consistency", template.workloadClass().needs().written());
    entry.put("rows_sent", t.rowsSent());
    entry.put("rows_examined", t.rowsExamined());
    entry.put("rows_affected", t.rowsAffected());
    entry.put("kind", t.use().kind().name().toLowerCase(Locale.ROOT));
    entry.put("tables", List.copyOf(template.tables()));
    entry.put("columns", t.use().columns().stream().map(Object::toString).toList());
    return entry;
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }

  private static Map<String, Object> groupOf(Group group) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("tables", List.copyOf(group.tables()));
    entry.put("share", group.share());
    entry.put("verdict", group.verdict().name().toLowerCase(Locale.ROOT));
    entry.put(
        "key", group.isSharded() ? group.best().map(AdviceDocument::names) : Optional.empty());
    entry.put("provisional", group.isProvisional());
    entry.put("reasons", group.reasons());
    entry.put("next", group.next());
    entry.put("notes", group.notes());
    entry.put("candidates", group.scores().stream().map(AdviceDocument::scoreOf).toList());
    entry.put("schemes", group.schemes().stream().map(AdviceDocument::scheme).toList());
    entry.put("time_slots", group.timeSlots().map(t -> t.column()));
    entry.put("lifecycles", group.lifecycles().stream().map(l -> l.written()).toList());
    entry.put("hot_keys", group.isolations().stream().map(AdviceDocument::isolation).toList());
    entry.put("indexes", group.indexes().stream().map(AdviceDocument::index).toList());
    entry.put("pairs", group.tuples().stream().map(AdviceDocument::tuple).toList());
    entry.put(
        "paths", group.best().map(b -> b.paths().stream().map(AdviceDocument::path).toList()));
    return entry;
  }

  private static Map<String, Object> scheme(Scheme scheme) {
    return entries(
        "kind", scheme.kind().name().toLowerCase(Locale.ROOT),
        "key", scheme.key(),
        "coverage_by_weight", known(scheme.covered()),
        "cured_by_weight", known(scheme.cured()),
        "shard_statements", known(scheme.load()),
        "max_to_mean", scheme.maxToMean(),
        "transactions_of_one_key", scheme.locality(),
        "judgement", scheme.judgement());
  }

  private static Map<String, Object> isolation(Isolation isolation) {
    return entries(
        "key", isolation.key().name(),
        "rows", isolation.key().rows(),
        "share", isolation.share(),
        "to_mean_of_shards", isolation.toShardMean(),
        "action", isolation.action());
  }

  private static Map<String, Object> index(IndexCost index) {
    return entries(
        "column", index.way().table() + "." + index.way().column(),
        "landing", index.landing().written(),
        "served_executions", index.served(),
        "maintaining_executions", index.maintaining());
  }

  private static Map<String, Object> tuple(TupleArithmetic tuple) {
    return entries(
        "columns", tuple.tuple(),
        "first", tuple.first(),
        "max_to_mean_by_first", tuple.firstMaxToMean(),
        "max_to_mean_by_both", tuple.wholeMaxToMean(),
        "weighted_share_with_first_alone", tuple.scattered());
  }

  private static List<String> names(KeyScore score) {
    return score.candidate().columns().stream().map(KeyColumn::name).toList();
  }

  private static Map<String, Object> scoreOf(KeyScore score) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("columns", names(score));
    entry.put("refused", score.refused());
    entry.put("coverage_by_executions", known(score.frequency()));
    entry.put("coverage_by_cost", known(score.cost()));
    entry.put("coverage_of_writes", known(score.writes()));
    entry.put("coverage_by_weight", known(score.weighted()));
    entry.put("cured_by_weight", known(score.cured()));
    entry.put("shard_statements", known(score.load()));
    entry.put("rows", score.rows().map(AdviceDocument::spread));
    entry.put("traffic", score.traffic().map(AdviceDocument::spread));
    entry.put("transactions", score.transactions());
    entry.put("transactions_of_one_key", score.local());
    entry.put("tables_without", score.missing());
    entry.put("writing_templates", score.propagation().writes());
    entry.put("writing_templates_with_it", score.propagation().carrying());
    entry.put("writing_templates_without", score.propagation().without());
    entry.put("declared_entries", score.propagation().entries());
    entry.put("declared_entries_without", score.propagation().entriesWithout());
    return entry;
  }

  private static Optional<Double> known(double value) {
    return Double.isFinite(value) ? Optional.of(value) : Optional.empty();
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
    entry.put("not_told_apart", e.beyond());
    entry.put("left_out", e.left());
    entry.put("difference", e.difference());
    entry.put("hottest_key", e.hottestKey());
    entry.put("hottest_rows", e.hottest());
    Map<String, Object> hottest = new LinkedHashMap<>();
    for (HotKey key : e.hottestKeys()) {
      hottest.put(key.name(), key.rows());
    }
    entry.put("hottest_keys", hottest);
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
    entry.put("shard_statements", path.shardStatements());
    entry.put("consistency", path.landing().consistency().written());
    entry.put("why", path.why());
    return entry;
  }
}
