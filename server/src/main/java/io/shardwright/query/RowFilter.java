package io.shardwright.query;

import io.shardwright.catalog.Database;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.config.QueryRules.Purpose;
import io.shardwright.config.QueryRules.QueryTable;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.PagePlan.TimeColumn;
import io.shardwright.query.QueryRequest.Condition;
import io.shardwright.query.QueryRequest.Test;
import io.shardwright.query.QueryRequest.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which rows of a table a request is about: a range of time, its conditions, and what the caller
 * may see, as a WHERE clause. Everything that the caller may name is looked up in the rules and in
 * the table, and values are parameters: no text of a request ever is part of a statement. For one
 * request.
 */
final class RowFilter {
  private static final int VALUES_MAX = 1_000;
  private static final int CONDITIONS_MAX = 50;

  /** What MariaDB keeps; beyond, it finds nothing and says nothing. */
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private final QueryTable allowed;
  private final TableShape table;
  private final Caller caller;
  private final DatabaseProduct product;
  private final Database database;
  private final RequestProblems problems;
  private final StringBuilder conditions = new StringBuilder();
  private final List<Object> parameters = new ArrayList<>();
  private final TimeRange range;
  private final List<Condition> where;
  private final Optional<TimeColumn> time;

  /**
   * @param group that the caller takes the table to be in
   * @param range null when it was wrong
   * @param problems hears of each mistake; while there are some, only {@link #time} is to be called
   */
  RowFilter(
      QueryTable allowed,
      TableShape table,
      DatabaseProduct product,
      Caller caller,
      RequestProblems problems,
      Optional<String> group,
      TimeRange range,
      List<Condition> where) {
    this.allowed = allowed;
    this.table = table;
    this.caller = caller;
    this.product = product;
    this.database = Database.of(product);
    this.problems = problems;
    this.range = range;
    this.where = where;
    checkTable();
    checkGroup(group);
    this.time = range == null ? Optional.empty() : time(range);
    where(where);
    bounds();
  }

  /** Without the word WHERE. */
  String sql() {
    return conditions.toString();
  }

  /** In the order of {@link #sql}. */
  List<Object> parameters() {
    return Collections.unmodifiableList(parameters);
  }

  /** Empty when it was wrong. */
  Optional<TimeColumn> time() {
    return time;
  }

  /** What was asked for, without what the caller may see. */
  Fingerprint addTo(Fingerprint print) {
    print.add(table.name()).add(time.orElseThrow().name());
    print.add(range.from()).add(range.to());
    for (Condition condition : where) {
      print.add(condition.column()).add(condition.test()).add(condition.values().size());
      ColumnType type = table.columns().get(condition.column()).type();
      for (Object value : condition.values()) {
        print.add(type.show(type.parameter(value).orElseThrow()));
      }
    }
    return print;
  }

  /** Without values. */
  String shape() {
    return table.name()
        + " by "
        + time.orElseThrow().name()
        + " where "
        + where.stream().map(c -> c.column() + " " + c.test().word()).sorted().distinct().toList();
  }

  /**
   * @param order first column that rows are ordered by
   */
  IndexCheck index(String order) {
    List<List<String>> few = new ArrayList<>(table.uniques());
    few.add(table.key());
    String range = time.orElseThrow().name();
    return new IndexCheck(table.name(), fixed(), range, order, few, allowed.id());
  }

  private void checkGroup(Optional<String> group) {
    group
        .filter(name -> !name.equals(table.group()))
        .ifPresent(
            name ->
                problems.add(
                    "/group",
                    "is '" + RequestFields.shortened(name) + "'",
                    "table " + table.name() + " is in group " + table.group()));
  }

  private void checkTable() {
    if (!caller.maySeeTable(table.name())) {
      problems.add(
          "/table",
          "is " + table.name() + ", which role " + caller.role().name() + " may not ask",
          "use one of " + String.join(", ", caller.role().tables()));
    }
  }

