package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.advice.Advice.Verdict;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.TableFacts;
import io.shardwright.advisor.schema.TableStatistics;
import io.shardwright.advisor.schema.TableStatistics.ColumnStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Whether to shard a table group, and by which of its judged keys. */
final class Verdicts {
  private static final double SCANNED_SHARE_MAX = 0.5;
  private static final double COVERED_MIN = 0.5;
  private static final double LOCAL_MIN = 0.9;

  /** A group of fewer says nothing about a workload. */
  private static final int EXECUTIONS_MIN = 100;

  /** A key that leads less of the weighted workload to its shards is none. */
  private static final double USEFUL_MIN = 0.25;

  private final Set<String> tables;
  private final List<WorkloadTemplate> templates;
  private final Judgement judgement;
  private final Judgement.Inputs inputs;
  private final List<String> reasons = new ArrayList<>();
  private final List<String> next = new ArrayList<>();

  Verdicts(
      Set<String> tables,
      List<WorkloadTemplate> templates,
      Judgement judgement,
      Judgement.Inputs inputs) {
    this.tables = tables;
    this.templates = templates;
    this.judgement = judgement;
    this.inputs = inputs;
  }

  /**
   * @param scores the best first
   * @param notes what is known of the group by now
   */
  Group group(List<KeyScore> scores, List<String> notes) {
    List<Scheme> schemes = judgement.schemes(scores);
    Optional<TimeSlots> slots = judgement.timeSlots(scores).filter(s -> isBetter(schemes, scores));
    Verdict verdict = verdict(scores, slots);
    List<String> all = new ArrayList<>(notes);
    Optional<KeyScore> best = scores.stream().findFirst().filter(s -> s.refused().isEmpty());
    best.ifPresent(score -> all.addAll(notes(score, tables, inputs.schema())));
    sizes().ifPresent(all::add);
    small().ifPresent(all::add);
    List<Lifecycle> lifecycles =
        Lifecycle.of(tables, templates, inputs.settings().declared().retention());
    all.addAll(Lifecycle.mismatches(lifecycles));
    return new Group(
        tables,
        templates.stream().mapToDouble(WorkloadTemplate::share).sum(),
        verdict,
        reasons,
        next,
        scores,
        all,
        schemes,
        slots,
        lifecycles);
  }

