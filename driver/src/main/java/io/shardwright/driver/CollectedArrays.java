package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** One array per column, for PostgreSQL's {@code unnest}. */
final class CollectedArrays extends CollectedRows {
  private final List<List<String>> values = new ArrayList<>();

  CollectedArrays(List<ShardColumns.Column> columns) throws SQLException {
    super(columns);
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

  @Override
  void addValues(ResultSet row) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      values.get(i).add(value(row, i));
    }
  }

  /** Bytes have no text form in the physical driver when they came in binary. */
  private String value(ResultSet row, int column) throws SQLException {
    if (!columns().get(column).type().equals("bytea")) {
      return row.getString(column + 1);
    }
    byte[] bytes = row.getBytes(column + 1);
    return bytes == null ? null : "\\x" + HexFormat.of().formatHex(bytes);
  }

  @Override
  String fromItem(String alias, List<Optional<String>> collations) {
    StringBuilder names = new StringBuilder();
    for (int i = 1; i <= columns().size(); i++) {
      names.append(i == 1 ? "" : ", ").append(alias).append('_').append(i);
    }
    String parameters = "?" + ", ?".repeat(columns().size() - 1);
    return "unnest(" + parameters + ") AS " + alias + " (" + names + ")";
  }

  /** A column is cast to its declared type, which an array does not keep. */
  @Override
  String query(List<Optional<String>> collations) {
    StringBuilder text = new StringBuilder("SELECT ");
    for (int i = 1; i <= columns().size(); i++) {
      ShardColumns.Column column = column(i);
      text.append(i == 1 ? "" : ", ").append("shardwright_").append(i);
      text.append("::").append(column.castType());
      collations.get(i - 1).ifPresent(name -> text.append(" COLLATE ").append(quote(name)));
      text.append(" AS ").append(quote(column.label()));
    }
    return text.append(" FROM ").append(fromItem("shardwright", collations)).toString();
  }

  private static String quote(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  @Override
  int bind(PreparedStatement prepared, Connection connection, int place) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      bind(prepared, connection, place + i, i + 1);
    }
    return place + values.size();
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
