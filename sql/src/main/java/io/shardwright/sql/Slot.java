package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.KeyType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A value that the statement compares with or stores in a column: a parameter or a literal. */
sealed interface Slot {

  /** The value for this execution; null is SQL NULL. */
  Object value(List<?> parameters);

  /** The type that an explicit cast gives the value before the database uses it. */
  Optional<KeyType> cast();

  /** Decides what a comparison with the value means. */
  Dialect dialect();

  /** A parameter, 0-based. */
  record Parameter(int index, Optional<KeyType> cast, Dialect dialect) implements Slot {
    @Override
    public Object value(List<?> parameters) {
      if (index >= parameters.size()) {
        throw new ShardwrightException(
            ErrorCode.PARAMETER_MISSING, "parameter " + (index + 1) + " has no value; set it");
      }
      return parameters.get(index);
    }
  }

  /** A literal: BigDecimal, Double, String, or null. */
  record Literal(Object literal, Optional<KeyType> cast, Dialect dialect) implements Slot {
    @Override
    public Object value(List<?> parameters) {
      return literal;
    }
  }

  /** True for a slot that stands for several values, told when the parameters are known. */
  default boolean isSeveral() {
    return false;
  }

  /**
   * The single values that the slot stands for; empty when they are too many to be listed.
   *
   * @param column the type of the column that is compared
   */
  default Optional<List<Slot>> expanded(KeyType column, List<?> parameters) {
    return Optional.of(List.of(this));
  }

  /**
   * The end of a range of whole numbers.
   *
   * @param step what is added to the value to get the last number that is in the range: 0, or 1 or
   *     -1 where the value itself is not
   */
  record Bound(Slot value, int step) {
    private Optional<BigInteger> number(List<?> parameters) {
      return value
          .routeValue(KeyType.INTEGER, parameters)
          .flatMap(KeyType.INTEGER::canonical)
          .map(number -> BigInteger.valueOf((Long) number).add(BigInteger.valueOf(step)));
    }
  }

  /** The whole numbers of a range: {@code BETWEEN low AND high}. */
  record Between(Bound low, Bound high) implements Slot {
    /** More values would be all shards anyway. */
    static final int VALUES_MAX = 1_000;

    @Override
    public Object value(List<?> parameters) {
      throw new ShardwrightException(ErrorCode.INVARIANT_BROKEN, "a range is no single value");
    }

    @Override
    public Optional<KeyType> cast() {
      return Optional.empty();
    }

    @Override
    public Dialect dialect() {
      return low.value().dialect();
    }

    @Override
    public boolean isSeveral() {
      return true;
    }

    @Override
    public Optional<List<Slot>> expanded(KeyType column, List<?> parameters) {
      if (column != KeyType.INTEGER) {
        return Optional.empty();
      }
      if (low.value().value(parameters) == null || high.value().value(parameters) == null) {
        return Optional.of(List.of(none()));
      }
      Optional<BigInteger> first = low.number(parameters);
      Optional<BigInteger> last = high.number(parameters);
      if (first.isEmpty() || last.isEmpty()) {
        return Optional.empty();
      }
      BigInteger count = last.get().subtract(first.get()).add(BigInteger.ONE);
      if (count.compareTo(BigInteger.valueOf(VALUES_MAX)) > 0) {
        return Optional.empty();
      }
      if (count.signum() <= 0) {
        return Optional.of(List.of(none()));
      }
      List<Slot> values = new ArrayList<>();
      for (int i = 0; i < count.intValue(); i++) {
        BigDecimal value = new BigDecimal(first.get().add(BigInteger.valueOf(i)));
        values.add(new Literal(value, Optional.empty(), dialect()));
      }
      return Optional.of(values);
    }
  }

  /** {@code = ANY (?)}: the elements of an array. */
  record Elements(Parameter array) implements Slot {
    @Override
    public Object value(List<?> parameters) {
      throw new ShardwrightException(ErrorCode.INVARIANT_BROKEN, "an array is no single value");
    }

    @Override
    public Optional<KeyType> cast() {
      return Optional.empty();
    }

    @Override
    public Dialect dialect() {
      return array.dialect();
    }

