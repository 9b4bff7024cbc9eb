package io.shardwright.schema;

import io.shardwright.catalog.CatalogInstaller;
import io.shardwright.routing.GeneIdLayout;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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
 * validates it.
 */
record GeneCheck(String table, String column, GeneIdLayout layout) {
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
    return bare(definition).equals(bare("CHECK " + expression()));
  }

  /** True when it was created, false when it was there. Idempotent, also run twice at once. */
  boolean create(Connection connection, Duration lockTimeout) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      CatalogInstaller.lock(connection);
      if (exists(connection)) {
        return false;
      }
      statement.execute("SET LOCAL lock_timeout = " + lockTimeout.toMillis());
      statement.execute(
          alter()
              + " ADD CONSTRAINT "
              + Sql.quote(name())
              + " CHECK "
              + expression()
              + " NOT VALID");
      connection.commit();
      return true;
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  /**
   * Reads all rows unless that has been done; writers go on meanwhile.
   *
   * @throws SQLException SQLSTATE 23514 when a row breaks the rule
   */
  void validate(Connection connection, Duration lockTimeout) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL lock_timeout = " + lockTimeout.toMillis());
      statement.execute(alter() + " VALIDATE CONSTRAINT " + Sql.quote(name()));
      connection.commit();
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  /** True for an id whose gene is the bucket, and for NULL. */
  String expression() {
    String id = Sql.quote(column);
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

  private String alter() {
    return "ALTER TABLE " + Sql.quote(table);
  }

  private boolean exists(Connection connection) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT 1 FROM pg_constraint"
                + " WHERE conrelid = to_regclass(quote_ident(?)) AND conname = ?")) {
      select.setString(1, table);
      select.setString(2, name());
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  private static String bare(String definition) {
    return definition.replaceAll("::bigint|::integer|NOT VALID|[\\s()\"]", "");
  }
}
