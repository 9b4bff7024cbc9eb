package io.shardwright.advisor.logs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What ShardingSphere (JDBC and Proxy) logs with {@code sql-show}: {@code Logic SQL} is the
 * statement, the first {@code Actual SQL: source ::: sql ::: [values]} behind it in the same thread
 * gives its values, further ones belong to it. Any layout of the logger.
 */
final class ShardingSphereLog implements LogParser {
  private static final int THREADS_MAX = 1_024;
  private static final String LOGIC = "Logic SQL: ";
  private static final String ACTUAL = "Actual SQL: ";

  /** The beginning of any log line: a level in brackets or a time. */
  private static final Pattern START =
      Pattern.compile(
          "(?:\\[\\s*[A-Z]+\\s*\\]\\s*)?(?:\\d{4}-\\d\\d-\\d\\d|\\d\\d:\\d\\d:\\d\\d).*",
          Pattern.DOTALL);

  private static final Pattern TIME = Pattern.compile("[\\d:.,TZ+-]{8,}");

  private final Tally tally;
  private final Times times;
  private final Map<String, Draft> waiting = new LinkedHashMap<>(16, 0.75f, true);
  private StringBuilder text;
  private long first;
  private int lines;

  ShardingSphereLog(Tally tally) {
    this.tally = tally;
    this.times = new Times(tally);
  }

  static boolean isSign(String line) {
    return line.contains(LOGIC) || (line.contains(ACTUAL) && line.contains(" ::: "));
  }

  @Override
  public void line(String line) {
    boolean marked = isSign(line) || line.contains("ShardingSphere-SQL");
    if (marked || START.matcher(line).matches()) {
      flush();
      text = new StringBuilder(line);
      first = tally.lineNumber();
      lines = 1;
    } else if (text == null) {
      tally.skip(line.isBlank() ? Tally.BLANK : Tally.NOT_UNDERSTOOD);
    } else {
      lines++;
      if (text.length() < Draft.SQL_CHARS_MAX) {
        text.append('\n').append(line);
      }
    }
  }

  private void flush() {
    if (text == null) {
      return;
    }
    String message = text.toString();
    text = null;
    int logic = message.indexOf(LOGIC);
    int actual = message.indexOf(ACTUAL);
    if (logic >= 0) {
      String thread = thread(message.substring(0, logic));
      release(waiting.remove(thread));
      Draft draft = new Draft(first);
      draft.lines = lines;
      draft.time = times.in(message.substring(0, logic));
      draft.session = Draft.named(thread);
      draft.text(message.substring(logic + LOGIC.length()));
      waiting.put(thread, draft);
      if (waiting.size() > THREADS_MAX) {
        var eldest = waiting.entrySet().iterator();
        release(eldest.next().getValue());
        eldest.remove();
      }
    } else if (actual >= 0) {
      actual(message, actual);
    } else {
      boolean own = message.contains("ShardingSphere-SQL");
      tally.skip(own ? "descriptions of the parser" : "messages of others", lines, first);
    }
  }

  private void actual(String message, int actual) {
    Draft draft = waiting.get(thread(message.substring(0, actual)));
    if (draft == null) {
      tally.skip("Actual SQL without its Logic SQL", lines, first);
      return;
    }
    draft.lines += lines;
    String[] parts = message.substring(actual).split(" ::: ", -1);
    if (draft.parameters.isEmpty() && parts.length > 2) {
      String values = parts[parts.length - 1].strip();
      if (values.startsWith("[") && values.endsWith("]")) {
        draft.parameters = parameters(values, marks(draft.sql()));
      }
    }
  }

  /** Empty when the text can be read in another way, too: values are not quoted there. */
  private List<Optional<String>> parameters(String values, long marks) {
    String inner = values.substring(1, values.length() - 1);
    if (inner.startsWith("[") && inner.endsWith("]")) {
      inner = inner.substring(1, inner.length() - 1);
    }
    String[] parts = inner.split(", ", -1);
    if (parts.length != marks) {
      tally.note("values of a statement that cannot be told apart");
      return List.of();
    }
    List<Optional<String>> list = new ArrayList<>();
    for (String part : parts) {
      list.add(part.equals("null") ? Optional.empty() : Optional.of(part));
    }
    return list;
  }

  private static long marks(String sql) {
    return sql.chars().filter(c -> c == '?').count();
  }

  /** What a line begins with but for its time: the same for all lines of a thread. */
  private static String thread(String prefix) {
    return TIME.matcher(prefix).replaceAll("").replaceAll("\\s+", " ").strip();
  }

  private void release(Draft draft) {
    if (draft != null) {
      draft.emit(tally);
    }
  }

  @Override
  public void end() {
    flush();
    waiting.values().forEach(this::release);
    waiting.clear();
  }
}
