package io.shardwright.query;

import io.shardwright.catalog.Database;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.config.QueryRules;
import io.shardwright.config.QueryRules.Purpose;
import io.shardwright.config.QueryRules.QueryTable;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.PagePlan.CountPlan;
import io.shardwright.query.PagePlan.Shown;
import io.shardwright.query.PagePlan.SortKey;
import io.shardwright.query.PagePlan.TimeColumn;
import io.shardwright.query.QueryRequest.Condition;
import io.shardwright.query.QueryRequest.Consistency;
import io.shardwright.query.QueryRequest.OnPartial;
import io.shardwright.query.QueryRequest.Order;
import io.shardwright.query.QueryRequest.Test;
import io.shardwright.query.QueryRequest.TimeRange;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * From a request to a statement. Everything that the caller may name is looked up in the rules and
 * in the table, and values are parameters: no text of a request ever is part of a statement. All
 * mistakes are told at once. For one request.
 */
final class PagePlanner {
  // Long because: each part of a request is checked beside what it becomes.

  private static final int VALUES_MAX = 1_000;
  private static final int CONDITIONS_MAX = 50;

  private final QueryRules rules;
  private final QueryTable allowed;
  private final TableShape table;
  private final DatabaseProduct product;
  private final CursorCodec cursors;
  private final Caller caller;
  private final Database database;
  private final RequestProblems problems;
  private final StringBuilder conditions = new StringBuilder();
  private final List<Object> parameters = new ArrayList<>();

  PagePlanner(
      QueryRules rules,
      TableShape table,
      DatabaseProduct product,
      CursorCodec cursors,
      Caller caller,
      RequestProblems problems) {
    this.caller = caller;
    this.product = product;
    this.cursors = cursors;
    this.rules = rules;
    this.allowed = rules.tables().get(table.name());
    this.table = table;
    this.database = Database.of(product);
    this.problems = problems;
  }

  /**
   * @throws RequestRefusedException SW801 with all mistakes, those that were found before included
   */
  PagePlan plan(QueryRequest request) {
    checkPromises(request);
    checkTable();
    request
        .group()
        .filter(group -> !group.equals(table.group()))
        .ifPresent(
            group ->
                problems.add(
                    "/group",
                    "is '" + RequestReader.shortened(group) + "'",
                    "table " + table.name() + " is in group " + table.group()));
    Optional<TimeColumn> time = request.time() == null ? Optional.empty() : time(request.time());
    Map<String, Integer> positions = new LinkedHashMap<>();
    List<Shown> shown = select(request.select(), positions);
    where(request.where());
    bounds();
    List<SortKey> keys = keys(order(request.order(), time), positions);
    checkLimit(request.limit());
    Duration timeout = timeout(request.timeout());
    problems.throwIfAny();
    long fingerprint = fingerprint(request, time.orElseThrow(), keys);
    Optional<Cursor> cursor = request.cursor().map(text -> cursors.decode(text, fingerprint));
    Optional<CountPlan> count = count(request.count());
    cursor.ifPresent(after -> conditions.append(" AND ").append(behind(after, keys)));
    return new PagePlan(
        table,
        sql(positions.keySet(), keys, request.limit() + 1),
        parameters,
        shown,
        keys,
        time.orElseThrow(),
        request.limit(),
        timeout,
        fingerprint,
        indexCheck(request, time.orElseThrow(), keys),
        shape(request, time.orElseThrow(), keys),
        fixesKey(request),
        count,
        cursor.filter(Cursor::lacking).isPresent());
  }

  /**
   * The conditions' parameters are those of the request, in their order, as the columns have them.
   */
  private long fingerprint(QueryRequest request, TimeColumn time, List<SortKey> keys) {
    Fingerprint print = new Fingerprint().add(table.name()).add(time.name());
    print.add(request.time().from()).add(request.time().to());
    for (Condition condition : request.where()) {
      print.add(condition.column()).add(condition.test()).add(condition.values().size());
      ColumnType type = table.columns().get(condition.column()).type();
      for (Object value : condition.values()) {
        print.add(type.show(type.parameter(value).orElseThrow()));
      }
    }
    print.add("order");
    for (SortKey key : keys) {
      print.add(key.name()).add(key.descending());
    }
    return print.value();
  }

