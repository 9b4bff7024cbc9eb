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
class LogicalMetaDataTest extends FourShards {

  @Test
  void getTables_givesEachTableOnce() throws SQLException {
    try (Connection connection = shards.connect();
        Connection plain = shards.plain()) {
      assertThat(names(connection, "TABLE_NAME", List.of("orders", "items", "countries")))
          .containsExactlyElementsOf(
              names(plain, "TABLE_NAME", List.of("orders", "items", "countries")));
    }
  }

  private static List<String> names(Connection connection, String column, List<String> tables)
      throws SQLException {
    List<String> names = new ArrayList<>();
    for (String table : tables) {
      try (ResultSet rows =
          connection.getMetaData().getTables(null, "public", table, new String[] {"TABLE"})) {
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

      assertThat(column(ours.getColumns(null, "public", "orders", "%"), "COLUMN_NAME"))
          .isEqualTo(column(theirs.getColumns(null, "public", "orders", "%"), "COLUMN_NAME"));
      assertThat(column(ours.getPrimaryKeys(null, "public", "orders"), "COLUMN_NAME"))
          .isEqualTo(column(theirs.getPrimaryKeys(null, "public", "orders"), "COLUMN_NAME"));
      assertThat(column(ours.getIndexInfo(null, "public", "orders", false, true), "INDEX_NAME"))
          .isEqualTo(
              column(theirs.getIndexInfo(null, "public", "orders", false, true), "INDEX_NAME"));
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

      assertThat(ours.getDatabaseProductName()).isEqualTo("PostgreSQL");
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
                        .getTables(connection.getCatalog(), "public", "orders", null),
                    "TABLE_NAME"))
            .containsExactly("orders");
        assertThat(TestingShards.rows(connection, "SELECT current_database()"))
            .containsExactly(connection.getCatalog());
        connection.rollback();
      }
    }
  }

  @Test
  void schemaQuestions_areAnsweredByOneShardAlways() throws SQLException {
    String question = "SELECT oid, relname FROM pg_class WHERE relname = 'orders'";
    List<List<String>> answers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      answers.add(shards.rows(question));
    }

    assertThat(answers).containsOnly(shards.shardRows(0, question));
    assertThat(shards.rows("SHOW server_encoding")).containsExactly("UTF8");
    assertThat(
            shards.rows(
                "SELECT table_name FROM information_schema.tables WHERE table_name = ?", "items"))
        .containsExactly("items");
  }
}
