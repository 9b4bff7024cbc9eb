package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.SqlTokens.Kind;
import io.shardwright.sql.SqlTokens.Token;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts one text into tokens: what the databases have in common. Comments, quotes and numbers are
 * those of the subclasses. Not thread-safe; lives while a statement is cut.
 */
abstract sealed class Lexer permits PostgreSqlLexer, MariaDbLexer {
  /** A deeper statement would cost the readers of its conditions their stack. */
  static final int DEPTH_MAX = 200;

  /** As a guess for the size of the list. */
  private static final int CHARS_PER_TOKEN = 6;

  private final Dialect dialect;
  private final String sql;

  /** Where the text that is sent ends. */
  private int end;

  private final List<Token> tokens;
  private final List<Token> parameters = new ArrayList<>(0);
  private final List<String> comments = new ArrayList<>(0);
  private int position;
  private int depth;

  Lexer(Dialect dialect, String sql) {
    this.dialect = dialect;
    this.sql = sql;
    this.end = sql.length();
    this.tokens = new ArrayList<>(sql.length() / CHARS_PER_TOKEN + 8);
  }

  /** Moves behind the comment that starts at the position; false when none does. */
  abstract boolean skipsComment();

  /** Adds the token that starts at the position with the character {@code c}. */
  abstract void addToken(char c);

  SqlTokens scan() {
    while (position < sql.length()) {
      char c = sql.charAt(position);
      if (isBlank(c)) {
        position++;
      } else if (c == ';') {
        endOfStatement();
      } else if (!skipsComment()) {
        addToken(c);
      }
    }
    if (depth != 0) {
      throw malformed("an opening parenthesis is never closed");
    }
    if (tokens.isEmpty()) {
      throw malformed("the statement is empty");
    }
    return new SqlTokens(
        dialect, sql.substring(0, end), tokens, parameters, HintReader.read(comments));
  }

  private void endOfStatement() {
    int semicolon = position;
    while (position < sql.length()) {
      char c = sql.charAt(position);
      if (c == ';' || isBlank(c)) {
        position++;
      } else if (skipsComment()) {
        // A physical driver would take it for a second statement.
        end = semicolon;
      } else {
        throw new ShardwrightException(
            ErrorCode.STATEMENT_UNSUPPORTED,
            "text follows ';': send one statement per call, each can go to other shards");
      }
    }
  }

  // What the subclasses add.

  final Token add(Kind kind, int end) {
    Token token = new Token(kind, sql, position, end, depth);
    tokens.add(token);
    position = end;
    return token;
  }

  final void addParameter() {
    if (isDigit(charAt(1))) {
      throw malformed("'?' followed by a digit: parameters have no numbers in JDBC");
    }
    parameters.add(add(Kind.PARAMETER, position + 1));
  }

  final void addSymbol(char c, int length) {
    if (c == '(' || c == '[') {
      add(Kind.SYMBOL, position + 1);
      if (++depth > DEPTH_MAX) {
        throw new ShardwrightException(
            ErrorCode.STATEMENT_TOO_LARGE,
            "the statement nests parentheses more than " + DEPTH_MAX + " deep; flatten it");
      }
    } else if (c == ')' || c == ']') {
      if (--depth < 0) {
        throw malformed("a closing parenthesis has no opening one");
      }
      add(Kind.SYMBOL, position + 1);
    } else {
      add(Kind.SYMBOL, position + length);
    }
  }

  // The text around the position.

  final int position() {
    return position;
  }

  final String sql() {
    return sql;
  }

  final List<Token> tokens() {
    return tokens;
  }

  final boolean startsWith(String text) {
    return sql.startsWith(text, position);
  }

  /** The character that many places on, NUL beyond the end. */
  final char charAt(int offset) {
    int i = position + offset;
    return i < sql.length() ? sql.charAt(i) : '\0';
  }

  /** The place behind the quote that opens at {@code open}; a doubled quote does not close it. */
  final int behindQuoted(int open, boolean backslashEscapes) {
    char quote = sql.charAt(open);
    int i = open + 1;
    while (i < sql.length()) {
      char c = sql.charAt(i);
      if (backslashEscapes && c == '\\') {
        i += 2;
      } else if (c != quote) {
        i++;
      } else if (i + 1 < sql.length() && sql.charAt(i + 1) == quote) {
        i += 2;
      } else {
        return i + 1;
      }
    }
    throw malformed("a quote is never closed");
  }

  final int behindWord(int from) {
    int i = from;
    while (i < sql.length() && isWordPart(sql.charAt(i))) {
      i++;
    }
    return i;
  }

  /** A comment that the first of these characters ends, or the end of the text. */
  final void skipLine(int mark, String ends) {
    int end = position + mark;
    while (end < sql.length() && ends.indexOf(sql.charAt(end)) < 0) {
      end++;
    }
    comments.add(sql.substring(position + mark, end));
    position = end;
  }

  /** A comment from the position to {@code end}, with marks of two characters. */
  final void skipBlock(int end) {
    comments.add(sql.substring(position + 2, end - 2));
    position = end;
  }

  final ShardwrightException malformed(String what) {
    return new ShardwrightException(
        ErrorCode.STATEMENT_UNPARSABLE, what + ", near character " + (position + 1));
  }

  static boolean isWordPart(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || isDigit(c)
        || c == '_'
        || c == '$'
        || c > 127;
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** What separates tokens; other blanks of Unicode are letters to both databases. */
  static boolean isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }
}
