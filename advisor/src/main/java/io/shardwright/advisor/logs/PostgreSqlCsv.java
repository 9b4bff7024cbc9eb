package io.shardwright.advisor.logs;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * PostgreSQL's csvlog, 22 to 26 columns by version. Lines between the records, such as those of a
 * server that is starting, are read as the plain log.
 */
final class PostgreSqlCsv implements LogParser {
  private static final Pattern START =
      Pattern.compile(
          "\"?\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d+)? [^,\"\\s]{1,8}\"?,.*",
          Pattern.DOTALL);
  private static final int USER = 1;
  private static final int DATABASE = 2;
  private static final int PROCESS = 3;
  private static final int VIRTUAL_TRANSACTION = 9;
  private static final int TRANSACTION = 10;
  private static final int SEVERITY = 11;
  private static final int MESSAGE = 13;
  private static final int DETAIL = 14;
  private static final int COLUMNS_MIN = 20;

  private final Tally tally;
  private final Times times;
  private final PostgreSqlSessions sessions;
  private final PostgreSqlLog plain;
  private final CsvRecords csv = new CsvRecords(',');

  PostgreSqlCsv(Tally tally) {
    this.tally = tally;
    this.times = new Times(tally);
    this.sessions = new PostgreSqlSessions(tally);
    this.plain = new PostgreSqlLog(tally);
  }

  static boolean isSign(String line) {
    return START.matcher(line).matches() && line.chars().filter(c -> c == ',').count() >= 6;
  }

  @Override
  public void line(String line) {
    if (!csv.isOpen() && !START.matcher(line).matches()) {
      plain.line(line);
      return;
    }
    List<String> record = csv.line(line, tally.lineNumber());
    if (record == null) {
      return;
    }
    if (record.size() < COLUMNS_MIN) {
      tally.skip(Tally.NOT_UNDERSTOOD, csv.lines(), csv.firstLine());
      return;
    }
    PostgreSqlMessage message = new PostgreSqlMessage(csv.firstLine(), record.get(SEVERITY));
    message.lines = csv.lines();
    message.time = times.in(record.get(0));
    message.user = Draft.named(record.get(USER));
    message.database = Draft.named(record.get(DATABASE));
    message.transaction = transaction(record.get(TRANSACTION), record.get(VIRTUAL_TRANSACTION));
    message.text.append(record.get(MESSAGE));
    message.detail.append(record.get(DETAIL));
    sessions.message(record.get(PROCESS), message);
  }

  static Optional<String> transaction(String id, String virtual) {
    return Draft.named(id.equals("0") || id.isEmpty() ? virtual : id);
  }

  @Override
  public void end() {
    if (csv.isOpen()) {
      tally.skip("a record that is never closed", csv.lines(), csv.firstLine());
    }
    plain.end();
    sessions.end();
  }
}
