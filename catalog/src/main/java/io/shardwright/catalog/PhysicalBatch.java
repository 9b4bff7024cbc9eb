package io.shardwright.catalog;

import java.sql.SQLException;
import java.sql.Statement;

/** Sends the batch of a physical statement. */
public final class PhysicalBatch {
  private static final String CONNECTION_FAILURE = "08006";

  private PhysicalBatch() {}

  /**
   * One count per entry. The PostgreSQL driver takes it for impossible that its connection breaks
   * during a batch, and throws an AssertionError then.
   */
  public static long[] execute(Statement statement) throws SQLException {
    try {
      return statement.executeLargeBatch();
    } catch (AssertionError e) {
      throw new SQLException("the connection broke during a batch", CONNECTION_FAILURE, e);
    }
  }
}
