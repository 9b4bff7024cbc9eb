package io.shardwright.advisor.logs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Exports of tables that hold statements, as CSV (commas, semicolons or tabs) with a line of names,
 * as a JSON array or as JSON lines: pg_stat_statements, events_statements_summary_by_digest, the
 * tables mysql.slow_log and mysql.general_log, and others whose columns have the usual names.
 */
final class StatementTable implements LogParser {
  private static final List<String> SQL =
      List.of(
          "query",
          "digest_text",
          "sql_text",
          "raw_sql",
          "statement",
          "argument",
          "query_text",
          "sql");
  private static final List<String> COUNT =
      List.of("calls", "count_star", "executions", "exec_count");
  private static final List<String> TIME =
      List.of("created_at", "start_time", "event_time", "last_seen", "timestamp", "logged_at");
  private static final List<String> DATABASE =
      List.of("schema_name", "datname", "db", "database_name", "database", "current_schema");
  private static final List<String> USER =
      List.of("usename", "rolname", "user_host", "user_name", "user");
  private static final List<String> SESSION =
      List.of("con_id", "thread_id", "session_id", "connection_id", "pid");

  /** Columns of mysql.slow_log, mysql.general_log and performance_schema. */
  private static final List<String> MYSQL =
      List.of("user_host", "sql_text", "argument", "command_type");

  private static final List<String> SENT = List.of("sum_rows_sent", "rows_sent");
  private static final List<String> EXAMINED = List.of("sum_rows_examined", "rows_examined");
  private static final List<String> AFFECTED = List.of("sum_rows_affected", "rows_affected");

  private final Tally tally;
  private final Times times;
  private final CsvRecords csv;
  private List<String> names;

  private StatementTable(Tally tally, char delimiter) {
    this.tally = tally;
    this.times = new Times(tally);
    this.csv = new CsvRecords(delimiter);
  }

  static StatementTable ofCsv(Tally tally, String header) {
    return new StatementTable(tally, delimiter(header));
  }

  /** What a line of names, or the names of a JSON object, belong to. */
  static Optional<LogFormat> formatOf(List<String> names) {
    List<String> lower = names.stream().map(StatementTable::folded).toList();
    boolean statement = lower.stream().anyMatch(SQL::contains);
    if (!statement) {
      return Optional.empty();
    }
    if (lower.contains("count_star")) {
      return Optional.of(LogFormat.MYSQL_DIGESTS);
    }
    if (lower.contains("calls")) {
      return Optional.of(LogFormat.POSTGRESQL_DIGESTS);
    }
    boolean timed =
        lower.stream()
            .anyMatch(
                name ->
                    TIME.contains(name)
                        || COUNT.contains(name)
                        || SESSION.contains(name)
                        || List.of("time", "query_time", "duration", "duration_ms").contains(name));
    if (!timed) {
      return Optional.empty();
    }
    return Optional.of(
        lower.stream().anyMatch(MYSQL::contains)
            ? LogFormat.MYSQL_TABLE
            : LogFormat.STATEMENT_TABLE);
  }

  static List<String> namesOfCsv(String header) {
    List<String> names = new CsvRecords(delimiter(header)).line(header, 1);
    return names == null ? List.of() : names;
  }

  private static char delimiter(String header) {
    return header.indexOf('\t') >= 0 ? '\t' : header.indexOf(',') >= 0 ? ',' : ';';
  }

  private static String folded(String name) {
    return name.strip().replace("\uFEFF", "").toLowerCase(Locale.ROOT);
  }

