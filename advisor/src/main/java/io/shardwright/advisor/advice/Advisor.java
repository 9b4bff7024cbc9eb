package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.advice.KeyColumn.Carry;
import io.shardwright.advisor.logs.LogFile;
import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.LogReading;
import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.simulate.KeyHash;
import io.shardwright.advisor.simulate.Simulation;
import io.shardwright.advisor.simulate.Spread;
import io.shardwright.advisor.templates.ColumnRole;
import io.shardwright.advisor.templates.ColumnUse;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Recommends a key for each table group. Statements are read twice: for templates, then for the
 * values of the candidates that the templates gave. Memory grows with templates and with distinct
 * values, both bounded. Stateless.
 */
// Long because: the way from logs to advice is read top-down in one place.
public final class Advisor {
  /** How often the statements are read. */
  public static final int READINGS = 2;

  /** Columns of a group that become candidates, the most carried first. */
  private static final int SINGLES_MAX = 40;

  /** Of these, those that are tried in pairs. */
  private static final int PAIRED_MAX = 6;

  private Advisor() {}

  /** Where statements come from; each call reads all of them, in the same order. */
  @FunctionalInterface
  public interface Statements {
    List<LogFile> read(BiConsumer<? super LogRecord, ? super Family> sink);

    /** Of files; one of no known format is refused in its result. */
    static Statements of(List<Path> files) {
      return of(files, (bytes, statements) -> {});
    }

    /** The same, told of. */
    static Statements of(List<Path> files, LogReading.Progress progress) {
      return sink ->
          LogReading.read(
              files, progress, (record, format) -> sink.accept(record, format.family()));
    }
  }

