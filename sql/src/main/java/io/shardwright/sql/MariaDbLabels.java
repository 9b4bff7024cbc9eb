package io.shardwright.sql;

import io.shardwright.sql.SqlTokens.Kind;
import io.shardwright.sql.SqlTokens.Token;

/**
 * The name that MariaDB gives an output column without alias: a column's own, a string's value, and
 * of everything else the text as it is written.
 */
final class MariaDbLabels {
  private MariaDbLabels() {}

  static String of(SqlTokens tokens, Range expression) {
    Range bare = expression.unwrapped(tokens);
    if (bare.size() > 0 && isColumn(tokens, bare)) {
      return tokens.dialect().label(tokens.get(bare.to() - 1).text());
    }
    Range range = bare.size() == 1 ? bare : expression;
    boolean plus = bare.size() == 2 && tokens.isSymbolAt(bare.from(), "+");
    if (plus && tokens.get(bare.from() + 1).kind() == Kind.NUMBER) {
      range = new Range(bare.from() + 1, bare.to());
    }
    if (range.size() == 1 && hasNameOfValue(tokens.get(range.from()))) {
      return ofOne(tokens.get(range.from()), tokens.dialect());
    }
    StringBuilder strings = new StringBuilder();
    for (int i = range.from(); i < range.to(); i++) {
      if (!isText(tokens.get(i))) {
        return written(tokens, range);
      }
      strings.append(ofOne(tokens.get(i), tokens.dialect()));
    }
    return strings.toString();
  }

  /** The text, with the comments between it and a comma before it, but not those behind SELECT. */
  private static String written(SqlTokens tokens, Range range) {
    Facts.Place place = range.place(tokens);
    boolean first = range.from() == 0 || !tokens.isSymbolAt(range.from() - 1, ",");
    int from = first ? place.from() : tokens.get(range.from() - 1).end();
    return tokens.text(from, place.to()).stripLeading();
  }

  private static boolean hasNameOfValue(Token token) {
    return isConstant(token) || token.kind() == Kind.NUMBER || isText(token);
  }

  /** Not {@code x'41'} and {@code b'1'}. */
  private static boolean isText(Token token) {
    return token.kind() == Kind.STRING && "xXbB".indexOf(token.text().charAt(0)) < 0;
  }

  private static boolean isColumn(SqlTokens tokens, Range range) {
    for (int i = range.from(); i < range.to(); i++) {
      boolean name = (i - range.from()) % 2 == 0;
      if (name ? !tokens.get(i).isName() : !tokens.isSymbolAt(i, ".")) {
        return false;
      }
    }
    boolean constant = range.size() == 1 && isConstant(tokens.get(range.from()));
    return range.size() % 2 == 1 && !constant;
  }

  private static boolean isConstant(Token token) {
    return token.is("NULL") || token.is("TRUE") || token.is("FALSE");
  }

  private static String ofOne(Token token, Dialect dialect) {
    if (isConstant(token)) {
      return token.keyword();
    }
    if (!isText(token)) {
      return token.text();
    }
    int quote = 0;
    while (token.text().charAt(quote) != '\'' && token.text().charAt(quote) != '"') {
      quote++;
    }
    return dialect
        .string(token.text().substring(quote))
        .map(value -> value.toString().stripLeading())
        .orElse(token.text());
  }
}
