package io.shardwright.cli;

import io.shardwright.driver.StatementTrace;
import io.shardwright.sql.Plan;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;

/**
 * Where the results of statements go, one statement at a time: {@code begin}, then {@code sent} by
 * the driver, then {@code rows} or {@code count}. Not thread-safe.
 */
sealed interface SqlOutput extends AutoCloseable permits SqlText, SqlJson {
  void begin(Plan.Kind kind, Script.Statement statement) throws IOException;

  void sent(StatementTrace trace);

  /**
   * @param warnings null when there are none
   */
  void rows(ResultSet rows, SQLWarning warnings) throws SQLException, IOException;

  void count(long rows, SQLWarning warnings) throws IOException;

  /** True when the failure is part of the output now, so that nobody else needs to print it. */
  boolean failed(Failure failure) throws IOException;

  /** After the last statement, when none failed. */
  void end() throws IOException;

  @Override
  void close();
}
