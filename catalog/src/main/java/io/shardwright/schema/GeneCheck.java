package io.shardwright.schema;

import io.shardwright.routing.GeneIdLayout;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.zip.CRC32;

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
  private static final int MAX_NAME_BYTES = 63;
  private static final int HASH_CHARS = 9;

  /** {@code shardwright_gene_<table>}; a long table name is cut and ends in a hash of it. */
  String name() {
    String name = PREFIX + table;
    if (name.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_BYTES) {
      return name;
    }
    CRC32 crc = new CRC32();
    crc.update(table.getBytes(StandardCharsets.UTF_8));
    int end = table.length();
    String hash = String.format("_%08x", crc.getValue());
    while ((PREFIX + table.substring(0, end)).getBytes(StandardCharsets.UTF_8).length
        > MAX_NAME_BYTES - HASH_CHARS) {
      end--;
    }
    return PREFIX + table.substring(0, end) + hash;
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
