package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.SqlTokens.Kind;
import io.shardwright.sql.SqlTokens.Token;
import java.util.List;

/** PostgreSQL: quoted identifiers, strings (plain, E'', dollar-quoted), nested comments. */
final class PostgreSqlLexer extends Lexer {
  /** True while the last string token has backslash escapes. */
  private boolean escapes;

  PostgreSqlLexer(PostgreSqlDialect dialect, String sql) {
    super(dialect, sql);
  }

  /** A carriage return ends a line, too. */
  @Override
  boolean skipsComment() {
    if (startsWith("--")) {
      skipLine(2, "\n\r");
      return true;
    }
    if (startsWith("/*")) {
      skipBlock(behindNestedComment());
      return true;
    }
    return false;
  }

  private int behindNestedComment() {
    int nesting = 0;
    int at = position();
    do {
      if (at + 1 >= sql().length()) {
        throw malformed("a comment is never closed");
      }
      boolean opens = sql().startsWith("/*", at);
      boolean closes = sql().startsWith("*/", at);
      nesting += opens ? 1 : closes ? -1 : 0;
      at += opens || closes ? 2 : 1;
    } while (nesting > 0);
    return at;
  }

  @Override
  void addToken(char c) {
    if (c == '\'') {
      escapes = escapes && continuesString();
      add(Kind.STRING, behindQuoted(position(), escapes));
    } else if (c == '"') {
      add(Kind.QUOTED, behindQuoted(position(), false));
    } else if (isPrefix("eE", c)) {
      add(Kind.STRING, behindQuoted(position() + 1, true));
      escapes = true;
    } else if (isPrefix("bBxXnN", c)) {
      add(Kind.STRING, behindQuoted(position() + 1, false));
    } else if ((c == 'u' || c == 'U') && charAt(1) == '&' && charAt(2) == '"') {
      throw new ShardwrightException(
          ErrorCode.STATEMENT_UNSUPPORTED,
          "an identifier in the form U&\"...\" near character "
              + (position() + 1)
              + "; write the name itself");
    } else if ((c == 'u' || c == 'U') && charAt(1) == '&' && charAt(2) == '\'') {
      add(Kind.STRING, behindQuoted(position() + 2, false));
    } else if (c == '$' && dollarTagEnd() > 0) {
      add(Kind.STRING, dollarQuoted());
    } else if (isDigit(c) || (c == '.' && isDigit(charAt(1)))) {
      add(Kind.NUMBER, number());
    } else if (isWordPart(c) && c != '$') {
      add(Kind.WORD, behindWord(position()));
    } else if (startsWith("??")) {
      addSymbol(c, 2); // pgjdbc's escape for the operators ?, ?| and ?&
    } else if (c == '?') {
      addParameter();
    } else {
      addSymbol(c, startsWith("::") ? 2 : 1);
    }
  }

  private boolean isPrefix(String prefixes, char c) {
    return prefixes.indexOf(c) >= 0 && charAt(1) == '\'';
  }

  /** A string goes on in the next quote when only white space with a line end is between. */
  private boolean continuesString() {
    List<Token> tokens = tokens();
    if (tokens.isEmpty() || tokens.get(tokens.size() - 1).kind() != Kind.STRING) {
      return false;
    }
    String between = sql().substring(tokens.get(tokens.size() - 1).end(), position());
    return between.indexOf('\n') >= 0 || between.indexOf('\r') >= 0;
  }

  /** End of {@code $tag$}, or -1 when this is no dollar quote. */
  private int dollarTagEnd() {
    int i = position() + 1;
    while (i < sql().length() && isWordPart(sql().charAt(i)) && sql().charAt(i) != '$') {
      i++;
    }
    boolean tag = i < sql().length() && sql().charAt(i) == '$' && !isDigit(charAt(1));
    return tag ? i + 1 : -1;
  }

  private int dollarQuoted() {
    String tag = sql().substring(position(), dollarTagEnd());
    int close = sql().indexOf(tag, position() + tag.length());
    if (close < 0) {
      throw malformed("a dollar quote is never closed");
    }
    return close + tag.length();
  }

  private int number() {
    int i = position();
    while (i < sql().length()
        && (Character.isLetterOrDigit(sql().charAt(i))
            || sql().charAt(i) == '.'
            || sql().charAt(i) == '_')) {
      char c = sql().charAt(i);
      boolean exponent = (c == 'e' || c == 'E') && i + 1 < sql().length();
      i += exponent && (sql().charAt(i + 1) == '+' || sql().charAt(i + 1) == '-') ? 2 : 1;
    }
    return i;
  }
}
