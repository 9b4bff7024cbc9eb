package io.shardwright.advisor.logs;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * PostgreSQL's text log with any log_line_prefix, plain or through syslog or logplex: the first
 * severity with its colon ends the prefix, in which time, process, user and database are looked
 * for. A line that begins with a blank goes on with the message before it; through syslog messages
 * of several processes are interleaved and put together by process.
 */
final class PostgreSqlLog implements LogParser {
  private static final int OPEN_MAX = 1_024;
  private static final Set<String> SEVERITIES =
      Set.of(
          "LOG", "ERROR", "FATAL", "PANIC", "WARNING", "NOTICE", "INFO", "DEBUG", "DEBUG1",
          "DEBUG2", "DEBUG3", "DEBUG4", "DEBUG5");
  private static final Set<String> ATTACHED =
      Set.of("DETAIL", "HINT", "STATEMENT", "CONTEXT", "QUERY", "LOCATION", "BACKTRACE");
  private static final Pattern PROCESS =
      Pattern.compile("\\[(\\d+)\\]|\\b([0-9a-f]{8}\\.[0-9a-f]+)\\b");
  private static final Pattern NAMED_USER = Pattern.compile("\\b(?:user|usr|u)=([^,\\s]*)");
  private static final Pattern NAMED_DATABASE =
      Pattern.compile("\\b(?:database|dbname|db|d)=([^,\\s]*)");
  private static final Pattern USER_AT_DATABASE =
      Pattern.compile("([\\w\\[\\].-]+)@([\\w\\[\\].-]+)");

  private final Tally tally;
  private final Times times;
  private final PostgreSqlSessions sessions;
  private final Map<String, Open> open = new LinkedHashMap<>(64, 0.75f, true);
  private Open last;

  /** A message whose further lines may follow. */
  private static final class Open {
    private final String session;
    private final PostgreSqlMessage message;

    /** Where further lines belong; null: nowhere. */
    private StringBuilder target;

    Open(String session, PostgreSqlMessage message) {
      this.session = session;
      this.message = message;
      this.target = message.text;
    }
  }

  PostgreSqlLog(Tally tally) {
    this.tally = tally;
    this.times = new Times(tally);
    this.sessions = new PostgreSqlSessions(tally);
  }

  static boolean isSign(String line) {
    return severityAt(line) >= 0;
  }

  /** Where the severity word ends; -1 without one. */
  private static int severityAt(String line) {
    int colon = line.indexOf(": ");
    while (colon > 0) {
      int start = colon;
      while (start > 0 && isUpperOrDigit(line.charAt(start - 1))) {
        start--;
      }
      if (colon - start >= 3) {
        String word = line.substring(start, colon);
        if (SEVERITIES.contains(word) || ATTACHED.contains(word)) {
          return colon;
        }
      }
      colon = line.indexOf(": ", colon + 1);
    }
    return -1;
  }

  private static boolean isUpperOrDigit(char c) {
    return (c >= 'A' && c <= 'Z') || Times.isDigit(c);
  }

  @Override
  public void line(String line) {
    inner(new Unwrapper.Inner(line, "", false, ""));
  }

  /** A line out of syslog or a JSON document. */
  void inner(Unwrapper.Inner inner) {
    String line = inner.text();
    boolean blankStart = line.isEmpty() || line.charAt(0) == '\t' || line.charAt(0) == ' ';
    boolean goesOn = inner.continued() || (blankStart && inner.session().isEmpty());
    int colon = goesOn && blankStart ? -1 : severityAt(line);
    if (colon < 0) {
      further(inner, goesOn || blankStart);
      return;
    }
    int start = colon;
    while (start > 0 && isUpperOrDigit(line.charAt(start - 1))) {
      start--;
    }
    String severity = line.substring(start, colon);
    String prefix = line.substring(0, start);
    int text = colon + 2;
    while (text < line.length() && line.charAt(text) == ' ') {
      text++;
    }
    String session = inner.session().isEmpty() ? session(prefix) : inner.session();
    if (SEVERITIES.contains(severity)) {
      begin(session, severity, prefix + ' ' + inner.time(), line.substring(text));
    } else {
      attach(session, severity, line.substring(text));
    }
  }

  private static String session(String prefix) {
    Matcher process = PROCESS.matcher(prefix);
    return !process.find() ? "" : process.group(1) != null ? process.group(1) : process.group(2);
  }

  private void begin(String session, String severity, String prefix, String text) {
    finish(open.remove(session));
    PostgreSqlMessage message = new PostgreSqlMessage(tally.lineNumber(), severity);
    message.time = times.in(prefix);
    names(message, prefix);
    message.text.append(text);
    last = new Open(session, message);
    open.put(session, last);
    if (open.size() > OPEN_MAX) {
      var eldest = open.entrySet().iterator();
      finish(eldest.next().getValue());
      eldest.remove();
    }
  }

  private static void names(PostgreSqlMessage message, String prefix) {
    Matcher user = NAMED_USER.matcher(prefix);
    Matcher database = NAMED_DATABASE.matcher(prefix);
    boolean named = user.find();
    boolean inDatabase = database.find();
    if (named || inDatabase) {
      message.user = named ? Draft.named(user.group(1)) : Optional.empty();
      message.database = inDatabase ? Draft.named(database.group(1)) : Optional.empty();
      return;
    }
    Matcher both = USER_AT_DATABASE.matcher(prefix);
    if (both.find()) {
      message.user = Draft.named(both.group(1));
      message.database = Draft.named(both.group(2));
    }
  }

  private void attach(String session, String severity, String text) {
    Open message = open.get(session);
    last = message;
    if (message == null) {
      tally.skip("parts of messages that are not in the file");
      return;
    }
    if (severity.equals("DETAIL")) {
      message.message.detail.append(text);
      message.message.lines++;
      message.target = message.message.detail;
    } else {
      message.target = null;
      tally.skip(
          severity.equals("STATEMENT")
              ? "statements quoted by errors and waits (no executions)"
              : "hints and contexts of messages");
    }
  }

  private void further(Unwrapper.Inner inner, boolean goesOn) {
    Open message = inner.session().isEmpty() ? last : open.get(inner.session());
    if (!goesOn || message == null) {
      tally.skip(inner.text().isBlank() ? Tally.BLANK : Tally.NOT_UNDERSTOOD);
      return;
    }
    if (message.target == null) {
      tally.skip("statements quoted by errors and waits (no executions)");
      return;
    }
    message.message.lines++;
    if (message.target.length() > Draft.SQL_CHARS_MAX) {
      tally.note(Draft.CUT);
      return;
    }
    String text = inner.text();
    // Servers put a tab behind each line end; syslog's parts without one are cut within a line.
    boolean newLine = !inner.continued() || text.startsWith("\t");
    if (newLine) {
      message.target.append('\n');
    }
    message.target.append(text.startsWith("\t") ? text.substring(1) : text);
  }

  private void finish(Open message) {
    if (message != null) {
      sessions.message(message.session, message.message);
    }
  }

  @Override
  public void end() {
    open.values().forEach(this::finish);
    open.clear();
    sessions.end();
  }
}
