package io.shardwright.query;

import io.shardwright.query.AggregateAnswer.Estimate;
import io.shardwright.query.AggregateAnswer.Group;
import io.shardwright.query.AggregateAnswer.Percentile;
import io.shardwright.query.AggregateAnswer.Percentiles;
import io.shardwright.query.AggregatePlan.Dimension;
import io.shardwright.query.AggregatePlan.Output;
import io.shardwright.query.AggregatePlan.Part;
import io.shardwright.query.AggregateRequest.Function;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.kll.KllDoublesSketch;
import org.apache.datasketches.quantilescommon.QuantileSearchCriteria;

/** Puts aggregates of time slots together to those of intervals. Not thread-safe. */
final class Aggregation {
  /** Standard error 0.8%; 16 KiB when there are many values. */
  private static final int HLL_LOG_SIZE = 14;

  /** Rank error 0.7%; some 10 KiB. */
  private static final int KLL_SIZE = 400;

  /** Three standard deviations. */
  private static final int HLL_DEVIATIONS = 3;

  private static final double HLL_CONFIDENCE = 0.997;
  private static final double KLL_CONFIDENCE = 0.99;

  /** Digits of an average behind those of its column. */
  private static final int AVERAGE_DIGITS = 6;

  private static final Comparator<Object> NULL_FIRST = Comparator.nullsFirst(Aggregation::compare);

  private final AggregatePlan plan;
  private final Map<Key, State> groups = new TreeMap<>();

