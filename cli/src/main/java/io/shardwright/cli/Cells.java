package io.shardwright.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.Charset;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * The values of one result set, without loss: numbers digit for digit, timestamps with zone in UTC
 * with all their fractional digits, bytes as {@code \x} and hexadecimal digits, everything else in
 * the database's own text form.
 */
final class Cells {
  private static final Set<String> SMALL_INTEGERS =
      Set.of("int2", "int4", "smallserial", "serial", "oid");
  private static final Set<String> NUMBERS =
      Set.of(
          "int2",
          "int4",
          "int8",
          "smallserial",
          "serial",
          "bigserial",
          "numeric",
          "float4",
          "float8",
          "oid",
          "money");

  private final ResultSet rows;
  private final List<String> names = new ArrayList<>();
  private final List<String> types = new ArrayList<>();

  Cells(ResultSet rows) throws SQLException {
    this.rows = rows;
    ResultSetMetaData columns = rows.getMetaData();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      names.add(columns.getColumnLabel(i));
      types.add(columns.getColumnTypeName(i));
    }
  }

  List<String> names() {
    return names;
  }

  /** As the database names them, e.g. {@code int8}. */
  List<String> types() {
    return types;
  }

  List<Boolean> isNumber() {
    return types.stream().map(NUMBERS::contains).toList();
  }

  /** The current row for a table: NULL as {@code NULL}, text as {@link Printable#cell}. */
  List<String> texts(Charset charset) throws SQLException {
    List<String> texts = new ArrayList<>(types.size());
    for (int i = 0; i < types.size(); i++) {
      String text = text(i);
      texts.add(text == null ? "NULL" : Printable.cell(text, charset));
    }
    return texts;
  }

  /**
   * The current row as an array. Integers of up to 32 bits and booleans are JSON numbers and
   * booleans; everything else is a string, since readers of JSON round wide numbers.
   */
  void write(JsonGenerator json) throws SQLException, IOException {
    // All of the row first: a value that cannot be read leaves no half row behind.
    List<String> texts = new ArrayList<>(types.size());
    for (int i = 0; i < types.size(); i++) {
      texts.add(text(i));
    }
    json.writeStartArray();
    for (int i = 0; i < types.size(); i++) {
      String text = texts.get(i);
      if (text == null) {
        json.writeNull();
      } else if (SMALL_INTEGERS.contains(types.get(i))) {
        json.writeNumber(text);
      } else if (types.get(i).equals("bool")) {
        json.writeBoolean(text.equals("true"));
      } else {
        json.writeString(text);
      }
    }
    json.writeEndArray();
  }

  /** Null is SQL NULL. */
  private String text(int index) throws SQLException {
    int column = index + 1;
    return switch (types.get(index)) {
      case "bool" -> {
        boolean value = rows.getBoolean(column);
        yield rows.wasNull() ? null : Boolean.toString(value);
      }
      case "bytea" -> {
        byte[] bytes = rows.getBytes(column);
        yield bytes == null ? null : "\\x" + HexFormat.of().formatHex(bytes);
      }
      case "timestamptz" -> timestamp(rows.getObject(column, OffsetDateTime.class));
      default -> rows.getString(column);
    };
  }

  private static String timestamp(OffsetDateTime time) {
    if (time == null) {
      return null;
    }
    // How the physical driver gives PostgreSQL's infinite timestamps.
    if (time.equals(OffsetDateTime.MAX)) {
      return "infinity";
    }
    return time.equals(OffsetDateTime.MIN) ? "-infinity" : time.toInstant().toString();
  }
}
