package io.shardwright.lookup;

import io.shardwright.catalog.Database;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.lookup.ListIndex.ListColumn;
import io.shardwright.routing.KeyType;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table whose values are read as texts, byte strings as such, and written back from them: this
 * way values of every type go from shard to shard unchanged. The session's time zone is UTC.
 *
 * @param key the columns of its primary key, the first a bucket
 */
record TextTable(DatabaseProduct product, String name, List<Field> key, List<Field> values) {
  /** Keys in one statement. */
  private static final int CHUNK = 100;

  TextTable {
    key = List.copyOf(key);
    values = List.copyOf(values);
  }

  /**
   * A column.
   *
   * @param type as declared
   * @param typeName without length; {@code expression}: it is none, and can only be read
   */
  record Field(String name, String type, String typeName, boolean integer) {
    private static final Set<String> BINARY =
        Set.of("bytea", "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "bit");

    static Field of(ListColumn column, String name) {
      return new Field(
          name,
          column.type(),
          column.typeName(),
          column.keyType().filter(KeyType.INTEGER::equals).isPresent());
    }

    static Field integer(String name) {
      return new Field(name, "bigint", "bigint", true);
    }

    static Field expression(String text) {
      return new Field(text, "text", "expression", false);
    }

    static Field bool(String name) {
      return new Field(name, "boolean", "boolean", false);
    }

    /** {@code v}: v1, v2. */
    static List<Field> numbered(String prefix, List<ListColumn> columns) {
      return IntStream.range(0, columns.size())
          .mapToObj(i -> of(columns.get(i), prefix + (i + 1)))
          .toList();
    }

    private boolean isBinary(DatabaseProduct product) {
      return BINARY.contains(typeName)
          && !(product == DatabaseProduct.POSTGRESQL && typeName.equals("bit"));
    }
  }

  /** A row; null is SQL NULL. Keys and values compare by {@link Value#equal}. */
  record Row(List<Object> key, List<Object> values) {}

  /** Adds parameters to a statement. */
  interface Parameters {
    void add(Object value, Field field) throws SQLException;
  }

  /** Binds what a statement asks for, in the order of its question marks. */
  interface Binding {
    void bind(Parameters parameters) throws SQLException;
  }

  /** The text {@code true} or the number 1. */
  static boolean isTrue(Object text) {
    return text.equals("true") || text.equals("1");
  }

  String quoted(String identifier) {
    return Database.of(product).quote(identifier);
  }

  String quoted() {
    return quoted(name);
  }

  /** The rows behind a key that begin with the same bucket, in the order of the key. */
  List<Row> page(
      Connection connection, Object bucket, Optional<List<Object>> after, String where, int limit)
      throws SQLException {
    List<Field> rest = key.subList(1, key.size());
    String tail =
        " WHERE "
            + equal(key.get(0))
            + where
            + (after.isPresent() ? " AND (" + behind(rest) + ")" : "")
            + " ORDER BY "
            + names(key)
            + " LIMIT "
            + limit;
    return query(
        connection,
        tail,
        to -> {
          to.add(bucket, key.get(0));
          for (int i = 0; after.isPresent() && i < rest.size(); i++) {
            for (int part = 0; part <= i; part++) {
              to.add(after.get().get(part + 1), rest.get(part));
            }
          }
        });
  }

  private String behind(List<Field> fields) {
    return KeyOrder.behind(
        fields.stream().map(field -> quoted(field.name())).toList(),
        fields.stream().map(this::parameter).toList());
  }

  /** Those of the keys that are there. */
  List<Row> rows(Connection connection, Collection<List<Object>> keys) throws SQLException {
    List<Row> rows = new ArrayList<>();
    List<List<Object>> all = List.copyOf(keys);
    for (int from = 0; from < all.size(); from += CHUNK) {
      List<List<Object>> chunk = all.subList(from, Math.min(all.size(), from + CHUNK));
      rows.addAll(query(connection, " WHERE " + anyOf(chunk.size()), to -> addKeys(to, chunk)));
    }
    return rows;
  }

