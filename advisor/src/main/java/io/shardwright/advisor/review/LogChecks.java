package io.shardwright.advisor.review;

import static io.shardwright.advisor.review.Observation.count;
import static io.shardwright.advisor.review.Observation.error;
import static io.shardwright.advisor.review.Observation.good;
import static io.shardwright.advisor.review.Observation.listed;
import static io.shardwright.advisor.review.Observation.missing;
import static io.shardwright.advisor.review.Observation.warning;

import io.shardwright.advisor.advice.Evenness;
import io.shardwright.advisor.review.LogFacts.Group;
import io.shardwright.advisor.review.LogFacts.Keys;
import io.shardwright.advisor.review.LogFacts.Statement;
import io.shardwright.advisor.review.LogFacts.Way;
import io.shardwright.advisor.templates.ColumnRole;
import io.shardwright.config.Configuration;
import io.shardwright.config.QueryRules.QueryTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What logs show. Shares are of the executions on sharded tables. */
final class LogChecks {
  // Long because: all that logs show stands in one place.

  private static final double SCATTERED_WARNING = 0.05;
  private static final double SCATTERED_ERROR = 0.25;

  /** Of writes, which hold locks on every shard. */
  private static final double SCATTERED_WRITES_ERROR = 0.01;

  private static final double PARTIAL_WARNING = 0.10;
  private static final double LOCAL_MIN = 0.95;
  private static final double EVEN = 1.1;

  /** Values for each shard from which on chance alone stays below {@link #EVEN}. */
  private static final int EVEN_VALUES_MIN = 1_000;

  /** Standard deviations of a shard's values by chance that are no finding. */
  private static final double CHANCE = 3;

  private static final double UNEVEN = 1.5;

  /** Of a shard's mean: one key cannot be divided. */
  private static final double HOTTEST_MAX = 0.5;

  private static final long TRANSACTIONS_MIN = 20;
  private static final long CYCLE_HOURS = 7 * 24;

  private static final Pattern CLOSED = Pattern.compile("(?i)(\\w+) (BETWEEN \\? AND \\?|<= ?\\?)");

  private static final Pattern TIME_NAME =
      Pattern.compile("(?i).*(_at|_time|_date|_ts|_on)|date|time|timestamp|ts");

  private static final Pattern CHANGE_NAME =
      Pattern.compile(
          "(?i)(updated|modified|changed|last_\\w+)(_at|_on|_time|_date|_ts)?|.*_mtime");

