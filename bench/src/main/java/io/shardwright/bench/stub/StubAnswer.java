package io.shardwright.bench.stub;

import java.util.List;

/**
 * What one execution of a statement returns.
 *
 * @param results the result sets in order; empty: an update count of 1
 */
record StubAnswer(List<Rows> results) {
  static final StubAnswer ONE_ROW_CHANGED = new StubAnswer(List.of());

  StubAnswer {
    results = List.copyOf(results);
  }

  /** A result set as values that the JDBC getters convert; null is SQL NULL. */
  record Rows(List<String> columns, List<Type> types, List<List<Object>> rows) {
    Rows {
      columns = List.copyOf(columns);
      rows = List.copyOf(rows);
    }
  }

  /** Of a column. */
  record Type(int number, String name, boolean isAutoIncrement) {}
}
