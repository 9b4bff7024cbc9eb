package io.shardwright.sql;

import io.shardwright.sql.SqlTokens.Token;

/**
 * A statement cut into tokens by a database's lexical rules, for readers that only look at it: no
 * schema is asked, nothing is routed or edited. Comments are no tokens. Immutable.
 */
public final class TokenText {
  /** What a token is. */
  public enum Kind {
    WORD,
    QUOTED,
    STRING,
    NUMBER,
    PARAMETER,
    SYMBOL
  }

  private final SqlTokens tokens;

  private TokenText(SqlTokens tokens) {
    this.tokens = tokens;
  }

  /**
   * Cuts a statement.
   *
   * @throws io.shardwright.errors.ShardwrightException SW201 for an unclosed quote, comment or
   *     parenthesis, SW202 for several statements in one text, SW211 beyond the bounds
   */
  public static TokenText of(Dialect dialect, String sql) {
    return new TokenText(SqlTokens.of(dialect, sql));
  }

  public int size() {
    return tokens.size();
  }

  public Kind kind(int index) {
    return switch (tokens.get(index).kind()) {
      case WORD -> Kind.WORD;
      case QUOTED -> Kind.QUOTED;
      case STRING -> Kind.STRING;
      case NUMBER -> Kind.NUMBER;
      case PARAMETER -> Kind.PARAMETER;
      case SYMBOL -> Kind.SYMBOL;
    };
  }

  /** As it is written. */
  public String text(int index) {
    return tokens.get(index).text();
  }

  public int start(int index) {
    return tokens.get(index).start();
  }

  public int end(int index) {
    return tokens.get(index).end();
  }

  /** Parentheses and brackets around it; both of a pair have the depth outside. */
  public int depth(int index) {
    return tokens.get(index).depth();
  }

  /** True for the unquoted word, in any case; false outside of the text. */
  public boolean is(int index, String word) {
    return tokens.isAt(index, word);
  }

  /** False outside of the text. */
  public boolean isSymbol(int index, String symbol) {
    return tokens.isSymbolAt(index, symbol);
  }

  /** An unquoted word or a quoted name. */
  public boolean isName(int index) {
    return index >= 0 && index < tokens.size() && tokens.get(index).isName();
  }

  /** The name of a column, alias or function as the database compares it. */
  public String name(int index) {
    return tokens.name(index);
  }

  /** The name of a table, or of what qualifies one, as the database compares it. */
  public String tableName(int index) {
    return tokens.tableName(index);
  }

  /** Index of the parenthesis or bracket that closes the one at {@code open}. */
  public int closing(int open) {
    return tokens.closing(open);
  }

  /** The text from one token to another, without the last. */
  public String text(int from, int to) {
    Token first = tokens.get(from);
    return tokens.text(first.start(), tokens.get(to - 1).end());
  }
}
