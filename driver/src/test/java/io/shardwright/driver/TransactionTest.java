package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TransactionTest extends TransactionContract {
  static void assertRefused(
      ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(ShardwrightError.class, e -> assertThat(e.code()).isEqualTo(code))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo(code.sqlState());
              assertThat(e.getMessage()).startsWith(code.code() + ": ");
              assertThat(e.getErrorCode()).isEqualTo(Integer.parseInt(code.code().substring(2)));
            });
  }

  @Test
  void databaseError_abortsTheTransactionAsPostgresDoes() throws SQLException {
    long key = shards.keyOn(1, 0);
    try (Connection connection = begin()) {
      TestingShards.update(connection, INSERT, key, 1, "a");
      assertThatThrownBy(() -> TestingShards.update(connection, INSERT, key, 1, "again"))
          .satisfies(e -> assertThat(e.getClass().getName()).endsWith(".PSQLException"))
          .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("on shard s1"))
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("23505");
      assertThatThrownBy(() -> TestingShards.update(connection, INSERT, key, 2, "b"))
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("25P02");
      connection.rollback();
      TestingShards.update(connection, INSERT, key, 3, "c");
      connection.commit();
    }
    assertThat(shards.rows("SELECT id FROM samples")).containsExactly("3");
  }

  @Test
  void isolationAndReadOnly_areSetOnTheShardAndResetAfterwards() throws SQLException {
    long key = shards.keyOn(0, 0);
    String show =
        "SELECT current_setting('transaction_isolation') || ' '"
            + " || current_setting('transaction_read_only') FROM samples WHERE k = ? LIMIT 1";
    shards.update(INSERT, key, 1, "a");
    try (Connection connection = shards.connect()) {
      assertThat(connection.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      assertThat(TestingShards.rows(connection, show, key)).containsExactly("serializable on");
      assertThatThrownBy(() -> TestingShards.update(connection, INSERT, key, 2, "b"))
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("25006");
      assertRefused(ErrorCode.JDBC_CALL_INVALID, () -> connection.setReadOnly(false));
      connection.rollback();
    }
    assertThat(shards.rows(show, key)).containsExactly("read committed off");
  }
}
