package io.shardwright.bench.compare;

import java.sql.Connection;
import java.sql.SQLException;

/** How one side reaches the rows. Thread-safe. */
interface Opponent extends AutoCloseable {

  /** A connection on which the statements of one buyer can be sent. */
  Connection connection(long buyerId) throws SQLException;

  /** A connection on which the row can be read whose id carries its bucket. */
  Connection connectionOfId(long id) throws SQLException;

  /** True: the application computes bucket_id and inserts it. */
  boolean namesBuckets();

  /** Reads everything that is asked for; returns how many rows that were. */
  long read(Read read) throws SQLException;

  /** One row of each buyer, by an IN list; returns how many rows that were. */
  long readBuyers(long[] buyerIds) throws SQLException;

  /** Runs it once and returns the nanoseconds that count. */
  default long run(Workload.Operation operation, Turn turn) throws SQLException {
    long start = System.nanoTime();
    operation.run(this, turn);
    return System.nanoTime() - start;
  }

  @Override
  void close();
}
