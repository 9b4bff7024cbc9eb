package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

abstract class TransactionContract extends FourShards {
  static final String INSERT = "INSERT INTO samples (k, id, t) VALUES (?, ?, ?)";

  final Connection begin() throws SQLException {
    Connection connection = shards.connect();
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    connection.setAutoCommit(false);
    return connection;
  }

  @Test
  void commit_ofOneShard_appliesAll() throws SQLException {
    long key = shards.keyOn(1, 0);
    try (Connection connection = begin()) {
      TestingShards.update(connection, INSERT, key, 1, "a");
      TestingShards.update(connection, INSERT, key, 2, "b");
      assertThat(shards.rows("SELECT id FROM samples")).isEmpty();
      connection.commit();
      shards.assertIdle();
      assertThat(shards.rows("SELECT id FROM samples ORDER BY id")).containsExactly("1", "2");
    }
  }

  @Test
  void rollback_andCloseWithoutCommit_applyNothing() throws SQLException {
    try (Connection connection = begin()) {
      TestingShards.update(connection, INSERT, 1, 1, "a");
      connection.rollback();
      TestingShards.update(connection, INSERT, 2, 2, "b");
    }
    assertThat(shards.rows("SELECT id FROM samples")).isEmpty();
  }

  @Test
  void statement_onASecondShard_isRefusedAndNamesBoth() throws SQLException {
    long first = shards.keyOn(0, 0);
    long second = shards.keyOn(3, 0);
    try (Connection connection = begin()) {
      TestingShards.update(connection, INSERT, first, 1, "a");

      assertRefused(
          ErrorCode.SECOND_SHARD_IN_TRANSACTION,
          () -> TestingShards.update(connection, INSERT, second, 2, "b"));
      assertThatThrownBy(
              () -> TestingShards.rows(connection, "SELECT t FROM samples WHERE k = ?", second))
          .isInstanceOf(SQLNonTransientException.class)
          .hasMessageContaining("shard s0")
          .hasMessageContaining("shard s3")
          .hasMessageContaining("bucket");

      // Refused before anything was sent: the transaction goes on.
      TestingShards.update(connection, INSERT, first, 3, "c");
      connection.commit();
    }
    assertThat(shards.rows("SELECT id FROM samples ORDER BY id")).containsExactly("1", "3");
  }

  @Test
  void read_byKey_pinsTheTransaction() throws SQLException {
    try (Connection connection = begin()) {
      assertThat(
              TestingShards.rows(
                  connection, "SELECT t FROM samples WHERE k = ?", shards.keyOn(2, 0)))
          .isEmpty();
      assertRefused(
          ErrorCode.SECOND_SHARD_IN_TRANSACTION,
          () -> TestingShards.update(connection, INSERT, shards.keyOn(1, 0), 2, "b"));
    }
  }

  @Test
  void scatterRead_underReadCommitted_seesOwnWrites() throws SQLException {
    shards.update(INSERT, shards.keyOn(3, 0), 9, "other");
    try (Connection connection = begin()) {
      TestingShards.update(connection, INSERT, shards.keyOn(0, 0), 1, "own");
      assertThat(TestingShards.rows(connection, "SELECT t FROM samples ORDER BY id"))
          .containsExactly("own", "other");
      connection.rollback();
    }
  }

  @Test
  void scatterRead_underRepeatableRead_isRefused() throws SQLException {
    try (Connection connection = shards.connect()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      assertRefused(
          ErrorCode.SECOND_SHARD_IN_TRANSACTION,
          () -> TestingShards.rows(connection, "SELECT count(*) FROM samples"));
    }
  }

  @Test
  void scatterRead_alone_doesNotPin() throws SQLException {
    try (Connection connection = begin()) {
      TestingShards.rows(connection, "SELECT count(*) FROM samples");
      TestingShards.rows(connection, "SELECT 1");
      shards.assertIdle();
      TestingShards.update(connection, INSERT, shards.keyOn(3, 0), 1, "a");
      connection.commit();
    }
    assertThat(shards.rows("SELECT id FROM samples")).containsExactly("1");
  }

