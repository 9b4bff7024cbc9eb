package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.List;
import java.util.Locale;

/**
 * A statement cut into tokens, with their places in the text. Edits are spliced at token places and
 * clauses are found by keyword and parenthesis depth, so that no text is ever re-printed.
 *
 * <p>Linear in the text. Immutable.
 */
final class SqlTokens {
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

  /** A token. Its text is cut out when it is first asked for: of most tokens nobody asks. */
  static final class Token {
    private final Kind kind;
    private final String sql;
    private final int start;
    private final int end;
    private final int depth;

    /** Threads that race set equal texts. */
    private String text;

    /**
     * @param sql the text of which it is a part
     * @param depth number of parentheses and brackets around it; both parentheses of a pair have
     *     the depth outside
     */
    Token(Kind kind, String sql, int start, int end, int depth) {
      this.kind = kind;
      this.sql = sql;
      this.start = start;
      this.end = end;
      this.depth = depth;
    }

    Kind kind() {
      return kind;
    }

    int start() {
      return start;
    }

    int end() {
      return end;
    }

    int depth() {
      return depth;
    }

    String text() {
      String known = text;
      if (known == null) {
        known = sql.substring(start, end);
        text = known;
      }
      return known;
    }

    /** True for the unquoted word, in any case. */
    boolean is(String word) {
      return kind == Kind.WORD
          && end - start == word.length()
          && sql.regionMatches(true, start, word, 0, word.length());
    }

    boolean isSymbol(String symbol) {
      return kind == Kind.SYMBOL && end - start == symbol.length() && sql.startsWith(symbol, start);
    }

    boolean isName() {
      return kind == Kind.WORD || kind == Kind.QUOTED;
    }

    String keyword() {
      return kind == Kind.WORD ? text().toUpperCase(Locale.ROOT) : "";
    }
  }

  private final Dialect dialect;
  private final String sql;
  private final List<Token> tokens;
  private final List<Token> parameters;
  private final Hints hints;

  SqlTokens(Dialect dialect, String sql, List<Token> tokens, List<Token> parameters, Hints hints) {
    this.dialect = dialect;
    this.sql = sql;
    this.tokens = tokens;
    this.parameters = parameters;
    this.hints = hints;
  }

  /**
   * Cuts a statement.
   *
   * @throws ShardwrightException SW201 for an unclosed quote, comment or parenthesis, SW202 for
   *     several statements in one text, SW211 beyond the bounds, SW215 for a hint that is wrong
   */
  static SqlTokens of(Dialect dialect, String sql) {
    if (sql.length() > CHARS_MAX) {
      throw new ShardwrightException(
          ErrorCode.STATEMENT_TOO_LARGE,
          "the statement has "
              + sql.length()
              + " characters, at most "
              + CHARS_MAX
              + " are allowed; send it in parts");
    }
    return dialect.lexer(sql).scan();
  }

  Dialect dialect() {
    return dialect;
  }

  FunctionNames functions() {
    return dialect.functions();
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

  /** The name of a column, alias or function, folded. */
  String name(int index) {
    return dialect.fold(tokens.get(index).text());
  }

  /** The first name of each item of a list, folded. */
  List<String> names(Range list) {
    return list.items(this).stream().map(item -> name(item.from())).toList();
  }

  /** True for the name of a column, alias or function. */
  boolean isNamed(int index, String name) {
    return tokens.get(index).isName() && name(index).equals(name);
  }

  /** The name of a table or of what qualifies one, folded. */
  String tableName(int index) {
    return dialect.foldTable(tokens.get(index).text());
  }

  boolean isAt(int index, String word) {
    return index >= 0 && index < tokens.size() && tokens.get(index).is(word);
  }

  boolean hasParameter(Range range) {
    for (int i = range.from(); i < range.to(); i++) {
      if (get(i).kind() == Kind.PARAMETER) {
        return true;
      }
    }
    return false;
  }

  boolean hasWord(Range range, String word) {
    for (int i = range.from(); i < range.to(); i++) {
      if (isAt(i, word)) {
        return true;
      }
    }
    return false;
  }

  boolean hasSymbol(Range range, String symbol) {
    for (int i = range.from(); i < range.to(); i++) {
      if (isSymbolAt(i, symbol)) {
        return true;
      }
    }
    return false;
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

  /** Whether there is such a {@code ?} and it starts before a place in the text. */
  boolean isParameterBefore(int number, int place) {
    return number < parameters.size() && parameters.get(number).start() < place;
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
}
