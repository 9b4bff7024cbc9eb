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
 * and bind are not. A plan of auto_explain is its statement unless that is logged, too; an EXECUTE
 * is the statement of its PREPARE. Keeps one open statement for each of the last {@value
 * #SESSIONS_MAX} sessions.
 */
final class PostgreSqlSessions {
  private static final int SESSIONS_MAX = 4_096;
  private static final String PLANNED_TWICE =
      "plans of auto_explain whose statement is logged, too";
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

    /** A statement of which a plan told, and which may be logged itself, too. */
    private Draft planned;

    private final PreparedStatements prepared = new PreparedStatements();
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
    if (session.waiting == null && session.planned == null) {
      skip(message, "durations without their statement");
      return;
    }
    if (session.waiting == null) {
      session.planned.lines += message.lines;
      release(session);
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
      plan(sessionId, session, message, text.substring("plan:".length()), time);
    } else if (!step.matches() || colon < 0) {
      skip(message, kind(text));
    } else if (step.group(1).equals("parse") || step.group(1).equals("bind")) {
      skip(message, "steps parse and bind (their execute is counted)");
    } else {
      String sql = text.substring(colon + 2);
      String detail = message.detail.toString();
      Optional<PreparedStatements.Executed> executed = session.prepared.look(sql, detail);
      Draft draft = draft(sessionId, session, message, time);
      draft.text(executed.map(PreparedStatements.Executed::sql).orElse(sql));
      draft.parameters =
          executed.map(PreparedStatements.Executed::parameters).orElseGet(() -> parameters(detail));
      if (session.planned != null && session.planned.sql().equals(draft.sql())) {
        tally.skip(PLANNED_TWICE, session.planned.lines, session.planned.line);
        session.planned = null;
      }
      release(session);
      if (time == null) {
        session.waiting = draft;
      } else {
        draft.emit(tally);
      }
    }
  }

  private void plan(
      String sessionId, Session session, PostgreSqlMessage message, String plan, Duration time) {
    Optional<AutoExplain> explained = AutoExplain.of(plan);
    if (explained.isEmpty()) {
      skip(message, "plans of auto_explain that are neither text nor JSON");
      return;
    }
    Draft draft = draft(sessionId, session, message, time);
    draft.text(PreparedStatements.inner(explained.get().sql()));
    draft.parameters = explained.get().parameters();
    if (session.waiting != null && session.waiting.sql().equals(draft.sql())) {
      session.waiting.duration = draft.duration;
      skip(message, PLANNED_TWICE);
      return;
    }
    release(session);
    session.planned = draft;
  }

  private static Draft draft(
      String sessionId, Session session, PostgreSqlMessage message, Duration time) {
    Draft draft = new Draft(message.line);
    draft.lines = message.lines;
    draft.time = message.time;
    draft.duration = Optional.ofNullable(time);
    draft.user = session.user;
    draft.database = session.database;
    draft.session = Draft.named(sessionId);
    draft.transaction = message.transaction;
    return draft;
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
    if (session.planned != null) {
      session.planned.emit(tally);
      session.planned = null;
    }
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