  /**
   * What the caller may see at all, whatever it asks for. No part of the query's fingerprint: they
   * are those of now on each page.
   */
  private void bounds() {
    for (Map<String, List<String>> bound : caller.bounds()) {
      for (Map.Entry<String, List<String>> rows : bound.entrySet()) {
        String column = rows.getKey();
        TableShape.Column found = table.columns().get(column);
        if (found == null || !found.type().isComparable()) {
          problems.add(
              "/table",
              "is "
                  + table.name()
                  + ", which has no column "
                  + column
                  + " that bounds what "
                  + caller.name()
                  + " may see",
              "ask another table");
          continue;
        }
        rows.getValue().forEach(value -> parameters.add(bound(column, found.type(), value)));
        String marks = String.join(", ", Collections.nCopies(rows.getValue().size(), "?"));
        condition(column, "IN (" + marks + ")");
      }
    }
  }

  private static Object bound(String column, ColumnType type, String value) {
    try {
      return type.ofShown(value);
    } catch (RuntimeException e) {
      throw new ShardwrightException(
          ErrorCode.CONFIGURATION_INVALID,
          "a where of query.roles or query.tokens has a value for "
              + column
              + " that is not "
              + type.form()
              + "; correct it",
          e);
    }
  }

  private Optional<TimeColumn> time(TimeRange range) {
    Optional<TimeColumn> time = timeColumn(range);
    Duration span =
        caller
            .role()
            .span()
            .filter(own -> own.compareTo(allowed.span()) < 0)
            .orElse(allowed.span());
    if (range.from().isBefore(FIRST) || range.to().isAfter(LAST)) {
      problems.add("/time", "is beyond the years 1 to 9999", "write " + FIRST + " to " + LAST);
      return Optional.empty();
    }
    if (!range.from().isBefore(range.to())) {
      problems.add("/time/to", "is not after from", "the range is from <= t < to: swap them");
    } else if (Duration.between(range.from(), range.to()).compareTo(span) > 0) {
      problems.add(
          "/time",
          "spans " + Duration.between(range.from(), range.to()),
          "ask for " + span + " at most, the span of the table or of the role");
    }
    time.ifPresent(
        column -> {
          ColumnType type = table.columns().get(column.name()).type();
          condition(column.name(), ">= ?");
          parameters.add(moment(type, range.from().atOffset(ZoneOffset.UTC)));
          condition(column.name(), "< ?");
          parameters.add(moment(type, range.to().atOffset(ZoneOffset.UTC)));
        });
    return time;
  }

  private static Object moment(ColumnType type, OffsetDateTime utc) {
    return type == ColumnType.INSTANT ? utc : utc.toLocalDateTime();
  }

  /** Different questions have different answers: purpose and column have to fit. */
  private Optional<TimeColumn> timeColumn(TimeRange range) {
    Optional<Purpose> purpose =
        range.column().isPresent() ? allowed.purposeOf(range.column().get()) : range.purpose();
    if (purpose.isEmpty()) {
      range
          .column()
          .ifPresent(
              column ->
                  problems.add(
                      "/time/column",
                      "is '"
                          + RequestFields.shortened(column)
                          + "', no time column of "
                          + table.name(),
                      "use one of " + times()));
      return Optional.empty();
    }
    String column = allowed.times().get(purpose.get());
    if (column == null) {
      problems.add(
          "/time/purpose",
          "is " + purpose.get().word() + ", which " + table.name() + " has no column for",
          "use one of " + times());
      return Optional.empty();
    }
    range
        .purpose()
        .filter(asked -> asked != purpose.get())
        .ifPresent(
            asked ->
                problems.add(
                    "/time",
                    "asks for "
                        + asked.word()
                        + " by "
                        + column
                        + ", which says when a row was "
                        + purpose.get().word()
                        + ": rows would be counted into other days",
                    Optional.ofNullable(allowed.times().get(asked))
                        .map(right -> "use " + right)
                        .orElse("use one of " + times())));
    return Optional.of(new TimeColumn(column, purpose.get()));
  }

