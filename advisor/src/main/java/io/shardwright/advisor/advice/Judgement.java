package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.KeyColumn.Carry;
import io.shardwright.advisor.advice.LandingPath.Way;
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
  private static final double EQUAL_LOADS = 0.03;
  private static final double CURED = 2;

  /** From this share on a list over all shards is too frequent for the gateway. */
  private static final double PROJECTED_SHARE = 0.10;

  private final Set<String> tables;
  private final List<WorkloadTemplate> templates;
  private final Map<Candidate, KeyMeasure> measures;
  private final Inputs inputs;
  private final double weight;

  /**
   * @param samples by name of the candidate, as files tell them
   */
  record Inputs(SchemaFacts schema, AdviceSettings settings, Map<String, Evenness> samples) {}

  Judgement(
      Set<String> tables,
      List<WorkloadTemplate> templates,
      Map<Candidate, KeyMeasure> measures,
      Inputs inputs) {
    this.tables = tables;
    this.templates = templates;
    this.measures = measures;
    this.inputs = inputs;
    this.weight = templates.stream().mapToDouble(WorkloadTemplate::weight).sum();
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
            .or(() -> spread(measure.mostInserted(tables), "rows inserted"));
    Optional<Evenness> traffic = spread(measure.mostAsked(tables), "values asked for");
    List<LandingPath> paths = templates.stream().map(t -> path(t, candidate)).toList();
    double cured = 0;
    double load = 0;
    for (LandingPath path : paths) {
      double share = path.template().weight() / weight;
      cured += path.landing().isCured() ? share : 0;
      load += share * (path.landing().isCured() ? CURED : path.fanOut());
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
        paths);
  }

  private Optional<Evenness> spread(Optional<KeySpread> spread, String source) {
    AdviceSettings settings = inputs.settings();
    return spread.flatMap(
        s -> s.evenness(source, settings.judgedShards(), settings.buckets(), settings.showKeys()));
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
      if (type.matches("date|datetime|time|timestamp|timestamptz")
          || entry.getValue().matches("(?i).*(_at|_time|_date|_ts|_on)|date|time|timestamp")) {
        return Optional.of(TIME);
      }
      if (type.matches("float.*|double|real|bool.*|bit|json.*|enum|set|tinyint")) {
        return Optional.of("its type " + type + " is no type of a route key");
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

  private LandingPath path(WorkloadTemplate template, Candidate candidate) {
    int shards = inputs.settings().judgedShards();
    Carry carry = candidate.carriedBy(template, inputs.schema());
    if (carry == Carry.ONE) {
      return new LandingPath(template, Landing.SINGLE, Optional.empty(), 1, "has the key");
    }
    if (carry == Carry.LIST) {
      int few = Math.max(1, (shards + 3) / 4);
      return new LandingPath(template, Landing.FEW, Optional.empty(), few, "has a list of keys");
    }
    boolean intoOwner =
        template.isInsert()
            && template.template().use().writes().stream().anyMatch(candidate::isIn);
    if (!intoOwner) {
      Optional<LandingPath> cured = cured(template, candidate, shards);
      if (cured.isPresent()) {
        return cured.get();
      }
    }
    return template.isWrite()
        ? new LandingPath(
            template, Landing.WRITE_JOB, Optional.empty(), shards, "a write without the key")
        : scattered(template, shards);
  }

  private Optional<LandingPath> cured(WorkloadTemplate template, Candidate candidate, int shards) {
    for (Candidate other : measures.keySet()) {
      Carry carry = other.carriedBy(template, inputs.schema());
      if (other.columns().size() == 1 && carry != Carry.NONE) {
        KeyColumn column = other.columns().get(0);
        Optional<Unique> unique = uniqueness(column, candidate, measures.get(other));
        if (unique.isPresent()) {
          boolean gene = inputs.settings().declared().genes().contains(column.name());
          Landing landing = gene ? Landing.GENE : Landing.LOOKUP_INDEX;
          int fanOut = carry == Carry.ONE ? 1 : Math.max(1, (shards + 3) / 4);
          return Optional.of(
              new LandingPath(
                  template, landing, Optional.of(unique.get().way()), fanOut, unique.get().why()));
        }
      }
    }
    return Optional.empty();
  }

  /** Where each value of a column has one row, and how that is known. */
  private record Unique(Way way, String why) {}

  private Optional<Unique> uniqueness(KeyColumn column, Candidate key, KeyMeasure measure) {
    List<String> owners = new ArrayList<>(column.columns().keySet());
    owners.retainAll(tables);
    owners.sort(Comparator.comparing((String t) -> !key.isIn(t)).thenComparing(t -> t));
    if (owners.isEmpty()) {
      return Optional.empty();
    }
    for (String table : owners) {
      TableFacts facts = inputs.schema().tables().get(table);
      if (facts != null && facts.isUnique(column.columns().get(table))) {
        return unique(column, table, "by a key of " + table);
      }
    }
    boolean declared =
        inputs.settings().declared().unique().contains(column.name())
            || inputs.settings().declared().genes().contains(column.name());
    if (declared) {
      return unique(column, owners.get(0), "as declared");
    }
    Evenness sample = inputs.samples().get(column.name());
    if (sample != null && sample.hottest() == 1) {
      return unique(column, owners.get(0), "in its sample");
    }
    return measure
        .oneToOneTable(tables)
        .flatMap(table -> unique(column, table, "in all that was inserted"));
  }

  private static Optional<Unique> unique(KeyColumn column, String table, String how) {
    return Optional.of(
        new Unique(
            new Way(table, column.columns().get(table)),
            "one row for each " + column.name() + ", " + how));
  }

  private LandingPath scattered(WorkloadTemplate template, int shards) {
    boolean frequent = template.share() >= PROJECTED_SHARE;
    Optional<Way> other = listColumn(template);
    if (template.aggregates() && (frequent || !template.isLimited())) {
      return new LandingPath(
          template, Landing.PROJECTION, Optional.empty(), shards, "a figure over all shards");
    }
    if (other.isPresent() && template.workloadClass() != WorkloadClass.BACK_OFFICE) {
      return new LandingPath(
          template,
          Landing.COVERING_INDEX,
          other,
          shards,
          "an online list under " + other.get().column());
    }
    if (other.isPresent() || template.isLimited()) {
      Landing landing = frequent ? Landing.PROJECTION : Landing.GATEWAY_SCATTER;
      String why = frequent ? "a list that is asked for often" : "a list that is asked for seldom";
      return new LandingPath(template, landing, Optional.empty(), shards, why);
    }
    return new LandingPath(
        template, Landing.EXPORT_JOB, Optional.empty(), shards, "reads without a bound");
  }

  /** The column with the most values by which the statement asks. */
  private Optional<Way> listColumn(WorkloadTemplate template) {
    return measures.entrySet().stream()
        .filter(e -> e.getKey().columns().size() == 1)
        .filter(e -> e.getKey().carriedBy(template, inputs.schema()) != Carry.NONE)
        .filter(e -> refusal(e.getKey().columns().get(0)).isEmpty())
        .filter(
            e ->
                spread(e.getValue().mostAsked(tables), "")
                    .map(evenness -> !evenness.hasFewValues())
                    .orElse(true))
        .max(
            Comparator.comparingInt(
                    (Map.Entry<Candidate, KeyMeasure> e) ->
                        e.getValue().mostAsked(tables).map(KeySpread::distinct).orElse(0))
                .thenComparing(e -> e.getKey().name()))
        .map(e -> e.getKey().columns().get(0))
        .flatMap(
            column ->
                template.tables().stream()
                    .filter(column.columns()::containsKey)
                    .findFirst()
                    .map(table -> new Way(table, column.columns().get(table))));
  }
}
