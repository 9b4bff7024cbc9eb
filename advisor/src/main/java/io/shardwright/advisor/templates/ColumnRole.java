package io.shardwright.advisor.templates;

/** How a statement uses a column. */
public enum ColumnRole {
  /** Equal to one value that the statement brings, whatever else holds. */
  EQUALITY,
  /** Equal to one of several values: a list, {@code = ANY}, or alternatives of the same column. */
  IN,
  /** Between values, above or below one. */
  RANGE,
  /** Equal to a column of another table, or to what a query inside gives. */
  JOIN,
  ORDER,
  GROUP,
  /** Given a value by an INSERT. */
  INSERT,
  /** Changed by an UPDATE, or by an INSERT that meets a row. */
  UPDATE_SET,
  /** In a condition of another kind: LIKE, a function of it, {@code <>}, an alternative, NOT. */
  FILTER
}
