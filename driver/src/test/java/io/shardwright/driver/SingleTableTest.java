package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Table jobs, whose rows are all on s0. */
class SingleTableTest extends FourShards {

  @Test
  void rows_areOnTheHomeOnly_withItsSequenceAndClock() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO jobs (name) VALUES (?), ('b')", Statement.RETURN_GENERATED_KEYS)) {
      insert.setString(1, "a");
      assertThat(insert.executeUpdate()).isEqualTo(2);
      try (ResultSet keys = insert.getGeneratedKeys()) {
        keys.next();
        int first = keys.getInt("id");
        keys.next();
        assertThat(keys.getInt("id")).isEqualTo(first + 1);
        assertThat(keys.getTimestamp("made_at")).isNotNull();
      }
    }

    assertThat(shards.rows("SELECT name FROM jobs ORDER BY id")).containsExactly("a", "b");
    assertThat(shards.shardRows(0, "SELECT name FROM jobs ORDER BY id")).containsExactly("a", "b");
    for (int shard = 1; shard < 4; shard++) {
      assertThat(shards.shardRows(shard, "SELECT name FROM jobs")).isEmpty();
    }
    assertThat(shards.update("UPDATE jobs SET name = upper(name), made_at = now()")).isEqualTo(2);
    assertThat(shards.update("DELETE FROM jobs WHERE name = 'A'")).isEqualTo(1);
  }

  @Test
  void batch_goesToTheHome() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO jobs (name) VALUES (?)")) {
      for (String name : new String[] {"a", "b", "c"}) {
        insert.setString(1, name);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).containsExactly(1, 1, 1);
    }
    assertThat(shards.shardRows(0, "SELECT COUNT(*) FROM jobs")).containsExactly("3");
  }

  @Test
  void lock_pinsTheTransactionAndHoldsOthersOff() throws SQLException {
    shards.update("INSERT INTO jobs (name) VALUES ('a')");
    try (Connection holder = shards.connect();
        Connection other = shards.connect()) {
      holder.setAutoCommit(false);
      String take = "SELECT name FROM jobs FOR UPDATE SKIP LOCKED";
      assertThat(TestingShards.rows(holder, take)).containsExactly("a");
      assertThat(TestingShards.rows(other, take)).isEmpty();

      assertRefused(
          ErrorCode.SECOND_SHARD_IN_TRANSACTION,
          () ->
              TestingShards.update(
                  holder, "INSERT INTO samples (k, id) VALUES (?, 1)", shards.keyOn(2, 0)));
      holder.rollback();
      assertThat(TestingShards.rows(other, take)).containsExactly("a");
    }
  }
}
