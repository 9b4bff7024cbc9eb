package io.shardwright.advisor.advice;

import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.advisor.templates.ColumnRole;
import io.shardwright.advisor.templates.StatementKind;
import io.shardwright.advisor.templates.StatementUse;
import io.shardwright.advisor.templates.Template;
import io.shardwright.advisor.templates.Templates;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What an application does: its templates with class and share.
 *
 * @param templates that touch tables, the most executed first
 * @param executions of these
 * @param unread executions that could not be read, or were beyond the bounds
 * @param unreadShapes the most executed of these
 * @param others executions without tables of the application: settings, transactions, DDL, catalogs
 * @param hours that have statements, in their order; none without times, and none beyond {@value
 *     #HOURS_MAX}
 * @param transactionGroups tables that transactions wrote together, the most often first
 * @param mysql true when most statements were read by MySQL's rules
 */
public record Workload(
    List<WorkloadTemplate> templates,
    long executions,
    long unread,
    List<Templates.Unread> unreadShapes,
    long others,
    String costUnit,
    Optional<Instant> first,
    Optional<Instant> last,
    List<WorkloadHour> hours,
    List<TransactionGroup> transactionGroups,
    boolean mysql) {
  static final int HOURS_MAX = 20_000;
  private static final int UNREAD_SHOWN = 100;
  private static final double TIMED_MIN = 0.9;
  private static final long HOUR_SECONDS = 3_600;
  private static final String SYSTEM_TABLE =
      "(?i)((pg_catalog|information_schema|performance_schema|mysql|sys)\\..*|pg_.*)";

  /** Tables of which transactions wrote several. */
  public record TransactionGroup(List<String> tables, long transactions) {}

  /** Gathers the first reading. Not thread-safe. */
  static final class Gathering {
    private static final int SETS_MAX = 1_000;

    private final Templates templates = new Templates();
    private final OpenTransactions<Set<String>> transactions = new OpenTransactions<>();
    private final Map<Set<String>, Long> writtenTogether = new LinkedHashMap<>();
    private final NavigableMap<Long, long[]> hours = new TreeMap<>();
    private long mysql;
    private long all;

    void add(LogRecord record, Family family) {
      Optional<StatementUse> use = templates.add(record, family);
      if (use.isPresent() && use.get().kind().isWrite()) {
        transactions.add(record, use.get().writes());
      } else if (use.isPresent() && use.get().kind() == StatementKind.TRANSACTION) {
        transactions.boundary(record).ifPresent(this::together);
      }
      if (use.isPresent() && use.get().kind().isRead() && record.time().isPresent()) {
        hour(record.time().get(), use.get().kind().isWrite(), record.count());
      }
      all++;
      if (family == Family.MYSQL || record.sql().indexOf('`') >= 0) {
        mysql++;
      }
    }

    private void hour(Instant time, boolean write, long executions) {
      long hour = Math.floorDiv(time.getEpochSecond(), HOUR_SECONDS);
      long[] counts = hours.get(hour);
      if (counts == null && hours.size() < HOURS_MAX) {
        counts = new long[2];
        hours.put(hour, counts);
      }
      if (counts != null) {
        counts[write ? 1 : 0] += executions;
      }
    }

    private List<WorkloadHour> hours() {
      List<WorkloadHour> list = new ArrayList<>();
      hours.forEach(
          (hour, counts) ->
              list.add(
                  new WorkloadHour(
                      Instant.ofEpochSecond(hour * HOUR_SECONDS), counts[0], counts[1])));
      return list;
    }

    private void together(List<Set<String>> written) {
      Set<String> tables = new TreeSet<>();
      written.forEach(tables::addAll);
      if (tables.size() > 1
          && (writtenTogether.containsKey(tables) || writtenTogether.size() < SETS_MAX)) {
        writtenTogether.merge(tables, 1L, Long::sum);
      }
    }

    /** Tables that one transaction wrote. */
    Set<Set<String>> writtenTogether() {
      return writtenTogether.keySet();
    }

    private List<TransactionGroup> transactionGroups() {
      List<TransactionGroup> groups = new ArrayList<>();
      writtenTogether.forEach(
          (tables, times) -> groups.add(new TransactionGroup(List.copyOf(tables), times)));
      groups.sort(Comparator.comparingLong(TransactionGroup::transactions).reversed());
      return groups;
    }

    Workload workload(AdviceSettings settings) {
      return of(templates, settings, hours(), transactionGroups(), mysql * 2 > all);
    }
  }

  private enum Cost {
    TIME("time of the statements, in milliseconds"),
    EXAMINED("rows examined"),
    COUNT("executions, since the log tells neither times nor rows examined");

    private final String unit;

    Cost(String unit) {
      this.unit = unit;
    }

    double of(Template template) {
      return switch (this) {
        case TIME ->
            template.timed() == 0
                ? 0
                : template.duration().toNanos() / 1e6 * template.executions() / template.timed();
        case EXAMINED -> template.rowsExamined();
        case COUNT -> template.executions();
      };
    }
  }

  private static Workload of(
      Templates gathered,
      AdviceSettings settings,
      List<WorkloadHour> hours,
      List<TransactionGroup> transactionGroups,
      boolean mysql) {
    List<Template> all =
        gathered.templates().stream()
            .filter(t -> t.use().kind().isRead())
            .filter(Workload::isOfTheApplication)
            .toList();
    long executions = all.stream().mapToLong(Template::executions).sum();
    Cost cost = cost(all, executions);
    List<WorkloadTemplate> templates = new ArrayList<>();
    for (Template template : all) {
      Optional<WorkloadClass> declared = declared(template, settings.classes());
      WorkloadClass workloadClass = declared.orElseGet(() -> assumed(template));
      templates.add(
          new WorkloadTemplate(
              template,
              workloadClass,
              declared.isPresent(),
              template.executions() * settings.weights().get(workloadClass),
              (double) template.executions() / executions,
              cost.of(template)));
    }
    long unread = gathered.unread().stream().mapToLong(Templates.Unread::executions).sum();
    unread += gathered.beyond() + gathered.unreadBeyond();
    return new Workload(
        List.copyOf(templates),
        executions,
        unread,
        gathered.unread().stream().limit(UNREAD_SHOWN).toList(),
        gathered.executions() - executions - unread,
        cost.unit,
        all.stream().flatMap(t -> t.first().stream()).min(Comparator.naturalOrder()),
        all.stream().flatMap(t -> t.last().stream()).max(Comparator.naturalOrder()),
        hours,
        transactionGroups,
        mysql);
  }

  /** It has a table that is not the database's own. */
  private static boolean isOfTheApplication(Template template) {
    return Stream.concat(template.use().reads().stream(), template.use().writes().stream())
        .anyMatch(table -> !table.matches(SYSTEM_TABLE));
  }

  private static Cost cost(List<Template> templates, long executions) {
    long timed = templates.stream().mapToLong(Template::timed).sum();
    if (timed > 0 && timed >= TIMED_MIN * executions) {
      return Cost.TIME;
    }
    long examined = templates.stream().mapToLong(Template::rowsExamined).sum();
    return examined > 0 ? Cost.EXAMINED : Cost.COUNT;
  }

  private static Optional<WorkloadClass> declared(
      Template template, Map<String, WorkloadClass> classes) {
    WorkloadClass byFingerprint = classes.get(template.fingerprint());
    if (byFingerprint != null) {
      return Optional.of(byFingerprint);
    }
    Optional<WorkloadClass> byColumn =
        template.use().columns().stream()
            .filter(use -> use.role() == ColumnRole.EQUALITY || use.role() == ColumnRole.IN)
            .map(use -> classes.get("column." + use.column()))
            .filter(found -> found != null)
            .findFirst();
    if (byColumn.isPresent()) {
      return byColumn;
    }
    List<String> tables = new ArrayList<>(template.use().writes());
    tables.addAll(template.use().reads());
    return tables.stream()
        .map(table -> classes.get("table." + table))
        .filter(found -> found != null)
        .findFirst();
  }

  /** Reads of one value are somebody's; figures and lists of everything are of the back office. */
  private static WorkloadClass assumed(Template template) {
    boolean fixes =
        template.use().columns().stream()
            .anyMatch(use -> use.role() == ColumnRole.EQUALITY || use.role() == ColumnRole.IN);
    StatementKind kind = template.use().kind();
    if (kind == StatementKind.INSERT || (kind.isWrite() && fixes)) {
      return WorkloadClass.ONLINE_TRANSACTION;
    }
    boolean groups =
        template.use().columns().stream().anyMatch(use -> use.role() == ColumnRole.GROUP);
    return fixes && !groups ? WorkloadClass.ONLINE_QUERY : WorkloadClass.BACK_OFFICE;
  }

  /** Between the first and the last statement; empty without times. */
  public Optional<Duration> span() {
    return first.isPresent() && last.isPresent()
        ? Optional.of(Duration.between(first.get(), last.get()))
        : Optional.empty();
  }
}
