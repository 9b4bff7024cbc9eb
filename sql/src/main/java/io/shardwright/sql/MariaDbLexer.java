package io.shardwright.sql;

import io.shardwright.sql.SqlTokens.Kind;
import io.shardwright.sql.SqlTokens.Token;
import java.util.List;

/**
 * MariaDB with the lexical rules of its default sql_mode: backtick identifiers, strings in both
 * quotes with backslash escapes, comments that do not nest, identifiers that may start with a
 * digit.
 */
final class MariaDbLexer extends Lexer {

  MariaDbLexer(MariaDbDialect dialect, String sql) {
    super(dialect, sql);
  }

  @Override
  boolean skipsComment() {
    boolean dashes = startsWith("--") && (charAt(2) <= ' ' || charAt(2) == '\u007f');
    if (dashes || startsWith("#")) {
      skipLine(dashes ? 2 : 1, "\n\0");
      return true;
    }
    if (!startsWith("/*")) {
      return false;
    }
    if (startsWith("/*!") || startsWith("/*M!")) {
      throw BlockReader.unsupported(
          "an executable comment /*! ... */, which the server takes for a part of the statement,");
    }
    int close = sql().indexOf("*/", position() + 2);
    if (close < 0) {
      throw malformed("a comment is never closed");
    }
    skipBlock(close + 2);
    return true;
  }

  @Override
  void addToken(char c) {
    if (c == '\0') {
      throw malformed("the text has a NUL character outside quotes");
    } else if (c == '\'' || c == '"') {
      add(Kind.STRING, behindQuoted(position(), true));
    } else if (c == '`') {
      add(Kind.QUOTED, behindQuoted(position(), false));
    } else if ("nN".indexOf(c) >= 0 && charAt(1) == '\'') {
      add(Kind.STRING, behindQuoted(position() + 1, true));
    } else if ("bBxX".indexOf(c) >= 0 && charAt(1) == '\'') {
      add(Kind.STRING, behindDigitString());
    } else if (c == '_' && quoteBehindIntroducer() > 0) {
      add(Kind.STRING, behindQuoted(quoteBehindIntroducer(), true));
    } else if (c == '.' && isDigit(charAt(1)) && !followsName()) {
      add(Kind.NUMBER, number());
    } else if (isDigit(c) && !followsDot()) {
      addNumberOrWord();
    } else if (isWordPart(c)) {
      add(Kind.WORD, behindWord(position()));
    } else if (c == '?') {
      addParameter();
    } else {
      addSymbol(c, startsWith("&&") || startsWith("||") ? 2 : 1);
    }
  }

  /** {@code x'41'}, which knows no doubled quote. */
  private int behindDigitString() {
    int close = sql().indexOf('\'', position() + 2);
    if (close < 0) {
      throw malformed("a quote is never closed");
    }
    return close + 1;
  }

  /** {@code _utf8mb4'x'}: the place of the quote, or -1. */
  private int quoteBehindIntroducer() {
    int i = behindWord(position());
    while (i < sql().length() && isBlank(sql().charAt(i))) {
      i++;
    }
    boolean quote = i < sql().length() && (sql().charAt(i) == '\'' || sql().charAt(i) == '"');
    return quote ? i : -1;
  }

  /** True where a dot separates names: directly behind one. */
  private boolean followsName() {
    List<Token> tokens = tokens();
    Token last = tokens.isEmpty() ? null : tokens.get(tokens.size() - 1);
    return last != null && last.isName() && last.end() == position();
  }

  private boolean followsDot() {
    List<Token> tokens = tokens();
    Token last = tokens.isEmpty() ? null : tokens.get(tokens.size() - 1);
    return last != null && last.isSymbol(".") && last.end() == position();
  }

  private void addNumberOrWord() {
    int number = number();
    boolean longer = number < sql().length() && isWordPart(sql().charAt(number));
    add(longer ? Kind.WORD : Kind.NUMBER, longer ? behindWord(position()) : number);
  }

  /** The place behind digits, a fraction and an exponent, or behind 0x1F and 0b01. */
  private int number() {
    int word = behindWord(position());
    if ((startsWith("0x") || startsWith("0b"))
        && sql().substring(position(), word).matches("0x[0-9a-fA-F]+|0b[01]+")) {
      return word;
    }
    int i = behindDigits(position());
    boolean fraction = i < sql().length() && sql().charAt(i) == '.';
    i = fraction ? behindDigits(i + 1) : i;
    boolean exponent = i < sql().length() && (sql().charAt(i) == 'e' || sql().charAt(i) == 'E');
    int digits = i + 1;
    if (exponent && digits < sql().length() && "+-".indexOf(sql().charAt(digits)) >= 0) {
      digits++;
    }
    return exponent && behindDigits(digits) > digits ? behindDigits(digits) : i;
  }

  private int behindDigits(int from) {
    int i = from;
    while (i < sql().length() && isDigit(sql().charAt(i))) {
      i++;
    }
    return i;
  }
}
