package io.shardwright.advisor.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How one product of database tells about its tables. */
interface LiveCatalog {
  /** Statements that make every later transaction of the session read only. */
  List<String> readOnly();

  /** The statement that limits every later one of the session. */
  String timeout(Duration limit);

  /** True for the error of a statement that its timeout ended. */
  boolean isTimeout(SQLException e);

  /** A query for the name of the schema in which names without qualifier are looked up. */
  String currentSchema();

  String quote(String name);

  SchemaFacts read(Connection connection, String schema) throws SQLException;

  /** Takes one row of a result. */
  @FunctionalInterface
  interface Row {
    void take(ResultSet row) throws SQLException;
  }

  static void query(Connection connection, String sql, String schema, Row sink)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      for (int i = 1; i <= select.getParameterMetaData().getParameterCount(); i++) {
        select.setString(i, schema);
      }
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          sink.take(rows);
        }
      }
    }
  }

  static TableFacts emptyTable(String name) {
    return new TableFacts(
        name,
        new LinkedHashMap<>(),
        new LinkedHashSet<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>());
  }

  /**
   * The facts by the names that statements may use: alone, and with the schema before it unless
   * that is PostgreSQL's public, which templates leave out.
   */
  static SchemaFacts facts(
      String schema, Map<String, TableFacts> tables, Map<String, TableStatistics> statistics) {
    Map<String, TableFacts> byName = new LinkedHashMap<>(tables);
    Map<String, TableStatistics> figures = new LinkedHashMap<>(statistics);
    if (!schema.equals("public")) {
      tables.forEach((name, table) -> byName.put(schema + "." + name, qualified(schema, table)));
      statistics.forEach((name, table) -> figures.put(schema + "." + name, table));
    }
    return new SchemaFacts(byName, figures, 0, Optional.empty());
  }

  private static TableFacts qualified(String schema, TableFacts table) {
    List<TableFacts.ForeignKey> keys = new ArrayList<>();
    for (TableFacts.ForeignKey key : table.foreignKeys()) {
      String target = key.table().contains(".") ? key.table() : schema + "." + key.table();
      keys.add(new TableFacts.ForeignKey(key.columns(), target, key.referenced()));
    }
    return new TableFacts(
        schema + "." + table.name(),
        table.types(),
        table.notNull(),
        table.unique(),
        table.indexes(),
        keys);
  }
}
