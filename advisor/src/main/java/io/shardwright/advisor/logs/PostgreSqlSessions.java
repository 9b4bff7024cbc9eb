package io.shardwright.advisor.logs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What PostgreSQL's messages say about statements: {@code duration: 1.2 ms statement: ...}, {@code
 * execute name: ...}, and a statement whose duration follows in a message of its own (log_statement
 * with log_duration). Of the three steps of the extended protocol execute is the statement; parse
 * and bind are not. Keeps one open statement for each of the last {@value #SESSIONS_MAX} sessions.
 */
final class PostgreSqlSessions {
  private static final int SESSIONS_MAX = 4_096;
  private static final Pattern DURATION =
      Pattern.compile("duration: (\\d+(?:\\.\\d+)?) ms(?:\\s+(\\S.*))?", Pattern.DOTALL);
  private static final Pattern STEP =
      Pattern.compile(
          "(statement|parse|bind|execute(?: fetch from)?|fastpath function call)\\b ?(.*)",
          Pattern.DOTALL);
  private static final Pattern AUTHORIZED =
      Pattern.compile("connection authorized: user=(\\S+)(?: database=(\\S+))?.*", Pattern.DOTALL);

  private final Tally tally;

  private static final class Session {
    private Optional<String> user = Optional.empty();
    private Optional<String> database = Optional.empty();

    /** A statement whose duration may follow. */
    private Draft waiting;
  }

  private final Map<String, Session> sessions = new LinkedHashMap<>(64, 0.75f, true);

  PostgreSqlSessions(Tally tally) {
    this.tally = tally;
  }

  void message(String sessionId, PostgreSqlMessage message) {
    Session session = session(sessionId);
    if (message.user.isPresent()) {
      session.user = message.user;
      session.database = message.database;
    }
    String text = message.text.toString();
    if (!message.severity.equals("LOG")) {
      skip(message, "messages of severity " + message.severity);
      return;
    }
    Matcher duration = DURATION.matcher(text);
    if (duration.matches()) {
      Duration time = Times.millis(duration.group(1)).orElse(null);
      if (duration.group(2) == null) {
        durationAlone(session, message, time);
      } else {
        step(sessionId, session, message, duration.group(2), time);
      }
      return;
    }
    Matcher authorized = AUTHORIZED.matcher(text);
    if (authorized.matches()) {
      session.user = Draft.named(authorized.group(1));
      session.database = Draft.named(authorized.group(2) == null ? "" : authorized.group(2));
      skip(message, "messages about connections");
    } else {
      step(sessionId, session, message, text, null);
    }
  }

  private void durationAlone(Session session, PostgreSqlMessage message, Duration time) {
    if (session.waiting == null) {
      skip(message, "durations without their statement");
      return;
    }
    session.waiting.duration = Optional.ofNullable(time);
    session.waiting.lines += message.lines;
    release(session);
  }

  /** {@code statement: ...}, {@code execute name: ...} and the other steps. */
  private void step(
      String sessionId, Session session, PostgreSqlMessage message, String text, Duration time) {
    Matcher step = STEP.matcher(text);
    int colon = text.indexOf(": ");
    if (text.startsWith("plan:")) {
      skip(message, "plans of auto_explain");
    } else if (!step.matches() || colon < 0) {
      skip(message, kind(text));
    } else if (step.group(1).equals("parse") || step.group(1).equals("bind")) {
      skip(message, "steps parse and bind (their execute is counted)");
    } else {
      release(session);
      Draft draft = new Draft(message.line);
      draft.lines = message.lines;
      draft.text(text.substring(colon + 2));
      draft.time = message.time;
      draft.duration = Optional.ofNullable(time);
      draft.user = session.user;
      draft.database = session.database;
      draft.session = Draft.named(sessionId);
      draft.transaction = message.transaction;
      draft.parameters = parameters(message.detail.toString());
      if (time == null) {
        session.waiting = draft;
      } else {
        draft.emit(tally);
      }
    }
  }

  private static String kind(String text) {
    return text.startsWith("connection ") || text.startsWith("disconnection")
        ? "messages about connections"
        : "messages that are no statements";
  }

  private void skip(PostgreSqlMessage message, String reason) {
    tally.skip(reason, message.lines, message.line);
  }

  private void release(Session session) {
    if (session.waiting != null) {
      session.waiting.emit(tally);
      session.waiting = null;
    }
  }

  private Session session(String id) {
    Session known = sessions.get(id);
    if (known == null) {
      known = new Session();
      sessions.put(id, known);
      if (sessions.size() > SESSIONS_MAX) {
        var eldest = sessions.entrySet().iterator();
        release(eldest.next().getValue());
        eldest.remove();
      }
    }
    return known;
  }

  void end() {
    sessions.values().forEach(this::release);
    sessions.clear();
  }

  /** {@code parameters: $1 = 'a', $2 = NULL}: quotes are doubled inside of values. */
  static List<Optional<String>> parameters(String detail) {
    if (!detail.regionMatches(true, 0, "parameters: ", 0, 12)) {
      return List.of();
    }
    List<Optional<String>> values = new ArrayList<>();
    int at = 12;
    while (at < detail.length() && detail.charAt(at) == '$') {
      int value = detail.indexOf(" = ", at) + 3;
      if (value < 3 || value >= detail.length()) {
        break;
      }
      if (detail.charAt(value) != '\'') {
        int end = detail.indexOf(',', value);
        values.add(Optional.empty());
        at = end < 0 ? detail.length() : end + 2;
        continue;
      }
      StringBuilder text = new StringBuilder();
      int i = value + 1;
      while (i < detail.length()) {
        char c = detail.charAt(i);
        if (c == '\'' && i + 1 < detail.length() && detail.charAt(i + 1) == '\'') {
          i++;
        } else if (c == '\'') {
          break;
        }
        text.append(c);
        i++;
      }
      values.add(Optional.of(text.toString()));
      at = i + 3;
    }
    return values;
  }
}
