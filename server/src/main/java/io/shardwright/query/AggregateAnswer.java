package io.shardwright.query;

import io.shardwright.query.QueryAnswer.Coverage;
import io.shardwright.query.QueryRequest.Consistency;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Aggregates, and what they are made of.
 *
 * @param shape form of the query without values, for logs
 * @param groups those that have rows, by time and dimensions; without intervals and dimensions one,
 *     with rows or without
 * @param advice for a caller who asks often
 */
public record AggregateAnswer(
    String queryId,
    String shape,
    List<Group> groups,
    Optional<String> advice,
    Coverage coverage,
    Consistency consistency,
    QueryAnswer.Time time,
    Duration elapsed) {
  public AggregateAnswer {
    groups = List.copyOf(groups);
  }

  /** Whether all shards answered. */
  public boolean isComplete() {
    return coverage.missing().isEmpty();
  }

  /**
   * @param start of the interval, on the clocks of its zone; empty: there are no intervals. Rows
   *     before and behind the range of the query are not in it
   * @param dimensions by column, as JSON has them; null for NULL
   * @param values by the name of the measure: as JSON has them, null when there were none, an
   *     {@link Estimate} or {@link Percentile}s
   */
  public record Group(
      Optional<OffsetDateTime> start, Map<String, Object> dimensions, Map<String, Object> values) {
    public Group {
      dimensions = Collections.unmodifiableMap(new LinkedHashMap<>(dimensions));
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
  }

  /**
   * How many different values there are: between {@code lower} and {@code upper} with a probability
   * of {@code confidence}. Exact when all three are the same.
   */
  public record Estimate(double estimate, double lower, double upper, double confidence) {}

  /**
   * Percentiles of a column.
   *
   * @param rankError how far the place of a value may be from the one asked for, as a part of all
   *     rows, with a probability of {@code confidence}; 0: they are exact
   */
  public record Percentiles(List<Percentile> values, double rankError, double confidence) {
    public Percentiles {
      values = List.copyOf(new ArrayList<>(values));
    }
  }

  /**
   * @param value to which this part of all rows is not above
   * @param lower value at the place less the rank error
   * @param upper value at the place and the rank error
   */
  public record Percentile(double at, double value, double lower, double upper) {}
}
