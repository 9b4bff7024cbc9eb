package io.shardwright.advisor.logs;

import java.util.Map;

/**
 * PostgreSQL's jsonlog, one document a line, by its own names and by those of CloudNativePG, which
 * puts it into {@code record}.
 */
final class PostgreSqlJson implements LogParser {
  private final Tally tally;
  private final Times times;
  private final PostgreSqlSessions sessions;

  PostgreSqlJson(Tally tally) {
    this.tally = tally;
    this.times = new Times(tally);
    this.sessions = new PostgreSqlSessions(tally);
  }

  static boolean isSign(Map<String, Object> document) {
    Map<String, Object> fields = fields(document);
    return fields.containsKey("error_severity") && fields.containsKey("message");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> fields(Map<String, Object> document) {
    return document.get("record") instanceof Map<?, ?> inner
        ? (Map<String, Object>) inner
        : document;
  }

  @Override
  public void line(String line) {
    if (line.isBlank()) {
      tally.skip(Tally.BLANK);
      return;
    }
    Map<String, Object> document = JsonLines.parse(line);
    if (document == null) {
      tally.skip(Tally.NOT_UNDERSTOOD);
      return;
    }
    if (!isSign(document)) {
      tally.skip("documents of other programs");
      return;
    }
    Map<String, Object> fields = fields(document);
    PostgreSqlMessage message =
        new PostgreSqlMessage(tally.lineNumber(), JsonLines.text(fields, "error_severity"));
    message.time = times.in(JsonLines.text(fields, "timestamp", "log_time"));
    message.user = Draft.named(JsonLines.text(fields, "user", "user_name"));
    message.database = Draft.named(JsonLines.text(fields, "dbname", "database_name"));
    message.transaction =
        PostgreSqlCsv.transaction(
            JsonLines.text(fields, "txid", "transaction_id"),
            JsonLines.text(fields, "vxid", "virtual_transaction_id"));
    message.text.append(JsonLines.text(fields, "message"));
    message.detail.append(JsonLines.text(fields, "detail"));
    sessions.message(JsonLines.text(fields, "pid", "process_id"), message);
  }

  @Override
  public void end() {
    sessions.end();
  }
}