  @Test
  void write_toSeveralShards_isRefusedInATransaction() throws SQLException {
    String sql = "UPDATE samples SET t = 'x' WHERE k IN (?, ?)";
    try (Connection connection = begin()) {
      assertRefused(
          ErrorCode.SECOND_SHARD_IN_TRANSACTION,
          () -> TestingShards.update(connection, sql, shards.keyOn(0, 0), shards.keyOn(1, 0)));
      assertRefused(
          ErrorCode.SECOND_SHARD_IN_TRANSACTION,
          () -> TestingShards.update(connection, "INSERT INTO countries VALUES ('fr', 'France')"));
    }
  }

  @Test
  void savepoints_setBeforeAndAfterThePin_rollBackToThem() throws SQLException {
    long key = shards.keyOn(1, 0);
    try (Connection connection = begin()) {
      Savepoint before = connection.setSavepoint("before");
      TestingShards.update(connection, INSERT, key, 1, "a");
      Savepoint after = connection.setSavepoint();
      TestingShards.update(connection, INSERT, key, 2, "b");
      connection.rollback(after);
      TestingShards.update(connection, INSERT, key, 3, "c");
      connection.releaseSavepoint(after);
      assertRefused(ErrorCode.JDBC_CALL_INVALID, () -> connection.rollback(after));
      assertThat(
              TestingShards.rows(connection, "SELECT id FROM samples WHERE k = ? ORDER BY id", key))
          .containsExactly("1", "3");
      connection.rollback(before);
      TestingShards.update(connection, INSERT, key, 4, "d");
      connection.commit();
    }
    assertThat(shards.rows("SELECT id FROM samples")).containsExactly("4");
  }

  @Test
  void setAutoCommit_true_commits() throws SQLException {
    try (Connection connection = begin()) {
      TestingShards.update(connection, INSERT, 5, 1, "a");
      connection.setAutoCommit(true);
      assertThat(shards.rows("SELECT id FROM samples")).containsExactly("1");
      assertRefused(ErrorCode.JDBC_CALL_INVALID, connection::commit);
    }
  }

  @Test
  void results_ofATransaction_endWithIt() throws SQLException {
    long key = shards.keyOn(0, 0);
    shards.update(INSERT, key, 1, "a");
    try (Connection connection = begin();
        Statement statement = connection.createStatement();
        java.sql.ResultSet rows =
            statement.executeQuery("SELECT t FROM samples WHERE k = " + key)) {
      assertThat(rows.next()).isTrue();
      connection.commit();
      assertThat(rows.isClosed()).isTrue();
      shards.assertIdle();
    }
  }

  @Test
  void referenceRead_underRepeatableRead_pins() throws SQLException {
    try (Connection connection = shards.connect()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      assertThat(TestingShards.rows(connection, "SELECT count(*) FROM countries"))
          .containsExactly("0");
      shards.update("INSERT INTO countries VALUES ('fr', 'France')");
      assertThat(TestingShards.rows(connection, "SELECT count(*) FROM countries"))
          .containsExactly("0");
      connection.commit();
      assertThat(TestingShards.rows(connection, "SELECT count(*) FROM countries"))
          .containsExactly("1");
    }
  }

  @Test
  void severalStatements_areOpenAtOnceInATransaction() throws SQLException {
    long key = shards.keyOn(0, 0);
    shards.update(INSERT, key, 1, "a");
    try (Connection connection = begin();
        Statement first = connection.createStatement();
        Statement second = connection.createStatement()) {
      java.sql.ResultSet one = first.executeQuery("SELECT t FROM samples WHERE k = " + key);
      java.sql.ResultSet two = second.executeQuery("SELECT id FROM samples WHERE k = " + key);
      assertThat(one.next()).isTrue();
      assertThat(two.next()).isTrue();
      assertThat(one.getString(1)).isEqualTo("a");
      assertThat(shards.source().activeConnections().values()).containsExactly(1, 0, 0, 0);
    }
  }
}
