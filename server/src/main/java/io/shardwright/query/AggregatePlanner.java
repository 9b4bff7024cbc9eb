package io.shardwright.query;

import io.shardwright.catalog.Database;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.config.QueryRules;
import io.shardwright.config.QueryRules.QueryTable;
import io.shardwright.query.AggregatePlan.Dimension;
import io.shardwright.query.AggregatePlan.Output;
import io.shardwright.query.AggregatePlan.Part;
import io.shardwright.query.AggregatePlan.PartKind;
import io.shardwright.query.AggregateRequest.Function;
import io.shardwright.query.AggregateRequest.Interval;
import io.shardwright.query.AggregateRequest.Measure;
import io.shardwright.query.PagePlan.TimeColumn;
import io.shardwright.query.QueryRequest.Consistency;
import io.shardwright.query.QueryRequest.OnPartial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * From a request for aggregates to statements, as {@link PagePlanner} does it for pages: all
 * mistakes are told at once. For one request.
 */
final class AggregatePlanner {
  /** In memory are the groups of each shard and those of the answer. */
  private static final int GROUPS_MAX = 10_000;

  /** A sketch has some ten thousand bytes. */
  private static final int SKETCHED_GROUPS_MAX = 1_000;

  private static final int MEASURES_MAX = 20;
  private static final int PLACES_MAX = 20;
  private static final int DIMENSIONS_MAX = 5;

  private static final Set<ColumnType> NUMBERS = EnumSet.of(ColumnType.INTEGER, ColumnType.DECIMAL);
  private static final Set<ColumnType> PLACED =
      EnumSet.of(ColumnType.INTEGER, ColumnType.DECIMAL, ColumnType.FLOAT);
  private static final Set<ColumnType> COMPARED =
      EnumSet.of(
          ColumnType.INTEGER,
          ColumnType.DECIMAL,
          ColumnType.DATE,
          ColumnType.INSTANT,
          ColumnType.UTC_TIME);

  /** Those whose equal values are written alike. */
  private static final Set<ColumnType> TOLD_APART =
      EnumSet.of(
          ColumnType.INTEGER,
          ColumnType.TEXT,
          ColumnType.BOOLEAN,
          ColumnType.DATE,
          ColumnType.INSTANT,
          ColumnType.UTC_TIME,
          ColumnType.UNIQUE_ID);

  private final QueryRules rules;
  private final QueryTable allowed;
  private final TableShape table;
  private final DatabaseProduct product;
  private final Database database;
  private final Caller caller;
  private final RequestProblems problems;
  private final List<Part> parts = new ArrayList<>();
  private final List<String> values = new ArrayList<>();

  AggregatePlanner(
      QueryRules rules,
      TableShape table,
      DatabaseProduct product,
      Caller caller,
      RequestProblems problems) {
    this.rules = rules;
    this.allowed = rules.tables().get(table.name());
    this.table = table;
    this.product = product;
    this.database = Database.of(product);
    this.caller = caller;
    this.problems = problems;
  }

  /**
   * @throws RequestRefusedException SW801 with all mistakes, those that were found before included
   */
  AggregatePlan plan(AggregateRequest request) {
    checkPromises(request);
    RowFilter filter =
        new RowFilter(
            allowed,
            table,
            product,
            caller,
            problems,
            request.group(),
            request.time(),
            request.where());
    List<Output> outputs = outputs(request.measures(), filter);
    List<Dimension> dimensions = dimensions(request.dimensions(), filter);
    Optional<TimeGrid> grid =
        filter.time().flatMap(unused -> request.by()).flatMap(by -> grid(by, request));
    filter
        .time()
        .map(TimeColumn::name)
        .filter(column -> request.by().isPresent() && !caller.maySeeColumn(column))
        .ifPresent(
            column ->
                problems.add(
                    "/by",
                    "tells of " + column + ", which role " + caller.role().name() + " may not see",
                    "leave it out"));
    Duration timeout = problems.timeout(request.timeout(), rules.limits().timeout());
    problems.throwIfAny();
    TimeColumn time = filter.time().orElseThrow();
    boolean sketched = !values.isEmpty();
    int groupsMax =
        Math.min(
            sketched ? SKETCHED_GROUPS_MAX : GROUPS_MAX,
            caller.role().rows().orElse(Integer.MAX_VALUE));
    long rowsMax = groupsMax * grid.map(TimeGrid::slotsOfInterval).orElse(1L);
    List<String> group = new ArrayList<>();
    grid.ifPresent(slots -> group.add(slots.sql(database.quote(time.name()))));
    dimensions.forEach(dimension -> group.add(table.sql(dimension.name(), database)));
    String from = " FROM " + database.quote(table.name()) + " WHERE " + filter.sql();
    return new AggregatePlan(
        parts.isEmpty() ? Optional.empty() : Optional.of(exact(group, from, rowsMax)),
        sketched ? Optional.of("SELECT " + list(group, values) + from) : Optional.empty(),
        filter.parameters(),
        grid,
        dimensions,
        List.copyOf(parts),
        outputs,
        time,
        timeout,
        filter.index(time.name()),
        shape(request, filter),
        filter.fixesKey(),
        groupsMax,
        rowsMax);
  }