  private String times() {
    return allowed.times().entrySet().stream()
        .map(entry -> entry.getValue() + " (" + entry.getKey().word() + ")")
        .collect(Collectors.joining(", "));
  }

  /** Whether the table has the column and the caller may name it. */
  boolean isAllowed(String column, Collection<String> names) {
    return names.contains(column)
        && table.columns().containsKey(column)
        && caller.maySeeColumn(column);
  }

  /** Those of the columns that the caller may name. */
  String names(Collection<String> columns) {
    return columns.stream().filter(caller::maySeeColumn).collect(Collectors.joining(", "));
  }

  static String unknown(String column) {
    return "is '" + RequestFields.shortened(column) + "'";
  }

  private void where(List<Condition> wanted) {
    if (wanted.size() > CONDITIONS_MAX) {
      problems.add(
          "/where", "has " + wanted.size() + " tests", "write " + CONDITIONS_MAX + " at most");
      return;
    }
    for (int i = 0; i < wanted.size(); i++) {
      Condition condition = wanted.get(i);
      String at = "/where/" + condition.column();
      if (!isAllowed(condition.column(), allowed.filters())) {
        problems.add(
            "/where",
            "has a condition on '" + RequestFields.shortened(condition.column()) + "'",
            allowed.filters().isEmpty()
                ? "table " + table.name() + " has no columns for conditions"
                : "use one of " + names(allowed.filters()));
        continue;
      }
      where(at, condition, table.columns().get(condition.column()).type());
    }
  }

  private void where(String at, Condition condition, ColumnType type) {
    Test test = condition.test();
    if (test == Test.NULL || test == Test.NOT_NULL) {
      condition(condition.column(), test.sql());
      return;
    }
    if (!type.isComparable()) {
      problems.add(at, "has a type that is not compared", "leave the condition out");
      return;
    }
    if (condition.values().size() > VALUES_MAX) {
      problems.add(at, "has more than " + VALUES_MAX + " values", "ask for some at a time");
      return;
    }
    for (Object value : condition.values()) {
      Optional<Object> parameter = type.parameter(value);
      if (parameter.isEmpty()) {
        problems.add(at + "/" + test.word(), "has a value that is not " + type.form(), "write one");
        return;
      }
      if (product == DatabaseProduct.MARIADB && !isKept(parameter.get())) {
        problems.add(
            at + "/" + test.word(), "is beyond the years 1 to 9999", "MariaDB keeps no others");
        return;
      }
      parameters.add(parameter.get());
    }
    String marks = String.join(", ", Collections.nCopies(condition.values().size(), "?"));
    condition(condition.column(), test.sql() + (test == Test.IN ? " (" + marks + ")" : " ?"));
  }

  private static boolean isKept(Object value) {
    return !(value instanceof Temporal time)
        || (time.get(ChronoField.YEAR) >= 1 && time.get(ChronoField.YEAR) <= 9_999);
  }

  private void condition(String column, String test) {
    conditions.append(conditions.isEmpty() ? "" : " AND ");
    conditions.append(table.sql(column, database)).append(' ').append(test);
  }

  /** Columns that are one of some values. */
  private Set<String> fixed() {
    Stream<String> bound = caller.bounds().stream().flatMap(rows -> rows.keySet().stream());
    Stream<String> asked =
        where.stream()
            .filter(condition -> condition.test() == Test.EQ || condition.test() == Test.IN)
            .map(Condition::column)
            .filter(column -> table.columns().get(column).lastFourOf().isEmpty());
    return Stream.concat(bound, asked).collect(Collectors.toUnmodifiableSet());
  }

  /** Whether one shard has all rows. */
  boolean fixesKey() {
    return table.key().stream()
        .allMatch(
            column ->
                where.stream().anyMatch(c -> c.column().equals(column) && c.test() == Test.EQ));
  }
}
