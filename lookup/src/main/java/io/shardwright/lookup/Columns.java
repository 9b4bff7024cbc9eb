package io.shardwright.lookup;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.lookup.UniqueIndex.IndexColumn;
import io.shardwright.routing.KeyType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * Values of columns read so that they go back unchanged, and so that equal values of one column are
 * equal objects.
 */
final class Columns {
  private Columns() {}

  /** From column {@code first} (1-based) on; null is SQL NULL. */
  static List<Object> read(
      DatabaseProduct product, ResultSet row, int first, List<IndexColumn> columns)
      throws SQLException {
    List<Object> values = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      IndexColumn column = columns.get(i);
      values.add(read(product, row, first + i, column.type(), column.keyType()));
    }
    return values;
  }

  /**
   * One of them.
   *
   * @param type without length
   */
  static Object read(DatabaseProduct product, ResultSet row, int at, String type, KeyType keyType)
      throws SQLException {
    return switch (product) {
      case POSTGRESQL -> postgreSql(row, at, type);
      case MARIADB -> mariaDb(row, at, keyType);
    };
  }

  private static Object postgreSql(ResultSet row, int at, String type) throws SQLException {
    return switch (type) {
      case "timestamp" -> row.getObject(at, LocalDateTime.class);
      case "timestamptz" -> row.getObject(at, OffsetDateTime.class);
      case "date" -> row.getObject(at, LocalDate.class);
      case "time" -> row.getObject(at, LocalTime.class);
      default -> row.getObject(at);
    };
  }

  private static Object mariaDb(ResultSet row, int at, KeyType keyType) throws SQLException {
    return switch (keyType) {
      case INTEGER -> row.getBigDecimal(at);
      case BYTES -> row.getBytes(at);
      default -> row.getString(at);
    };
  }
}
