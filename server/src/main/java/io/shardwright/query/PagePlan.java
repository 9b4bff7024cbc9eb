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
 * @param shape its form, by which its rate is limited; empty when it fixes the route key
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
    Optional<CountPlan> count,
    boolean lackingBefore) {
  PagePlan {
    parameters = List.copyOf(parameters);
    shown = List.copyOf(shown);
    keys = List.copyOf(keys);
  }

  /** A count of all rows of the query, whatever the page. */
  record CountPlan(Count count, String sql, List<Object> parameters) {}

  record Shown(String name, ColumnType type) {}

  /**
   * @param position in the statement's rows, from 1
   */
  record SortKey(
      String name, ColumnType type, boolean descending, boolean nullable, int position) {}

  record TimeColumn(String name, Purpose purpose) {}
}
