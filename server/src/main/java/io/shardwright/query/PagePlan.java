package io.shardwright.query;

import io.shardwright.config.QueryRules.Purpose;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One page of one query as a statement of the logical database.
 *
 * @param shown the columns of the answer, which are the first of the rows
 * @param keys what the rows are ordered by; no two rows are equal in all of them
 * @param limit rows of the page; the statement asks for one more, to know whether that is all
 * @param fingerprint of the query, whatever its page
 * @param shape its form, without values
 * @param byKey whether it fixes the route key, so that one shard answers
 * @param lackingBefore whether shards were missing from a page before this one
 */
record PagePlan(
    TableShape table,
    String sql,
    List<Object> parameters,
    List<Shown> shown,
    List<SortKey> keys,
    TimeColumn time,
    int limit,
    Duration timeout,
    long fingerprint,
    IndexCheck index,
    String shape,
    boolean byKey,
    Optional<CountPlan> count,
    boolean lackingBefore) {
  PagePlan {
    parameters = List.copyOf(parameters);
    shown = List.copyOf(shown);
    keys = List.copyOf(keys);
  }

  /** A count of all rows of the query, whatever the page. */
  record CountPlan(Count count, String sql, List<Object> parameters) {}

  /**
   * @param masked whether only the last four characters are shown
   */
  record Shown(String name, ColumnType type, boolean masked) {
    private static final int SHOWN_CHARS = 4;

    /** As the answer has it; null stays null. */
    Object show(Object value) {
      if (value == null || !masked) {
        return value == null ? null : type.show(value);
      }
      String text = type.show(value).toString();
      // A short one would be shown as a whole.
      return text.length() < 2 * SHOWN_CHARS
          ? "****"
          : "****" + text.substring(text.length() - SHOWN_CHARS);
    }
  }

  /**
   * @param position in the statement's rows, from 1
   */
  record SortKey(
      String name, ColumnType type, boolean descending, boolean nullable, int position) {}

  record TimeColumn(String name, Purpose purpose) {}
}
