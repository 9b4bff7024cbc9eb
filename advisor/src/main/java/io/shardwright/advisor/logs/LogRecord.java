package io.shardwright.advisor.logs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One statement of a log, or of a digest that stands for many. What the log does not tell is empty,
 * never zero. Durations and rows are totals of all {@code count} executions. Immutable.
 *
 * @param line where it begins in the file, from 1
 * @param time when it ended (slow logs, durations of PostgreSQL) or began (general logs); local
 *     times without zone are taken as UTC
 * @param session thread, process or connection
 * @param transaction id of the engine
 * @param sql without its final semicolon
 * @param parameters in the order of their marks; an empty one is NULL
 * @param count executions, at least 1: calls of a digest, or the sampling rate of the log
 */
public record LogRecord(
    long line,
    Optional<Instant> time,
    Optional<Duration> duration,
    Optional<Duration> lockTime,
    OptionalLong rowsSent,
    OptionalLong rowsExamined,
    OptionalLong rowsAffected,
    Optional<String> user,
    Optional<String> session,
    Optional<String> transaction,
    Optional<String> database,
    String sql,
    List<Optional<String>> parameters,
    long count) {
  public LogRecord {
    parameters = List.copyOf(parameters);
    if (count < 1) {
      throw new IllegalArgumentException("a record stands for 1 execution or more: " + count);
    }
  }
}
