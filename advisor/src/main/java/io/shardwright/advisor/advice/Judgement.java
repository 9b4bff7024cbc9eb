package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.KeyColumn.Carry;
import io.shardwright.advisor.schema.ColumnType;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.TableFacts;
import io.shardwright.advisor.templates.ColumnRole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Scores the candidates of one table group and puts them in order. The order of judgement:
 *
 * <ol>
 *   <li>Refused are keys that change, may be NULL, have few values, are times, or spread unevenly.
 *   <li>Then the load in shard statements for one weighted execution, in which coverage (weighted
 *       by class) and curability are one figure: covered 1, cured one-to-one 2, a list under
 *       another column all shards. So a key that covers more wins unless what it leaves cannot be
 *       cured.
 *   <li>Loads within 3% are equal; then transactions that keep to one key, known evenness, fewer
 *       columns, fewer tables without the key, the name.
 * </ol>
 */
final class Judgement {
  /** Tables with a smaller part of the values of the largest one say nothing of the group. */
  private static final double COUNTED_TABLE_MIN = 0.1;

  static final double EQUAL_LOADS = 0.03;

  private final Set<String> tables;
  private final List<WorkloadTemplate> templates;
  private final Map<Candidate, KeyMeasure> measures;
  private final List<KeyColumn> columns;
  private final Inputs inputs;
  private final double weight;
  private final Landings landings;

  /**
   * @param samples by name of the candidate, as files tell them
   */
  record Inputs(SchemaFacts schema, AdviceSettings settings, Map<String, Evenness> samples) {}

  Judgement(
      Set<String> tables,
      List<WorkloadTemplate> templates,
      Map<Candidate, KeyMeasure> measures,
      List<KeyColumn> columns,
      Inputs inputs) {
    this.tables = tables;
    this.templates = templates;
    this.measures = measures;
    this.columns = columns;
    this.inputs = inputs;
    this.weight = templates.stream().mapToDouble(WorkloadTemplate::weight).sum();
    this.landings =
        new Landings(tables, templates, measures, inputs, column -> refusal(column).isPresent());
  }

  /** The best first; behind them the refused, by what they would cover. */
  List<KeyScore> scores() {
    List<KeyScore> scores = new ArrayList<>();
    measures.forEach((candidate, measure) -> scores.add(score(candidate, measure)));
    scores.sort(
        Comparator.<KeyScore, Boolean>comparing(s -> s.refused().isPresent())
            .thenComparingDouble(KeyScore::load)
            .thenComparing(s -> s.candidate().name()));
    if (scores.isEmpty() || scores.get(0).refused().isPresent()) {
      return scores;
    }
    double limit = scores.get(0).load() * (1 + EQUAL_LOADS);
    KeyScore best =
        scores.stream()
            .filter(s -> s.refused().isEmpty() && s.load() <= limit)
            .min(
                Comparator.<KeyScore>comparingDouble(s -> -zeroIfUnknown(s.locality()))
                    .thenComparing(s -> !s.isSpreadKnown())
                    .thenComparing(s -> s.candidate().columns().size())
                    .thenComparing(s -> s.missing().size())
                    .thenComparingDouble(KeyScore::load)
                    .thenComparing(s -> s.candidate().name()))
            .orElseThrow();
    scores.remove(best);
    scores.add(0, best);
    return scores;
  }

  private static double zeroIfUnknown(double locality) {
    return Double.isNaN(locality) ? 0 : locality;
  }

  private KeyScore score(Candidate candidate, KeyMeasure measure) {
    Optional<Evenness> rows =
        Optional.ofNullable(inputs.samples().get(candidate.name()))
            .or(() -> worst(measure.insertedInto(tables), "rows inserted", "into"));
    Optional<Evenness> traffic = worst(measure.askedOf(tables), "values asked for", "of");
    List<LandingPath> paths = templates.stream().map(t -> landings.of(t, candidate)).toList();
    double cured = 0;
    double load = 0;
    for (LandingPath path : paths) {
      double share = path.template().weight() / weight;
      cured += path.landing().isCured() ? share : 0;
      load += share * path.shardStatements();
    }
    return new KeyScore(
        candidate,
        refusal(candidate, measure, rows, traffic),
        share(paths, t -> t.template().executions(), t -> true),
        share(paths, WorkloadTemplate::cost, t -> true),
        share(paths, t -> t.template().executions(), WorkloadTemplate::isWrite),
        share(paths, WorkloadTemplate::weight, t -> true),
        cured,
        load,
        rows,
        traffic,
        measure.transactions(),
        measure.local(),
        tables.stream().filter(table -> !candidate.isIn(table)).toList(),
        propagation(candidate, paths),
        paths);
  }

  private Propagation propagation(Candidate candidate, List<LandingPath> paths) {
    List<LandingPath> writes =
        paths.stream()
            .filter(p -> p.template().template().use().writes().stream().anyMatch(tables::contains))
            .toList();
    List<String> without =
        writes.stream()
            .filter(path -> !path.landing().isCovered())
            .map(path -> path.template().template().fingerprint())
            .toList();
    Map<String, Set<String>> entries = inputs.settings().declared().entries();
    List<String> entriesWithout =
        entries.entrySet().stream()
            .filter(entry -> !candidate.isAmong(entry.getValue()))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    return new Propagation(
        writes.size(), writes.size() - without.size(), without, entries.size(), entriesWithout);
  }

