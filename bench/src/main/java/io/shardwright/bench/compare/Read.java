package io.shardwright.bench.compare;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A SELECT of rows on several shards.
 *
 * @param merge what has to be done with the shards' answers where nothing does it for us
 * @param limit rows of the answer; 0: all
 * @param fetchSize 0: all rows of an answer at once
 * @param inTransaction false: in autocommit
 */
record Read(
    String sql,
    List<Object> parameters,
    Merge merge,
    int limit,
    int fetchSize,
    boolean inTransaction,
    Reader reader) {

  /** How answers of shards become one. */
  enum Merge {
    CONCATENATE,
    /** By the columns created_at (4) and order_id (1), descending. */
    NEWEST_FIRST,
    /** By the same columns, ascending. */
    OLDEST_FIRST,
    /** Column 1 is summed. */
    SUM,
    /** Columns 2 (long) and 3 (decimal) are summed by column 1. */
    SUM_BY_NAME
  }

  /** Takes what the application wants of a row. */
  interface Reader {
    void read(ResultSet row) throws SQLException;
  }

  Read {
    parameters = List.copyOf(parameters);
  }

  static Read of(String sql, Merge merge, int limit, Reader reader, Object... parameters) {
    return new Read(sql, List.of(parameters), merge, limit, 0, false, reader);
  }

  /** The same, streamed. */
  Read fetching(int rows, boolean transaction) {
    return new Read(sql, parameters, merge, limit, rows, transaction, reader);
  }
}
