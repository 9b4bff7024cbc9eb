package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What the caller has set on a logical statement, to be set again on each physical one. */
final class StatementSettings {
  private final int type;
  private final boolean prepared;
  private GeneratedKeys keys;
  private int fetchSize;
  private long maxRows;
  private int queryTimeoutSeconds;
  private int maxFieldSize;
  private boolean escapeProcessing = true;
  private boolean part;

  /**
   * @param type of result sets: a constant of {@link java.sql.ResultSet}
   * @param prepared false for {@link Statement}s, whose text may go without parameters
   */
  StatementSettings(int type, boolean prepared) {
    this.type = type;
    this.prepared = prepared;
  }

  /** Of a part of a statement, whose rows this process gathers. */
  StatementSettings ofPart() {
    StatementSettings part = new StatementSettings(ResultSet.TYPE_FORWARD_ONLY, true);
    part.maxRows = CollectedRows.MAX_ROWS + 1L;
    part.queryTimeoutSeconds = queryTimeoutSeconds;
    part.escapeProcessing = escapeProcessing;
    part.part = true;
    return part;
  }

  /** Of a page, whose rows are counted before they are given: there are few. */
  StatementSettings ofPage() {
    StatementSettings page = new StatementSettings(ResultSet.TYPE_SCROLL_INSENSITIVE, prepared);
    page.maxRows = maxRows;
    page.queryTimeoutSeconds = queryTimeoutSeconds;
    page.maxFieldSize = maxFieldSize;
    page.escapeProcessing = escapeProcessing;
    return page;
  }

  /** True for a part of a statement, whose answer must be complete. */
  boolean isPart() {
    return part;
  }

  int type() {
    return type;
  }

  boolean prepared() {
    return prepared;
  }

  /** Null when the caller wants none. */
  GeneratedKeys keys() {
    return keys;
  }

  void keys(GeneratedKeys wanted) {
    keys = wanted;
  }

  /** Rows per round trip; 0: all at once. */
  int fetchSize() {
    return fetchSize;
  }

  void fetchSize(int rows) throws SQLException {
    fetchSize = (int) notNegative("fetch size", rows);
  }

  /** 0: no limit. */
  long maxRows() {
    return maxRows;
  }

  void maxRows(long rows) throws SQLException {
    maxRows = notNegative("max rows", rows);
  }

  /** 0: no limit. */
  int queryTimeoutSeconds() {
    return queryTimeoutSeconds;
  }

  void queryTimeoutSeconds(int seconds) throws SQLException {
    queryTimeoutSeconds = (int) notNegative("query timeout", seconds);
  }

  int maxFieldSize() {
    return maxFieldSize;
  }

  void maxFieldSize(int bytes) throws SQLException {
    maxFieldSize = (int) notNegative("max field size", bytes);
  }

  void escapeProcessing(boolean enabled) {
    escapeProcessing = enabled;
  }

  /**
   * All but rows and fetch size, which depend on how the answers are merged, and the query timeout,
   * which is for all of them together ({@link Deadline}).
   */
  void applyTo(Statement physical) throws SQLException {
    if (maxFieldSize > 0) {
      physical.setMaxFieldSize(maxFieldSize);
    }
    if (!escapeProcessing) {
      physical.setEscapeProcessing(false);
    }
  }

  private static long notNegative(String what, long value) throws SQLException {
    if (value < 0) {
      throw SqlErrors.of(
          ErrorCode.JDBC_CALL_INVALID, what + " " + value + ": use 0 (no limit) or more");
    }
    return value;
  }
}
