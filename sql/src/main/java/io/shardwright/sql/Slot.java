package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.KeyType;
import java.util.List;
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

  /** A literal: Long, BigDecimal, String, or null. */
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
}
