package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

abstract class BatchContract extends FourShards {
  static final String INSERT = "INSERT INTO samples (k, id, t) VALUES (?, ?, ?)";

  static void add(PreparedStatement insert, long key, long id, String text) throws SQLException {
    insert.setLong(1, key);
    insert.setLong(2, id);
    insert.setString(3, text);
    insert.addBatch();
  }

  @Test
  void preparedBatch_overAllShards_countsInTheCallersOrder() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int i = 0; i < 200; i++) {
        add(insert, i % 50, i, "t" + i);
      }
      assertThat(insert.executeBatch()).hasSize(200).containsOnly(1);
      assertThat(insert.executeBatch()).isEmpty();
    }
    assertThat(shards.rows("SELECT id FROM samples ORDER BY id"))
        .isEqualTo(IntStream.range(0, 200).mapToObj(String::valueOf).toList());
    try (Connection connection = shards.connect();
        PreparedStatement update =
            connection.prepareStatement("UPDATE samples SET t = 'x' WHERE k = ? AND id < ?")) {
      for (int key = 0; key < 3; key++) {
        update.setInt(1, key);
        update.setInt(2, 50 * (key + 1));
        update.addBatch();
      }
      assertThat(update.executeBatch()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void batch_ofOneKey_runsInOrder() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      statement.addBatch("INSERT INTO samples (k, id, t) VALUES (1, 1, 'a')");
      statement.addBatch("UPDATE samples SET t = concat(t, 'b') WHERE k = 1");
      statement.addBatch("INSERT INTO samples (k, id, t) VALUES (2, 2, 'z'), (3, 3, 'z')");
      statement.addBatch("UPDATE samples SET t = concat(t, 'c') WHERE k IN (1, 2, 3)");
      statement.addBatch("DELETE FROM samples WHERE k = 9");
      assertThat(statement.executeBatch()).containsExactly(1, 1, 2, 3, 0);
    }
    assertThat(shards.rows("SELECT t FROM samples ORDER BY id")).containsExactly("abc", "zc", "zc");
  }

  @Test
  void batchOverShards_withAnErrorOnOne_appliesNothing() throws SQLException {
    shards.update(INSERT, shards.keyOn(2, 0), 2, "there");
    try (Connection connection = shards.connect();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int shard = 0; shard < 4; shard++) {
        add(insert, shards.keyOn(shard, 0), shard, "new");
      }
      assertThatThrownBy(insert::executeBatch)
          .isInstanceOfSatisfying(
              BatchUpdateException.class,
              e -> {
                assertThat(e.getUpdateCounts()).hasSize(4).containsOnly(Statement.EXECUTE_FAILED);
                assertThat(e.getSQLState()).isEqualTo(shards.database().duplicateKey());
                assertThat(e.getMessage()).contains("shard s2", "nothing of the batch was applied");
                assertThat((Throwable) e.getNextException()).isInstanceOf(SQLException.class);
              });
    }
    assertThat(shards.rows("SELECT t FROM samples")).containsExactly("there");
  }

  @Test
  void batch_inATransaction_isPinnedAndRollsBack() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      connection.setAutoCommit(false);
      add(insert, shards.keyOn(1, 0), 1, "a");
      add(insert, shards.keyOn(1, 1), 2, "b");
      assertThat(insert.executeBatch()).containsExactly(1, 1);
      add(insert, shards.keyOn(2, 0), 3, "c");
      assertRefused(ErrorCode.SECOND_SHARD_IN_TRANSACTION, insert::executeBatch);
      add(insert, shards.keyOn(1, 0), 4, "d");
      add(insert, shards.keyOn(3, 0), 5, "e");
      assertRefused(ErrorCode.SECOND_SHARD_IN_TRANSACTION, insert::executeBatch);
      connection.rollback();
    }
    assertThat(shards.rows("SELECT id FROM samples")).isEmpty();
  }

  @Test
  void batch_onReferenceTables_writesEveryShard() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO countries VALUES (?, ?)")) {
      for (String code : List.of("fr", "de", "it")) {
        insert.setString(1, code);
        insert.setString(2, code.toUpperCase(java.util.Locale.ROOT));
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).containsExactly(1, 1, 1);
    }
    for (int shard = 0; shard < 4; shard++) {
      assertThat(shards.shardRows(shard, "SELECT count(*) FROM countries")).containsExactly("3");
    }
  }

  @Test
  void batch_thatIsRefused_sendsNothing() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert = connection.prepareStatement(INSERT);
        Statement statement = connection.createStatement()) {
      add(insert, 1, 1, "a");
      insert.setNull(1, java.sql.Types.BIGINT);
      insert.addBatch();
      assertRefused(ErrorCode.ROUTE_KEY_NULL, insert::executeBatch);
      insert.clearParameters();
      assertRefused(ErrorCode.PARAMETER_MISSING, insert::addBatch);
      statement.addBatch("SELECT 1");
      assertRefused(ErrorCode.JDBC_FEATURE_UNSUPPORTED, statement::executeBatch);
      statement.addBatch("INSERT INTO samples (k, id) VALUES (1, 1)");
      statement.clearBatch();
      assertThat(statement.executeBatch()).isEmpty();
    }
    assertThat(shards.rows("SELECT id FROM samples")).isEmpty();
  }

  @Test
  void batchOnOneShard_thatFails_tellsEachEntry() throws SQLException {
    long key = shards.keyOn(1, 0);
    for (boolean autoCommit : new boolean[] {true, false}) {
      try (Connection connection = shards.connect();
          PreparedStatement insert = connection.prepareStatement(INSERT)) {
        connection.setAutoCommit(autoCommit);
        add(insert, key, 1, "a");
        add(insert, key, 1, "again");
        add(insert, key, 2, "b");
        assertThatThrownBy(insert::executeBatch)
            .isInstanceOfSatisfying(
                BatchUpdateException.class,
                e -> {
                  assertThat(e.getUpdateCounts()).hasSize(3).contains(Statement.EXECUTE_FAILED);
                  assertThat(e.getSQLState()).isEqualTo(shards.database().duplicateKey());
                  assertThat(e.getMessage()).contains("(shard s1)");
                });
      }
      shards.clear();
    }
  }

  @Test
  void segmentsOnOneShard_inAutocommit_areOneTransaction() throws SQLException {
    long key = shards.keyOn(1, 0);
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      statement.addBatch("INSERT INTO samples (k, id) VALUES (" + key + ", 1)");
      statement.addBatch("INSERT INTO samples (k, id, t) VALUES (" + key + ", 1, 'again')");
      assertThatThrownBy(statement::executeBatch).isInstanceOf(BatchUpdateException.class);
    }
    assertThat(shards.rows("SELECT id FROM samples")).isEmpty();
  }
}
