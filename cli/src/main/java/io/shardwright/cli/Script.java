package io.shardwright.cli;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a text into its statements, at the semicolons that the database itself would cut at: not in
 * strings, quoted names, comments and parentheses. PostgreSQL has strings with E'' and in dollars,
 * nested comments and {@code BEGIN ATOMIC ... END} bodies, MariaDB backslashes in every string,
 * names in backticks, comments from # and statements in comments ({@code /*! }). Linear in the
 * text.
 */
final class Script {
  /** CREATE TABLE orders, ALTER TABLE orders, ... */
  private static final Pattern WORDS =
      Pattern.compile("(?i)\\w+(\\s+\\w+)?(\\s+IF(\\s+NOT)?\\s+EXISTS)?(\\s+[\\w.\"`]+)?");

  private static final int WORDS_CHARS = 80;

  /** The client's own command for bodies with semicolons. */
  private static final Pattern DELIMITER = Pattern.compile("(?i)DELIMITER\\s");

  private final String text;
  private final boolean mariaDb;
  private final List<Statement> statements = new ArrayList<>();
  private int position;
  private int cutAt;
  private int firstWord;
  private int lineOffset;
  private int line = 1;
  private int parentheses;
  private int atomicDepth;
  private boolean empty = true;
  private String lastWord = "";

  /**
   * One statement.
   *
   * @param sql without the semicolon, with the comments around it: they may be hints
   * @param line of its first word, from 1
   * @param words the first words, as a name for it
   */
  record Statement(String sql, int line, String words) {}

  private Script(String text, DatabaseProduct product) {
    this.text = text;
    this.mariaDb = product == DatabaseProduct.MARIADB;
  }

  /**
   * @throws ShardwrightException SW603 when there is no statement or a command of a client, SW201
   *     for an unclosed string or comment
   */
  static List<Statement> split(String text, DatabaseProduct product) {
    Script script = new Script(text, product);
    script.scan();
    if (script.statements.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID, "there is no statement to run: the SQL is empty");
    }
    return List.copyOf(script.statements);
  }

  private void scan() {
    while (position < text.length()) {
      char c = text.charAt(position);
      if (Character.isWhitespace(c)) {
        position++;
      } else if (startsLineComment(c)) {
        int end = text.indexOf('\n', position);
        position = end < 0 ? text.length() : end;
      } else if (text.startsWith("/*", position)) {
        if (mariaDb && (text.startsWith("/*!", position) || text.startsWith("/*M!", position))) {
          begin();
        }
        comment();
      } else if (c == ';' && parentheses == 0 && atomicDepth == 0) {
        finish(position++);
      } else {
        begin();
        token(c);
      }
    }
    finish(position);
  }

  /** MariaDB reads two dashes as a comment only before white space: 5--1 is 6. */
  private boolean startsLineComment(char c) {
    if (!text.startsWith("--", position)) {
      return mariaDb && c == '#';
    }
    int next = position + 2;
    return !mariaDb || next == text.length() || text.charAt(next) <= ' ';
  }

  private void begin() {
    if (empty) {
      empty = false;
      firstWord = position;
      if (mariaDb && DELIMITER.matcher(text).region(position, text.length()).lookingAt()) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID,
            "line "
                + lineAt(position)
                + " sets DELIMITER; the commands of the mariadb client are not SQL, remove the line");
      }
      if (text.charAt(position) == '\\') {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID,
            "line "
                + lineAt(position)
                + " begins with a backslash; the commands of psql are not SQL, remove the line");
      }
    }
  }

  private void finish(int end) {
    if (!empty) {
      String sql = text.substring(cutAt, end).strip();
      statements.add(new Statement(sql, lineAt(firstWord), words(firstWord, end)));
    }
    cutAt = end + 1;
    empty = true;
    parentheses = 0;
    atomicDepth = 0;
    lastWord = "";
  }

  private void token(char c) {
    if (c == '\'') {
      boolean escapes = lastWord.equals("E") && "eE".indexOf(text.charAt(position - 1)) >= 0;
      quoted('\'', escapes || mariaDb);
    } else if (c == '"') {
      quoted('"', mariaDb);
    } else if (mariaDb && c == '`') {
      quoted('`', false);
    } else if (!mariaDb && c == '$' && dollarTag() != null) {
      dollarQuoted(dollarTag());
    } else if (Character.isJavaIdentifierStart(c) && c != '$') {
      word();
      return;
    } else {
      parentheses += c == '(' || c == '[' ? 1 : 0;
      parentheses -= (c == ')' || c == ']') && parentheses > 0 ? 1 : 0;
      position++;
    }
    lastWord = "";
  }

  private void word() {
    int from = position;
    while (position < text.length() && Character.isJavaIdentifierPart(text.charAt(position))) {
      position++;
    }
    String word = text.substring(from, position).toUpperCase(Locale.ROOT);
    if (word.equals("ATOMIC") && lastWord.equals("BEGIN")) {
      atomicDepth++;
    } else if (word.equals("CASE") && atomicDepth > 0) {
      atomicDepth++;
    } else if (word.equals("END") && atomicDepth > 0) {
      atomicDepth--;
    }
    lastWord = word;
  }

  private void quoted(char quote, boolean escapes) {
    int from = position++;
    while (position < text.length()) {
      char c = text.charAt(position++);
      if (c == '\\' && escapes) {
        position++;
      } else if (c == quote) {
        if (position >= text.length() || text.charAt(position) != quote) {
          return;
        }
        position++;
      }
    }
    boolean name = quote == (mariaDb ? '`' : '"');
    throw unclosed(name ? "quoted name" : "string", from);
  }

  /** The tag with both dollars, or null when this dollar opens none. */
  private String dollarTag() {
    int end = position + 1;
    while (end < text.length()
        && text.charAt(end) != '$'
        && Character.isJavaIdentifierPart(text.charAt(end))) {
      end++;
    }
    boolean closed = end < text.length() && text.charAt(end) == '$';
    boolean parameter = closed && Character.isDigit(text.charAt(position + 1));
    return closed && !parameter ? text.substring(position, end + 1) : null;
  }

  private void dollarQuoted(String tag) {
    int end = text.indexOf(tag, position + tag.length());
    if (end < 0) {
      throw unclosed("string " + tag, position);
    }
    position = end + tag.length();
  }

  private void comment() {
    int from = position;
    int depth = 0;
    do {
      if (text.startsWith("/*", position) && (depth == 0 || !mariaDb)) {
        depth++;
        position += 2;
      } else if (text.startsWith("*/", position)) {
        depth--;
        position += 2;
      } else {
        position++;
      }
    } while (depth > 0 && position < text.length());
    if (depth > 0) {
      throw unclosed("comment", from);
    }
  }

  private ShardwrightException unclosed(String what, int from) {
    return new ShardwrightException(
        ErrorCode.STATEMENT_UNPARSABLE,
        "the " + what + " that begins in line " + lineAt(from) + " is not closed; nothing was run");
  }

  private String words(int from, int to) {
    String begin = text.substring(from, Math.min(to, from + WORDS_CHARS));
    Matcher matcher = WORDS.matcher(begin);
    return matcher.lookingAt() ? matcher.group().replaceAll("\\s+", " ") : begin.strip();
  }

  /** Offsets are asked for in ascending order, so the text is walked once. */
  private int lineAt(int offset) {
    for (; lineOffset < offset; lineOffset++) {
      line += text.charAt(lineOffset) == '\n' ? 1 : 0;
    }
    return line;
  }
}
