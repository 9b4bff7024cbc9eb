package io.shardwright.query;

import io.shardwright.catalog.Database;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.sql.Schema;
import io.shardwright.sql.Schema.ValueOrder;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the planner knows of a table.
 *
 * @param group that it is in
 * @param key its route key columns
 * @param columns by name as the database stores it
 * @param uniques columns of each primary key and unique constraint
 */
record TableShape(
    String name,
    String group,
    List<String> key,
    Map<String, Column> columns,
    List<List<String>> uniques) {
  static final String BUCKET = "bucket_id";

  TableShape {
    key = List.copyOf(key);
    columns = Map.copyOf(columns);
    uniques = List.copyOf(uniques);
  }

  /**
   * @param ordered whether values of several shards can be put in order
   * @param lastFourOf the column whose last four characters it is; empty: the table has it
   */
  record Column(ColumnType type, boolean nullable, boolean ordered, Optional<String> lastFourOf) {}

  /** The column as statements have it. */
  String sql(String column, Database database) {
    return columns
        .get(column)
        .lastFourOf()
        // Nothing of a shorter one: it would be shown as a whole.
        .map(database::quote)
        .map(of -> "CASE WHEN char_length(" + of + ") >= 8 THEN right(" + of + ", 4) END")
        .orElseGet(() -> database.quote(column));
  }

  /**
   * With columns that the table does not have.
   *
   * @param lastFour their names, and the columns whose last four characters they are
   */
  TableShape with(Map<String, String> lastFour) {
    Map<String, Column> all = new LinkedHashMap<>(columns);
    lastFour.forEach(
        (name, of) ->
            all.putIfAbsent(name, new Column(ColumnType.TEXT, true, false, Optional.of(of))));
    return new TableShape(name, group, key, all, uniques);
  }

  /**
   * @param table of a group
   */
  static TableShape read(ShardwrightDataSource source, Schema.Table table, DatabaseProduct product)
      throws SQLException {
    Map<String, Column> columns = new LinkedHashMap<>();
    try (Connection connection = source.getConnection()) {
      DatabaseMetaData metaData = connection.getMetaData();
      String pattern = table.name().replace("_", metaData.getSearchStringEscape() + "_");
      try (ResultSet rows = metaData.getColumns(null, null, pattern, null)) {
        while (rows.next()) {
          String name = rows.getString("COLUMN_NAME");
          Optional<Schema.Column> known = table.column(name);
          if (known.isPresent()) {
            ColumnType type = ColumnType.of(product, rows.getString("TYPE_NAME"));
            boolean nullable = rows.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls;
            columns.put(name, new Column(type, nullable, isOrdered(known.get()), Optional.empty()));
          }
        }
      }
    }
    return new TableShape(
        table.name(),
        table.sharding().orElseThrow().group(),
        table.sharding().orElseThrow().key(),
        columns,
        table.uniques());
  }

  private static boolean isOrdered(Schema.Column column) {
    return column.order() == ValueOrder.NATURAL || column.order() == ValueOrder.CODE_POINT;
  }
}