  /** Before the conditions of the page are added. */
  private Optional<CountPlan> count(Count wanted) {
    String from = " FROM " + database.quote(table.name()) + " WHERE " + conditions;
    return switch (wanted.kind()) {
      case NONE -> Optional.empty();
      case EXACT ->
          Optional.of(new CountPlan(wanted, "SELECT count(*)" + from, List.copyOf(parameters)));
      case AT_LEAST ->
          Optional.of(
              new CountPlan(
                  wanted,
                  "SELECT " + TableShape.BUCKET + from + " LIMIT " + wanted.atLeast(),
                  List.copyOf(parameters)));
    };
  }

  private IndexCheck indexCheck(QueryRequest request, TimeColumn time, List<SortKey> keys) {
    List<List<String>> few = new ArrayList<>(table.uniques());
    few.add(table.key());
    return new IndexCheck(
        table.name(), fixed(request), time.name(), keys.get(0).name(), few, allowed.id());
  }

  private Set<String> fixed(QueryRequest request) {
    Stream<String> bound = caller.bounds().stream().flatMap(rows -> rows.keySet().stream());
    Stream<String> asked =
        request.where().stream()
            .filter(condition -> condition.test() == Test.EQ || condition.test() == Test.IN)
            .map(Condition::column);
    return Stream.concat(bound, asked).collect(Collectors.toUnmodifiableSet());
  }

  private boolean fixesKey(QueryRequest request) {
    return table.key().stream()
        .allMatch(
            column ->
                request.where().stream()
                    .anyMatch(c -> c.column().equals(column) && c.test() == Test.EQ));
  }

  private String shape(QueryRequest request, TimeColumn time, List<SortKey> keys) {
    return table.name()
        + " by "
        + time.name()
        + " where "
        + request.where().stream().map(c -> c.column() + " " + c.test().word()).sorted().toList()
        + " order "
        + keys.stream().map(key -> key.name() + (key.descending() ? " desc" : " asc")).toList();
  }

