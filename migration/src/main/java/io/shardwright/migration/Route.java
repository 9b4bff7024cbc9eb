package io.shardwright.migration;

import java.util.List;

/**
 * The way of rows: from where to where, of which tables.
 *
 * @param tables parents before children
 * @param token of the worker
 */
record Route(
    String group,
    MoverConnection source,
    MoverConnection target,
    List<MovedTable> tables,
    long token) {
  Route {
    tables = List.copyOf(tables);
  }

  /** The way back. */
  Route back() {
    return new Route(group, /* source= */ target, /* target= */ source, tables, token);
  }
}
