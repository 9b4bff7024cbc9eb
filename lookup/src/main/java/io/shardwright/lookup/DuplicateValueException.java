package io.shardwright.lookup;

import java.sql.SQLIntegrityConstraintViolationException;

/**
 * Another row has the value of a unique lookup index: SQLSTATE and number are the database's own.
 */
public final class DuplicateValueException extends SQLIntegrityConstraintViolationException {
  private static final long serialVersionUID = 1L;
  private static final int MARIADB_DUPLICATE = 1062;

  DuplicateValueException(Value value) {
    this(value, "already exists");
  }

  private DuplicateValueException(Value value, String why) {
    super(message(value) + why, state(value), number(value));
  }

  /** No row has the value, but somebody holds it for one. */
  static DuplicateValueException reserved(Value value) {
    return new DuplicateValueException(value, "is reserved");
  }

  private static String message(Value value) {
    return "duplicate key value violates the unique lookup index "
        + value.index().name()
        + " of table "
        + value.index().table()
        + ": "
        + value
        + " ";
  }

  private static String state(Value value) {
    return switch (value.index().product()) {
      case POSTGRESQL -> "23505";
      case MARIADB -> "23000";
    };
  }

  private static int number(Value value) {
    return switch (value.index().product()) {
      case POSTGRESQL -> 0;
      case MARIADB -> MARIADB_DUPLICATE;
    };
  }
}
