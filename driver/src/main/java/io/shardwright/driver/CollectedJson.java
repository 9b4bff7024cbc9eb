package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.JsonRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One JSON text, for MariaDB's {@code JSON_TABLE}. */
final class CollectedJson extends CollectedRows {
  /** Below this the server is not asked what it takes. */
  private static final int SMALL_CHARS = 200_000;

  /** For the statement around the rows. */
  private static final int ROOM_BYTES = 100_000;

  private final JsonRows values;
  private final List<JsonRows.Column> types = new ArrayList<>();

  CollectedJson(List<ShardColumns.Column> columns) throws SQLException {
    super(columns);
    for (ShardColumns.Column column : columns) {
      JsonRows.Column type = new JsonRows.Column(type(column), Optional.empty());
      if (!type.isExact()) {
        throw SqlErrors.of(
            ErrorCode.MERGE_UNSUPPORTED,
            "values of type "
                + column.declared()
                + " from several shards cannot be brought to one of them as they are; cast them, or"
                + " add the route key");
      }
      types.add(type);
    }
    this.values = new JsonRows(types);
  }

  /** A timestamp is the time of the session's zone, as every session of a shard has it. */
  private static String type(ShardColumns.Column column) {
    return column.declared().replace("timestamp", "datetime");
  }

  @Override
  void addValues(ResultSet row) throws SQLException {
    List<Object> texts = new ArrayList<>(types.size());
    for (int i = 0; i < types.size(); i++) {
      texts.add(value(row, i));
    }
    values.add(texts);
  }

  private Object value(ResultSet row, int column) throws SQLException {
    if (types.get(column).isBinary()) {
      return row.getBytes(column + 1);
    }
    // tinyint(1) is a boolean to the physical driver and holds more.
    return column(column + 1).type().equals("BOOLEAN")
        ? row.getBigDecimal(column + 1)
        : row.getString(column + 1);
  }

  @Override
  String fromItem(String alias, List<Optional<String>> collations) {
    List<JsonRows.Column> collated = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      collated.add(new JsonRows.Column(types.get(i).type(), collations.get(i)));
    }
    return new JsonRows(collated).fromItem(alias);
  }

  @Override
  String query(List<Optional<String>> collations) {
    StringBuilder text = new StringBuilder("SELECT ");
    for (int i = 1; i <= types.size(); i++) {
      text.append(i == 1 ? "" : ", ").append("shardwright_").append(i).append(" AS `");
      text.append(column(i).label().replace("`", "``")).append('`');
    }
    return text.append(" FROM ").append(fromItem("shardwright", collations)).toString();
  }

  @Override
  int bind(PreparedStatement prepared, Connection connection, int place) throws SQLException {
    String text = values.text();
    if (text.length() > SMALL_CHARS) {
      requireFits(connection, text);
    }
    prepared.setString(place, text);
    return place + 1;
  }

  private void requireFits(Connection connection, String text) throws SQLException {
    long max;
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@max_allowed_packet")) {
      row.next();
      max = row.getLong(1);
    }
    long bytes = bytes(text);
    if (bytes + ROOM_BYTES > max) {
      throw SqlErrors.of(
          ErrorCode.MERGE_TOO_LARGE,
          "the last step of the statement needs "
              + rows()
              + " rows of the shards in one place, "
              + bytes
              + " bytes, and max_allowed_packet of the shard is "
              + max
              + "; narrow it by WHERE, select fewer columns, or raise max_allowed_packet");
    }
  }

  /** In UTF-8, with the escapes of a literal. */
  private static long bytes(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean escaped = c == '"' || c == '\\' || c == '\'';
      bytes += c > 0x7ff ? 3 : c > 0x7f || escaped ? 2 : 1;
    }
    return bytes;
  }
}