  List<Scheme> schemes(List<KeyScore> scores) {
    return new Schemes(templates, inputs.settings().judgedShards())
        .compare(scores, landings::isUnique, time());
  }

  Optional<TimeSlots> timeSlots(List<KeyScore> scores) {
    return TimeSlots.of(templates, scores, time());
  }

  /** The time column that is asked by most, by weight. */
  private Optional<KeyColumn> time() {
    return columns.stream()
        .filter(column -> refusal(column).filter(TIME::equals).isPresent())
        .filter(column -> asked(column) > 0)
        .max(Comparator.comparingDouble(this::asked).thenComparing(KeyColumn::name));
  }

  private double asked(KeyColumn column) {
    return templates.stream()
        .filter(template -> Schemes.isAskedBy(template, column))
        .mapToDouble(WorkloadTemplate::weight)
        .sum();
  }

  /**
   * Of the tables that count, one that is refused, else the one with the most values: every table
   * of a group is spread by the key.
   */
  private Optional<Evenness> worst(Map<String, KeySpread> spreads, String source, String word) {
    long most = spreads.values().stream().mapToLong(KeySpread::values).max().orElse(0);
    Evenness worst = null;
    for (Map.Entry<String, KeySpread> entry : spreads.entrySet()) {
      String name = tables.size() > 1 ? source + " " + word + " " + entry.getKey() : source;
      Optional<Evenness> evenness =
          entry.getValue().values() >= COUNTED_TABLE_MIN * most
              ? entry.getValue().evenness(name, inputs.settings())
              : Optional.empty();
      if (evenness.isPresent() && isWorse(evenness.get(), worst)) {
        worst = evenness.get();
      }
    }
    return Optional.ofNullable(worst);
  }

  private boolean isWorse(Evenness evenness, Evenness than) {
    if (than == null) {
      return true;
    }
    boolean refused = evenness.isRefused(inputs.settings());
    return refused == than.isRefused(inputs.settings()) ? evenness.sum() > than.sum() : refused;
  }

  private static double share(
      List<LandingPath> paths,
      ToDoubleFunction<WorkloadTemplate> measure,
      Predicate<WorkloadTemplate> which) {
    double all = 0;
    double covered = 0;
    for (LandingPath path : paths) {
      if (which.test(path.template())) {
        double value = measure.applyAsDouble(path.template());
        all += value;
        covered += path.landing().isCovered() ? value : 0;
      }
    }
    return covered / all;
  }

  private Optional<String> refusal(
      Candidate candidate,
      KeyMeasure measure,
      Optional<Evenness> rows,
      Optional<Evenness> traffic) {
    for (KeyColumn column : candidate.columns()) {
      Optional<String> why = refusal(column);
      if (why.isPresent()) {
        return why;
      }
    }
    boolean asked = false;
    boolean inserted = true;
    for (WorkloadTemplate template : templates) {
      boolean carried = candidate.carriedBy(template, inputs.schema()) != Carry.NONE;
      asked |= carried && !template.isInsert();
      inserted &= template.isInsert();
    }
    if (!asked && !inserted) {
      return Optional.of("no statement asks by it");
    }
    if (measure
        .mostAsked(tables)
        .or(() -> measure.mostInserted(tables))
        .map(KeySpread::isTime)
        .orElse(false)) {
      return Optional.of(TIME);
    }
    for (Evenness evenness : List.of(rows, traffic).stream().flatMap(Optional::stream).toList()) {
      if (evenness.hasFewValues()) {
        return Optional.of(
            "only " + evenness.distinct() + " different values among the " + evenness.source());
      }
      Optional<String> veto = evenness.veto(inputs.settings());
      if (veto.isPresent()) {
        return veto;
      }
    }
    return Optional.empty();
  }

  private static final String TIME =
      "a time: the newest values take all writes, and a row is not found without its moment; index"
          + " or partition by it inside of shards";

  private Optional<String> refusal(KeyColumn column) {
    Map<String, String> byTable = new HashMap<>(column.columns());
    byTable.keySet().retainAll(tables);
    for (Map.Entry<String, String> entry : byTable.entrySet()) {
      TableFacts facts = inputs.schema().tables().get(entry.getKey());
      String type = facts == null ? "" : facts.types().getOrDefault(entry.getValue(), "");
      if (ColumnType.firstWord(type).matches("date|datetime|time|timestamp|timestamptz")
          || entry.getValue().matches("(?i).*(_at|_time|_date|_ts|_on)|date|time|timestamp")) {
        return Optional.of(TIME);
      }
      Optional<String> noKey = type.isEmpty() ? Optional.empty() : ColumnType.whyNoKey(type);
      if (noKey.isPresent()) {
        return Optional.of("its type " + type + " is no type of a route key: " + noKey.get());
      }
      if (facts != null
          && facts.types().containsKey(entry.getValue())
          && !facts.notNull().contains(entry.getValue())) {
        return Optional.of(
            entry.getKey() + "." + entry.getValue() + " may be NULL: declare it NOT NULL first");
      }
      if (inputs.settings().declared().mutable().contains(entry.getValue())) {
        return Optional.of("declared to change, and a changed key moves its row");
      }
    }
    for (WorkloadTemplate template : templates) {
      if (column.has(template, ColumnRole.UPDATE_SET)) {
        return Optional.of(
            "it changes (UPDATE SET in template " + template.template().fingerprint() + ")");
      }
    }
    return Optional.empty();
  }
}
