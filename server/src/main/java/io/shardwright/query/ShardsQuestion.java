package io.shardwright.query;

import io.shardwright.driver.Completeness;
import io.shardwright.driver.ScatterLimits;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.driver.ShardwrightSession;
import io.shardwright.query.QueryAnswer.Coverage;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What one request asks of the shards, within its time. For one thread; to be closed. */
final class ShardsQuestion implements AutoCloseable {
  private static final int STREAM_ROWS = 1_000;

  private final Connection connection;
  private final ShardwrightSession session;
  private final long endNanos;
  private int statementsLeft;

  /** Shards that a statement before lacked, and why; the next does not wait for them again. */
  private final Map<ShardId, String> missed = new ConcurrentHashMap<>();

  /** What comes of a statement. */
  interface Reader<T> {
    T read(ResultSet rows) throws SQLException;
  }

  /**
   * @param statements that are to come; each may take its part of the time that is left, so that
   *     one shard which is silent leaves time for the others
   * @param endNanos when the time of the request is up, as {@link System#nanoTime} has it
   */
  ShardsQuestion(ShardwrightDataSource source, ScatterLimits limits, int statements, long endNanos)
      throws SQLException {
    this.connection = source.getConnection();
    this.session = connection.unwrap(ShardwrightSession.class);
    this.endNanos = endNanos;
    this.statementsLeft = statements;
    session.set("scatter", "allow");
    session.set("partial", "allow");
    session.scatterWithin(
        new ScatterLimits(limits.shardTimeout(), limits.retries(), new Gate(limits.gate())));
  }

  private final class Gate implements ScatterLimits.ShardGate {
    private final ScatterLimits.ShardGate gate;

    Gate(ScatterLimits.ShardGate gate) {
      this.gate = gate;
    }

    @Override
    public Optional<String> closed(ShardId shard) {
      return Optional.ofNullable(missed.get(shard)).or(() -> gate.closed(shard));
    }

    @Override
    public void asked(ShardId shard, Duration elapsed, SQLException failure) {
      gate.asked(shard, elapsed, failure);
    }
  }

  /** Shards that do not answer are missing from {@link #coverage}. */
  <T> T ask(String sql, List<Object> parameters, Reader<T> reader) throws SQLException {
    return ask(sql, parameters, 0, reader);
  }

  /**
   * The same for more rows than memory has room for. Each shard may take as long as the statement,
   * and one that fails after its first row fails the question.
   */
  <T> T stream(String sql, List<Object> parameters, Reader<T> reader) throws SQLException {
    return ask(sql, parameters, STREAM_ROWS, reader);
  }

  /**
   * @param fetchSize rows of a shard in memory; 0: all
   */
  private <T> T ask(String sql, List<Object> parameters, int fetchSize, Reader<T> reader)
      throws SQLException {
    long nanos = (endNanos - System.nanoTime()) / Math.max(1, statementsLeft);
    long left = Math.max(1, Duration.ofNanos(nanos).toMillis());
    statementsLeft--;
    session.set("timeout", left + "ms");
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.size(); i++) {
        statement.setObject(i + 1, parameters.get(i));
      }
      statement.setFetchSize(fetchSize);
      try (ResultSet rows = statement.executeQuery()) {
        rows.unwrap(Completeness.class)
            .missing()
            .forEach((shard, why) -> missed.putIfAbsent(shard, "it was missing before: " + why));
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
