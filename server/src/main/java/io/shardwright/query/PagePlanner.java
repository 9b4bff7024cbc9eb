package io.shardwright.query;

import io.shardwright.catalog.Database;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.config.QueryRules;
import io.shardwright.config.QueryRules.QueryTable;
import io.shardwright.query.PagePlan.CountPlan;
import io.shardwright.query.PagePlan.LatePlan;
import io.shardwright.query.PagePlan.Shown;
import io.shardwright.query.PagePlan.SortKey;
import io.shardwright.query.QueryRequest.Condition;
import io.shardwright.query.QueryRequest.Consistency;
import io.shardwright.query.QueryRequest.OnPartial;
import io.shardwright.query.QueryRequest.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * From a request to a statement. Everything that the caller may name is looked up in the rules and
 * in the table, and values are parameters: no text of a request ever is part of a statement. All
 * mistakes are told at once. For one request.
 */
final class PagePlanner {
  /**
   * Each row of a page is looked up by its columns' lists: beyond, that takes longer than it saves.
   */
  private static final int LATE_MAX = 200;

  private final QueryRules rules;
  private final QueryTable allowed;
  private final TableShape table;
  private final DatabaseProduct product;
  private final CursorCodec cursors;
  private final Caller caller;
  private final Database database;
  private final RequestProblems problems;

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
    RowFilter filter = filter(request, request.where());
    Map<String, Integer> positions = new LinkedHashMap<>();
    List<Shown> shown = select(request.select(), filter, positions);
    List<SortKey> keys = keys(order(request.order(), filter), positions);
    checkLimit(request.limit());
    Duration timeout = timeout(request);
    problems.throwIfAny();
    long fingerprint = fingerprint(filter, keys);
    Optional<Cursor> cursor = request.cursor().map(text -> cursors.decode(text, fingerprint));
    List<Object> parameters = new ArrayList<>(filter.parameters());
    String behind = cursor.map(after -> " AND " + behind(after, keys, parameters)).orElse("");
    String page = " WHERE " + filter.sql() + behind + end(keys, request.limit() + 1);
    return new PagePlan(
        table,
        select(positions.keySet()) + page,
        parameters,
        shown,
        keys,
        filter.time().orElseThrow(),
        request.limit(),
        timeout,
        fingerprint,
        filter.index(keys.get(0).name()),
        filter.shape() + " order " + keys.stream().map(PagePlanner::word).toList(),
        filter.fixesKey(),
        count(request.count(), filter),
        cursor.filter(Cursor::lacking).isPresent(),
        late(request.limit(), shown, positions.keySet(), filter, keys, page));
  }

  private Optional<LatePlan> late(
      int limit,
      List<Shown> shown,
      Collection<String> columns,
      RowFilter filter,
      List<SortKey> keys,
      String page) {
    if (limit > LATE_MAX
        || filter.fixesKey()
        || shown.stream().noneMatch(c -> allowed.wide().contains(c.name()))) {
      return Optional.empty();
    }
    List<String> names = keys.stream().map(SortKey::name).toList();
    Map<String, Integer> places = new LinkedHashMap<>();
    for (String column : allowed.id()) {
      places.put(database.quote(column), names.indexOf(column));
    }
    places.put(database.quote(TableShape.BUCKET), names.indexOf(TableShape.BUCKET));
    return Optional.of(
        new LatePlan(
            select(names) + page,
            select(columns) + " WHERE " + filter.sql(),
            filter.parameters(),
            places));
  }

  Duration timeout(QueryRequest request) {
    return problems.timeout(request.timeout(), rules.limits().timeout());
  }

  RowFilter filter(QueryRequest request, List<Condition> where) {
    return new RowFilter(
        allowed, table, product, caller, problems, request.group(), request.time(), where);
  }

  private static long fingerprint(RowFilter filter, List<SortKey> keys) {
    Fingerprint print = filter.addTo(new Fingerprint()).add("order");
    for (SortKey key : keys) {
      print.add(key.name()).add(key.descending());
    }
    return print.value();
  }

  private static String word(SortKey key) {
    return key.name() + (key.descending() ? " desc" : " asc");
  }

  private Optional<CountPlan> count(Count wanted, RowFilter filter) {
    String from = " FROM " + database.quote(table.name()) + " WHERE " + filter.sql();
    List<Object> parameters = filter.parameters();
    return switch (wanted.kind()) {
      case NONE -> Optional.empty();
      case EXACT -> Optional.of(new CountPlan(wanted, "SELECT count(*)" + from, parameters));
      case ESTIMATE ->
          Optional.of(new CountPlan(wanted, "SELECT " + TableShape.BUCKET + from, parameters));
      case AT_LEAST ->
          Optional.of(
              new CountPlan(
                  wanted,
                  "SELECT " + TableShape.BUCKET + from + " LIMIT " + wanted.atLeast(),
                  parameters));
    };
  }

  private String behind(Cursor cursor, List<SortKey> keys, List<Object> parameters) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      String text = cursor.values().get(i);
      values.add(text == null ? null : keys.get(i).type().ofShown(text));
    }
    return Keyset.after(product, keys, values, parameters);
  }

  void checkPromises(QueryRequest request) {
    switch (request.consistency()) {
      case SHARD_LATEST, READ_YOUR_WRITES, SETTLEMENT -> {}
      case WATERMARK ->
          problems.add(
              "/consistency", "is watermark", "it comes with projections: write shard-latest");
    }
    boolean reads = request.consistency() == Consistency.READ_YOUR_WRITES;
    if (reads != request.writeToken().isPresent()) {
      problems.add(
          "/writeToken",
          reads ? "is missing" : "is there without that consistency",
          reads
              ? "give the token that the write returned"
              : "write \"consistency\": \"" + Consistency.READ_YOUR_WRITES.word() + "\"");
    }
    if (request.onPartial() == OnPartial.ASYNC && rules.directory().isEmpty()) {
      problems.add(
          "/onPartial",
          "is async, and query.directory, where such queries are kept, is missing in the file",
          "write fail or partial, or have directory: /var/lib/shardwright written in it");
    }
  }

  List<Shown> select(List<String> columns, RowFilter filter, Map<String, Integer> positions) {
    List<Shown> shown = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      String column = columns.get(i);
      String at = "/select/" + i;
      if (!filter.isAllowed(column, allowed.select())) {
        problems.add(at, RowFilter.unknown(column), "use one of " + filter.names(allowed.select()));
      } else if (positions.putIfAbsent(column, positions.size() + 1) != null) {
        problems.add(at, "is there twice", "keep one of them");
      } else {
        boolean masked = allowed.masked().contains(column) && !caller.role().unmasked();
        shown.add(new Shown(column, table.columns().get(column).type(), masked));
      }
    }
    return shown;
  }

  private List<Order> order(List<Order> wanted, RowFilter filter) {
    List<Order> order = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      Order item = wanted.get(i);
      String at = "/order/" + i + "/column";
      boolean known =
          allowed.orders().contains(item.column())
              || allowed.times().containsValue(item.column())
              || allowed.id().contains(item.column());
      TableShape.Column column = table.columns().get(item.column());
      if (!known || column == null || !mayOrderBy(item.column(), filter)) {
        problems.add(at, RowFilter.unknown(item.column()), "use one of " + orders());
      } else if (!column.type().isComparable() || !column.ordered()) {
        problems.add(
            at,
            RowFilter.unknown(item.column())
                + ", whose values of several shards cannot be put in order",
            "use another column: a number, a time, or a text of collation C");
      } else if (order.stream().anyMatch(before -> before.column().equals(item.column()))) {
        problems.add(at, "is there twice", "keep one of them");
      } else {
        order.add(item);
      }
    }
    if (wanted.isEmpty()) {
      filter.time().ifPresent(column -> order.add(new Order(column.name(), true)));
    }
    return order;
  }

  /** The column of the range orders without being named, too. */
  private boolean mayOrderBy(String column, RowFilter filter) {
    return caller.maySeeColumn(column)
        || filter.time().filter(time -> time.name().equals(column)).isPresent();
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
  List<SortKey> keys(List<Order> order, Map<String, Integer> positions) {
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

  void checkLimit(int limit) {
    int most = Math.min(rules.limits().rows(), caller.role().rows().orElse(Integer.MAX_VALUE));
    if (limit < 1 || limit > most) {
      problems.add("/limit", "is " + limit, "write 1 to " + most + ", and read on by the cursor");
    }
  }

  String sql(Collection<String> columns, String conditions, List<SortKey> keys) {
    return select(columns) + " WHERE " + conditions + by(keys);
  }

  private String select(Collection<String> columns) {
    return "SELECT "
        + columns.stream()
            .map(column -> table.sql(column, database))
            .collect(Collectors.joining(", "))
        + " FROM "
        + database.quote(table.name());
  }

  private String end(List<SortKey> keys, int rows) {
    return by(keys) + " LIMIT " + rows;
  }

  private String by(List<SortKey> keys) {
    return " ORDER BY "
        + keys.stream()
            .map(key -> database.quote(key.name()) + (key.descending() ? " DESC" : " ASC"))
            .collect(Collectors.joining(", "));
  }
}
