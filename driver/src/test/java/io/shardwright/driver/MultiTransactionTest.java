package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MultiTransactionTest extends MultiTransactionContract {
  @Test
  void commit_whatOneShardFindsWrong_appliesNothingAnywhere() throws SQLException {
    shards.onShard(
        3, "ALTER TABLE samples ADD CONSTRAINT later UNIQUE (t) DEFERRABLE INITIALLY DEFERRED");
    try (Connection connection = begin()) {
      insertOnEach(connection);
      TestingShards.update(connection, INSERT, key(3), 4, "a");
      assertThatThrownBy(connection::commit)
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> {
                assertThat(e.getSQLState()).isEqualTo("23505");
                assertThat(e.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .contains("on shard s3", "the transaction was rolled back on every shard");
              });
      shards.assertIdle();
      assertThat(shards.rows(ALL)).isEmpty();
      TestingShards.update(connection, INSERT, key(0), 0, "a");
      connection.commit();
    } finally {
      shards.onShard(3, "ALTER TABLE samples DROP CONSTRAINT later");
    }
    assertThat(shards.rows(ALL)).hasSize(1);
  }

  /** Two transactions that each read what the other writes: the server finds it at COMMIT. */
  @Test
  void commit_thatFailsAfterAnother_tellsEachShardsOutcome() throws SQLException {
    insertOnEach2();
    try (Connection connection = begin();
        Connection other = shards.shard(2)) {
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      other.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      other.setAutoCommit(false);
      for (int shard : new int[] {0, 1, 3}) {
        TestingShards.update(connection, UPDATE, "b", key(shard));
      }
      TestingShards.rows(connection, "SELECT t FROM samples WHERE k = ? AND id = 12", key(2));
      TestingShards.rows(other, "SELECT t FROM samples WHERE k = " + key(2) + " AND id = 2");
      TestingShards.update(connection, "UPDATE samples SET t = 'b' WHERE k = ? AND id = 2", key(2));
      TestingShards.update(
          other, "UPDATE samples SET t = 'c' WHERE k = " + key(2) + " AND id = 12");
      other.commit();
      MultiTransactionException e =
          catchThrowableOfType(MultiTransactionException.class, connection::commit);
      assertThat(e.committed()).isEqualTo(ids("s0", "s1"));
      assertThat(e.rolledBack()).isEqualTo(ids("s2", "s3"));
      assertThat(e.unknown()).isEmpty();
      assertThat(e.code()).isEqualTo(ErrorCode.MULTI_TRANSACTION_PARTIAL);
      assertThat(e.getSQLState()).isEqualTo("40003");
      assertThat(e.getMessage())
          .startsWith(
              "SW418: the commit of a transaction over several shards failed: committed on [s0,"
                  + " s1], rolled back on [s2, s3], unknown on []");
      shards.assertIdle();
    }
    assertThat(shards.rows(ALL)).containsExactly("0|b", "1|b", "2|a", "3|a", "12|c");
  }
}
