package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MariaDbTransactionTest extends TransactionContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }

  @Test
  void databaseError_undoesItsStatementOnly() throws SQLException {
    long key = shards.keyOn(1, 0);
    try (Connection connection = begin()) {
      TestingShards.update(connection, INSERT, key, 1, "a");
      assertThatThrownBy(() -> TestingShards.update(connection, INSERT, key, 1, "again"))
          .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("on shard s1"))
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("23000");
      TestingShards.update(connection, INSERT, key, 2, "b");
      connection.commit();
    }
    assertThat(shards.rows("SELECT id FROM samples ORDER BY id")).containsExactly("1", "2");
  }

  @Test
  void readOnly_isSetOnTheShardAndResetAfterwards() throws SQLException {
    long key = shards.keyOn(0, 0);
    try (Connection connection = shards.connect()) {
      assertThat(connection.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> TestingShards.update(connection, INSERT, key, 2, "b"))
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("25006");
      assertRefused(ErrorCode.JDBC_CALL_INVALID, () -> connection.setReadOnly(false));
      connection.rollback();
    }
    assertThat(shards.update(INSERT, key, 1, "a")).isEqualTo(1);
  }
}
