package io.shardwright.advisor.logs;

import io.shardwright.advisor.logs.LogFormat.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The statements of one text, {@code BEGIN; UPDATE ...; COMMIT}: clients may send several at once.
 * Times and rows of the text belong to no one of them and are left out. Texts that define code stay
 * whole, and so does one with parameters, or with a quote that is not closed.
 */
final class StatementSplit {
  private static final Set<String> WITH_BODIES = Set.of("CREATE", "ALTER", "DO", "DECLARE");
  private static final int PARTS_MAX = 1_000;

  private final String sql;
  private final boolean mysql;
  private final List<String> parts = new ArrayList<>();

  private StatementSplit(String sql, boolean mysql) {
    this.sql = sql;
    this.mysql = mysql;
  }

  /** The record itself when it has one statement. */
  static List<LogRecord> of(LogRecord record, Family family) {
    String sql = record.sql();
    // Most have none; a final one is cut before.
    if (sql.indexOf(';') < 0 || family == Family.UNKNOWN || !record.parameters().isEmpty()) {
      return List.of(record);
    }
    int word = 0;
    while (word < sql.length() && Character.isLetter(sql.charAt(word))) {
      word++;
    }
    if (WITH_BODIES.contains(sql.substring(0, word).toUpperCase(Locale.ROOT))) {
      return List.of(record);
    }
    StatementSplit split = new StatementSplit(sql, family == Family.MYSQL);
    if (!split.cut() || split.parts.size() < 2) {
      return List.of(record);
    }
    return split.parts.stream().map(part -> part(record, part)).toList();
  }

  private static LogRecord part(LogRecord record, String sql) {
    return new LogRecord(
        record.line(),
        record.time(),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        record.user(),
        record.session(),
        record.transaction(),
        record.database(),
        sql,
        List.of(),
        record.count());
  }

  private boolean cut() {
    int start = 0;
    int i = 0;
    while (i < sql.length()) {
      char c = sql.charAt(i);
      int behind = i + 1;
      if (c == ';') {
        add(start, i);
        start = behind;
      } else if (c == '\'' || c == '"' || (c == '`' && mysql)) {
        behind = behindQuote(i, c);
      } else if (sql.startsWith("/*", i)) {
        behind = behind("*/", i + 2);
      } else if (sql.startsWith("--", i) || (c == '#' && mysql)) {
        int end = sql.indexOf('\n', i);
        behind = end < 0 ? sql.length() : end;
      } else if (c == '$' && !mysql) {
        behind = behindDollar(i);
      }
      if (behind < 0 || parts.size() > PARTS_MAX) {
        return false;
      }
      i = behind;
    }
    add(start, sql.length());
    return true;
  }

  private void add(int from, int to) {
    String part = Draft.trimmed(sql.substring(from, to));
    if (!part.isEmpty()) {
      parts.add(part);
    }
  }

  private int behind(String end, int from) {
    int at = sql.indexOf(end, from);
    return at < 0 ? -1 : at + end.length();
  }

  private int behindQuote(int open, char quote) {
    boolean escapes =
        quote != '`' && (mysql || (open > 0 && "eE".indexOf(sql.charAt(open - 1)) >= 0));
    int i = open + 1;
    while (i < sql.length()) {
      char c = sql.charAt(i);
      if (c == quote) {
        return i + 1;
      }
      i += c == '\\' && escapes ? 2 : 1;
    }
    return -1;
  }

  /** Behind {@code $tag$ ... $tag$}; just the sign when it is none. */
  private int behindDollar(int open) {
    int i = open + 1;
    while (i < sql.length() && (Character.isLetterOrDigit(sql.charAt(i)) || sql.charAt(i) == '_')) {
      i++;
    }
    boolean tag =
        i < sql.length() && sql.charAt(i) == '$' && !Character.isDigit(sql.charAt(open + 1));
    return tag ? behind(sql.substring(open, i + 1), i + 1) : open + 1;
  }
}