  private String exact(List<String> group, String from, long rowsMax) {
    List<String> sums = parts.stream().map(Part::sql).toList();
    String select = "SELECT " + list(group, sums) + from;
    if (group.isEmpty()) {
      return select;
    }
    String by = String.join(", ", group);
    return select + " GROUP BY " + by + " LIMIT " + (rowsMax + 1);
  }

  private static String list(List<String> first, List<String> then) {
    List<String> all = new ArrayList<>(first);
    all.addAll(then);
    return String.join(", ", all);
  }

  private static String shape(AggregateRequest request, RowFilter filter) {
    return filter.shape()
        + " aggregate "
        + request.measures().stream().map(Measure::name).sorted().toList()
        + request.by().map(by -> " by " + by.unit().word()).orElse("")
        + (request.dimensions().isEmpty()
            ? ""
            : " for each " + request.dimensions().stream().sorted().toList());
  }

  private void checkPromises(AggregateRequest request) {
    if (request.consistency() != Consistency.SHARD_LATEST) {
      problems.add(
          "/consistency",
          "is " + request.consistency().word() + ", which aggregates do not have",
          "write " + Consistency.SHARD_LATEST.word());
    }
    if (request.onPartial() == OnPartial.ASYNC) {
      problems.add("/onPartial", "is async, which aggregates do not have", "write fail or partial");
    }
  }

  private Optional<TimeGrid> grid(Interval by, AggregateRequest request) {
    if (request.time() == null) {
      return Optional.empty();
    }
    Duration range = Duration.between(request.time().from(), request.time().to());
    if (range.dividedBy(by.unit().chrono().getDuration()) >= GROUPS_MAX) {
      problems.add(
          "/by/unit",
          "is " + by.unit().word() + ", which cuts the range into more than " + GROUPS_MAX,
          "use a longer one, or a shorter range");
      return Optional.empty();
    }
    Optional<TimeGrid> grid = TimeGrid.of(by, request.time(), product);
    if (grid.isEmpty()) {
      problems.add(
          "/by/zone",
          "is " + by.zone() + ", whose clocks differed from UTC by no whole minutes then",
          "use another zone, or UTC");
    }
    return grid;
  }

  private List<Dimension> dimensions(List<String> columns, RowFilter filter) {
    List<Dimension> dimensions = new ArrayList<>();
    if (columns.size() > DIMENSIONS_MAX) {
      problems.add("/dimensions", "has " + columns.size(), "write " + DIMENSIONS_MAX + " at most");
      return dimensions;
    }
    for (int i = 0; i < columns.size(); i++) {
      String column = columns.get(i);
      String at = "/dimensions/" + i;
      if (columns.subList(0, i).contains(column)) {
        problems.add(at, "is there twice", "keep one of them");
        continue;
      }
      type(at, column, filter, TOLD_APART, "whose equal values may be written in several ways")
          .ifPresent(type -> dimensions.add(new Dimension(column, type)));
    }
    return dimensions;
  }

  private List<Output> outputs(List<Measure> measures, RowFilter filter) {
    List<Output> outputs = new ArrayList<>();
    Set<String> names = new HashSet<>();
    if (measures.size() > MEASURES_MAX) {
      problems.add("/aggregates", "has " + measures.size(), "write " + MEASURES_MAX + " at most");
      return outputs;
    }
    for (int i = 0; i < measures.size(); i++) {
      Measure measure = measures.get(i);
      String at = "/aggregates/" + i;
      if (!names.add(measure.name())) {
        problems.add(at, "is there twice", "keep one of them");
      }
      checkPlaces(at, measure);
      output(at, measure, filter).ifPresent(outputs::add);
    }
    return outputs;
  }

