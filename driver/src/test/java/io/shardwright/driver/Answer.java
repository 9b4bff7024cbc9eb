package io.shardwright.driver;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * All that a caller can see of a statement's answer, as text: what one database says and what the
 * driver says must be equal.
 *
 * @param columns label, type, type name, precision and scale of each
 * @param rows with the value of each column; of an update its count alone
 * @param keys generated keys, columns and rows
 * @param warnings sorted
 */
record Answer(
    List<String> columns, List<List<String>> rows, List<String> keys, List<String> warnings) {
  private static final String NULL = "(null)";

  /** Executed as a prepared statement. */
  static Answer of(Connection connection, String sql, List<?> parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, parameters);
      return of(statement, statement.execute(), false);
    }
  }

  /** Executed as a text. */
  static Answer of(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return of(statement, statement.execute(sql));
    }
  }

  /** With the generated keys of these columns. */
  static Answer of(Connection connection, String sql, List<?> parameters, List<String> keys)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(sql, keys.toArray(String[]::new))) {
      set(statement, parameters);
      return of(statement, statement.execute(), true);
    }
  }

  private static void set(PreparedStatement statement, List<?> parameters) throws SQLException {
    for (int i = 0; i < parameters.size(); i++) {
      Object value = parameters.get(i);
      statement.setObject(i + 1, value == CorpusValues.NULL ? null : value);
    }
  }

  /** Of a statement that was just executed and was not asked for generated keys. */
  static Answer of(Statement statement, boolean hasRows) throws SQLException {
    return of(statement, hasRows, false);
  }

  private static Answer of(Statement statement, boolean hasRows, boolean askedForKeys)
      throws SQLException {
    List<String> warnings = new ArrayList<>();
    for (SQLWarning w = statement.getWarnings(); w != null; w = w.getNextWarning()) {
      warnings.add(w.getMessage());
    }
    warnings.sort(null);
    if (hasRows) {
      try (ResultSet rows = statement.getResultSet()) {
        return new Answer(columns(rows), rows(rows), List.of(), warnings);
      }
    }
    List<List<String>> count = List.of(List.of("count " + statement.getUpdateCount()));
    if (!askedForKeys) {
      return new Answer(List.of(), count, List.of(), warnings);
    }
    try (ResultSet keys = statement.getGeneratedKeys()) {
      List<String> all = new ArrayList<>(columns(keys));
      rows(keys).forEach(row -> all.add(String.join("|", row)));
      return new Answer(List.of(), count, all, warnings);
    }
  }

  private static List<String> columns(ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    List<String> all = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      all.add(
          columns.getColumnLabel(i)
              + " "
              + columns.getColumnType(i)
              + " "
              // PostgreSQL's driver knows only of a table's own column that it counts by itself.
              + columns.getColumnTypeName(i).replace("serial", "int4").replace("bigint4", "int8")
              + "("
              + columns.getPrecision(i)
              + ","
              + columns.getScale(i)
              + ")");
    }
    return all;
  }

  private static List<List<String>> rows(ResultSet rows) throws SQLException {
    List<List<String>> all = new ArrayList<>();
    int columns = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      List<String> row = new ArrayList<>();
      for (int column = 1; column <= columns; column++) {
        row.add(value(rows, column));
      }
      all.add(row);
    }
    return all;
  }

  private static String value(ResultSet row, int column) throws SQLException {
    return switch (row.getMetaData().getColumnType(column)) {
      // The text of these depends on whether the physical driver got them in binary.
      case Types.DOUBLE, Types.REAL -> text(row.getObject(column));
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY -> {
        byte[] bytes = row.getBytes(column);
        yield bytes == null ? NULL : "\\x" + HexFormat.of().formatHex(bytes);
      }
      default -> text(row.getString(column));
    };
  }

  private static String text(Object value) {
    return value == null ? NULL : value.toString();
  }

  /** The values of some columns, from 1 on, in the order of the rows. */
  List<List<String>> values(List<Integer> columns) {
    return rows.stream().map(row -> columns.stream().map(c -> row.get(c - 1)).toList()).toList();
  }
}