  /** What the database says; empty when it was not asked. */
  private Optional<String> sizes() {
    OptionalLong bytes = inputs.schema().bytes(tables);
    return bytes.isPresent()
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "the database's statistics: %,d bytes with indexes",
                bytes.getAsLong()))
        : Optional.empty();
  }

  /** Why the group alone would not have to be sharded; empty when it would, or nobody knows. */
  private Optional<String> small() {
    OptionalLong bytes = inputs.schema().bytes(tables);
    return inputs.settings().capacity().figures().stream()
        .filter(figure -> figure.name().equals("data") && bytes.isPresent())
        .filter(figure -> bytes.getAsLong() <= figure.perShard() * figure.utilisation())
        .map(
            figure ->
                "by its size alone the group fits one shard: shard it for its traffic, if at all")
        .findFirst();
  }

  /** Time leads more statements to their shards than the best key does. */
  private static boolean isBetter(List<Scheme> schemes, List<KeyScore> scores) {
    double time =
        schemes.stream()
            .filter(s -> s.kind() == Scheme.Kind.BY_TIME && s.key().isPresent())
            .mapToDouble(Scheme::load)
            .findFirst()
            .orElse(Double.MAX_VALUE);
    return scores.isEmpty()
        || scores.get(0).refused().isPresent()
        || time < scores.get(0).load() * (1 - Judgement.EQUAL_LOADS);
  }

  private Verdict verdict(List<KeyScore> scores, Optional<TimeSlots> slots) {
    Capacity capacity = inputs.settings().capacity();
    Optional<Integer> shards = capacity.shards();
    boolean writesAsk =
        capacity.figures().stream().anyMatch(f -> !f.name().equals("queries") && f.shards() > 1);
    reasons.addAll(scans(templates, inputs.schema()));
    long executions = templates.stream().mapToLong(t -> t.template().executions()).sum();
    if (executions < EXECUTIONS_MIN) {
      reasons.add(executions + " executions are too few to judge by, of " + EXECUTIONS_MIN);
      next.add("log all statements for a week, or give a digest of as long");
      return Verdict.TOO_LITTLE;
    }
    if (shards.isPresent() && shards.get() == 1) {
      reasons.add(0, "one database carries it: " + capacity.arithmetic());
      next.add("indexes for the templates that scan, read replicas, an archive for old rows");
      return Verdict.DO_NOT_SHARD_YET;
    }
    if (!reasons.isEmpty() && !writesAsk) {
      next.add("give these statements a condition that an index serves, such as a range of time");
      next.add("archive rows that are not asked for; read replicas for what is left");
      next.add("read the log again afterwards: N shards would do each of these scans N times");
      return Verdict.DO_NOT_SHARD_YET;
    }
    if (slots.isPresent()) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "rows are only added, and %.0f%% of the reads by weight ask by %s: time leads more of"
                  + " them to their shards than any other column",
              slots.get().asked() * 100,
              slots.get().column()));
      next.addAll(slots.get().next());
      return Verdict.SHARD_BY_TIME_SLOTS;
    }
    return byKey(scores, shards);
  }

  private Verdict byKey(List<KeyScore> scores, Optional<Integer> shards) {
    String carry = "have the statements carry a key that spreads: its owner, from the request on";
    if (scores.isEmpty() || scores.get(0).refused().isPresent()) {
      reasons.add("no candidate will do; the reason stands beside each");
      next.add(carry);
      return Verdict.NO_KEY;
    }
    KeyScore best = scores.get(0);
    if (best.weighted() + best.cured() < USEFUL_MIN) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "even under %s %.0f%% of the weighted workload goes to all shards",
              best.candidate().name(),
              best.scattered() * 100));
      next.add(carry);
      return Verdict.NO_KEY;
    }
    reasons.addAll(inputs.settings().capacity().arithmetic());
    if (shards.isPresent()
        && templates.stream().mapToDouble(WorkloadTemplate::share).sum() < 0.99) {
      reasons.add("these figures are of the whole database, not of this group alone");
    }
    if (shards.isPresent()) {
      return Verdict.SHARD;
    }
    reasons.add("no capacity figures: whether one database carries it is not known");
    return Verdict.SHARD_WHEN_NEEDED;
  }

  /** What the database estimates of the key's columns. */
  private static String estimates(KeyScore best, Set<String> tables, SchemaFacts schema) {
    List<String> known = new ArrayList<>();
    for (KeyColumn column : best.candidate().columns()) {
      column
          .columns()
          .forEach(
              (table, name) -> {
                TableStatistics statistics = schema.statistics().get(table);
                if (tables.contains(table)
                    && statistics != null
                    && statistics.columns().containsKey(name)) {
                  known.add(estimate(table + "." + name, statistics.columns().get(name)));
                }
              });
    }
    return known.isEmpty() ? "" : "; the database estimates " + String.join(", ", known);
  }

  private static String estimate(String column, ColumnStatistics statistics) {
    String distinct =
        statistics.distinct().isPresent()
            ? String.format(Locale.ROOT, "%,d different values", statistics.distinct().getAsLong())
            : "an unknown number of values";
    String hottest =
        statistics.hottestShare().isPresent()
            ? String.format(
                Locale.ROOT,
                ", %.1f%% of rows have the most frequent",
                statistics.hottestShare().getAsDouble() * 100)
            : "";
    return column + ": " + distinct + hottest;
  }

  private static List<String> notes(KeyScore best, Set<String> tables, SchemaFacts schema) {
    List<String> notes = new ArrayList<>();
    if (!best.isSpreadKnown()) {
      notes.add(
          "how "
              + best.candidate().name()
              + " spreads is not known: give --keys with its counts, or --sample"
              + estimates(best, tables, schema));
    }
    if (best.weighted() + best.cured() < COVERED_MIN) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%.0f%% of the weighted workload still goes to all shards under the best key",
              best.scattered() * 100));
    }
    if (best.transactions() > 0 && best.locality() < LOCAL_MIN) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%,d of %,d transactions have several keys: they would span shards, which is refused"
                  + " unless a connection asks for transaction=multi, and then not atomic",
              best.transactions() - best.local(),
              best.transactions()));
    }
    if (!best.missing().isEmpty()) {
      notes.add(
          best.missing()
              + " do not show "
              + best.candidate().name()
              + ": give them the columns, filled by every writer, message and callback");
    }
    for (String name : tables) {
      TableFacts facts = schema.tables().get(name);
      if (facts != null) {
        facts.foreignKeys().stream()
            .filter(key -> !tables.contains(key.table()))
            .forEach(
                key ->
                    notes.add(
                        "the foreign key of "
                            + name
                            + " to "
                            + key.table()
                            + " leaves the group and must go"));
      }
    }
    return notes;
  }

  /** Why most of the cost is in statements that scan; empty when it is not. */
  private static List<String> scans(List<WorkloadTemplate> templates, SchemaFacts schema) {
    double all = templates.stream().mapToDouble(WorkloadTemplate::cost).sum();
    List<WorkloadTemplate> scans = templates.stream().filter(t -> t.scans(schema)).toList();
    double scanned = scans.stream().mapToDouble(WorkloadTemplate::cost).sum();
    if (all == 0 || scanned < SCANNED_SHARE_MAX * all) {
      return List.of();
    }
    List<String> reasons = new ArrayList<>();
    reasons.add(
        String.format(
            Locale.ROOT, "%.0f%% of the cost is in statements that scan:", scanned / all * 100));
    for (WorkloadTemplate scan : scans.subList(0, Math.min(5, scans.size()))) {
      long executions = scan.template().executions();
      reasons.add(
          String.format(
              Locale.ROOT,
              "%s x%,d: %s: %s",
              scan.template().fingerprint(),
              executions,
              scan.template().rowsExamined() > 0
                  ? String.format(
                      Locale.ROOT,
                      "%,d rows examined, %,d returned each time",
                      scan.template().rowsExamined() / executions,
                      scan.template().rowsSent() / executions)
                  : "no condition that an index serves",
              scan.template().text()));
    }
    return reasons;
  }
}
