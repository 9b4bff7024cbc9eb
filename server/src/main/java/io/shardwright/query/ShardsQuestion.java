package io.shardwright.query;

import io.shardwright.driver.Completeness;
import io.shardwright.driver.ScatterLimits;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.driver.ShardwrightSession;
import io.shardwright.query.QueryAnswer.Coverage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** What one request asks of the shards, within its time. For one thread; to be closed. */
final class ShardsQuestion implements AutoCloseable {
  private final Connection connection;
  private final ShardwrightSession session;
  private final long endNanos;

  /** What comes of a statement. */
  interface Reader<T> {
    T read(ResultSet rows) throws SQLException;
  }

  /**
   * @param endNanos when the time of the request is up, as {@link System#nanoTime} has it
   */
  ShardsQuestion(ShardwrightDataSource source, ScatterLimits limits, long endNanos)
      throws SQLException {
    this.connection = source.getConnection();
    this.session = connection.unwrap(ShardwrightSession.class);
    this.endNanos = endNanos;
    session.set("scatter", "allow");
    session.set("partial", "allow");
    session.scatterWithin(limits);
  }

  /** Shards that do not answer are missing from {@link #coverage}. */
  <T> T ask(String sql, List<Object> parameters, Reader<T> reader) throws SQLException {
    long left = Math.max(1, Duration.ofNanos(endNanos - System.nanoTime()).toMillis());
    session.set("timeout", left + "ms");
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.size(); i++) {
        statement.setObject(i + 1, parameters.get(i));
      }
      try (ResultSet rows = statement.executeQuery()) {
        return reader.read(rows);
      }
    }
  }

  static Coverage coverage(ResultSet rows) throws SQLException {
    Completeness made = rows.unwrap(Completeness.class);
    return new Coverage(
        made.expected(), made.missing(), made.elapsed(), made.retries(), made.mapVersion());
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
