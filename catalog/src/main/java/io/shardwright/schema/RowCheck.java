package io.shardwright.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A CHECK of Shardwright on a table of the user's, which holds for every client.
 *
 * <p>It is added in two steps, NOT VALID and then VALIDATE, so that writers wait for an instant
 * only; a run that dies in between leaves a constraint that guards new rows, and the next run
 * validates it. MariaDB does it in one step.
 */
sealed interface RowCheck permits GeneCheck, DirectoryCheck {
  ShardDatabase database();

  String table();

  String name();

  /** In parentheses. */
  String expression();

  /** Whether the server's text of a constraint of this name means this one. */
  boolean isDefinedBy(String definition);

  /** For people. */
  record Mismatch(String what, String action) {}

  /** Of another constraint of this name. */
  default Mismatch mismatch(String definition) {
    return new Mismatch(
        "was changed by hand", "drop it and run apply again, which creates it as it must be");
  }

  /** What rows that break it are, after "has rows". */
  String broken();

  /** What to do about them. */
  String remedy();

  /** True when it was created, false when it was there. Idempotent, also run twice at once. */
  default boolean create(Connection connection, Duration lockTimeout) throws SQLException {
    return database()
        .database()
        .locked(
            connection,
            c -> {
              if (database().hasCheck(c, table(), name())) {
                return false;
              }
              try (Statement statement = c.createStatement()) {
                database().database().limitLockWait(statement, lockTimeout);
                statement.execute(
                    "ALTER TABLE "
                        + database().quote(table())
                        + " ADD CONSTRAINT "
                        + database().quote(name())
                        + " CHECK "
                        + expression()
                        + database().unvalidated());
              }
              return true;
            });
  }

  /**
   * Reads all rows unless that has been done; writers go on meanwhile.
   *
   * @throws SQLException a violation of the CHECK when a row breaks the rule
   */
  default void validate(Connection connection, Duration lockTimeout) throws SQLException {
    String validation = database().validate(table(), name());
    if (!validation.isEmpty()) {
      try (Statement statement = connection.createStatement()) {
        database().database().limitLockWait(statement, lockTimeout);
        statement.execute(validation);
      }
    }
  }
}
