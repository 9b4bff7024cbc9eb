package io.shardwright.advisor.review;

import io.shardwright.advisor.advice.Advisor.Statements;
import io.shardwright.advisor.advice.Evenness;
import io.shardwright.advisor.advice.KeySpread;
import io.shardwright.advisor.advice.Literals;
import io.shardwright.advisor.advice.Literals.Place;
import io.shardwright.advisor.advice.OpenTransactions;
import io.shardwright.advisor.advice.WorkloadFile;
import io.shardwright.advisor.logs.LogFile;
import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.advisor.templates.ColumnRole;
import io.shardwright.advisor.templates.ColumnUse;
import io.shardwright.advisor.templates.StatementKind;
import io.shardwright.advisor.templates.StatementUse;
import io.shardwright.advisor.templates.Template;
import io.shardwright.advisor.templates.Templates;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.GeneIdColumn;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Index;
import io.shardwright.config.Configuration.NumberColumn;
import io.shardwright.config.Configuration.Table;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.Directory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads logs once and tells which way the statements on sharded tables find their shards. Memory
 * grows with templates and distinct keys, both bounded. Not thread-safe.
 */
public final class LogReview {
  /** Distinct keys of one group that are told apart; about 100 bytes each. */
  private static final int DISTINCT_MAX = 100_000;

  /** In which keys are counted before they are dealt out by weight. */
  private static final int SLICES_MAX = 4096;

  private final Configuration configuration;
  private final Templates templates = new Templates();
  private final OpenTransactions<Step> transactions = new OpenTransactions<>();
  private final Map<String, Keys> keys = new LinkedHashMap<>();

  /** The keys of one group. */
  private static final class Keys {
    private final KeySpread inserted = new KeySpread(DISTINCT_MAX);
    private final KeySpread asked = new KeySpread(DISTINCT_MAX);
    private long transactions;
    private long local;
  }

  /** What one statement of a transaction says of a group: one key, or none. */
  private record Step(String group, boolean isWrite, Optional<List<String>> key) {}

  private record Found(Group group, Table table) {}

  private LogReview(Configuration configuration) {
    this.configuration = configuration;
    configuration.groups().keySet().forEach(group -> keys.put(group, new Keys()));
  }

  /**
   * @param logs are read once
   * @throws ShardwrightException SW603 when a file cannot be read
   */
  public static LogFacts read(Configuration configuration, Statements logs) {
    LogReview reading = new LogReview(configuration);
    return reading.facts(logs.read(reading::add));
  }

  private void add(LogRecord record, Family family) {
    Optional<StatementUse> use = templates.add(record, family);
    if (use.isEmpty()) {
      return;
    }
    if (use.get().kind() == StatementKind.TRANSACTION) {
      transactions.boundary(record).ifPresent(this::judge);
      return;
    }
    Optional<Found> found = tables(use.get()).stream().findFirst();
    if (use.get().kind().isRead() && found.isPresent()) {
      values(record, family, use.get(), found.get());
    }
  }

  private void values(LogRecord record, Family family, StatementUse use, Found found) {
    List<Place> places;
    try {
      places = Literals.of(Templates.tokens(record.sql(), family));
    } catch (ShardwrightException e) {
      // It has been read once as a template, so it is of another family.
      return;
    }
    Keys spread = keys.get(found.group().name());
    Set<List<String>> distinct = new LinkedHashSet<>();
    for (List<String> key : keysOf(found.table().key(), places, record)) {
      if (!hasOwnBuckets(found.group(), key)) {
        (use.kind() == StatementKind.INSERT ? spread.inserted : spread.asked)
            .add(key, record.count());
      }
      distinct.add(key);
    }
    transactions.add(
        record,
        new Step(
            found.group().name(),
            use.kind().isWrite(),
            distinct.size() == 1
                ? Optional.of(distinct.iterator().next())
                : Optional.<List<String>>empty()));
  }

  private static boolean hasOwnBuckets(Group group, List<String> key) {
    return group.directory().entries().stream()
        .map(Directory.Entry::key)
        .anyMatch(own -> own.size() <= key.size() && own.equals(key.subList(0, own.size())));
  }

  /** Of each row of an INSERT, or of the conditions. Lists give keys of one column only. */
  private static List<List<String>> keysOf(
      List<String> columns, List<Place> places, LogRecord record) {
    Map<Integer, Map<String, List<String>>> byRow = new TreeMap<>();
    for (Place place : places) {
      Optional<String> value = place.value(record.parameters());
      columns.stream()
          .filter(column -> value.isPresent() && place.column().equalsIgnoreCase(column))
          .forEach(
              column ->
                  byRow
                      .computeIfAbsent(place.row(), row -> new HashMap<>())
                      .computeIfAbsent(column, c -> new ArrayList<>())
                      .add(value.get()));
    }
    List<List<String>> keys = new ArrayList<>();
    for (Map<String, List<String>> row : byRow.values()) {
      if (row.size() == columns.size()) {
        if (columns.size() == 1) {
          row.get(columns.get(0)).stream().distinct().forEach(value -> keys.add(List.of(value)));
        } else if (row.values().stream().allMatch(values -> values.size() == 1)) {
          keys.add(columns.stream().map(column -> row.get(column).get(0)).toList());
        }
      }
    }
    return keys;
  }

  private void judge(List<Step> steps) {
    for (Map.Entry<String, Keys> group : keys.entrySet()) {
      List<Step> own = steps.stream().filter(s -> s.group().equals(group.getKey())).toList();
      if (own.size() > 1 && own.stream().anyMatch(Step::isWrite)) {
        Optional<List<String>> first = own.get(0).key();
        group.getValue().transactions++;
        group.getValue().local +=
            first.isPresent() && own.stream().allMatch(step -> first.equals(step.key())) ? 1 : 0;
      }
    }
  }

