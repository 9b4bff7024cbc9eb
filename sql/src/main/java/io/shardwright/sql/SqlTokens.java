package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A statement cut into tokens, with their places in the text. PostgreSQL's lexical rules: quoted
 * identifiers, strings (plain, E'', dollar-quoted), nested comments. Edits are spliced at token
 * places and clauses are found by keyword and parenthesis depth, so that no text is ever
 * re-printed.
 *
 * <p>Linear in the text. Immutable.
 */
final class SqlTokens {
  /** A deeper statement would cost the parser its stack. */
  static final int DEPTH_MAX = 200;

  /** A longer statement is refused; a 5,000-row VALUES list of 20 columns stays below. */
  static final int CHARS_MAX = 8 * 1024 * 1024;

  enum Kind {
    WORD,
    QUOTED,
    STRING,
    NUMBER,
    PARAMETER,
    SYMBOL
  }

  /**
   * A token.
   *
   * @param depth number of parentheses and brackets around it; both parentheses of a pair have the
   *     depth outside
   */
  record Token(Kind kind, int start, int end, int depth, String text) {
    /** True for the unquoted word, in any case. */
    boolean is(String word) {
      return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    boolean isSymbol(String symbol) {
      return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isName() {
      return kind == Kind.WORD || kind == Kind.QUOTED;
    }

    String keyword() {
      return kind == Kind.WORD ? text.toUpperCase(Locale.ROOT) : "";
    }
  }

  private final String sql;
  private final List<Token> tokens = new ArrayList<>();
  private final List<Token> parameters = new ArrayList<>();
  private final List<String> comments = new ArrayList<>(0);
  private Hints hints = Hints.NONE;
  private int position;
  private int depth;

  /** True while the last string token has backslash escapes. */
  private boolean escapes;

  private SqlTokens(String sql) {
    this.sql = sql;
  }

  /**
   * Cuts a statement.
   *
   * @throws ShardwrightException SW201 for an unclosed quote, comment or parenthesis, SW202 for
   *     several statements in one text, SW211 beyond the bounds, SW215 for a hint that is wrong
   */
  static SqlTokens of(String sql) {
    if (sql.length() > CHARS_MAX) {
      throw new ShardwrightException(
          ErrorCode.STATEMENT_TOO_LARGE,
          "the statement has "
              + sql.length()
              + " characters, at most "
              + CHARS_MAX
              + " are allowed; send it in parts");
    }
    SqlTokens result = new SqlTokens(sql);
    result.scan();
    return result;
  }

  String sql() {
    return sql;
  }

  int size() {
    return tokens.size();
  }

  Token get(int index) {
    return tokens.get(index);
  }

  /** What the comments ask for. */
  Hints hints() {
    return hints;
  }

  boolean isAt(int index, String word) {
    return index >= 0 && index < tokens.size() && tokens.get(index).is(word);
  }

  boolean isSymbolAt(int index, String symbol) {
    return index >= 0 && index < tokens.size() && tokens.get(index).isSymbol(symbol);
  }

  /** The {@code ?}s, in order. */
  List<Token> parameters() {
    return parameters;
  }

  /** True for the word as a keyword: not qualified, and no alias behind AS. */
  boolean isKeyword(int index, String word) {
    return isAt(index, word) && !isSymbolAt(index - 1, ".") && !isKeyword(index - 1, "AS");
  }

  /** 0-based number of the {@code ?} that starts at a place in the text. */
  int parameterAt(int place) {
    int number = parametersBefore(place);
    if (number == parameters.size() || parameters.get(number).start() != place) {
      throw new ShardwrightException(
          ErrorCode.INVARIANT_BROKEN, "no parameter at character " + place + " of the statement");
    }
    return number;
  }

  /** How many {@code ?} start before a place in the text. */
  int parametersBefore(int place) {
    int low = 0;
    int high = parameters.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (parameters.get(middle).start() < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Index of the parenthesis that closes the one at {@code open}. */
  int closing(int open) {
    int outside = tokens.get(open).depth();
    int i = open + 1;
    while (tokens.get(i).depth() > outside) {
      i++;
    }
    return i;
  }

  String text(int from, int to) {
    return sql.substring(from, to);
  }

  private void scan() {
    while (position < sql.length()) {
      char c = sql.charAt(position);
      if (Character.isWhitespace(c)) {
        position++;
      } else if (startsWith("--")) {
        skipLine();
      } else if (startsWith("/*")) {
        skipComment();
      } else if (c == ';') {
        endOfStatement();
      } else {
        scanToken(c);
      }
    }
    if (depth != 0) {
      throw malformed("an opening parenthesis is never closed");
    }
    if (tokens.isEmpty()) {
      throw malformed("the statement is empty");
    }
    hints = HintReader.read(comments);
  }

  private void scanToken(char c) {
    if (c == '\'') {
      escapes = escapes && continuesString();
      add(Kind.STRING, quoted('\'', escapes));
    } else if (c == '"') {
      add(Kind.QUOTED, quoted('"', false));
    } else if ((c == 'e' || c == 'E') && charAt(1) == '\'') {
      add(Kind.STRING, quotedAfterPrefix(1, true));
      escapes = true;
    } else if ((c == 'b' || c == 'B' || c == 'x' || c == 'X' || c == 'n' || c == 'N')
        && charAt(1) == '\'') {
      add(Kind.STRING, quotedAfterPrefix(1, false));
    } else if ((c == 'u' || c == 'U') && charAt(1) == '&' && charAt(2) == '"') {
      throw new ShardwrightException(
          ErrorCode.STATEMENT_UNSUPPORTED,
          "an identifier in the form U&\"...\" near character "
              + (position + 1)
              + "; write the name itself");
    } else if ((c == 'u' || c == 'U') && charAt(1) == '&' && charAt(2) == '\'') {
      add(Kind.STRING, quotedAfterPrefix(2, false));
    } else if (c == '$' && dollarTagEnd() > 0) {
      add(Kind.STRING, dollarQuoted());
    } else if (isDigit(c) || (c == '.' && isDigit(charAt(1)))) {
      add(Kind.NUMBER, number());
    } else if (Character.isLetter(c) || c == '_' || c > 127) {
      add(Kind.WORD, word());
    } else if (c == '?') {
      parameter();
    } else {
      symbol(c);
    }
  }

  /** A string goes on in the next quote when only white space with a line end is between. */
  private boolean continuesString() {
    if (tokens.isEmpty() || tokens.get(tokens.size() - 1).kind() != Kind.STRING) {
      return false;
    }
    String between = sql.substring(tokens.get(tokens.size() - 1).end(), position);
    return between.indexOf('\n') >= 0 || between.indexOf('\r') >= 0;
  }

  private void parameter() {
    if (charAt(1) == '?') {
      add(Kind.SYMBOL, position + 2); // pgjdbc's escape for the operators ?, ?| and ?&
      return;
    }
    if (isDigit(charAt(1))) {
      throw malformed("'?' followed by a digit: parameters have no numbers in JDBC");
    }
    parameters.add(add(Kind.PARAMETER, position + 1));
  }

  private void symbol(char c) {
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
      add(Kind.SYMBOL, position + (startsWith("::") ? 2 : 1));
    }
  }

  private Token add(Kind kind, int end) {
    Token token = new Token(kind, position, end, depth, sql.substring(position, end));
    tokens.add(token);
    position = end;
    return token;
  }

  private void endOfStatement() {
    for (int i = position; i < sql.length(); i++) {
      if (sql.charAt(i) != ';' && !Character.isWhitespace(sql.charAt(i))) {
        throw new ShardwrightException(
            ErrorCode.STATEMENT_UNSUPPORTED,
            "text follows ';': send one statement per call, each can go to other shards");
      }
    }
    position = sql.length();
  }

  /** PostgreSQL ends a line at a carriage return, too. */
  private void skipLine() {
    int start = position + 2;
    while (position < sql.length()
        && sql.charAt(position) != '\n'
        && sql.charAt(position) != '\r') {
      position++;
    }
    comments.add(sql.substring(start, position));
  }

  private void skipComment() {
    int nesting = 0;
    int start = position;
    do {
      if (position + 1 >= sql.length()) {
        position = start;
        throw malformed("a comment is never closed");
      }
      if (startsWith("/*")) {
        nesting++;
        position += 2;
      } else if (startsWith("*/")) {
        nesting--;
        position += 2;
      } else {
        position++;
      }
    } while (nesting > 0);
    comments.add(sql.substring(start + 2, position - 2));
  }

  private int quotedAfterPrefix(int prefix, boolean backslashEscapes) {
    position += prefix;
    int end = quoted('\'', backslashEscapes);
    position -= prefix;
    return end;
  }

  private int quoted(char quote, boolean backslashEscapes) {
    int i = position + 1;
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

  /** End of {@code $tag$}, or -1 when this is no dollar quote. */
  private int dollarTagEnd() {
    int i = position + 1;
    while (i < sql.length() && (Character.isLetterOrDigit(sql.charAt(i)) || sql.charAt(i) == '_')) {
      i++;
    }
    boolean tag = i < sql.length() && sql.charAt(i) == '$' && !isDigit(charAt(1));
    return tag ? i + 1 : -1;
  }

  private int dollarQuoted() {
    String tag = sql.substring(position, dollarTagEnd());
    int close = sql.indexOf(tag, position + tag.length());
    if (close < 0) {
      throw malformed("a dollar quote is never closed");
    }
    return close + tag.length();
  }

  private int number() {
    int i = position;
    while (i < sql.length()
        && (Character.isLetterOrDigit(sql.charAt(i))
            || sql.charAt(i) == '.'
            || sql.charAt(i) == '_')) {
      char c = sql.charAt(i);
      boolean exponent = (c == 'e' || c == 'E') && i + 1 < sql.length();
      i += exponent && (sql.charAt(i + 1) == '+' || sql.charAt(i + 1) == '-') ? 2 : 1;
    }
    return i;
  }

  private int word() {
    int i = position;
    while (i < sql.length()) {
      char c = sql.charAt(i);
      if (!Character.isLetterOrDigit(c) && c != '_' && c != '$' && c <= 127) {
        break;
      }
      i++;
    }
    return i;
  }

  private boolean startsWith(String text) {
    return sql.startsWith(text, position);
  }

  private char charAt(int offset) {
    int i = position + offset;
    return i < sql.length() ? sql.charAt(i) : '\0';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private ShardwrightException malformed(String what) {
    return new ShardwrightException(
        ErrorCode.STATEMENT_UNPARSABLE, what + ", near character " + (position + 1));
  }
}
