package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatementTest extends FourShards {
  private static final String BY_ID = "SELECT id, t FROM samples ORDER BY i4";

  @BeforeEach
  void fill() throws SQLException {
    for (int i = 0; i < 20; i++) {
      shards.update("INSERT INTO samples (k, id, i4, t) VALUES (?, ?, ?, ?)", i, i, -i, "t" + i);
    }
  }

  private int active() {
    return shards.source().activeConnections().values().stream().mapToInt(n -> n).sum();
  }

  @Test
  void openResult_holdsOneConnectionPerShardUntilClosed() throws SQLException {
    try (Connection connection = shards.connect()) {
      Statement statement = connection.createStatement();
      assertThat(active()).isZero();
      ResultSet rows = statement.executeQuery(BY_ID);
      assertThat(active()).isEqualTo(4);
      rows.close();
      assertThat(active()).isZero();
      ResultSet again = statement.executeQuery(BY_ID);
      statement.executeQuery("SELECT t FROM samples WHERE k = 1");
      assertThat(again.isClosed()).isTrue();
      assertThat(active()).isEqualTo(1);
      statement.close();
      assertThat(active()).isZero();
      connection.createStatement().executeQuery(BY_ID);
      connection.prepareStatement(BY_ID).executeQuery();
      assertThat(active()).isEqualTo(8);
    }
    assertThat(active()).isZero();
  }

  @Test
  void closeOnCompletion_closesTheStatement() throws SQLException {
    try (Connection connection = shards.connect()) {
      Statement statement = connection.createStatement();
      statement.closeOnCompletion();
      assertThat(statement.isCloseOnCompletion()).isTrue();
      statement.executeQuery(BY_ID).close();
      assertThat(statement.isClosed()).isTrue();
      assertRefused(ErrorCode.JDBC_CALL_INVALID, () -> statement.executeQuery(BY_ID));
    }
  }

  @Test
  void questionMark_inATextIsAnOperator() throws SQLException {
    shards.update("UPDATE samples SET j = '{\"a\": 1}'::jsonb WHERE k IN (1, 7)");
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      try (ResultSet rows =
          statement.executeQuery("SELECT id FROM samples WHERE j ? 'a' ORDER BY id")) {
        assertThat(TestingShards.rows(rows)).containsExactly("1", "7");
      }
      String update = "UPDATE samples SET t = '?' WHERE k = 1 AND j ?| ARRAY['b', 'a']";
      assertThat(statement.executeUpdate(update)).isEqualTo(1);
      statement.addBatch(update);
      assertThat(statement.executeBatch()).containsExactly(1);
    }
  }

  @Test
  void questionMark_inATextForAValue_isRefused() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "SELECT id FROM samples WHERE k = ?",
              "UPDATE samples SET t = ? WHERE k = 1",
              "INSERT INTO samples (k, id) VALUES (1, ?)")) {
        assertRefused(ErrorCode.PARAMETER_MISSING, () -> statement.execute(sql));
        assertRefused(ErrorCode.PARAMETER_MISSING, () -> statement.addBatch(sql));
      }
    }
  }

  @Test
  void hiddenColumns_doNotExistForTheCaller() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(BY_ID)) {
      ResultSetMetaData columns = rows.getMetaData();
      assertThat(columns.getColumnCount()).isEqualTo(2);
      assertThat(columns.getColumnLabel(2)).isEqualTo("t");
      assertThat(columns.getColumnType(1)).isEqualTo(Types.BIGINT);
      assertThat(columns.getTableName(2)).isEqualTo("samples");
      assertRefused(ErrorCode.JDBC_CALL_INVALID, () -> columns.getColumnLabel(3));
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString("t")).isEqualTo("t19");
      assertThat(rows.getString("T")).isEqualTo("t19");
      assertRefused(ErrorCode.JDBC_CALL_INVALID, () -> rows.getInt(3));
      assertThatThrownBy(() -> rows.getInt("i4")).isInstanceOf(SQLException.class);
      assertThat(rows.findColumn("id")).isEqualTo(1);
      assertThat(rows.getStatement()).isSameAs(statement);
    }
  }

  @Test
  void mergedResult_movesForwardOnly() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery("SELECT t, i2 FROM samples ORDER BY id");
      assertRefused(ErrorCode.JDBC_CALL_INVALID, () -> rows.getString(1));
      assertThat(rows.next()).isTrue();
      assertThat(rows.isFirst()).isTrue();
      assertThat(rows.getRow()).isEqualTo(1);
      assertThat(rows.getInt(2)).isZero();
      assertThat(rows.wasNull()).isTrue();
      assertThat(rows.getType()).isEqualTo(ResultSet.TYPE_FORWARD_ONLY);
      for (org.assertj.core.api.ThrowableAssert.ThrowingCallable move :
          List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
              rows::previous,
              rows::first,
              rows::last,
              () -> rows.absolute(3),
              rows::beforeFirst,
              rows::deleteRow,
              () -> rows.updateInt(1, 1),
              () -> rows.updateString("t", "x"))) {
        assertThatThrownBy(move).isInstanceOf(SQLFeatureNotSupportedException.class);
      }
      while (rows.next()) {
        assertThat(rows.isFirst()).isFalse();
      }
      assertThat(rows.isAfterLast()).isTrue();
      assertThat(rows.next()).isFalse();
      assertRefused(ErrorCode.JDBC_CALL_INVALID, () -> rows.getString(1));
      rows.close();
      assertThat(rows.isClosed()).isTrue();
      assertRefused(ErrorCode.JDBC_CALL_INVALID, rows::next);
    }
  }

  @Test
  void scrollableResult_worksOnOneShardOnly() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
      ResultSet rows = statement.executeQuery("SELECT id FROM samples WHERE k = 3");
      assertThat(rows.last()).isTrue();
      assertThat(rows.getRow()).isEqualTo(1);
      rows.beforeFirst();
      assertThat(rows.next()).isTrue();
      assertRefused(ErrorCode.JDBC_FEATURE_UNSUPPORTED, () -> statement.executeQuery(BY_ID));
      assertRefused(
          ErrorCode.JDBC_FEATURE_UNSUPPORTED,
          () ->
              connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE));
    }
  }

  @Test
  void aggregateResult_convertsAsJdbcSays() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT count(*) AS n, avg(i4), max(t), min(d), sum(i8) FROM samples")) {
      assertThat(rows.isBeforeFirst()).isTrue();
      assertThat(rows.next()).isTrue();
      assertThat(rows.isLast()).isTrue();
      assertThat(rows.getInt("n")).isEqualTo(20);
      assertThat(rows.getObject(1, Integer.class)).isEqualTo(20);
      assertThat(rows.getShort(1)).isEqualTo((short) 20);
      assertThat(rows.getString(2)).isEqualTo("-9.5000000000000000");
      assertThat(rows.getDouble(2)).isEqualTo(-9.5);
      assertThat(rows.getInt(2)).isEqualTo(-9);
      assertThat(rows.getString("max")).isEqualTo("t9");
      assertThat(rows.getDate(4)).isNull();
      assertThat(rows.wasNull()).isTrue();
      assertThat(rows.getLong(5)).isZero();
      assertThat(rows.wasNull()).isTrue();
      assertThatThrownBy(() -> rows.getInt(3)).isInstanceOf(SQLException.class);
      assertRefused(ErrorCode.JDBC_CALL_INVALID, () -> rows.getInt(6));
      assertRefused(ErrorCode.COLUMN_UNKNOWN, () -> rows.getInt("none"));
      assertThat(rows.next()).isFalse();
      assertThat(active()).isZero();
    }
  }

  @Test
  void execute_tellsRowsFromCounts() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      assertThat(statement.execute(BY_ID)).isTrue();
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
      assertThat(statement.getResultSet().next()).isTrue();
      assertThat(statement.getMoreResults()).isFalse();
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
      assertThat(statement.execute("DELETE FROM samples WHERE k IN (1, 2, 3)")).isFalse();
      assertThat(statement.getUpdateCount()).isEqualTo(3);
      assertThat(statement.getResultSet()).isNull();
      assertThat(statement.getMoreResults()).isFalse();
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
      assertThat(statement.execute("DELETE FROM samples WHERE k = 4 RETURNING id")).isTrue();
      assertRefused(
          ErrorCode.JDBC_CALL_INVALID,
          () -> statement.executeUpdate("DELETE FROM samples WHERE k = 5 RETURNING id"));
      assertRefused(
          ErrorCode.JDBC_CALL_INVALID,
          () -> statement.executeQuery("DELETE FROM samples WHERE k = 5"));
    }
    assertThat(shards.rows("SELECT id FROM samples WHERE k = 5")).containsExactly("5");
  }

  @Test
  void fetchSize_streamsFromEachShardAndFreesItsTransaction() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement statement =
            connection.prepareStatement("SELECT id FROM samples ORDER BY id")) {
      statement.setFetchSize(2);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getFetchSize()).isEqualTo(2);
        assertThat(
                shards.shardRows(
                    0,
                    "SELECT count(*) > 0 FROM pg_stat_activity WHERE state = 'idle in transaction'"
                        + " AND datname = current_database()"))
            .containsExactly("t");
      }
    }
    assertThat(
            shards.shardRows(
                0,
                "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'"
                    + " AND datname = current_database()"))
        .containsExactly("0");
    assertThat(shards.update("UPDATE samples SET t = 'w' WHERE k = 1")).isEqualTo(1);
  }

  @Test
  void preparedMetadata_isKnownBeforeExecution() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement select =
            connection.prepareStatement("SELECT id, t FROM samples WHERE k = ? ORDER BY i4");
        PreparedStatement update =
            connection.prepareStatement("UPDATE samples SET t = ? WHERE k = ?")) {
      assertThat(select.getMetaData().getColumnCount()).isEqualTo(2);
      assertThat(select.getMetaData().getColumnTypeName(2)).isEqualTo("text");
      assertThat(select.getParameterMetaData().getParameterType(1)).isEqualTo(Types.BIGINT);
      assertThat(update.getMetaData()).isNull();
      assertThat(update.getParameterMetaData().getParameterCount()).isEqualTo(2);
      assertRefused(ErrorCode.JDBC_CALL_INVALID, () -> select.executeQuery("SELECT 1"));
    }
  }

  @Test
  void databaseMetadata_isThatOfAShardWithOurUrl() throws SQLException {
    try (Connection connection = shards.connect()) {
      DatabaseMetaData metadata = connection.getMetaData();
      assertThat(metadata.getURL()).startsWith("jdbc:shardwright:");
      assertThat(metadata.getDriverName()).isEqualTo("Shardwright");
      assertThat(metadata.getConnection()).isSameAs(connection);
      assertThat(metadata.getDatabaseProductName()).isEqualTo("PostgreSQL");
      assertThat(metadata.supportsBatchUpdates()).isTrue();
      assertThat(
              metadata.supportsResultSetConcurrency(
                  ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE))
          .isFalse();
      try (ResultSet columns = metadata.getColumns(null, "public", "samples", "t")) {
        assertThat(columns.next()).isTrue();
        assertThat(columns.getString("TYPE_NAME")).isEqualTo("text");
      }
      assertThat(active()).isZero();
      metadata.getTables(null, null, "samples", null);
    }
    assertThat(active()).isZero();
  }

  @Test
  void closedAndUnsupported_areSaid() throws SQLException {
    Connection connection = shards.connect();
    assertThat(connection.isValid(1)).isTrue();
    assertThatThrownBy(() -> connection.prepareCall("{call f()}"))
        .isInstanceOf(SQLFeatureNotSupportedException.class)
        .hasMessageContaining("SW212");
    assertThatThrownBy(() -> connection.setTypeMap(java.util.Map.of("a", String.class)))
        .isInstanceOf(SQLFeatureNotSupportedException.class);
    connection.setSchema(connection.getSchema());
    assertThatThrownBy(() -> connection.setSchema("other"))
        .isInstanceOf(SQLFeatureNotSupportedException.class);
    connection.setClientInfo("ApplicationName", "x");
    assertThat(connection.getWarnings().getMessage()).contains("ApplicationName");
    connection.clearWarnings();
    assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
    assertThat(connection.isWrapperFor(org.postgresql.PGConnection.class)).isFalse();
    connection.close();
    connection.close();
    assertThat(connection.isValid(1)).isFalse();
    assertRefused(ErrorCode.CONNECTION_CLOSED, connection::createStatement);
    assertRefused(ErrorCode.CONNECTION_CLOSED, () -> connection.prepareStatement("SELECT 1"));
  }

  @Test
  void abort_endsTheTransactionOnItsShard() throws SQLException {
    Connection connection = shards.connect();
    connection.setAutoCommit(false);
    TestingShards.update(connection, "UPDATE samples SET t = 'gone' WHERE k = 1");
    connection.abort(Runnable::run);
    assertThat(connection.isClosed()).isTrue();
    assertThat(shards.rows("SELECT t FROM samples WHERE k = 1")).containsExactly("t1");
  }

  @Test
  void refusedStatement_sendsNothing() throws SQLException {
    assertRefused(ErrorCode.TABLE_UNKNOWN, () -> shards.rows("SELECT * FROM nowhere"));
    assertRefused(
        ErrorCode.ROUTE_KEY_UPDATE, () -> shards.update("UPDATE samples SET k = 2 WHERE k = 1"));
    assertRefused(ErrorCode.ROUTE_KEY_MISSING, () -> shards.update("DELETE FROM samples"));
    assertRefused(ErrorCode.STATEMENT_UNPARSABLE, () -> shards.rows("SELECT (1 FROM samples"));
  }

  @Test
  void tableThatIsAddedLater_isFound() throws SQLException {
    shards.onEveryShard("ALTER TABLE countries RENAME TO lands");
    shards.source().refreshSchema();
    assertRefused(ErrorCode.TABLE_UNKNOWN, () -> shards.rows("SELECT * FROM countries"));
    shards.onEveryShard("ALTER TABLE lands RENAME TO countries");
    org.assertj.core.api.Assertions.assertThatCode(
            () -> {
              shards.source().refreshSchema();
              shards.rows("SELECT * FROM countries");
            })
        .doesNotThrowAnyException();
  }
}