  @Override
  public void line(String line) {
    if (line.isBlank() && !csv.isOpen()) {
      tally.skip(Tally.BLANK);
      return;
    }
    List<String> record = csv.line(line, tally.lineNumber());
    if (record == null) {
      return;
    }
    if (names == null) {
      names = record.stream().map(StatementTable::folded).toList();
      tally.skip("names of columns", csv.lines(), csv.firstLine());
      return;
    }
    if (record.size() != names.size()) {
      tally.skip("records with another number of columns", csv.lines(), csv.firstLine());
      return;
    }
    Map<String, String> row = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      row.putIfAbsent(names.get(i), record.get(i));
    }
    row(row, csv.firstLine(), csv.lines());
  }

  @Override
  public void end() {
    if (csv.isOpen()) {
      tally.skip("a record that is never closed", csv.lines(), csv.firstLine());
    }
  }

  /**
   * Reads a JSON array, or objects one behind the other.
   *
   * @return lines of the document
   */
  static long readJson(Tally tally, InputStream in) throws IOException {
    StatementTable table = new StatementTable(tally, ',');
    long counted = 0;
    try (JsonParser parser = JsonLines.FACTORY.createParser(in)) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
          continue;
        }
        long first = parser.currentLocation().getLineNr();
        Map<String, String> row = new HashMap<>();
        JsonLines.object(parser)
            .forEach((name, value) -> row.put(folded(name), value == null ? "" : value.toString()));
        long last = parser.currentLocation().getLineNr();
        tally.skip("brackets and blank lines", Math.max(0, first - counted - 1), counted + 1);
        table.row(row, first, (int) (last - Math.max(first - 1, counted)));
        counted = last;
      }
      long all = parser.currentLocation().getLineNr();
      boolean endsLine = parser.currentLocation().getColumnNr() <= 1;
      long lines = endsLine ? all - 1 : all;
      tally.skip("brackets and blank lines", Math.max(0, lines - counted), counted + 1);
      return Math.max(lines, counted);
    }
  }

  private void row(Map<String, String> row, long line, int lines) {
    Draft draft = new Draft(line);
    draft.lines = lines;
    String command = row.get("command_type");
    if (command != null && !command.equals("Query") && !command.equals("Execute")) {
      tally.skip("command " + command, lines, line);
      return;
    }
    draft.text(first(row, SQL).orElse(""));
    OptionalLong count = whole(row, COUNT);
    if (count.isPresent() && count.getAsLong() == 0) {
      tally.skip("digests without an execution", lines, line);
      return;
    }
    draft.count = count.orElse(1);
    // A sum of many executions has no time: its columns say when the first or the last came.
    if (COUNT.stream().noneMatch(row::containsKey)) {
      draft.time = first(row, TIME).flatMap(times::in);
    }
    draft.duration = duration(row);
    draft.lockTime =
        row.containsKey("sum_lock_time")
            ? Times.picos(row.get("sum_lock_time"))
            : first(row, List.of("lock_time")).flatMap(Times::clockOrSeconds);
    draft.rowsSent = whole(row, SENT);
    draft.rowsExamined = whole(row, EXAMINED);
    draft.rowsAffected = whole(row, AFFECTED);
    OptionalLong rows = whole(row, List.of("rows"));
    if (rows.isPresent()) {
      if (reads(draft.sql())) {
        draft.rowsSent = rows;
      } else {
        draft.rowsAffected = rows;
      }
    }
    draft.database = first(row, DATABASE);
    draft.user = first(row, USER);
    draft.session = first(row, SESSION);
    draft.emit(tally);
  }

  private static boolean reads(String sql) {
    return sql.regionMatches(true, 0, "SELECT", 0, 6) || sql.regionMatches(true, 0, "WITH", 0, 4);
  }

  private static Optional<Duration> duration(Map<String, String> row) {
    for (String name : List.of("total_exec_time", "total_time", "duration_ms")) {
      if (row.containsKey(name)) {
        return Times.millis(row.get(name));
      }
    }
    if (row.containsKey("sum_timer_wait")) {
      return Times.picos(row.get("sum_timer_wait"));
    }
    return first(row, List.of("query_time", "time", "duration")).flatMap(Times::clockOrSeconds);
  }

  private static Optional<String> first(Map<String, String> row, List<String> names) {
    for (String name : names) {
      Optional<String> value = Draft.named(row.getOrDefault(name, ""));
      if (value.isPresent()) {
        return value;
      }
    }
    return Optional.empty();
  }

  private static OptionalLong whole(Map<String, String> row, List<String> names) {
    Optional<String> text = first(row, names);
    return text.isPresent() ? MySqlSlowLog.whole(text.get()) : OptionalLong.empty();
  }
}
