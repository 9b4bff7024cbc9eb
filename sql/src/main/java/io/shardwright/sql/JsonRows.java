package io.shardwright.sql;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Rows of the shards on their way into a last statement of MariaDB: one JSON text of arrays, read
 * by {@code JSON_TABLE}. Every value travels as a string in the database's own text form, bytes in
 * base 64, and becomes the type of its column again, with length, scale and collation, so that
 * nothing is rounded or cut. Not thread-safe.
 */
public final class JsonRows {
  private final List<Column> columns;
  private final StringBuilder text = new StringBuilder("[");

  /**
   * A column of the shards' rows.
   *
   * @param type the type of {@code CREATE TABLE} with length and scale, such as {@code
   *     decimal(10,2)}, without character set and collation
   * @param collation of a text; empty for the database's own
   */
  public record Column(String type, Optional<String> collation) {
    String name() {
      int open = type.indexOf('(');
      String name = open < 0 ? type : type.substring(0, open);
      return name.strip().toLowerCase(Locale.ROOT);
    }

    /** True when values travel in base 64. */
    public boolean isBinary() {
      return switch (name()) {
        case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> true;
        default -> false;
      };
    }

    /** True for types that JSON_TABLE does not know and a cast makes. */
    private boolean isCast() {
      return switch (name()) {
        case "uuid", "inet6", "inet4" -> true;
        default -> false;
      };
    }

    private boolean isText() {
      return switch (name()) {
        case "char", "varchar", "tinytext", "text", "mediumtext", "longtext" -> true;
        default -> false;
      };
    }

    /**
     * False for values that would not arrive as they were: float, whose text is rounded, and types
     * that compare by more than their text.
     */
    public boolean isExact() {
      return isBinary()
          || isCast()
          || isText()
          || switch (name()) {
            case "tinyint",
                "smallint",
                "mediumint",
                "int",
                "bigint",
                "tinyint unsigned",
                "smallint unsigned",
                "mediumint unsigned",
                "int unsigned",
                "bigint unsigned",
                "decimal",
                "double",
                "date",
                "datetime",
                "time",
                "year" ->
                true;
            default -> false;
          };
    }

    /**
     * Functions like HEX take their length from that of their argument, and what is longer is cut
     * where the server sorts. UNHEX of a longtext has the length 0.
     */
    private String bytes(String base64) {
      String bytes = "FROM_BASE64(" + base64 + ")";
      String length =
          switch (name()) {
            case "tinyblob" -> "255";
            case "blob" -> "65535";
            case "mediumblob" -> "16777215";
            case "longblob" -> "";
            default -> type.replaceAll("\\D", "");
          };
      return length.isEmpty() || length.equals("0") ? bytes : "LEFT(" + bytes + ", " + length + ")";
    }

    /** The column in JSON_TABLE. */
    private String received() {
      if (isBinary() || isCast()) {
        return "longtext";
      }
      // A collation names its character set.
      return isText() && collation.isPresent() ? type + " COLLATE " + collation.get() : type;
    }
  }

  public JsonRows(List<Column> columns) {
    this.columns = List.copyOf(columns);
  }

  /**
   * The FROM item, with one {@code ?} for {@link #text}.
   *
   * @param alias of the item; its columns are {@code alias_1}, {@code alias_2} and so on
   */
  public String fromItem(String alias) {
    List<String> received = new ArrayList<>();
    List<String> items = new ArrayList<>();
    boolean plain = true;
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      String name = alias + "_" + (i + 1);
      received.add(name + " " + column.received() + " PATH '$[" + i + "]'");
      if (column.isBinary()) {
        items.add(column.bytes(name) + " AS " + name);
      } else if (column.isCast()) {
        items.add("CAST(" + name + " AS " + column.type() + ") AS " + name);
      } else {
        items.add(name);
      }
      plain &= !column.isBinary() && !column.isCast();
    }
    String rows = "JSON_TABLE(?, '$[*]' COLUMNS (" + String.join(", ", received) + ")) AS ";
    return plain
        ? rows + alias
        : "(SELECT " + String.join(", ", items) + " FROM " + rows + alias + ") AS " + alias;
  }

  /**
   * Adds a row.
   *
   * @param values the text of each column as the database writes it, byte arrays for binary ones,
   *     null for NULL
   */
  public void add(List<?> values) {
    text.append(text.length() > 1 ? ",[" : "[");
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? "" : ",");
      append(values.get(i));
    }
    text.append(']');
  }

  private void append(Object value) {
    if (value == null) {
      text.append("null");
      return;
    }
    String written =
        value instanceof byte[] bytes
            ? Base64.getEncoder().encodeToString(bytes)
            : value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
    text.append('"');
    for (int i = 0; i < written.length(); i++) {
      char c = written.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ') {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }

  /** What fills the {@code ?}. */
  public String text() {
    return text + "]";
  }
}
