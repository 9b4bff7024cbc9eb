package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Rows of several shards in this process, on their way into a last statement: one array per column,
 * values in the database's own text form.
 */
final class CollectedRows {
  /** Rows of one statement together; some hundred bytes each. */
  static final int MAX_ROWS = 100_000;

  private final List<ShardColumns.Column> columns;
  private final List<List<String>> values = new ArrayList<>();
  private int rows;

  CollectedRows(List<ShardColumns.Column> columns) throws SQLException {
    this.columns = columns;
    for (ShardColumns.Column column : columns) {
      values.add(new ArrayList<>());
      if (column.type().equals("record")) {
        throw SqlErrors.of(
            ErrorCode.MERGE_UNSUPPORTED,
            "rows as values from several shards cannot be put into an array; name their columns, or"
                + " add the route key");
      }
    }
  }

  ShardColumns.Column column(int number) {
    return columns.get(number - 1);
  }

  int size() {
    return columns.size();
  }

  int rows() {
    return rows;
  }

  /**
   * @param row from 0
   * @param number of the column, from 1
   */
  String value(int row, int number) {
    return values.get(number - 1).get(row);
  }

  void add(ResultSet row) throws SQLException {
    rows++;
    for (int i = 0; i < values.size(); i++) {
      values.get(i).add(value(row, i));
    }
  }

  static void requireFew(int rows) throws SQLException {
    if (rows > MAX_ROWS) {
      throw SqlErrors.of(
          ErrorCode.MERGE_TOO_LARGE,
          "the statement needs more than "
              + MAX_ROWS
              + " rows of the shards in one place for its last"
              + " step (HAVING, DISTINCT, window functions, text order, set operations, joins that no"
              + " key ties); narrow it by WHERE");
    }
  }

  /**
   * In the database's text form; bytes have none in the physical driver when they came in binary.
   */
  private String value(ResultSet row, int column) throws SQLException {
    if (!columns.get(column).type().equals("bytea")) {
      return row.getString(column + 1);
    }
    byte[] bytes = row.getBytes(column + 1);
    return bytes == null ? null : "\\x" + HexFormat.of().formatHex(bytes);
  }

  /**
   * @param place of the {@code ?} that is the array of a column
   * @param number of the column, from 1
   */
  void bind(PreparedStatement prepared, Connection connection, int place, int number)
      throws SQLException {
    String type = column(number).isArray() ? "text" : column(number).type();
    prepared.setArray(place, connection.createArrayOf(type, values.get(number - 1).toArray()));
  }
}
