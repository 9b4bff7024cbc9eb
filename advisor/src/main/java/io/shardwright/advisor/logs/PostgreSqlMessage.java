package io.shardwright.advisor.logs;

import java.time.Instant;
import java.util.Optional;

/** One message of a PostgreSQL log, from whichever of its formats. */
final class PostgreSqlMessage {
  final long line;
  final String severity;
  final StringBuilder text = new StringBuilder();
  final StringBuilder detail = new StringBuilder();
  Optional<Instant> time = Optional.empty();
  Optional<String> user = Optional.empty();
  Optional<String> database = Optional.empty();
  Optional<String> transaction = Optional.empty();

  /** Lines of the message and its parameters. */
  int lines = 1;

  PostgreSqlMessage(long line, String severity) {
    this.line = line;
    this.severity = severity;
  }
}
