package io.shardwright.advisor.logs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Query log of Vitess vtgate, text with tabs or JSON lines. Bind variables {@code :name} become
 * {@code ?}, with their values in that order; a list {@code ::name} becomes {@code (?)}.
 */
final class VtgateLog implements LogParser {
  private static final int START = 5;
  private static final int TOTAL_TIME = 7;
  private static final int SQL = 12;
  private static final int VARIABLES = 13;
  private static final int ROWS = 15;

  private final Tally tally;
  private final Times times;

  VtgateLog(Tally tally) {
    this.tally = tally;
    this.times = new Times(tally);
  }

  static boolean isSign(String line) {
    String[] fields = line.split("\t", -1);
    return fields.length > ROWS
        && fields[SQL].startsWith("\"")
        && fields[SQL].endsWith("\"")
        && Times.digits(fields[START], 0, 4);
  }

  static boolean isSign(Map<String, Object> document) {
    return document.containsKey("SQL") && document.containsKey("BindVars");
  }

  @Override
  public void line(String line) {
    if (line.isBlank()) {
      tally.skip(Tally.BLANK);
      return;
    }
    Map<String, Object> document = line.startsWith("{") ? JsonLines.parse(line) : null;
    if (document != null && isSign(document)) {
      Object variables = document.get("BindVars");
      emit(
          JsonLines.text(document, "SQL"),
          variables instanceof Map<?, ?> map ? map : Map.of(),
          new String[] {
            JsonLines.text(document, "Start"),
            JsonLines.text(document, "TotalTime"),
            JsonLines.text(document, "RowsAffected"),
            JsonLines.text(document, "SessionUUID")
          });
    } else if (isSign(line)) {
      String[] fields = line.split("\t", -1);
      Map<String, Object> variables = JsonLines.parse(fields[VARIABLES]);
      String session = fields.length > 18 ? unquoted(fields[18]) : "";
      emit(
          unquoted(fields[SQL]),
          variables == null ? Map.of() : variables,
          new String[] {fields[START], fields[TOTAL_TIME], fields[ROWS], session});
    } else {
      tally.skip(Tally.NOT_UNDERSTOOD);
    }
  }

  private void emit(String sql, Map<?, ?> variables, String[] startTotalRowsSession) {
    Draft draft = new Draft(tally.lineNumber());
    draft.time = times.in(startTotalRowsSession[0]);
    draft.duration = Times.seconds(startTotalRowsSession[1]);
    draft.rowsAffected = MySqlSlowLog.whole(startTotalRowsSession[2]);
    draft.session = Draft.named(startTotalRowsSession[3]);
    List<Optional<String>> values = new ArrayList<>();
    draft.text(withMarks(sql, variables, values));
    draft.parameters = variables.isEmpty() ? List.of() : values;
    draft.emit(tally);
  }

  private static String withMarks(String sql, Map<?, ?> variables, List<Optional<String>> values) {
    StringBuilder out = new StringBuilder(sql.length());
    char quote = 0;
    for (int i = 0; i < sql.length(); i++) {
      char c = sql.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
        out.append(c);
      } else if (c == '\'' || c == '"' || c == '`') {
        quote = c;
        out.append(c);
      } else if (c == ':' && isNameAt(sql, i + 1)) {
        int end = nameEnd(sql, i + 1);
        values.add(value(variables.get(sql.substring(i + 1, end))));
        out.append('?');
        i = end - 1;
      } else if (c == ':'
          && i + 1 < sql.length()
          && sql.charAt(i + 1) == ':'
          && isNameAt(sql, i + 2)) {
        int end = nameEnd(sql, i + 2);
        values.add(value(variables.get(sql.substring(i + 2, end))));
        out.append("(?)");
        i = end - 1;
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static boolean isNameAt(String sql, int at) {
    return at < sql.length() && (Character.isLetter(sql.charAt(at)) || sql.charAt(at) == '_');
  }

  private static int nameEnd(String sql, int start) {
    int end = start;
    while (end < sql.length()
        && (Character.isLetterOrDigit(sql.charAt(end)) || sql.charAt(end) == '_')) {
      end++;
    }
    return end;
  }

  private static Optional<String> value(Object variable) {
    Object value = variable instanceof Map<?, ?> map ? map.get("value") : variable;
    return value == null || value instanceof List || value instanceof Map
        ? Optional.empty()
        : Optional.of(value.toString());
  }

  /** Text in Go's %q. */
  private static String unquoted(String quoted) {
    if (quoted.length() < 2 || quoted.charAt(0) != '"') {
      return quoted;
    }
    StringBuilder out = new StringBuilder(quoted.length());
    for (int i = 1; i < quoted.length() - 1; i++) {
      char c = quoted.charAt(i);
      if (c != '\\') {
        out.append(c);
        continue;
      }
      c = quoted.charAt(++i);
      switch (c) {
        case 'n' -> out.append('\n');
        case 't' -> out.append('\t');
        case 'r' -> out.append('\r');
        case 'x' -> {
          out.append('\uFFFD');
          i += 2;
        }
        case 'u' -> {
          out.append(unicode(quoted, i + 1));
          i += 4;
        }
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  private static char unicode(String text, int at) {
    try {
      return (char) Integer.parseInt(text.substring(at, Math.min(text.length(), at + 4)), 16);
    } catch (NumberFormatException e) {
      return '\uFFFD';
    }
  }

  @Override
  public void end() {
    // Each line is whole.
  }
}
