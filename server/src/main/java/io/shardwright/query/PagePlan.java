package io.shardwright.query;

import io.shardwright.config.QueryRules.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One page of one query as a statement of the logical database.
 *
 * @param shown the columns of the answer, which are the first of the rows
 * @param keys what the rows are ordered by; no two rows are equal in all of them
 * @param limit rows of the page; the statement asks for one more, to know whether that is all
 * @param fingerprint of the query, whatever its page
 * @param late how to read wide columns of the page's rows alone; empty: there are none, or one
 *     shard has all rows
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
    boolean lackingBefore,
    Optional<LatePlan> late) {
  PagePlan {
    parameters = List.copyOf(parameters);
    shown = List.copyOf(shown);
    keys = List.copyOf(keys);
  }

  /**
   * Sort keys first, then the rows that have them.
   *
   * @param keysSql the page's statement, with the sort keys alone; it has the same parameters
   * @param select of the rows, without the condition for those of the page
   * @param parameters of {@code select}
   * @param places the columns that tell rows apart, as statements have them, and where each is
   *     among the sort keys
   */
  record LatePlan(
      String keysSql, String select, List<Object> parameters, Map<String, Integer> places) {
    LatePlan {
      places = Collections.unmodifiableMap(new LinkedHashMap<>(places));
    }

    /** It may find some rows more: each column is compared by itself, as indexes like it. */
    String rowsSql(int rows) {
      String marks = String.join(", ", Collections.nCopies(rows, "?"));
      StringBuilder sql = new StringBuilder(select);
      places.keySet().forEach(column -> sql.append(" AND " + column + " IN (" + marks + ")"));
      return sql.toString();
    }

    /**
     * @param keys of each row
     */
    List<Object> parameters(List<List<Object>> keys) {
      List<Object> all = new ArrayList<>(parameters);
      for (int place : places.values()) {
        keys.forEach(key -> all.add(key.get(place)));
      }
      return all;
    }
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
      return value == null ? null : mask(type.show(value));
    }

    /**
     * @param shown as {@link ColumnType#show} gives it
     */
    Object mask(Object shown) {
      if (shown == null || !masked) {
        return shown;
      }
      String text = shown.toString();
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
