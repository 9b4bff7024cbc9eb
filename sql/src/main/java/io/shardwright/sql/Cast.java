package io.shardwright.sql;

import java.util.Locale;
import java.util.Optional;

/**
 * {@code value::type}, {@code CAST(value AS type)} or {@code type 'value'}, with a type of one
 * word.
 *
 * @param type in lower case
 */
record Cast(Range value, String type) {

  static Optional<Cast> of(SqlTokens tokens, Range range) {
    int from = range.from();
    int last = range.to() - 1;
    if (range.size() < 2) {
      return Optional.empty();
    }
    if (tokens.isSymbolAt(last - 1, "::")) {
      // A sign binds weaker than the cast: -1::text is -(1::text).
      boolean sign = tokens.isSymbolAt(from, "-") || tokens.isSymbolAt(from, "+");
      return sign ? Optional.empty() : Optional.of(of(tokens, new Range(from, last - 1), last));
    }
    if (tokens.isAt(from, "CAST") && range.isCall(tokens)) {
      return tokens.isAt(last - 2, "AS")
          ? Optional.of(of(tokens, new Range(from + 2, last - 2), last - 1))
          : Optional.empty();
    }
    boolean typed =
        range.size() == 2
            && tokens.get(from).kind() == SqlTokens.Kind.WORD
            && tokens.get(last).kind() == SqlTokens.Kind.STRING;
    return typed ? Optional.of(of(tokens, new Range(last, last + 1), from)) : Optional.empty();
  }

  private static Cast of(SqlTokens tokens, Range value, int type) {
    return new Cast(value, tokens.get(type).text().toLowerCase(Locale.ROOT));
  }
}