  private LogFacts facts(List<LogFile> files) {
    List<LogFacts.Statement> statements = new ArrayList<>();
    for (Template template : templates.templates()) {
      List<Found> found = tables(template.use());
      if (template.use().kind().isRead() && !found.isEmpty()) {
        statements.add(
            new LogFacts.Statement(
                template,
                found.stream().map(f -> f.group().name()).distinct().toList(),
                way(template.use(), found),
                isPartial(template.use(), found.get(0))));
      }
    }
    long unread = templates.unread().stream().mapToLong(Templates.Unread::executions).sum();
    List<LogFacts.Group> groups = new ArrayList<>();
    keys.forEach(
        (name, read) ->
            groups.add(
                new LogFacts.Group(
                    name,
                    spread(name, read.inserted, "keys of inserted rows"),
                    spread(name, read.asked, "keys asked for"),
                    read.transactions,
                    read.local)));
    return new LogFacts(
        files, unread + templates.beyond() + templates.unreadBeyond(), statements, groups);
  }

  /** Weights are what the shards shall hold, wherever their buckets are today. */
  private Optional<LogFacts.Keys> spread(String group, KeySpread spread, String source) {
    List<Integer> weights =
        configuration.shards().values().stream()
            .map(Configuration.Shard::weight)
            .filter(weight -> weight > 0)
            .toList();
    int buckets = Math.max(configuration.groups().get(group).buckets(), weights.size());
    int slices = Math.min(SLICES_MAX, buckets);
    return spread
        .evenness(
            source,
            WorkloadFile.read(
                Optional.empty(), OptionalLong.empty(), Optional.of(slices), buckets, false))
        .map(sliced -> new LogFacts.Keys(dealt(sliced, weights), weights));
  }

  private static Evenness dealt(Evenness sliced, List<Integer> weights) {
    long all = weights.stream().mapToLong(Integer::longValue).sum();
    List<Long> rows = new ArrayList<>();
    int slice = 0;
    long end = 0;
    for (int weight : weights) {
      end += weight;
      long sum = 0;
      for (; slice < sliced.rows().size() && slice * all / sliced.rows().size() < end; slice++) {
        sum += sliced.rows().get(slice);
      }
      rows.add(sum);
    }
    return new Evenness(
        sliced.source(),
        rows,
        sliced.bucketMaxToMean(),
        sliced.distinct(),
        sliced.beyond(),
        sliced.left(),
        sliced.hottestKeys(),
        Optional.empty());
  }

  /** Of groups, written ones first. */
  private List<Found> tables(StatementUse use) {
    Set<String> names = new LinkedHashSet<>(use.writes());
    names.addAll(use.reads());
    List<Found> found = new ArrayList<>();
    for (String name : names) {
      for (Group group : configuration.groups().values()) {
        group.tables().values().stream()
            .filter(table -> table.name().equalsIgnoreCase(name))
            .forEach(table -> found.add(new Found(group, table)));
      }
    }
    return found;
  }

  private static LogFacts.Way way(StatementUse use, List<Found> found) {
    LogFacts.Way best = LogFacts.Way.NONE;
    for (Found one : found) {
      if (one.group().equals(found.get(0).group())) {
        LogFacts.Way way = way(use, one);
        best = way.compareTo(best) < 0 ? way : best;
      }
    }
    return best;
  }

  private static LogFacts.Way way(StatementUse use, Found found) {
    boolean whole =
        use.kind() == StatementKind.INSERT
            && use.columns().stream().noneMatch(c -> c.role() == ColumnRole.INSERT);
    if (whole || fixes(use, found.table(), found.table().key(), false)) {
      return LogFacts.Way.KEY;
    }
    if (fixes(use, found.table(), found.table().key(), true)) {
      return LogFacts.Way.KEYS;
    }
    if (use.kind() == StatementKind.INSERT && use.writes().contains(found.table().name())) {
      return LogFacts.Way.NONE;
    }
    for (Configuration.IdColumn id : found.group().ids()) {
      boolean routes = id instanceof GeneIdColumn || id instanceof NumberColumn;
      if (routes && fixes(use, found.table(), List.of(id.column()), true)) {
        return LogFacts.Way.ID;
      }
    }
    for (Index index : found.group().indexes().values()) {
      boolean ofTable = index.table().map(found.table().name()::equals).orElse(true);
      if (ofTable && fixes(use, found.table(), index.shardBy(), true)) {
        return LogFacts.Way.INDEX;
      }
    }
    return LogFacts.Way.NONE;
  }

  private static boolean fixes(StatementUse use, Table table, List<String> columns, boolean lists) {
    return columns.stream().allMatch(column -> isFixed(use, table, column, lists));
  }

  private static boolean isFixed(StatementUse use, Table table, String column, boolean lists) {
    return use.columns().stream()
        .filter(c -> isColumn(c, table, column))
        .anyMatch(
            c ->
                c.role() == ColumnRole.EQUALITY
                    || c.role() == ColumnRole.INSERT
                    || (lists && c.role() == ColumnRole.IN));
  }

  private static boolean isColumn(ColumnUse use, Table table, String column) {
    return use.column().equalsIgnoreCase(column)
        && use.table().map(table.name()::equalsIgnoreCase).orElse(true);
  }

  private static boolean isPartial(StatementUse use, Found found) {
    long fixed =
        found.table().key().stream().filter(c -> isFixed(use, found.table(), c, true)).count();
    return fixed > 0 && fixed < found.table().key().size();
  }
}
