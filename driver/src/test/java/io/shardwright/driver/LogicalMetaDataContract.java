package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Metadata and schema questions are answered as one database would. */
abstract class LogicalMetaDataContract extends FourShards {
  /** Of the tables, as a pattern; null where databases have no schemas. */
  abstract String schema();

  /** The function that names the connection's database. */
  abstract String currentDatabase();

  @Test
  void getTables_givesEachTableOnce() throws SQLException {
    try (Connection connection = shards.connect();
        Connection plain = shards.plain()) {
      assertThat(names(connection, "TABLE_NAME", List.of("orders", "items", "countries")))
          .containsExactlyElementsOf(
              names(plain, "TABLE_NAME", List.of("orders", "items", "countries")));
    }
  }

  private List<String> names(Connection connection, String column, List<String> tables)
      throws SQLException {
    List<String> names = new ArrayList<>();
    for (String table : tables) {
      try (ResultSet rows =
          connection
              .getMetaData()
              .getTables(connection.getCatalog(), schema(), table, new String[] {"TABLE"})) {
        while (rows.next()) {
          names.add(rows.getString(column));
        }
      }
    }
    return names;
  }

  @Test
  void columnsKeysAndIndexes_areThoseOfOneDatabase() throws SQLException {
    try (Connection connection = shards.connect();
        Connection plain = shards.plain()) {
      DatabaseMetaData ours = connection.getMetaData();
      DatabaseMetaData theirs = plain.getMetaData();

      assertThat(
              column(
                  ours.getColumns(connection.getCatalog(), schema(), "orders", "%"), "COLUMN_NAME"))
          .isEqualTo(
              column(
                  theirs.getColumns(plain.getCatalog(), schema(), "orders", "%"), "COLUMN_NAME"));
      assertThat(
              column(
                  ours.getPrimaryKeys(connection.getCatalog(), schema(), "orders"), "COLUMN_NAME"))
          .isEqualTo(
              column(theirs.getPrimaryKeys(plain.getCatalog(), schema(), "orders"), "COLUMN_NAME"));
      assertThat(
              column(
                  ours.getIndexInfo(connection.getCatalog(), schema(), "orders", false, true),
                  "INDEX_NAME"))
          .isEqualTo(
              column(
                  theirs.getIndexInfo(plain.getCatalog(), schema(), "orders", false, true),
                  "INDEX_NAME"));
    }
    shards.assertIdle();
  }

  private static List<String> column(ResultSet rows, String name) throws SQLException {
    List<String> values = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        values.add(rows.getString(name));
      }
    }
    return values;
  }

  @Test
  void productIsTheShards_driverIsOurs() throws SQLException {
    try (Connection connection = shards.connect();
        Connection plain = shards.plain()) {
      DatabaseMetaData ours = connection.getMetaData();

      assertThat(ours.getDatabaseProductName())
          .isEqualTo(plain.getMetaData().getDatabaseProductName());
      assertThat(ours.getDatabaseProductVersion())
          .isEqualTo(plain.getMetaData().getDatabaseProductVersion());
      assertThat(ours.getDriverName()).isEqualTo("Shardwright");
      assertThat(ours.getURL()).startsWith("jdbc:shardwright:");
    }
  }

  @Test
  void getTables_ofTheConnectionsCatalog_findsThemInEveryTransaction() throws SQLException {
    for (int shard = 0; shard < 4; shard++) {
      try (Connection connection = shards.connect()) {
        connection.setAutoCommit(false);
        TestingShards.update(
            connection, "INSERT INTO samples (k, id) VALUES (?, 1)", shards.keyOn(shard, 0));

        assertThat(
                column(
                    connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), schema(), "orders", null),
                    "TABLE_NAME"))
            .containsExactly("orders");
        assertThat(TestingShards.rows(connection, "SELECT " + currentDatabase()))
            .containsExactly(connection.getCatalog());
        connection.rollback();
      }
    }
  }

  @Test
  void informationSchema_isAskedOnOneShard() throws SQLException {
    String question =
        "SELECT table_name FROM information_schema.tables WHERE table_schema = ? AND table_name ="
            + " ?";
    try (Connection connection = shards.connect()) {
      String schema = schema() == null ? connection.getCatalog() : schema();
      assertThat(TestingShards.rows(connection, question, schema, "items"))
          .containsExactly("items");
    }
  }
}