  private void checkPlaces(String at, Measure measure) {
    boolean percentile = measure.function() == Function.PERCENTILE;
    if (!percentile && !measure.at().isEmpty()) {
      problems.add(at + "/at", "is only for percentile", "leave it out");
    }
    if (percentile && (measure.at().isEmpty() || measure.at().size() > PLACES_MAX)) {
      problems.add(
          at + "/at", "has " + measure.at().size() + " places", "write 1 to " + PLACES_MAX);
    }
    for (int i = 0; i < measure.at().size(); i++) {
      double place = measure.at().get(i);
      if (!(place > 0 && place <= 1)) {
        problems.add(at + "/at/" + i, "is " + place, "write a number above 0 and up to 1");
      }
    }
  }

  private Optional<Output> output(String at, Measure measure, RowFilter filter) {
    if (measure.column().isEmpty()) {
      if (measure.function() != Function.COUNT) {
        problems.add(at + "/column", "is missing", "only count does without: name a column");
        return Optional.empty();
      }
      int part = part(PartKind.COUNT, "count(*)", ColumnType.INTEGER);
      return Optional.of(new Output(measure, ColumnType.INTEGER, part, -1));
    }
    String column = measure.column().get();
    String quoted = table.columns().containsKey(column) ? table.sql(column, database) : "";
    Optional<ColumnType> found =
        type(
            at + "/column",
            column,
            filter,
            types(measure.function()),
            "whose type " + measure.function().word() + " is not made of");
    return found.map(
        type ->
            switch (measure.function()) {
              case COUNT -> new Output(measure, type, count(quoted), -1);
              case SUM -> new Output(measure, type, sum(quoted, type), -1);
              case MIN -> new Output(measure, type, part(PartKind.MIN, "min", quoted, type), -1);
              case MAX -> new Output(measure, type, part(PartKind.MAX, "max", quoted, type), -1);
              case AVG -> new Output(measure, type, sum(quoted, type), count(quoted));
              case DISTINCT, PERCENTILE -> new Output(measure, type, value(quoted), -1);
            });
  }

  private static Set<ColumnType> types(Function function) {
    return switch (function) {
      case COUNT -> EnumSet.allOf(ColumnType.class);
      case SUM, AVG -> NUMBERS;
      case MIN, MAX -> COMPARED;
      case DISTINCT -> TOLD_APART;
      case PERCENTILE -> PLACED;
    };
  }

  /** Of a column that the caller may see as it is. */
  private Optional<ColumnType> type(
      String at, String column, RowFilter filter, Set<ColumnType> types, String why) {
    if (!filter.isAllowed(column, allowed.select())) {
      problems.add(at, RowFilter.unknown(column), "use one of " + filter.names(allowed.select()));
      return Optional.empty();
    }
    if (allowed.masked().contains(column) && !caller.role().unmasked()) {
      problems.add(at, RowFilter.unknown(column) + ", which is masked", "leave it out");
      return Optional.empty();
    }
    TableShape.Column found = table.columns().get(column);
    boolean ordered = found.type() != ColumnType.TEXT || found.ordered();
    if (!types.contains(found.type()) || (types.equals(TOLD_APART) && !ordered)) {
      problems.add(
          at,
          RowFilter.unknown(column) + ", " + why,
          "use a column of "
              + types.stream().map(ColumnType::form).distinct().collect(Collectors.joining(", "))
              + (types.contains(ColumnType.TEXT) ? " of collation C" : ""));
      return Optional.empty();
    }
    return Optional.of(found.type());
  }

  private int count(String quoted) {
    return part(PartKind.COUNT, "count", quoted, ColumnType.INTEGER);
  }

  private int sum(String quoted, ColumnType type) {
    return part(PartKind.SUM, "sum", quoted, type);
  }

  private int part(PartKind kind, String function, String quoted, ColumnType type) {
    return part(kind, function + "(" + quoted + ")", type);
  }

  /** Two measures may need the same. */
  private int part(PartKind kind, String sql, ColumnType type) {
    Part part = new Part(kind, sql, type);
    if (!parts.contains(part)) {
      parts.add(part);
    }
    return parts.indexOf(part);
  }

  private int value(String quoted) {
    if (!values.contains(quoted)) {
      values.add(quoted);
    }
    return values.indexOf(quoted);
  }
}
