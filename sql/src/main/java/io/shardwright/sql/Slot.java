package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.KeyType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A value that the statement compares with or stores in a column: a parameter or a literal. */
sealed interface Slot {

  /** The value for this execution; null is SQL NULL. */
  Object value(List<?> parameters);

  /** The type that an explicit cast gives the value before the database uses it. */
  Optional<KeyType> cast();

  /** A parameter, 0-based. */
  record Parameter(int index, Optional<KeyType> cast) implements Slot {
    @Override
    public Object value(List<?> parameters) {
      if (index >= parameters.size()) {
        throw new ShardwrightException(
            ErrorCode.PARAMETER_MISSING, "parameter " + (index + 1) + " has no value; set it");
      }
      return parameters.get(index);
    }
  }

  /** A literal: BigDecimal, String, or null. */
  record Literal(Object literal, Optional<KeyType> cast) implements Slot {
    @Override
    public Object value(List<?> parameters) {
      return literal;
    }
  }

  /**
   * The value that decides the route, or empty when no row can match it. A cast that would change
   * the value (4.6::bigint is 5) is refused instead of guessed.
   */
  default Optional<Object> routeValue(KeyType column, List<?> parameters) {
    Object value = value(parameters);
    if (cast().isEmpty() || value == null) {
      return Optional.ofNullable(value);
    }
    Optional<Object> canonical = cast().get().canonical(value);
    if (cast().get() != column || canonical.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.ROUTE_KEY_VALUE_INVALID,
          "a route key value is cast in the statement and the cast may change it; cast it in the "
              + "program and pass the result");
    }
    return canonical;
  }

  /**
   * The parameter or literal that a run of tokens is, perhaps in a cast that routing understands.
   */
  static Optional<Slot> of(SqlTokens tokens, Range range) {
    return of(tokens, range, Optional.empty());
  }

  private static Optional<Slot> of(SqlTokens tokens, Range range, Optional<KeyType> cast) {
    Range value = range.unwrapped(tokens);
    int from = value.from();
    int last = value.to() - 1;
    if (value.size() == 0) {
      return Optional.empty();
    }
    if (value.size() == 1) {
      return single(tokens, tokens.get(from), cast);
    }
    boolean sign = tokens.isSymbolAt(from, "-") || tokens.isSymbolAt(from, "+");
    if (sign && value.size() == 2 && tokens.get(last).kind() == SqlTokens.Kind.NUMBER) {
      boolean negative = tokens.isSymbolAt(from, "-");
      return number(tokens.get(last)).map(n -> new Literal(negative ? n.negate() : n, cast));
    }
    if (cast.isPresent()) {
      return Optional.empty();
    }
    if (tokens.isSymbolAt(last - 1, "::")) {
      // A sign binds weaker than the cast: -1::text is -(1::text).
      return sign ? Optional.empty() : ofCast(tokens, new Range(from, last - 1), last);
    }
    boolean call = tokens.isAt(from, "CAST") && value.isCall(tokens);
    return call && tokens.isAt(last - 2, "AS")
        ? ofCast(tokens, new Range(from + 2, last - 2), last - 1)
        : Optional.empty();
  }

  private static Optional<Slot> ofCast(SqlTokens tokens, Range value, int type) {
    return castType(tokens.get(type).text()).flatMap(t -> of(tokens, value, Optional.of(t)));
  }

  private static Optional<Slot> single(
      SqlTokens tokens, SqlTokens.Token token, Optional<KeyType> cast) {
    return switch (token.kind()) {
      case PARAMETER -> Optional.of(new Parameter(tokens.parameterAt(token.start()), cast));
      case NUMBER -> number(token).map(n -> new Literal(n, cast));
      case STRING ->
          token.text().startsWith("'")
              ? Optional.of(new Literal(unquote(token.text()), cast))
              : Optional.empty();
      case WORD -> token.is("NULL") ? Optional.of(new Literal(null, cast)) : Optional.empty();
      case QUOTED, SYMBOL -> Optional.empty();
    };
  }

  private static Optional<BigDecimal> number(SqlTokens.Token token) {
    try {
      return Optional.of(new BigDecimal(token.text()));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static String unquote(String literal) {
    return literal.substring(1, literal.length() - 1).replace("''", "'");
  }

  private static Optional<KeyType> castType(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "bigint", "int8", "integer", "int", "int4", "smallint", "int2" ->
          Optional.of(KeyType.INTEGER);
      case "text", "varchar" -> Optional.of(KeyType.TEXT);
      case "uuid" -> Optional.of(KeyType.UUID);
      default -> Optional.empty();
    };
  }
}