  /**
   * @param schema empty when there is none
   * @param samples counts of keys beside the log
   * @throws ShardwrightException SW603 when no statement on a table could be read
   */
  public static Advice advise(
      Statements statements, SchemaFacts schema, KeySamples samples, AdviceSettings settings) {
    Workload.Gathering gathering = new Workload.Gathering();
    List<LogFile> files = statements.read(gathering::add);
    Workload workload = gathering.workload(settings);
    if (workload.templates().isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "no statement on a table of an application was read: "
              + files.stream().map(Advisor::outcome).toList()
              + "; give logs of statements, see docs/advisor.md");
    }
    TableGroups groups = new TableGroups(workload, schema, gathering.writtenTogether());
    Map<Set<String>, List<KeyMeasure>> measures = new LinkedHashMap<>();
    KeyValues values = new KeyValues();
    for (Set<String> group : groups.groups()) {
      List<KeyMeasure> own =
          candidates(groups, group, schema).stream().map(KeyMeasure::new).toList();
      measures.put(group, own);
      values.watch(groups.of(group), own, schema);
    }
    statements.read(values::add);
    Map<String, Evenness> ofFiles = samples(samples.files(), settings);
    LiveSamples live = new LiveSamples(samples, schema, settings);
    List<Group> judged = new ArrayList<>();
    measures.forEach(
        (group, own) -> {
          Map<String, Evenness> known = new HashMap<>(live.of(groups.of(group), own));
          known.putAll(ofFiles);
          Judgement.Inputs inputs = new Judgement.Inputs(schema, settings, known);
          judged.addAll(judge(groups, group, own, inputs));
        });
    List<String> warnings = warnings(files, workload, schema, settings, groups.references());
    warnings.addAll(live.warnings());
    unknownSamples(samples.named(), measures).ifPresent(warnings::add);
    Advice advice =
        new Advice(
            files, workload, settings, judged, groups.references(), warnings, Optional.empty());
    return new Advice(
        files,
        workload,
        settings,
        judged,
        groups.references(),
        warnings,
        ConfigurationText.of(advice));
  }

  private static String outcome(LogFile file) {
    return file.path()
        + file.refusal()
            .map(r -> " (" + r.told() + ")")
            .orElse(" (" + file.executions() + " executions)");
  }

  private static List<Candidate> candidates(
      TableGroups groups, Set<String> group, SchemaFacts schema) {
    List<WorkloadTemplate> templates = groups.of(group);
    Map<Candidate, Double> singles = new LinkedHashMap<>();
    for (KeyColumn column : groups.columns(group)) {
      Candidate candidate = new Candidate(List.of(column));
      double carried = 0;
      for (WorkloadTemplate template : templates) {
        boolean is = candidate.carriedBy(template, schema) != Carry.NONE;
        // Inserts carry every column: they tell little about which one is asked by.
        carried += is ? template.weight() * (template.isInsert() ? 0.01 : 1) : 0;
      }
      if (carried > 0) {
        singles.put(candidate, carried);
      }
    }
    List<Candidate> candidates = new ArrayList<>(singles.keySet());
    candidates.sort(
        (a, b) ->
            singles.get(a).equals(singles.get(b))
                ? a.name().compareTo(b.name())
                : Double.compare(singles.get(b), singles.get(a)));
    candidates = new ArrayList<>(candidates.subList(0, Math.min(SINGLES_MAX, candidates.size())));
    List<Candidate> paired = candidates.subList(0, Math.min(PAIRED_MAX, candidates.size()));
    List<Candidate> pairs = new ArrayList<>();
    for (int i = 0; i < paired.size(); i++) {
      for (int j = i + 1; j < paired.size(); j++) {
        Candidate pair =
            new Candidate(List.of(paired.get(i).columns().get(0), paired.get(j).columns().get(0)));
        if (templates.stream()
            .anyMatch(t -> !t.isInsert() && pair.carriedBy(t, schema) != Carry.NONE)) {
          pairs.add(pair);
        }
      }
    }
    candidates.addAll(pairs);
    return candidates;
  }

  private static Map<String, Evenness> samples(Map<String, Path> files, AdviceSettings settings) {
    Map<String, Evenness> samples = new HashMap<>();
    files.forEach(
        (column, file) -> {
          Simulation.Result result =
              Simulation.run(
                  new Simulation.Options(
                      file,
                      Optional.empty(),
                      settings.judgedShards(),
                      settings.buckets(),
                      OptionalInt.empty(),
                      List.of(KeyHash.XXH64),
                      settings.showKeys()));
          Spread spread = result.spreads().get(0);
          samples.put(
              column,
              new Evenness(
                  "rows of " + file.getFileName(),
                  spread.rows(),
                  Double.NaN,
                  result.keys(),
                  0,
                  result.impossibleRows() + result.lines().nullRows(),
                  List.of(new HotKey(result.hottestKey(), result.hottestRows())),
                  Optional.empty()));
        });
    return samples;
  }

  private static Optional<String> unknownSamples(
      Set<String> named, Map<Set<String>, List<KeyMeasure>> measures) {
    Set<String> unknown = new TreeSet<>(named);
    measures
        .values()
        .forEach(list -> list.forEach(measure -> unknown.remove(measure.candidate().name())));
    return unknown.isEmpty()
        ? Optional.empty()
        : Optional.of("samples of " + unknown + " are of no column that a statement carries");
  }

  /** The group by its best key; tables that are used apart from it and lack it, by theirs. */
  private static List<Group> judge(
      TableGroups groups, Set<String> group, List<KeyMeasure> measures, Judgement.Inputs inputs) {
    List<Group> judged = new ArrayList<>();
    Map<Set<String>, List<String>> notes = new HashMap<>();
    Deque<Set<String>> open = new ArrayDeque<>(List.of(group));
    while (!open.isEmpty()) {
      Set<String> tables = open.pop();
      Judgement judgement = judgement(groups, tables, measures, inputs);
      List<KeyScore> scores = judgement.scores();
      Set<String> kept = new TreeSet<>(tables);
      if (!scores.isEmpty() && scores.get(0).refused().isEmpty()) {
        kept = groups.kept(tables, scores.get(0).candidate());
      }
      if (kept.isEmpty() || kept.size() == tables.size()) {
        judged.add(
            new Verdicts(tables, groups.of(tables), judgement, inputs)
                .group(scores, notes.getOrDefault(tables, List.of())));
      } else {
        Set<String> rest = new TreeSet<>(tables);
        rest.removeAll(kept);
        List<String> known = new ArrayList<>(notes.getOrDefault(tables, List.of()));
        known.add(
            rest
                + " are tied by foreign keys only and lack the key: a group of their own, or give"
                + " them the key; a foreign key between groups must go");
        notes.put(kept, known);
        // Judged anew: without the statements of the others another key may be the best.
        open.push(rest);
        open.push(kept);
      }
    }
    return judged;
  }

  private static Judgement judgement(
      TableGroups groups, Set<String> tables, List<KeyMeasure> measures, Judgement.Inputs inputs) {
    Map<Candidate, KeyMeasure> own = new LinkedHashMap<>();
    List<WorkloadTemplate> templates = groups.of(tables);
    for (KeyMeasure measure : measures) {
      if (templates.stream()
          .anyMatch(t -> measure.candidate().carriedBy(t, inputs.schema()) != Carry.NONE)) {
        own.put(measure.candidate(), measure);
      }
    }
    return new Judgement(tables, templates, own, groups.columns(tables), inputs);
  }

  private static List<String> warnings(
      List<LogFile> files,
      Workload workload,
      SchemaFacts schema,
      AdviceSettings settings,
      Set<String> references) {
    List<String> warnings = new ArrayList<>();
    for (LogFile file : files) {
      file.refusal().ifPresent(r -> warnings.add(file.path() + " was refused, " + r.told()));
    }
    if (workload.unread() > 0) {
      warnings.add(workload.unread() + " executions could not be read and are not in any figure");
    }
    warnings.addAll(BusinessCycle.of(workload).gaps());
    if (!references.isEmpty() && schema.statistics().isEmpty()) {
      warnings.add(
          references
              + " are taken for reference tables, since they are only read beside others: each shard"
              + " gets a copy, so check that they are small, or give --database");
    }
    warnings.addAll(UnknownNames.warnings(workload, schema, settings));
    if (schema.tables().isEmpty()) {
      warnings.add(
          "neither DDL nor a database was given: keys that may be NULL, unique keys, foreign keys"
              + " are unknown");
    }
    if (schema.statementsLeft() > 0) {
      warnings.add(
          (schema.statementsLeft() == 1 ? "1 statement" : schema.statementsLeft() + " statements")
              + " of the DDL not understood, the first: "
              + schema.firstLeft().orElse(""));
    }
    for (WorkloadTemplate template : workload.templates()) {
      for (ColumnUse use : template.template().use().columns()) {
        if (use.role() == ColumnRole.UPDATE_SET
            && settings.declared().immutable().contains(use.column())) {
          warnings.add(
              use.column()
                  + " is declared immutable, but template "
                  + template.template().fingerprint()
                  + " sets it");
        }
      }
    }
    if (workload.templates().stream().noneMatch(WorkloadTemplate::declared)) {
      warnings.add(
          "classes are assumed: writes of one value online_transaction, reads of one value"
              + " online_query, others back_office; --workload says it better");
    }
    if (settings.capacity().figures().isEmpty()) {
      warnings.add(
          "no capacity figures were given; keys are judged on "
              + settings.judgedShards()
              + " shards");
    }
    return warnings;
  }
}
