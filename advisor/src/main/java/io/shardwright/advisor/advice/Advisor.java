package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.advice.Advice.Verdict;
import io.shardwright.advisor.advice.KeyColumn.Carry;
import io.shardwright.advisor.logs.LogFile;
import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.advisor.logs.SqlLogs;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.TableFacts;
import io.shardwright.advisor.simulate.KeyHash;
import io.shardwright.advisor.simulate.Simulation;
import io.shardwright.advisor.simulate.Spread;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
  /** Columns of a group that become candidates, the most carried first. */
  private static final int SINGLES_MAX = 40;

  /** Of these, those that are tried in pairs. */
  private static final int PAIRED_MAX = 6;

  private static final double SCANNED_SHARE_MAX = 0.5;
  private static final double COVERED_MIN = 0.5;

  /** A group of fewer says nothing about a workload. */
  private static final int EXECUTIONS_MIN = 100;

  /** A key that leads less of the weighted workload to its shards is none. */
  private static final double USEFUL_MIN = 0.25;

  private Advisor() {}

  /** Where statements come from; each call reads all of them, in the same order. */
  @FunctionalInterface
  public interface Statements {
    List<LogFile> read(BiConsumer<? super LogRecord, ? super Family> sink);

    /** Of files; one of no known format is refused in its result. */
    static Statements of(List<Path> files) {
      return sink -> {
        List<LogFile> results = new ArrayList<>();
        for (Path file : files) {
          results.add(
              SqlLogs.readWithFormat(
                  file, (record, format) -> sink.accept(record, format.family())));
        }
        return results;
      };
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
          "no statement on a table was read: "
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
    List<String> warnings = warnings(files, workload, schema, settings);
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
        + file.refusal().map(r -> " (line " + r.line() + ": " + r.why() + ")").orElse("");
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
    Deque<Set<String>> open = new ArrayDeque<>(List.of(group));
    while (!open.isEmpty()) {
      Set<String> tables = open.pop();
      List<KeyScore> scores = judgement(groups, tables, measures, inputs).scores();
      List<String> notes = new ArrayList<>();
      if (!scores.isEmpty() && scores.get(0).refused().isEmpty()) {
        Set<String> kept = groups.kept(tables, scores.get(0).candidate());
        if (!kept.isEmpty() && kept.size() < tables.size()) {
          Set<String> rest = new TreeSet<>(tables);
          rest.removeAll(kept);
          open.push(rest);
          notes.add(
              rest
                  + " are tied by foreign keys only and lack the key: a group of their own, or give"
                  + " them the key; a foreign key between groups must go");
          tables = kept;
          Candidate chosen = scores.get(0).candidate();
          scores = new ArrayList<>(judgement(groups, tables, measures, inputs).scores());
          scores.sort(
              (a, b) ->
                  Boolean.compare(!a.candidate().equals(chosen), !b.candidate().equals(chosen)));
        }
      }
      judged.add(verdict(groups, tables, scores, notes, inputs));
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
    return new Judgement(tables, templates, own, inputs);
  }

  private static Group verdict(
      TableGroups groups,
      Set<String> tables,
      List<KeyScore> scores,
      List<String> notes,
      Judgement.Inputs inputs) {
    List<WorkloadTemplate> templates = groups.of(tables);
    double share = templates.stream().mapToDouble(WorkloadTemplate::share).sum();
    List<String> reasons = new ArrayList<>();
    List<String> next = new ArrayList<>();
    Verdict verdict = Verdict.SHARD_WHEN_NEEDED;
    Capacity capacity = inputs.settings().capacity();
    Optional<Integer> shards = capacity.shards();
    boolean writesAsk =
        capacity.figures().stream().anyMatch(f -> !f.name().equals("queries") && f.shards() > 1);
    reasons.addAll(scans(templates, inputs.schema()));
    long executions = templates.stream().mapToLong(t -> t.template().executions()).sum();
    if (executions < EXECUTIONS_MIN) {
      verdict = Verdict.TOO_LITTLE;
      reasons.add(executions + " executions are too few to judge by, of " + EXECUTIONS_MIN);
      next.add("log all statements for a week, or give a digest of as long");
    } else if (shards.isPresent() && shards.get() == 1) {
      verdict = Verdict.DO_NOT_SHARD_YET;
      reasons.add(0, "one database carries it: " + capacity.arithmetic());
      next.add("indexes for the templates that scan, read replicas, an archive for old rows");
    } else if (!reasons.isEmpty() && !writesAsk) {
      verdict = Verdict.DO_NOT_SHARD_YET;
      next.add("give these statements a condition that an index serves, such as a range of time");
      next.add("archive rows that are not asked for; read replicas for what is left");
      next.add("read the log again afterwards: N shards would do each of these scans N times");
    } else if (scores.isEmpty() || scores.get(0).refused().isPresent()) {
      verdict = Verdict.NO_KEY;
      reasons.add("no candidate will do; the reason stands beside each");
      next.add("have the statements carry a key that spreads: its owner, from the request on");
    } else if (scores.get(0).weighted() + scores.get(0).cured() < USEFUL_MIN) {
      verdict = Verdict.NO_KEY;
      reasons.add(
          String.format(
              Locale.ROOT,
              "even under %s %.0f%% of the weighted workload goes to all shards",
              scores.get(0).candidate().name(),
              scores.get(0).scattered() * 100));
      next.add("have the statements carry a key that spreads: its owner, from the request on");
    } else {
      verdict = shards.isPresent() ? Verdict.SHARD : Verdict.SHARD_WHEN_NEEDED;
      reasons.addAll(capacity.arithmetic());
      if (shards.isEmpty()) {
        reasons.add("no capacity figures: whether one database carries it is not known");
      }
    }
    scores.stream()
        .findFirst()
        .filter(best -> best.refused().isEmpty())
        .ifPresent(best -> notes.addAll(notes(best, tables, inputs.schema())));
    return new Group(tables, share, verdict, reasons, next, scores, notes);
  }

  private static List<String> notes(KeyScore best, Set<String> tables, SchemaFacts schema) {
    List<String> notes = new ArrayList<>();
    if (!best.isSpreadKnown()) {
      notes.add(
          "how " + best.candidate().name() + " spreads is not known: give --keys with its counts");
    }
    if (best.weighted() + best.cured() < COVERED_MIN) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%.0f%% of the weighted workload still goes to all shards under the best key",
              best.scattered() * 100));
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

  private static List<String> warnings(
      List<LogFile> files, Workload workload, SchemaFacts schema, AdviceSettings settings) {
    List<String> warnings = new ArrayList<>();
    for (LogFile file : files) {
      file.refusal()
          .ifPresent(
              r -> warnings.add(file.path() + " was refused, line " + r.line() + ": " + r.why()));
    }
    if (workload.unread() > 0) {
      warnings.add(workload.unread() + " executions could not be read and are not in any figure");
    }
    warnings.addAll(BusinessCycle.of(workload).gaps());
    if (schema.tables().isEmpty()) {
      warnings.add(
          "neither DDL nor a database was given: keys that may be NULL, unique keys, foreign keys"
              + " are unknown");
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
