package io.shardwright.advisor.logs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A record while its lines are read. */
final class Draft {
  /** A longer statement is cut there, with a note; the reader must not hold an import in memory. */
  static final int SQL_CHARS_MAX = 4 << 20;

  static final String CUT = "statements cut at " + SQL_CHARS_MAX + " characters";

  final long line;
  int lines = 1;
  Optional<Instant> time = Optional.empty();
  Optional<Duration> duration = Optional.empty();
  Optional<Duration> lockTime = Optional.empty();
  OptionalLong rowsSent = OptionalLong.empty();
  OptionalLong rowsExamined = OptionalLong.empty();
  OptionalLong rowsAffected = OptionalLong.empty();
  Optional<String> user = Optional.empty();
  Optional<String> session = Optional.empty();
  Optional<String> transaction = Optional.empty();
  Optional<String> database = Optional.empty();
  List<Optional<String>> parameters = List.of();
  long count = 1;
  private final StringBuilder sql = new StringBuilder();
  private boolean cut;

  Draft(long line) {
    this.line = line;
  }

  void text(String more) {
    if (sql.length() + more.length() > SQL_CHARS_MAX) {
      cut = true;
      return;
    }
    sql.append(more);
  }

  void nextLine(String more) {
    if (sql.length() > 0) {
      sql.append('\n');
    }
    text(more);
  }

  boolean hasText() {
    return sql.length() > 0;
  }

  String sql() {
    return trimmed(sql);
  }

  /** Without blanks around it and without final semicolons. */
  static String trimmed(CharSequence text) {
    int end = text.length();
    while (end > 0 && (text.charAt(end - 1) <= ' ' || text.charAt(end - 1) == ';')) {
      end--;
    }
    int start = 0;
    while (start < end && text.charAt(start) <= ' ') {
      start++;
    }
    return text.subSequence(start, end).toString();
  }

  /** Hands it on, or counts its lines as skipped when it has no text. */
  void emit(Tally tally) {
    String text = sql();
    if (text.isEmpty()) {
      tally.skip("entries without a statement", lines, line);
      return;
    }
    if (cut) {
      tally.note(CUT);
    }
    tally.record(
        new LogRecord(
            line,
            time,
            duration,
            lockTime,
            rowsSent,
            rowsExamined,
            rowsAffected,
            user,
            session,
            transaction,
            database,
            text,
            parameters,
            count),
        lines);
  }

  static Optional<String> named(String text) {
    String name = text.strip();
    return name.isEmpty() || name.equals("[unknown]") || name.equals("NULL") || name.equals("\\N")
        ? Optional.empty()
        : Optional.of(name);
  }
}