    @Override
    public boolean isSeveral() {
      return true;
    }

    @Override
    public Optional<List<Slot>> expanded(KeyType column, List<?> parameters) {
      Object value = array.value(parameters);
      if (value == null) {
        return Optional.of(List.of(none()));
      }
      try {
        Object elements = value instanceof java.sql.Array given ? given.getArray() : value;
        if (elements == null || !elements.getClass().isArray()) {
          return Optional.empty();
        }
        int count = java.lang.reflect.Array.getLength(elements);
        if (count > KeyCondition.ALTERNATIVES_MAX) {
          return Optional.empty();
        }
        List<Slot> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          Object element = java.lang.reflect.Array.get(elements, i);
          values.add(new Literal(element, array.cast(), dialect()));
        }
        return Optional.of(values.isEmpty() ? List.of(none()) : values);
      } catch (SQLException e) {
        return Optional.empty();
      }
    }
  }

  /** A value that no row has. */
  default Slot none() {
    return new Literal(null, Optional.empty(), dialect());
  }

  /**
   * The value that decides the route, or empty when no row can match it. A cast that would change
   * the value (4.6::bigint is 5) is refused instead of guessed.
   */
  default Optional<Object> routeValue(KeyType column, List<?> parameters) {
    Object value = value(parameters);
    if (value == null) {
      return Optional.empty();
    }
    return cast().isEmpty()
        ? Optional.of(dialect().compared(column, value))
        : castValue(column, value);
  }

  /** The value that the column stores, whose key decides the place of a row; empty for NULL. */
  default Optional<Object> storedValue(KeyType column, List<?> parameters) {
    Object value = value(parameters);
    if (value == null) {
      return Optional.empty();
    }
    return cast().isEmpty()
        ? Optional.of(dialect().stored(column, value))
        : castValue(column, value);
  }

  private Optional<Object> castValue(KeyType column, Object value) {
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

  static Optional<Slot> of(SqlTokens tokens, Range range, Optional<KeyType> cast) {
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
    Dialect dialect = tokens.dialect();
    if (sign && value.size() == 2 && tokens.get(last).kind() == SqlTokens.Kind.NUMBER) {
      String minus = tokens.isSymbolAt(from, "-") ? "-" : "";
      return dialect
          .number(minus + tokens.get(last).text())
          .map(n -> new Literal(n, cast, dialect));
    }
    return cast.isPresent()
        ? Optional.empty()
        : Cast.of(tokens, value).flatMap(written -> ofCast(tokens, written));
  }

  private static Optional<Slot> ofCast(SqlTokens tokens, Cast cast) {
    Optional<KeyType> type = tokens.dialect().castType(cast.type());
    if (type.isPresent()) {
      return of(tokens, cast.value(), type);
    }
    return tokens.dialect().keepsValues(KeyType.INTEGER, cast.type())
        ? of(tokens, cast.value()).flatMap(Slot::number)
        : Optional.empty();
  }

  /** The exact number that a literal denotes. */
  private static Optional<Slot> number(Slot slot) {
    if (!(slot instanceof Literal literal)) {
      return Optional.empty();
    }
    Object value = literal.literal();
    return value instanceof String text
        ? Dialect.decimal(text.strip()).map(n -> new Literal(n, literal.cast(), slot.dialect()))
        : Optional.of(slot);
  }

  private static Optional<Slot> single(
      SqlTokens tokens, SqlTokens.Token token, Optional<KeyType> cast) {
    Dialect dialect = tokens.dialect();
    return switch (token.kind()) {
      case PARAMETER ->
          Optional.of(new Parameter(tokens.parameterAt(token.start()), cast, dialect));
      case NUMBER -> dialect.number(token.text()).map(n -> new Literal(n, cast, dialect));
      case STRING -> dialect.string(token.text()).map(s -> new Literal(s, cast, dialect));
      case WORD ->
          token.is("NULL")
              ? Optional.of(new Literal(null, cast, dialect))
              : dialect.constant(token.keyword()).map(c -> new Literal(c, cast, dialect));
      case QUOTED, SYMBOL -> Optional.empty();
    };
  }
}