  private String behind(Cursor cursor, List<SortKey> keys) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      String text = cursor.values().get(i);
      values.add(text == null ? null : keys.get(i).type().ofShown(text));
    }
    return Keyset.after(product, keys, values, parameters);
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

  private void checkPromises(QueryRequest request) {
    switch (request.consistency()) {
      case SHARD_LATEST -> {}
      case WATERMARK ->
          problems.add(
              "/consistency", "is watermark", "it comes with projections: write shard-latest");
      case READ_YOUR_WRITES, SETTLEMENT ->
          problems.add(
              "/consistency",
              "is " + request.consistency().word() + ", which is not built yet",
              "write " + Consistency.SHARD_LATEST.word());
    }
    if (request.onPartial() == OnPartial.ASYNC) {
      problems.add("/onPartial", "is async, which is not built yet", "write fail or partial");
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

  private static Object moment(ColumnType type, java.time.OffsetDateTime utc) {
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
                          + RequestReader.shortened(column)
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

  private List<Shown> select(List<String> columns, Map<String, Integer> positions) {
    List<Shown> shown = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      String column = columns.get(i);
      String at = "/select/" + i;
      if (!isAllowed(column, allowed.select())) {
        problems.add(at, unknown(column), "use one of " + String.join(", ", allowed.select()));
      } else if (positions.putIfAbsent(column, positions.size() + 1) != null) {
        problems.add(at, "is there twice", "keep one of them");
      } else {
        boolean masked = allowed.masked().contains(column) && !caller.role().unmasked();
        shown.add(new Shown(column, table.columns().get(column).type(), masked));
      }
    }
    return shown;
  }

  private boolean isAllowed(String column, Collection<String> names) {
    return names.contains(column)
        && table.columns().containsKey(column)
        && caller.maySeeColumn(column);
  }

  private static String unknown(String column) {
    return "is '" + RequestReader.shortened(column) + "'";
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
            "has a condition on '" + RequestReader.shortened(condition.column()) + "'",
            allowed.filters().isEmpty()
                ? "table " + table.name() + " has no columns for conditions"
                : "use one of " + String.join(", ", allowed.filters()));
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
      parameters.add(parameter.get());
    }
    String marks = String.join(", ", Collections.nCopies(condition.values().size(), "?"));
    condition(condition.column(), test.sql() + (test == Test.IN ? " (" + marks + ")" : " ?"));
  }

  private void condition(String column, String test) {
    conditions.append(conditions.isEmpty() ? "" : " AND ");
    conditions.append(database.quote(column)).append(' ').append(test);
  }

  private List<Order> order(List<Order> wanted, Optional<TimeColumn> time) {
    List<Order> order = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      Order item = wanted.get(i);
      String at = "/order/" + i + "/column";
      boolean known =
          allowed.orders().contains(item.column())
              || allowed.times().containsValue(item.column())
              || allowed.id().contains(item.column());
      TableShape.Column column = table.columns().get(item.column());
      if (!known || column == null || !caller.maySeeColumn(item.column())) {
        problems.add(at, unknown(item.column()), "use one of " + orders());
      } else if (!column.type().isComparable() || !column.ordered()) {
        problems.add(
            at,
            unknown(item.column()) + ", whose values of several shards cannot be put in order",
            "use another column: a number, a time, or a text of collation C");
      } else if (order.stream().anyMatch(before -> before.column().equals(item.column()))) {
        problems.add(at, "is there twice", "keep one of them");
      } else {
        order.add(item);
      }
    }
    if (wanted.isEmpty()) {
      time.ifPresent(column -> order.add(new Order(column.name(), true)));
    }
    return order;
  }

  private String orders() {
    List<String> names = new ArrayList<>(allowed.times().values());
    names.addAll(allowed.orders());
    names.addAll(allowed.id());
    return names.stream().distinct().collect(Collectors.joining(", "));
  }

  /**
   * With the tie-breakers, in the direction of the last item. The columns stand behind those that
   * are shown, unless they are among them.
   */
  private List<SortKey> keys(List<Order> order, Map<String, Integer> positions) {
    List<Order> all = new ArrayList<>(order);
    boolean descending = !order.isEmpty() && order.get(order.size() - 1).descending();
    List<String> ties = new ArrayList<>(allowed.id());
    ties.add(TableShape.BUCKET);
    for (String tie : ties) {
      if (all.stream().noneMatch(item -> item.column().equals(tie))) {
        all.add(new Order(tie, descending));
      }
    }
    List<SortKey> keys = new ArrayList<>();
    for (Order item : all) {
      positions.putIfAbsent(item.column(), positions.size() + 1);
      TableShape.Column column = table.columns().get(item.column());
      keys.add(
          new SortKey(
              item.column(),
              column.type(),
              item.descending(),
              column.nullable(),
              positions.get(item.column())));
    }
    return keys;
  }

  private void checkLimit(int limit) {
    int most = Math.min(rules.limits().rows(), caller.role().rows().orElse(Integer.MAX_VALUE));
    if (limit < 1 || limit > most) {
      problems.add("/limit", "is " + limit, "write 1 to " + most + ", and read on by the cursor");
    }
  }

  private Duration timeout(Optional<Duration> wanted) {
    Duration most = rules.limits().timeout();
    wanted
        .filter(time -> time.compareTo(most) > 0 || time.isZero() || time.isNegative())
        .ifPresent(
            time ->
                problems.add(
                    "/timeoutMs",
                    "is " + time.toMillis(),
                    "write 1 to " + most.toMillis() + " (query.timeout)"));
    return wanted.orElse(most);
  }

  private String sql(Collection<String> columns, List<SortKey> keys, int rows) {
    return "SELECT "
        + columns.stream().map(database::quote).collect(Collectors.joining(", "))
        + " FROM "
        + database.quote(table.name())
        + " WHERE "
        + conditions
        + " ORDER BY "
        + keys.stream()
            .map(key -> database.quote(key.name()) + (key.descending() ? " DESC" : " ASC"))
            .collect(Collectors.joining(", "))
        + " LIMIT "
        + rows;
  }
}
