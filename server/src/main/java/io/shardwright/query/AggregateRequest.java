package io.shardwright.query;

import io.shardwright.query.QueryRequest.Condition;
import io.shardwright.query.QueryRequest.Consistency;
import io.shardwright.query.QueryRequest.OnPartial;
import io.shardwright.query.QueryRequest.TimeRange;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A question for counts, sums and the like over rows of all shards, as docs/gateway.md describes
 * it. What is wrong with it is told by {@link QueryGateway#aggregate}.
 *
 * @param group of the table; empty: whichever it is in
 * @param by intervals of time that are told apart; empty: the whole range is one
 * @param dimensions columns whose values are told apart
 * @param timeout empty: that of the file
 */
public record AggregateRequest(
    Optional<String> group,
    String table,
    TimeRange time,
    List<Condition> where,
    List<Measure> measures,
    Optional<Interval> by,
    List<String> dimensions,
    Consistency consistency,
    OnPartial onPartial,
    Optional<Duration> timeout) {
  public AggregateRequest {
    where = List.copyOf(where);
    measures = List.copyOf(measures);
    dimensions = List.copyOf(dimensions);
  }

  /** Over the rows of a table in a range of time, as one group. */
  public static AggregateRequest of(String table, TimeRange time, Measure... measures) {
    return new AggregateRequest(
        Optional.empty(),
        table,
        time,
        List.of(),
        List.of(measures),
        Optional.empty(),
        List.of(),
        Consistency.SHARD_LATEST,
        OnPartial.FAIL,
        Optional.empty());
  }

  public AggregateRequest where(Condition... conditions) {
    return new AggregateRequest(
        group,
        table,
        time,
        List.of(conditions),
        measures,
        by,
        dimensions,
        consistency,
        onPartial,
        timeout);
  }

  /** A group for each interval that has rows. */
  public AggregateRequest by(Unit unit, ZoneId zone) {
    return new AggregateRequest(
        group,
        table,
        time,
        where,
        measures,
        Optional.of(new Interval(unit, zone)),
        dimensions,
        consistency,
        onPartial,
        timeout);
  }

  /** A group for each combination of values. */
  public AggregateRequest dimensions(String... columns) {
    return new AggregateRequest(
        group, table, time, where, measures, by, List.of(columns), consistency, onPartial, timeout);
  }

  /** How long an interval is. */
  public enum Unit {
    MINUTE(ChronoUnit.MINUTES),
    HOUR(ChronoUnit.HOURS),
    /** From midnight to midnight: 23 or 25 hours when the clock is changed. */
    DAY(ChronoUnit.DAYS);

    private final ChronoUnit unit;

    Unit(ChronoUnit unit) {
      this.unit = unit;
    }

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    ChronoUnit chrono() {
      return unit;
    }
  }

  /**
   * @param zone whose clocks say where intervals begin
   */
  public record Interval(Unit unit, ZoneId zone) {}

  /** What is made of the values of a column; NULL is passed over. */
  public enum Function {
    COUNT,
    SUM,
    MIN,
    MAX,
    AVG,
    /** How many different values, estimated. */
    DISTINCT,
    /** Values that stand at given places when all are in order, estimated. */
    PERCENTILE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a sketch of the values is made, since no database gives parts that can be added. */
    boolean isSketched() {
      return this == DISTINCT || this == PERCENTILE;
    }
  }

  /**
   * @param column empty: rows are counted
   * @param at places of {@link Function#PERCENTILE}, each above 0 and up to 1
   */
  public record Measure(Function function, Optional<String> column, List<Double> at) {
    public Measure {
      at = List.copyOf(at);
    }

    public static Measure rows() {
      return new Measure(Function.COUNT, Optional.empty(), List.of());
    }

    /** Not for percentiles. */
    public static Measure of(Function function, String column) {
      return new Measure(function, Optional.of(column), List.of());
    }

    public static Measure percentiles(String column, Double... at) {
      return new Measure(Function.PERCENTILE, Optional.of(column), List.of(at));
    }

    /** Under which the answer has it, such as {@code sum_amount_cent}. */
    public String name() {
      return function.word() + column.map(of -> "_" + of).orElse("");
    }
  }
}