  private LogChecks() {}

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f%%", share * 100);
  }

  private static double share(LogFacts logs, Predicate<Statement> which) {
    return (double) logs.executions(which) / logs.executions();
  }

  private static List<String> shown(List<Statement> statements) {
    return statements.stream().map(Statement::shown).toList();
  }

  /** Good without such statements; else what {@code bad} makes of them. */
  private static List<Observation> none(
      LogFacts logs, Predicate<Statement> which, String what, String action) {
    List<Statement> found = logs.where(which);
    return List.of(
        found.isEmpty()
            ? good(
                "none of %s %s"
                    .formatted(count(logs.statements().size(), "kind") + " of statements", what))
            : warning(
                "%s of executions %s: %s"
                    .formatted(percent(share(logs, which)), what, listed(shown(found))),
                action));
  }

  /** The share of statements that the key, an id or an index leads to their shards. */
  static List<Observation> coverage(Facts facts) {
    return facts.ofLogs(
        logs -> {
          Predicate<Statement> scattered = statement -> statement.way() == Way.NONE;
          double share = share(logs, scattered);
          String text =
              "of %s, %s have the key, %s an id, %s an index, %s go to all shards"
                  .formatted(
                      count(logs.executions(), "execution"),
                      percent(share(logs, s -> s.way() == Way.KEY || s.way() == Way.KEYS)),
                      percent(share(logs, s -> s.way() == Way.ID)),
                      percent(share(logs, s -> s.way() == Way.INDEX)),
                      percent(share));
          if (share <= SCATTERED_WARNING) {
            return List.of(good(text));
          }
          String longer = text + ": " + listed(shown(logs.where(scattered)));
          String action = cure(logs.where(scattered).get(0));
          return List.of(share > SCATTERED_ERROR ? error(longer, action) : warning(longer, action));
        });
  }

  private static String cure(Statement statement) {
    Set<String> columns = statement.columns(ColumnRole.EQUALITY, ColumnRole.IN);
    return columns.isEmpty()
        ? "answer it by the gateway (docs/gateway.md), or bring the key"
        : "bring the key, or declare a lookup index on " + columns + " (docs/indexes.md)";
  }

  /** Each kind of statement has a way of its own, or a bound. */
  static List<Observation> inventory(Facts facts) {
    return facts.ofLogs(
        logs -> {
          List<Statement> lost =
              logs.where(s -> s.way() == Way.NONE && (s.isWrite() || !bounded(s)));
          int kinds = logs.statements().size();
          return List.of(
              lost.isEmpty()
                  ? good("each of %d kinds of statements has a way or a bound".formatted(kinds))
                  : warning(
                      "%d of %d kinds of statements have neither a way to their shard nor a bound:"
                              .formatted(lost.size(), kinds)
                          + " "
                          + listed(shown(lost)),
                      cure(lost.get(0))));
        });
  }

  private static boolean bounded(Statement statement) {
    return statement.isLimited() || statement.aggregates();
  }

  /** Transactions and writes: the statements that cannot do without the key. */
  static List<Observation> writesHaveKey(Facts facts) {
    return facts.ofLogs(
        logs -> {
          long writes = logs.executions(Statement::isWrite);
          if (writes == 0) {
            return List.of(missing("the logs have no writes", "give logs that have writes, too"));
          }
          Predicate<Statement> lost = s -> s.isWrite() && s.way() == Way.NONE;
          double share = (double) logs.executions(lost) / writes;
          String text = "%s of %d writes name no shard".formatted(percent(share), writes);
          if (share == 0) {
            return List.of(good(text));
          }
          String longer = text + ": " + listed(shown(logs.where(lost)));
          String action = cure(logs.where(lost).get(0));
          return List.of(
              share > SCATTERED_WRITES_ERROR ? error(longer, action) : warning(longer, action));
        });
  }

  static List<Observation> keyIsStable(Facts facts) {
    return facts.ofLogs(
        logs -> {
          List<Statement> changing =
              logs.where(
                  s ->
                      s.columns(ColumnRole.UPDATE_SET).stream()
                          .anyMatch(column -> isKey(facts.configuration(), s, column)));
          if (!changing.isEmpty()) {
            return List.of(
                error(
                    "the key is changed: " + listed(shown(changing)),
                    "shard by a column that stays, or delete and insert the row as two decisions"));
          }
          long updates = logs.executions(s -> s.has(ColumnRole.UPDATE_SET));
          return List.of(
              updates == 0
                  ? missing("the logs have no UPDATE", "give logs that have writes, too")
                  : good(
                      "none of %s sets a column of the key".formatted(count(updates, "update"))));
        });
  }

  private static boolean isKey(Configuration configuration, Statement statement, String column) {
    return statement.template().use().writes().stream()
        .flatMap(table -> Stream.ofNullable(tableOf(configuration, table)))
        .anyMatch(table -> table.key().stream().anyMatch(column::equalsIgnoreCase));
  }

  private static Configuration.Table tableOf(Configuration configuration, String name) {
    return configuration.groups().values().stream()
        .flatMap(group -> group.tables().values().stream())
        .filter(table -> table.name().equalsIgnoreCase(name))
        .findFirst()
        .orElse(null);
  }

  /** The most often fixed column of each group leads to its shards. */
  static List<Observation> mostFixedColumn(Facts facts) {
    return facts.ofLogs(
        logs -> {
          List<Observation> all = new ArrayList<>();
          for (Configuration.Group group : facts.configuration().groups().values()) {
            Map<String, Long> fixed = new HashMap<>();
            for (Statement statement : logs.where(s -> s.group().equals(group.name()))) {
              statement
                  .columns(ColumnRole.EQUALITY, ColumnRole.IN)
                  .forEach(column -> fixed.merge(column, statement.executions(), Long::sum));
            }
            fixed.entrySet().stream()
                .max(
                    Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey()))
                .ifPresent(most -> all.add(mostFixed(group, most.getKey(), fixed)));
          }
          return all.isEmpty()
              ? List.of(missing("no statement fixes a column", "give logs with reads"))
              : all;
        });
  }

  private static Observation mostFixed(
      Configuration.Group group, String column, Map<String, Long> fixed) {
    Set<String> known = new HashSet<>(group.key());
    group.tables().values().forEach(table -> known.addAll(table.key()));
    group.ids().forEach(id -> known.add(id.column()));
    group.indexes().values().forEach(index -> known.addAll(index.shardBy()));
    long keyed = group.key().stream().mapToLong(k -> fixed.getOrDefault(k, 0L)).min().orElse(0);
    String text =
        "group %s: most statements fix %s (%d), the key %s %d"
            .formatted(group.name(), column, fixed.get(column), group.key(), keyed);
    return known.stream().anyMatch(column::equalsIgnoreCase)
        ? good(text)
        : warning(
            text,
            "declare a lookup index on " + column + ", or compare keys with shardwright advise");
  }

  /** A statement alone decides its shard. */
  static List<Observation> oneShard(Facts facts) {
    return facts.ofLogs(
        logs -> {
          double share = share(logs, s -> s.way().isOneShard());
          String text = "%s of executions go to one shard by themselves".formatted(percent(share));
          return List.of(
              share >= 1 - SCATTERED_WARNING
                  ? good(text)
                  : share >= 1 - SCATTERED_ERROR
                      ? warning(text, "shardwright explain shows where a statement goes and why")
                      : error(text, "choose the key anew: shardwright advise LOG"));
        });
  }

  static List<Observation> wholeKey(Facts facts) {
    if (facts.configuration().groups().values().stream().allMatch(g -> g.key().size() == 1)) {
      return List.of(good("each key is one column"));
    }
    return facts.ofLogs(
        logs -> {
          double share = share(logs, s -> s.isPartial() && s.way() == Way.NONE);
          String text =
              "%s of executions fix some columns of the key, not all".formatted(percent(share));
          return List.of(
              share > PARTIAL_WARNING
                  ? warning(text, "shard by the columns that statements bring")
                  : good(text));
        });
  }

  static List<Observation> plainKey(Facts facts) {
    return facts.ofLogs(
        logs ->
            none(
                logs,
                s ->
                    s.way() == Way.NONE
                        && s.columns(ColumnRole.FILTER).stream()
                            .anyMatch(c -> isKeyOfGroup(facts.configuration(), s, c)),
                "hide the key in a function, a cast or an OR",
                "compare the bare column with a value: = or IN"));
  }

  private static boolean isKeyOfGroup(Configuration file, Statement statement, String column) {
    return file.groups().get(statement.group()).tables().values().stream()
        .anyMatch(table -> table.key().stream().anyMatch(column::equalsIgnoreCase));
  }

  static List<Observation> joins(Facts facts) {
    return facts.ofLogs(
        logs ->
            none(
                logs,
                s -> s.groups().size() > 1,
                "join tables of several groups",
                "put tables that are read together into one group, or copy what is shown"));
  }

  static List<Observation> localTransactions(Facts facts) {
    return facts.ofLogs(
        logs -> {
          List<Observation> all = new ArrayList<>();
          for (Group group : logs.groups()) {
            if (group.transactions() >= TRANSACTIONS_MIN) {
              double share = (double) group.local() / group.transactions();
              String text =
                  "%s of %s of group %s keep to one key"
                      .formatted(
                          percent(share), count(group.transactions(), "transaction"), group.name());
              all.add(
                  share >= LOCAL_MIN
                      ? good(text)
                      : warning(text, "give tables of one transaction the same key"));
            }
          }
          return all.isEmpty()
              ? List.of(
                  missing(
                      "the logs have no transactions of several statements",
                      "give a log with sessions, BEGIN and COMMIT"))
              : all;
        });
  }

  /** By what the logs insert and ask for. */
  static List<Observation> evenKeys(Facts facts) {
    return facts.ofLogs(
        logs -> {
          List<Observation> all = new ArrayList<>();
          for (Group group : logs.groups()) {
            Stream.of(group.inserted(), group.asked())
                .flatMap(Optional::stream)
                .filter(keys -> keys.evenness().isJudged())
                .forEach(keys -> all.add(even(group.name(), keys)));
          }
          return all.isEmpty()
              ? List.of(missing("the logs have too few keys to judge", "give longer logs"))
              : all;
        });
  }

  private static Observation even(String group, Keys keys) {
    Evenness evenness = keys.evenness();
    double limit =
        keys.leastMean() >= EVEN_VALUES_MIN
            ? EVEN
            : Math.max(EVEN, 1 + CHANCE / Math.sqrt(keys.leastMean()));
    String text =
        String.format(
            Locale.ROOT,
            "group %s, %s: fullest shard %.2f times the mean, hottest key %s of all",
            group,
            evenness.source(),
            keys.maxToMean(),
            percent(evenness.hottestShare()));
    String action = "shardwright advise LOG compares keys; a giant gets buckets of its own";
    boolean hot = evenness.rows().size() > 1 && evenness.hottestToMean() > HOTTEST_MAX;
    if (keys.maxToMean() > Math.max(UNEVEN, limit) || hot) {
      return error(text, action);
    }
    return keys.maxToMean() > limit ? warning(text, action) : good(text);
  }

  static List<Observation> hottestKey(Facts facts) {
    return facts.ofLogs(
        logs -> {
          List<Observation> all = new ArrayList<>();
          for (Group group : logs.groups()) {
            Stream.of(group.inserted(), group.asked())
                .flatMap(Optional::stream)
                .map(Keys::evenness)
                .filter(Evenness::isJudged)
                .forEach(
                    e ->
                        all.add(
                            e.rows().size() > 1 && e.hottestToMean() > HOTTEST_MAX
                                ? warning(
                                    "group %s, %s: %s has %s, half a shard or more"
                                        .formatted(
                                            group.name(),
                                            e.source(),
                                            e.hottestKey(),
                                            percent(e.hottestShare())),
                                    "give it buckets of its own: groups."
                                        + group.name()
                                        + ".directory")
                                : good(
                                    "group %s, %s: the hottest has %s"
                                        .formatted(
                                            group.name(), e.source(), percent(e.hottestShare())))));
          }
          return all.isEmpty()
              ? List.of(missing("the logs have too few keys to judge", "give longer logs"))
              : all;
        });
  }

  static List<Observation> unbounded(Facts facts) {
    return facts.ofLogs(
        logs ->
            none(
                logs,
                s -> s.isScatteredRead() && !bounded(s),
                "read all shards without LIMIT",
                "add ORDER BY and LIMIT, or let the gateway make an export"));
  }

  static List<Observation> offsets(Facts facts) {
    return facts.ofLogs(
        logs ->
            none(
                logs,
                s -> s.isSelect() && s.skips(),
                "skip rows by OFFSET",
                "continue behind the last row: WHERE (created_at, id) < (?, ?), as the gateway's"
                    + " cursors do"));
  }

  static List<Observation> tieBreaks(Facts facts) {
    return facts.ofLogs(
        logs ->
            none(
                logs,
                s ->
                    s.isSelect()
                        && s.isLimited()
                        && !s.columns(ColumnRole.ORDER).isEmpty()
                        && s.columns(ColumnRole.ORDER).stream()
                            .allMatch(column -> isTime(facts.configuration(), column)),
                "order a page by a time alone",
                "end the order with the id: ORDER BY created_at DESC, order_id DESC"));
  }

  private static boolean isTime(Configuration configuration, String column) {
    return TIME_NAME.matcher(column).matches()
        || configuration.query().stream()
            .flatMap(query -> query.tables().values().stream())
            .map(QueryTable::times)
            .anyMatch(times -> times.containsValue(column));
  }

  static List<Observation> changedAsCreated(Facts facts) {
    return facts.ofLogs(
        logs ->
            none(
                logs,
                s ->
                    s.aggregates()
                        && s.columns(ColumnRole.RANGE, ColumnRole.GROUP).stream()
                            .anyMatch(column -> CHANGE_NAME.matcher(column).matches()),
                "count or sum by the time of a change",
                "use the time of the event that is counted, e.g. created_at or paid_at"));
  }

  static List<Observation> closedRanges(Facts facts) {
    return facts.ofLogs(
        logs ->
            none(
                logs,
                s ->
                    CLOSED
                        .matcher(s.template().text())
                        .results()
                        .anyMatch(match -> isTime(facts.configuration(), match.group(1))),
                "ask for times with their end included",
                "write created_at >= ? AND created_at < ?"));
  }

  static List<Observation> exactCounts(Facts facts) {
    return facts.ofLogs(
        logs ->
            none(
                logs,
                s -> s.isScatteredRead() && s.countsAll(),
                "count the rows of all shards",
                "show no total, or one up to a bound: SELECT count(*) FROM (... LIMIT 10001) t"));
  }

  static List<Observation> figures(Facts facts) {
    return facts.ofLogs(
        logs ->
            none(
                logs,
                s -> s.isScatteredRead() && s.aggregates(),
                "ask all shards for figures",
                "keep figures in a table of their own, or in an analytic database"));
  }

  /** A log of a few hours is no business cycle. */
  static List<Observation> cycle(Facts facts) {
    return facts.ofLogs(
        logs -> {
          Optional<Duration> span = logs.span();
          if (span.isEmpty()) {
            return List.of(missing("the logs have no times", "give logs with times"));
          }
          long hours = span.get().toHours();
          return List.of(
              hours >= CYCLE_HOURS
                  ? good("the logs cover %d hours".formatted(hours))
                  : missing(
                      "the logs cover %d hours, less than a week".formatted(hours),
                      "give logs of a week with its peak"));
        });
  }
}
