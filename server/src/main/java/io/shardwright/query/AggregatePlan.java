package io.shardwright.query;

import io.shardwright.query.AggregateRequest.Measure;
import io.shardwright.query.PagePlan.TimeColumn;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Aggregates as statements of the logical database. Each row of both statements begins with the
 * number of the time slot, where there are slots, and the dimensions.
 *
 * @param exact counts, sums and the like of each combination; empty: none are asked for
 * @param values one row for each row of the table, for sketches; empty: none are asked for
 * @param parameters of either
 * @param parts what follows in rows of {@code exact}
 * @param outputs one for each measure of the request
 * @param groupsMax that the answer may have
 * @param rowsMax that {@code exact} may give; it asks for one more
 */
record AggregatePlan(
    Optional<String> exact,
    Optional<String> values,
    List<Object> parameters,
    Optional<TimeGrid> grid,
    List<Dimension> dimensions,
    List<Part> parts,
    List<Output> outputs,
    TimeColumn time,
    Duration timeout,
    IndexCheck index,
    String shape,
    boolean byKey,
    int groupsMax,
    long rowsMax) {

  record Dimension(String name, ColumnType type) {}

  /** How the same aggregate of two sets of rows becomes that of both. */
  enum PartKind {
    COUNT,
    SUM,
    MIN,
    MAX
  }

  /** An aggregate that is put together of those of parts. */
  record Part(PartKind kind, String sql, ColumnType type) {
    Object read(ResultSet rows, int column) throws SQLException {
      return switch (kind) {
        case COUNT -> rows.getLong(column);
        case SUM -> rows.getBigDecimal(column);
        case MIN, MAX -> type.read(rows, column);
      };
    }

    /**
     * @param one null: of no value
     */
    @SuppressWarnings("unchecked")
    Object merge(Object one, Object other) {
      if (one == null || other == null) {
        return one == null ? other : one;
      }
      return switch (kind) {
        case COUNT -> (Long) one + (Long) other;
        case SUM -> ((BigDecimal) one).add((BigDecimal) other);
        case MIN -> ((Comparable<Object>) one).compareTo(other) <= 0 ? one : other;
        case MAX -> ((Comparable<Object>) one).compareTo(other) >= 0 ? one : other;
      };
    }
  }

  /**
   * A measure of the request.
   *
   * @param type of its column; of rows that are counted: INTEGER
   * @param first index of its part, or of its value behind the dimensions in rows of {@code values}
   * @param second index of the part that an average is divided by; otherwise -1
   */
  record Output(Measure measure, ColumnType type, int first, int second) {}
}
