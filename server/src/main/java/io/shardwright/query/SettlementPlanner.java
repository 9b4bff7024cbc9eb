package io.shardwright.query;

import io.shardwright.config.QueryRules.QueryTable;
import io.shardwright.query.PagePlan.Shown;
import io.shardwright.query.PagePlan.SortKey;
import io.shardwright.query.PagePlan.TimeColumn;
import io.shardwright.query.QueryRequest.Condition;
import io.shardwright.query.QueryRequest.OnPartial;
import io.shardwright.query.QueryRequest.Order;
import io.shardwright.query.SettlementPlan.Content;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * From a request to a settlement. It is told from others by table, columns that identify rows, time
 * column, range, conditions in any order, and by what the caller may see: callers who see the same
 * rows share it, and may ask for different columns of it in either direction. For one request.
 */
final class SettlementPlanner {
  private final PagePlanner pages;
  private final QueryTable allowed;
  private final TableShape table;
  private final Caller caller;
  private final CursorCodec cursors;
  private final RequestProblems problems;

  SettlementPlanner(
      PagePlanner pages,
      QueryTable allowed,
      TableShape table,
      Caller caller,
      CursorCodec cursors,
      RequestProblems problems) {
    this.pages = pages;
    this.allowed = allowed;
    this.table = table;
    this.caller = caller;
    this.cursors = cursors;
    this.problems = problems;
  }

  /**
   * @throws RequestRefusedException SW801 with all mistakes, those that were found before included
   */
  SettlementPlan plan(QueryRequest request) {
    pages.checkPromises(request);
    RowFilter filter = pages.filter(request, sorted(request.where()));
    List<Shown> shown = pages.select(request.select(), filter, new LinkedHashMap<>());
    boolean descending = descending(request.order(), filter);
    filter.time().ifPresent(this::checkAssigned);
    if (request.onPartial() != OnPartial.FAIL) {
      problems.add(
          "/onPartial",
          "is " + request.onPartial().word() + ", and a settlement is of all shards or of none",
          "leave it out, or write fail");
    }
    pages.checkLimit(request.limit());
    SettlementChoice choice = request.settlement();
    if (request.cursor().isPresent() && !choice.equals(SettlementChoice.LAST)) {
      problems.add(
          "/settlement",
          "is there beside a cursor, which says which number it is of",
          "leave it out");
    }
    Duration timeout = pages.timeout(request);
    problems.throwIfAny();
    Content content = content(request, filter);
    long fingerprint =
        new Fingerprint().add("settlement").add(content.id()).add(descending).value();
    Optional<SettlementPlan.Page> page =
        request
            .cursor()
            .map(text -> cursors.decode(text, fingerprint).values())
            .map(
                values ->
                    new SettlementPlan.Page(
                        Long.parseLong(values.get(0)), Long.parseLong(values.get(1))));
    List<String> named = shown.stream().map(Shown::name).toList();
    List<Shown> identity =
        content.columns().stream()
            .filter(column -> allowed.id().contains(column.name()))
            .filter(column -> caller.maySeeColumn(column.name()))
            .filter(column -> !named.contains(column.name()))
            .toList();
    return new SettlementPlan(
        content,
        shown,
        identity,
        descending,
        request.limit(),
        timeout,
        page,
        fingerprint,
        content.columns().stream()
            .allMatch(column -> !column.masked() && caller.maySeeColumn(column.name())));
  }

  /** The same rows, in an order that does not depend on how they were asked for. */
  private static List<Condition> sorted(List<Condition> where) {
    return where.stream()
        .map(SettlementPlanner::sorted)
        .sorted(
            Comparator.comparing(Condition::column)
                .thenComparing(Condition::test)
                .thenComparing(condition -> condition.values().toString()))
        .toList();
  }

  private static Condition sorted(Condition condition) {
    return new Condition(
        condition.column(),
        condition.test(),
        condition.values().stream()
            .distinct()
            .sorted(Comparator.comparing(Object::toString))
            .toList());
  }

  private boolean descending(List<Order> order, RowFilter filter) {
    Optional<String> time = filter.time().map(TimeColumn::name);
    if (order.size() > 1
        || (order.size() == 1 && !time.equals(Optional.of(order.get(0).column())))) {
      problems.add(
          "/order",
          "is not by the time column alone, and a settlement is kept in that order",
          "leave it out, or write the time column with dir asc or desc");
    }
    return order.isEmpty() || order.get(0).descending();
  }

  /** Only such a column is bounded by the transactions in flight. */
  private void checkAssigned(TimeColumn time) {
    if (!allowed.assigned().contains(time.name())) {
      problems.add(
          "/time",
          "is by "
              + time.name()
              + ", which applications assign: rows with old values may come at any time, so that"
              + " there is nothing to wait for",
          allowed.assigned().isEmpty()
              ? "if the database assigns it in the transaction that writes the row, declare"
                  + " {column: "
                  + time.name()
                  + ", assigned: database} in query.tables."
                  + table.name()
                  + ".times; or ask with consistency shard-latest"
              : "use " + allowed.assigned().stream().sorted().collect(Collectors.joining(", ")));
    }
  }

  private Content content(QueryRequest request, RowFilter filter) {
    TimeColumn time = filter.time().orElseThrow();
    Map<String, Integer> positions = new LinkedHashMap<>();
    Stream.of(allowed.select(), allowed.id(), List.of(time.name()))
        .flatMap(List::stream)
        .forEach(column -> positions.putIfAbsent(column, positions.size() + 1));
    List<Shown> columns = new ArrayList<>();
    for (String column : positions.keySet()) {
      boolean masked = allowed.masked().contains(column) && !caller.role().unmasked();
      columns.add(new Shown(column, table.columns().get(column).type(), masked));
    }
    List<SortKey> keys = pages.keys(List.of(new Order(time.name(), false)), positions);
    return new Content(
        id(filter),
        table,
        time,
        request.time().from(),
        request.time().to(),
        pages.sql(positions.keySet(), filter.sql(), keys),
        filter.parameters(),
        columns,
        positions.get(TableShape.BUCKET),
        allowed.id(),
        filter.index(time.name()),
        filter.shape() + " settlement",
        filter.fixesKey());
  }

  private String id(RowFilter filter) {
    Fingerprint print = filter.addTo(new Fingerprint());
    allowed.id().forEach(print::add);
    List<String> bounds = new ArrayList<>();
    for (Map<String, List<String>> bound : caller.bounds()) {
      new TreeMap<>(bound)
          .forEach(
              (column, values) ->
                  bounds.add(
                      new Fingerprint()
                          .add(column)
                          .add(values.stream().distinct().sorted().toList())
                          .hex()));
    }
    print.add("bounds");
    bounds.stream().distinct().sorted().forEach(print::add);
    return print.hex();
  }
}
