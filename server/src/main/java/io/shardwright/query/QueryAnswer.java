package io.shardwright.query;

import io.shardwright.config.QueryRules.Purpose;
import io.shardwright.query.QueryRequest.Consistency;
import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A page, and what it is made of.
 *
 * @param shape form of the query without values, for logs
 * @param columns names, in the order of the values in {@code rows}
 * @param rows values as JSON has them; null for NULL
 * @param truncated whether more rows follow
 * @param nextCursor of the page behind this one; empty: this is the last
 * @param precedingComplete whether all pages before this one were of all shards
 * @param count of all rows of the query; empty: not asked for
 * @param advice for a caller who asks often
 * @param time the column that the range is about, and what it says
 * @param settlement the number that the rows are of; empty: they are of none
 */
public record QueryAnswer(
    String queryId,
    String shape,
    List<String> columns,
    List<List<Object>> rows,
    boolean truncated,
    Optional<String> nextCursor,
    boolean precedingComplete,
    Optional<Counted> count,
    Optional<String> advice,
    Coverage coverage,
    Consistency consistency,
    Time time,
    Duration elapsed,
    Optional<Settlement.View> settlement) {
  public QueryAnswer {
    columns = List.copyOf(columns);
    rows = rows.stream().map(row -> Collections.unmodifiableList(new ArrayList<>(row))).toList();
  }

  /** Whether all shards answered. */
  public boolean isComplete() {
    return coverage.missing().isEmpty();
  }

  /**
   * @param value never more than {@code count.atLeast()} of a count that ends there: then there are
   *     at least so many. Of an estimate the databases' guess
   */
  public record Counted(Count count, long value) {
    /** Whether {@code value} is the number of rows. */
    public boolean isExact() {
      return count.kind() == Count.Kind.EXACT
          || (count.kind() == Count.Kind.AT_LEAST && value < count.atLeast());
    }
  }

  public record Time(String column, Purpose purpose) {}

  /**
   * Which shards the answer is made of.
   *
   * @param expected that may hold rows of it
   * @param missing those of them that did not answer, and why
   * @param elapsed until each shard had answered or was given up
   * @param retries questions that were asked a second time
   * @param mapVersion of the bucket map that routed it
   */
  public record Coverage(
      List<ShardId> expected,
      Map<ShardId, String> missing,
      Map<ShardId, Duration> elapsed,
      int retries,
      OptionalLong mapVersion) {
    public Coverage {
      expected = List.copyOf(expected);
      missing = Collections.unmodifiableMap(new TreeMap<>(missing));
      elapsed = Collections.unmodifiableMap(new TreeMap<>(elapsed));
    }

    /** Of both: what either lacks is missing. */
    Coverage with(Coverage other) {
      Map<ShardId, String> without = new TreeMap<>(other.missing);
      without.putAll(missing);
      Map<ShardId, Duration> times = new TreeMap<>(elapsed);
      other.elapsed.forEach((shard, time) -> times.merge(shard, time, Duration::plus));
      List<ShardId> all = new ArrayList<>(expected);
      other.expected.stream().filter(shard -> !all.contains(shard)).forEach(all::add);
      return new Coverage(all, without, times, retries + other.retries, mapVersion);
    }

    public List<ShardId> answered() {
      List<ShardId> answered = new ArrayList<>(expected);
      answered.removeAll(missing.keySet());
      return answered;
    }
  }
}
