package io.shardwright.query;

import io.shardwright.config.QueryRules.Purpose;
import java.time.Duration;
import java.util.List;

/**
 * One page of one query as a statement of the logical database.
 *
 * @param shown the columns of the answer, which are the first of the rows
 * @param keys what the rows are ordered by; no two rows are equal in all of them
 * @param limit rows of the page; the statement asks for one more, to know whether that is all
 * @param fingerprint of the query, whatever its page
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
    boolean lackingBefore) {
  PagePlan {
    parameters = List.copyOf(parameters);
    shown = List.copyOf(shown);
    keys = List.copyOf(keys);
  }

  record Shown(String name, ColumnType type) {}

  /**
   * @param position in the statement's rows, from 1
   */
  record SortKey(
      String name, ColumnType type, boolean descending, boolean nullable, int position) {}

  record TimeColumn(String name, Purpose purpose) {}
}