  /**
   * @param start null: there are no intervals
   */
  private record Key(ZonedDateTime start, List<Object> dimensions) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int order = NULL_FIRST.compare(start, other.start);
      for (int i = 0; order == 0 && i < dimensions.size(); i++) {
        order = NULL_FIRST.compare(dimensions.get(i), other.dimensions.get(i));
      }
      return order;
    }
  }

  private final class State {
    private final Object[] parts = new Object[plan.parts().size()];
    private final Object[] sketches = new Object[plan.outputs().size()];
  }

  Aggregation(AggregatePlan plan) {
    this.plan = plan;
  }

  @SuppressWarnings("unchecked")
  private static int compare(Object one, Object other) {
    return ((Comparable<Object>) one).compareTo(other);
  }

  /**
   * @param rows of {@link AggregatePlan#exact}
   */
  void addExact(ResultSet rows) throws SQLException {
    long count = 0;
    while (rows.next()) {
      count++;
      if (count > plan.rowsMax()) {
        throw tooMany();
      }
      State state = state(rows);
      for (int i = 0; i < plan.parts().size(); i++) {
        Part part = plan.parts().get(i);
        state.parts[i] = part.merge(state.parts[i], part.read(rows, behindKey() + i));
      }
    }
  }

  /**
   * @param rows of {@link AggregatePlan#values}
   */
  void addValues(ResultSet rows) throws SQLException {
    while (rows.next()) {
      State state = state(rows);
      for (int i = 0; i < plan.outputs().size(); i++) {
        Output output = plan.outputs().get(i);
        if (output.measure().function().isSketched()) {
          Object value = output.type().read(rows, behindKey() + output.first());
          state.sketches[i] = add(state.sketches[i], output, value);
        }
      }
    }
  }

  /** Those of the answer. */
  List<Group> groups() {
    if (plan.grid().isEmpty() && plan.dimensions().isEmpty()) {
      groups.computeIfAbsent(new Key(null, List.of()), unused -> new State());
    }
    return groups.entrySet().stream().map(e -> group(e.getKey(), e.getValue())).toList();
  }

  private int behindKey() {
    return plan.grid().map(grid -> 2).orElse(1) + plan.dimensions().size();
  }

  private State state(ResultSet rows) throws SQLException {
    int column = 1;
    ZonedDateTime start = null;
    if (plan.grid().isPresent()) {
      start = plan.grid().get().interval(rows.getLong(column++));
    }
    List<Object> dimensions = new ArrayList<>();
    for (Dimension dimension : plan.dimensions()) {
      dimensions.add(dimension.type().read(rows, column++));
    }
    State state = groups.computeIfAbsent(new Key(start, dimensions), unused -> new State());
    if (groups.size() > plan.groupsMax()) {
      throw tooMany();
    }
    return state;
  }

  private RequestRefusedException tooMany() {
    return new RequestRefusedException(
        List.of(
            new RequestProblem(
                plan.dimensions().isEmpty() ? "/by" : "/dimensions",
                "gives more than " + plan.groupsMax() + " groups",
                "ask for a shorter range, longer intervals or fewer dimensions")));
  }

  private static Object add(Object sketch, Output output, Object value) {
    if (output.measure().function() == Function.DISTINCT) {
      HllSketch seen =
          sketch == null ? new HllSketch(HLL_LOG_SIZE, TgtHllType.HLL_8) : (HllSketch) sketch;
      if (value instanceof Long number) {
        seen.update(number);
      } else if (value != null) {
        // An empty text would be passed over.
        seen.update('=' + output.type().show(value).toString());
      }
      return seen;
    }
    KllDoublesSketch places =
        sketch == null ? KllDoublesSketch.newHeapInstance(KLL_SIZE) : (KllDoublesSketch) sketch;
    if (value != null && !Double.isNaN(((Number) value).doubleValue())) {
      places.update(((Number) value).doubleValue());
    }
    return places;
  }

  private Group group(Key key, State state) {
    Map<String, Object> dimensions = new LinkedHashMap<>();
    for (int i = 0; i < plan.dimensions().size(); i++) {
      Dimension dimension = plan.dimensions().get(i);
      Object value = key.dimensions().get(i);
      dimensions.put(dimension.name(), value == null ? null : dimension.type().show(value));
    }
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < plan.outputs().size(); i++) {
      Output output = plan.outputs().get(i);
      values.put(output.measure().name(), value(output, state, state.sketches[i]));
    }
    return new Group(
        Optional.ofNullable(key.start()).map(ZonedDateTime::toOffsetDateTime), dimensions, values);
  }

  private static Object value(Output output, State state, Object sketch) {
    return switch (output.measure().function()) {
      case COUNT -> count(state.parts[output.first()]);
      case SUM -> sum(output.type(), (BigDecimal) state.parts[output.first()]);
      case MIN, MAX -> {
        Object value = state.parts[output.first()];
        yield value == null ? null : output.type().show(value);
      }
      case AVG -> {
        BigDecimal sum = (BigDecimal) state.parts[output.first()];
        yield sum == null
            ? null
            : sum.divide(
                    BigDecimal.valueOf((Long) state.parts[output.second()]),
                    Math.max(0, sum.scale()) + AVERAGE_DIGITS,
                    RoundingMode.HALF_EVEN)
                .toPlainString();
      }
      case DISTINCT -> distinct((HllSketch) sketch);
      case PERCENTILE -> percentiles((KllDoublesSketch) sketch, output.measure().at());
    };
  }

  private static Object count(Object part) {
    return ColumnType.INTEGER.show(part == null ? (Object) 0L : part);
  }

  /** Of whole numbers a whole number, which may be beyond 64 bits. */
  private static Object sum(ColumnType type, BigDecimal sum) {
    if (sum == null) {
      return null;
    }
    boolean whole = type == ColumnType.INTEGER && sum.precision() - sum.scale() <= 18;
    return whole ? ColumnType.INTEGER.show(sum.longValueExact()) : sum.toPlainString();
  }

  private static Estimate distinct(HllSketch seen) {
    if (seen == null || seen.isEmpty()) {
      return new Estimate(0, 0, 0, HLL_CONFIDENCE);
    }
    return new Estimate(
        seen.getEstimate(),
        seen.getLowerBound(HLL_DEVIATIONS),
        seen.getUpperBound(HLL_DEVIATIONS),
        HLL_CONFIDENCE);
  }

  private static Percentiles percentiles(KllDoublesSketch places, List<Double> at) {
    if (places == null || places.isEmpty()) {
      return new Percentiles(List.of(), 0, KLL_CONFIDENCE);
    }
    double error = places.isEstimationMode() ? places.getNormalizedRankError(false) : 0;
    List<Percentile> values = new ArrayList<>();
    for (double place : at) {
      values.add(
          new Percentile(
              place,
              quantile(places, place),
              quantile(places, Math.max(0, place - error)),
              quantile(places, Math.min(1, place + error))));
    }
    return new Percentiles(values, error, KLL_CONFIDENCE);
  }

  private static double quantile(KllDoublesSketch places, double at) {
    return places.getQuantile(at, QuantileSearchCriteria.INCLUSIVE);
  }
}
