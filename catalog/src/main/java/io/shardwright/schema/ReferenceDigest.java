package io.shardwright.schema;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The content of a reference table, independent of the order of its rows: their number and the sums
 * of both halves of each row's MD5. Reads the whole table.
 */
record ReferenceDigest(long rows, BigDecimal high, BigDecimal low) {
  private static final String CANONICAL_TEXT =
      "SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD';"
          + " SET LOCAL IntervalStyle = 'postgres'; SET LOCAL extra_float_digits = 1;"
          + " SET LOCAL bytea_output = 'hex'";

  /**
   * @param connection in autocommit, and again afterwards
   */
  static ReferenceDigest read(Connection connection, String table) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(CANONICAL_TEXT);
      try (ResultSet row =
          statement.executeQuery(
              "SELECT count(*), COALESCE(sum(('x' || left(h, 16))::bit(64)::bigint::numeric), 0),"
                  + " COALESCE(sum(('x' || right(h, 16))::bit(64)::bigint::numeric), 0)"
                  + " FROM (SELECT md5((r.*)::text) AS h FROM "
                  + Sql.quote(table)
                  + " r) digests")) {
        row.next();
        return new ReferenceDigest(row.getLong(1), row.getBigDecimal(2), row.getBigDecimal(3));
      }
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
