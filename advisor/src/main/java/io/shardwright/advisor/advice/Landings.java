package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.Judgement.Inputs;
import io.shardwright.advisor.advice.KeyColumn.Carry;
import io.shardwright.advisor.advice.LandingPath.Way;
import io.shardwright.advisor.schema.TableFacts;
import io.shardwright.advisor.templates.ColumnRole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Where the statements of one table group go under a key. */
final class Landings {
  /** From this share on a list over all shards is too frequent for the gateway. */
  private static final double PROJECTED_SHARE = 0.10;

  private static final String SEARCHES = "(?s).*\\b(I?LIKE|REGEXP|RLIKE|SIMILAR|MATCH)\\b.*|.*@@.*";

  private final Set<String> tables;
  private final List<WorkloadTemplate> templates;
  private final Map<Candidate, KeyMeasure> measures;
  private final Inputs inputs;
  private final Predicate<KeyColumn> refused;

  /**
   * @param refused true of a column that cannot be a key by what it is
   */
  Landings(
      Set<String> tables,
      List<WorkloadTemplate> templates,
      Map<Candidate, KeyMeasure> measures,
      Inputs inputs,
      Predicate<KeyColumn> refused) {
    this.tables = tables;
    this.templates = templates;
    this.measures = measures;
    this.inputs = inputs;
    this.refused = refused;
  }

  LandingPath of(WorkloadTemplate template, Candidate candidate) {
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
        Optional<Unique> unique =
            uniqueness(column, measures.get(other), column.fixedIn(template)).stream()
                .filter(found -> candidate.isIn(found.way().table()))
                .findFirst();
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

  /** True when each value of a candidate of one column has one row in a table of the group. */
  boolean isUnique(Candidate candidate) {
    return candidate.columns().size() == 1
        && !uniqueness(
                candidate.columns().get(0),
                measures.get(candidate),
                candidate.columns().get(0).columns().keySet())
            .isEmpty();
  }

  /**
   * The tables among {@code asked} in which each value of the column has one row. What the log
   * shows of inserts counts only where no DDL knows better, and no statement expects several rows.
   */
  private List<Unique> uniqueness(KeyColumn column, KeyMeasure measure, Set<String> asked) {
    List<String> owners = new ArrayList<>(asked);
    owners.retainAll(tables);
    owners.retainAll(column.columns().keySet());
    owners.sort(Comparator.naturalOrder());
    List<Unique> found = new ArrayList<>();
    Set<String> inserted = measure.oneToOneTables();
    Evenness sample = inputs.samples().get(column.name());
    boolean declared =
        inputs.settings().declared().unique().contains(column.name())
            || inputs.settings().declared().genes().contains(column.name());
    for (String table : owners) {
      TableFacts facts = inputs.schema().tables().get(table);
      if (facts != null && facts.isUnique(column.columns().get(table))) {
        found.add(unique(column, table, true, "by a key of " + table));
      } else if (declared) {
        found.add(unique(column, table, true, "as declared"));
      } else if (owners.size() == 1 && sample != null && sample.hottest() == 1) {
        found.add(unique(column, table, true, "in its sample"));
      } else if (facts == null && inserted.contains(table) && !isAskedForSeveral(column, table)) {
        found.add(unique(column, table, false, "in all that was inserted"));
      }
    }
    return found;
  }

  /** A statement that fixes the column expects rows in an order, or got more than one. */
  private boolean isAskedForSeveral(KeyColumn column, String table) {
    return templates.stream()
        .filter(template -> !template.isInsert() && column.fixedIn(template).contains(table))
        .anyMatch(
            template ->
                template.has(ColumnRole.ORDER)
                    || template.isLimited()
                    || template.template().rowsSent() > template.template().executions());
  }

  private static Unique unique(KeyColumn column, String table, boolean proven, String how) {
    return new Unique(
        new Way(table, column.columns().get(table), proven),
        "one row for each " + column.name() + ", " + how);
  }

  private LandingPath scattered(WorkloadTemplate template, int shards) {
    boolean frequent = template.share() >= PROJECTED_SHARE;
    boolean office = template.workloadClass() == WorkloadClass.BACK_OFFICE;
    if (template.template().text().matches(SEARCHES)) {
      return path(template, Landing.SEARCH, shards, "looks for parts of texts");
    }
    if (template.aggregates() && (frequent || !template.isLimited())) {
      return office && !frequent
          ? path(template, Landing.ANALYTICS, shards, "a figure over all shards, asked for seldom")
          : path(template, Landing.PROJECTION, shards, "a figure over all shards");
    }
    Optional<Way> other = listColumn(template);
    if (other.isPresent() && !office) {
      return new LandingPath(
          template,
          Landing.COVERING_INDEX,
          other,
          shards,
          "an online list under " + other.get().column());
    }
    if (other.isPresent() || template.isLimited()) {
      return frequent
          ? path(template, Landing.PROJECTION, shards, "a list that is asked for often")
          : path(template, Landing.GATEWAY_SCATTER, shards, "a list that is asked for seldom");
    }
    return path(template, Landing.EXPORT_JOB, shards, "reads without a bound");
  }

  private static LandingPath path(
      WorkloadTemplate template, Landing landing, int shards, String why) {
    return new LandingPath(template, landing, Optional.empty(), shards, why);
  }

  /** The column with the most values by which the statement asks. */
  private Optional<Way> listColumn(WorkloadTemplate template) {
    return measures.entrySet().stream()
        .filter(e -> e.getKey().columns().size() == 1)
        .filter(e -> e.getKey().carriedBy(template, inputs.schema()) != Carry.NONE)
        .filter(e -> !refused.test(e.getKey().columns().get(0)))
        .filter(
            e ->
                e.getValue()
                    .mostAsked(tables)
                    .flatMap(spread -> spread.evenness("", inputs.settings()))
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
                    .map(table -> new Way(table, column.columns().get(table), false)));
  }
}
