package io.shardwright.schema;

import io.shardwright.catalog.ObjectName;
import io.shardwright.routing.GeneIdLayout;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * The CHECK that ties the gene of a table's ids to its bucket_id. Without it one foreign id would
 * make a look-up by id answer "none" falsely.
 *
 * <p>It is added in two steps, NOT VALID and then VALIDATE, so that writers wait for an instant
 * only; a run that dies in between leaves a constraint that guards new rows, and the next run
 * validates it. MariaDB does it in one step.
 */
record GeneCheck(ShardDatabase database, String table, String column, GeneIdLayout layout) {
  private static final String PREFIX = "shardwright_gene_";

  /** {@code shardwright_gene_<table>}; a long table name is cut and ends in a hash of it. */
  String name() {
    return ObjectName.fit(PREFIX, table);
  }

  /** Whether the server's text of a constraint means this one. */
  boolean isDefinedBy(String definition) {
    return database.bare(definition).equals(database.bare("CHECK " + expression()));
  }

  /** True when it was created, false when it was there. Idempotent, also run twice at once. */
  boolean create(Connection connection, Duration lockTimeout) throws SQLException {
    return database
        .database()
        .locked(
            connection,
            c -> {
              if (database.hasCheck(c, table, name())) {
                return false;
              }
              try (Statement statement = c.createStatement()) {
                database.database().limitLockWait(statement, lockTimeout);
                statement.execute(
                    "ALTER TABLE "
                        + database.quote(table)
                        + " ADD CONSTRAINT "
                        + database.quote(name())
                        + " CHECK "
                        + expression()
                        + database.unvalidated());
              }
              return true;
            });
  }

  /**
   * Reads all rows unless that has been done; writers go on meanwhile.
   *
   * @throws SQLException a violation of the CHECK when a row breaks the rule
   */
  void validate(Connection connection, Duration lockTimeout) throws SQLException {
    String validation = database.validate(table, name());
    if (!validation.isEmpty()) {
      try (Statement statement = connection.createStatement()) {
        database.database().limitLockWait(statement, lockTimeout);
        statement.execute(validation);
      }
    }
  }

  /** True for an id whose gene is the bucket, and for NULL. */
  String expression() {
    String id = database.quote(column);
    return "("
        + id
        + " >= 0 AND (("
        + id
        + " >> "
        + layout.geneShift()
        + ") & "
        + (layout.buckets() - 1)
        + ") = "
        + ShardSchema.BUCKET_COLUMN
        + ")";
  }
}
