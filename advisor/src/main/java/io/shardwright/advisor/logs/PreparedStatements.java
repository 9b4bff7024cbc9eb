package io.shardwright.advisor.logs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code EXECUTE name (1, 'a')} of SQL runs in one PostgreSQL session: the statement of its
 * PREPARE, which the server repeats in the DETAIL or which the session sent before. The last
 * {@value #NAMES_MAX} names are remembered. One thread.
 */
final class PreparedStatements {
  private static final int NAMES_MAX = 100;
  private static final int TEXT_CHARS_MAX = 1 << 16;
  private static final String NAME = "(\"(?:[^\"]++|\"\")++\"|[\\w$]+)";
  private static final Pattern PREPARE =
      Pattern.compile(
          "\\s*PREPARE\\s+" + NAME + "\\s*(?:\\((?:[^()]++|\\([^()]*\\))*+\\))?\\s*AS\\s+(.+)",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern EXECUTE =
      Pattern.compile(
          "\\s*EXECUTE\\s+" + NAME + "\\s*(?:\\((.*)\\))?[\\s;]*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern NUMBER = Pattern.compile("[-+]?\\d+(\\.\\d+)?");
  private static final Pattern STRING =
      Pattern.compile("'((?:[^']++|'')*+)'(\\s*::.*)?", Pattern.DOTALL);

  /** A statement with the values of its {@code $n}. */
  record Executed(String sql, List<Optional<String>> parameters) {}

  private final Map<String, String> texts = new LinkedHashMap<>();

  /**
   * Looks at a statement; remembers a PREPARE.
   *
   * @param detail of its message, perhaps {@code prepare: PREPARE ...}
   * @return what an EXECUTE runs; empty for another statement, or when its PREPARE is not known
   */
  Optional<Executed> look(String sql, String detail) {
    if (begins(sql, "PREPARE")) {
      remember(sql);
      return Optional.empty();
    }
    if (!begins(sql, "EXECUTE")) {
      return Optional.empty();
    }
    Matcher execute = EXECUTE.matcher(sql);
    if (!execute.matches()) {
      return Optional.empty();
    }
    if (begins(detail, "prepare: ")) {
      remember(detail.substring("prepare: ".length()));
    }
    String arguments = execute.group(2) == null ? "" : execute.group(2);
    return Optional.ofNullable(texts.get(folded(execute.group(1))))
        .map(text -> new Executed(text, values(arguments)));
  }

  /** The statement of a PREPARE; another one as it is. */
  static String inner(String sql) {
    Matcher prepare = PREPARE.matcher(sql);
    return begins(sql, "PREPARE") && prepare.matches() ? prepare.group(2) : sql;
  }

  private static boolean begins(String text, String word) {
    int start = 0;
    while (start < text.length() && text.charAt(start) <= ' ') {
      start++;
    }
    return text.regionMatches(true, start, word, 0, word.length());
  }

  private void remember(String sql) {
    Matcher prepare = PREPARE.matcher(sql);
    if (sql.length() <= TEXT_CHARS_MAX && prepare.matches()) {
      texts.put(folded(prepare.group(1)), Draft.trimmed(prepare.group(2)));
      if (texts.size() > NAMES_MAX) {
        var eldest = texts.keySet().iterator();
        eldest.next();
        eldest.remove();
      }
    }
  }

  private static String folded(String name) {
    return name.startsWith("\"") ? name : name.toLowerCase(Locale.ROOT);
  }

  /** Of arguments that are no plain values nothing is told. */
  private static List<Optional<String>> values(String arguments) {
    List<Optional<String>> values = new ArrayList<>();
    int depth = 0;
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i <= arguments.length(); i++) {
      char c = i < arguments.length() ? arguments.charAt(i) : ',';
      if (c == '\'') {
        quoted = !quoted;
      } else if (!quoted && (c == '(' || c == '[')) {
        depth++;
      } else if (!quoted && (c == ')' || c == ']')) {
        depth--;
      } else if (i == arguments.length() || (c == ',' && !quoted && depth == 0)) {
        values.add(value(arguments.substring(start, i).strip()));
        start = i + 1;
      }
    }
    return arguments.isBlank() ? List.of() : values;
  }

  private static Optional<String> value(String argument) {
    if (NUMBER.matcher(argument).matches()) {
      return Optional.of(argument);
    }
    Matcher string = STRING.matcher(argument);
    return string.matches() ? Optional.of(string.group(1).replace("''", "'")) : Optional.empty();
  }
}