  /** {@code (a = ? AND b = ?) OR (a = ? AND b = ?)}. */
  String anyOf(int count) {
    return String.join(" OR ", Collections.nCopies(count, "(" + isKey() + ")"));
  }

  String isKey() {
    return key.stream().map(this::equal).collect(Collectors.joining(" AND "));
  }

  void addKeys(Parameters to, Collection<List<Object>> keys) throws SQLException {
    for (List<Object> one : keys) {
      for (int i = 0; i < key.size(); i++) {
        to.add(one.get(i), key.get(i));
      }
    }
  }

  private String equal(Field field) {
    return quoted(field.name()) + " = " + parameter(field);
  }

  /**
   * @param tail what follows the name of the table
   */
  List<Row> query(Connection connection, String tail, Binding binding) throws SQLException {
    // Without names of their own texts would be taken for their columns in ORDER BY.
    List<Field> fields = Stream.concat(key.stream(), values.stream()).toList();
    String text =
        "SELECT "
            + IntStream.range(0, fields.size())
                .mapToObj(i -> read(fields.get(i)) + " AS text" + i)
                .collect(Collectors.joining(", "))
            + " FROM "
            + quoted()
            + tail;
    List<Row> rows = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      bind(statement, binding);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          rows.add(new Row(read(row, 1, key), read(row, 1 + key.size(), values)));
        }
      }
    }
    return rows;
  }

  int update(Connection connection, String text, Binding binding) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      bind(statement, binding);
      return statement.executeUpdate();
    }
  }

  /** The same statement for each of the keys: by a list of them a server might scan all rows. */
  void batch(Connection connection, String text, List<List<Object>> keys) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      for (List<Object> one : keys) {
        bind(statement, to -> addKeys(to, List.of(one)));
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private void bind(PreparedStatement statement, Binding binding) throws SQLException {
    int[] at = {0};
    binding.bind((value, field) -> set(statement, ++at[0], value, field));
  }

  private void set(PreparedStatement statement, int at, Object value, Field field)
      throws SQLException {
    if (value == null) {
      statement.setNull(at, field.isBinary(product) ? Types.BINARY : Types.VARCHAR);
    } else if (value instanceof byte[] bytes) {
      statement.setBytes(at, bytes);
    } else if (field.integer() && product == DatabaseProduct.MARIADB) {
      // Compared with a text it would be a double.
      statement.setBigDecimal(at, new BigDecimal(value.toString()));
    } else {
      statement.setString(at, value.toString());
    }
  }

  private List<Object> read(ResultSet row, int first, List<Field> fields) throws SQLException {
    List<Object> read = new ArrayList<>(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      read.add(
          fields.get(i).isBinary(product) ? row.getBytes(first + i) : row.getString(first + i));
    }
    return read;
  }

  private String read(Field field) {
    String column = field.typeName().equals("expression") ? field.name() : quoted(field.name());
    if (field.isBinary(product)) {
      return column;
    }
    return switch (product) {
      case POSTGRESQL -> column + "::text";
      // A float as text has six digits.
      case MARIADB ->
          "CAST(" + column + (field.typeName().equals("float") ? " + 0e0" : "") + " AS CHAR)";
    };
  }

  /** A question mark of the field's type. */
  String parameter(Field field) {
    return switch (product) {
      case POSTGRESQL -> "CAST(? AS " + field.type() + ")";
      case MARIADB -> "?";
    };
  }

  String names(List<Field> fields) {
    return fields.stream().map(field -> quoted(field.name())).collect(Collectors.joining(", "));
  }

  /** {@code (?, ?), (?, ?)}. */
  String parameters(List<Field> fields, int rows) {
    String row = fields.stream().map(this::parameter).collect(Collectors.joining(", ", "(", ")"));
    StringJoiner all = new StringJoiner(", ");
    for (int i = 0; i < rows; i++) {
      all.add(row);
    }
    return all.toString();
  }
}
