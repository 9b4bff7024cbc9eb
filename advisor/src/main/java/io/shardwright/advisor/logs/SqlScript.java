package io.shardwright.advisor.logs;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plain SQL: statements that end with a semicolon (or what {@code DELIMITER} says) outside of
 * quotes and comments, or one statement on each line when no line has a semicolon. {@code
 * --usage_count N} before a statement is its count. Commands of psql and the rows of COPY FROM
 * stdin are skipped.
 */
final class SqlScript implements LogParser {
  private static final Set<String> FIRST_WORDS =
      Set.of(
          "SELECT",
          "INSERT",
          "UPDATE",
          "DELETE",
          "REPLACE",
          "WITH",
          "CREATE",
          "ALTER",
          "DROP",
          "SET",
          "BEGIN",
          "START",
          "COMMIT",
          "ROLLBACK",
          "USE",
          "SHOW",
          "EXPLAIN",
          "TRUNCATE",
          "MERGE",
          "CALL",
          "VALUES",
          "COPY",
          "GRANT",
          "LOCK",
          "ANALYZE",
          "VACUUM",
          "DECLARE",
          "FETCH",
          "DO",
          "TABLE",
          "SAVEPOINT",
          "RELEASE",
          "DELIMITER",
          "PREPARE",
          "EXECUTE",
          "VEXPLAIN",
          "DESC",
          "DESCRIBE");
  private static final Pattern USAGE = Pattern.compile("--\\s*usage_count\\s+(\\d+)\\s*");
  private static final Pattern COPY_ROWS =
      Pattern.compile("COPY\\b.*\\bFROM\\s+STDIN\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private final Tally tally;
  private final boolean linewise;
  private final boolean backslashEscapes;
  private Draft open;
  private String delimiter = ";";
  private long count = 1;
  private boolean inRows;

  /** What is open at the end of the line: a quote, a comment ({@code *}), a dollar quote. */
  private char quote;

  private String dollarTag = "";

  SqlScript(Tally tally, List<String> sample) {
    this.tally = tally;
    this.linewise = sample.stream().noneMatch(line -> line.indexOf(';') >= 0);
    this.backslashEscapes =
        sample.stream().anyMatch(line -> line.indexOf('`') >= 0 || line.contains("\\'"));
  }

  static boolean isSign(String line) {
    String text = line.stripLeading();
    int end = 0;
    while (end < text.length() && Character.isLetter(text.charAt(end))) {
      end++;
    }
    return FIRST_WORDS.contains(text.substring(0, end).toUpperCase(Locale.ROOT));
  }

  /** A line that says nothing about the format. */
  static boolean isNeutral(String line) {
    String text = line.strip();
    return text.isEmpty()
        || text.startsWith("--")
        || text.startsWith("#")
        || text.startsWith("/*")
        || text.startsWith("\\");
  }

  @Override
  public void line(String line) {
    if (inRows) {
      inRows = !line.equals("\\.");
      tally.skip("rows of COPY");
    } else if (open == null && isNeutral(line) && !line.strip().startsWith("/*")) {
      comment(line);
    } else if (open == null && line.regionMatches(true, 0, "DELIMITER ", 0, 10)) {
      delimiter = line.substring(10).strip();
      tally.skip("commands of the client");
    } else {
      scan(line);
    }
  }

  private void comment(String line) {
    Matcher usage = USAGE.matcher(line);
    if (usage.matches()) {
      count = Math.max(1, MySqlSlowLog.whole(usage.group(1)).orElse(1));
    }
    tally.skip(
        line.isBlank()
            ? Tally.BLANK
            : line.startsWith("\\") ? "commands of the client" : "comments");
  }

  private void scan(String line) {
    if (open == null) {
      begin();
    } else {
      open.lines++;
      open.nextLine("");
    }
    int start = 0;
    int i = 0;
    while (i < line.length()) {
      int next = behind(line, i);
      if (quote == 0 && dollarTag.isEmpty() && next == i + 1 && line.startsWith(delimiter, i)) {
        open.text(line.substring(start, i));
        finish();
        start = i + delimiter.length();
        i = start;
        if (line.substring(start).isBlank()) {
          return;
        }
        begin();
        open.lines = 0;
      } else {
        i = next;
      }
    }
    open.text(line.substring(start));
    if (linewise && quote == 0) {
      finish();
    }
  }

  /** The place behind the character, or behind what it opens on this line. */
  private int behind(String line, int i) {
    char c = line.charAt(i);
    if (!dollarTag.isEmpty()) {
      if (line.startsWith(dollarTag, i)) {
        int end = i + dollarTag.length();
        dollarTag = "";
        return end;
      }
      return i + 1;
    }
    if (quote == '*') {
      boolean ends = line.startsWith("*/", i);
      quote = ends ? 0 : quote;
      return ends ? i + 2 : i + 1;
    }
    if (quote != 0) {
      if (c == '\\' && backslashEscapes && quote != '`') {
        return i + 2;
      }
      quote = c == quote ? 0 : quote;
      return i + 1;
    }
    if (c == '\'' || c == '"' || c == '`') {
      quote = c;
    } else if (line.startsWith("/*", i)) {
      quote = '*';
      return i + 2;
    } else if (line.startsWith("-- ", i) || (line.startsWith("--", i) && i + 2 == line.length())) {
      return line.length();
    } else if (c == '$') {
      return dollar(line, i);
    }
    return i + 1;
  }

  private int dollar(String line, int i) {
    int end = i + 1;
    while (end < line.length()
        && (Character.isLetter(line.charAt(end)) || line.charAt(end) == '_')) {
      end++;
    }
    if (end < line.length() && line.charAt(end) == '$') {
      dollarTag = line.substring(i, end + 1);
      return end + 1;
    }
    return i + 1;
  }

  private void begin() {
    open = new Draft(tally.lineNumber());
    open.count = count;
    count = 1;
  }

  private void finish() {
    if (open.lines == 0 && open.sql().isEmpty()) {
      open = null;
      return;
    }
    inRows = COPY_ROWS.matcher(open.sql()).matches();
    open.emit(tally);
    open = null;
  }

  @Override
  public void end() {
    if (open != null) {
      finish();
    }
  }
}
