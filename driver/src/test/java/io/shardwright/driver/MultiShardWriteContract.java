package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

abstract class MultiShardWriteContract extends FourShards {
  static final String INSERT_FOUR =
      "INSERT INTO samples (k, id, t) VALUES (?, 1, 'a'), (?, 2, 'b'), (?, 3, 'c'), (?, 4, 'd')";

  final Object[] keysOfAllShards() {
    return new Object[] {
      shards.keyOn(3, 0), shards.keyOn(0, 0), shards.keyOn(2, 0), shards.keyOn(1, 0)
    };
  }

  @Test
  void multiRowInsert_overAllShards_countsAllRows() throws SQLException {
    assertThat(shards.update(INSERT_FOUR, keysOfAllShards())).isEqualTo(4);
    for (int shard = 0; shard < 4; shard++) {
      assertThat(shards.shardRows(shard, "SELECT count(*) FROM samples")).containsExactly("1");
    }
    assertThat(
            shards.update("UPDATE samples SET t = 'x' WHERE k IN (?, ?, ?, ?)", keysOfAllShards()))
        .isEqualTo(4);
    assertThat(shards.update("DELETE FROM samples WHERE k IN (?, ?, ?, ?)", keysOfAllShards()))
        .isEqualTo(4);
  }

  @Test
  void failureOnOneShard_appliesNothingAnywhere() throws SQLException {
    Object[] keys = keysOfAllShards();
    shards.update("INSERT INTO samples (k, id) VALUES (?, 3)", keys[2]);

    assertThatThrownBy(() -> shards.update(INSERT_FOUR, keys))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> assertThat(e.getSQLState()).isEqualTo(shards.database().duplicateKey()))
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .contains("on shard s2", "nothing was applied on any shard"));

    assertThat(shards.rows("SELECT id FROM samples")).containsExactly("3");
  }

  @Test
  void returning_comesInTheOrderOfTheValues() throws SQLException {
    assertThat(shards.rows(INSERT_FOUR + " RETURNING id, t", keysOfAllShards()))
        .containsExactly("1|a", "2|b", "3|c", "4|d");
  }

  @Test
  void referenceTable_isWrittenOnEveryShardAndReadOnAny() throws SQLException {
    assertThat(shards.update("INSERT INTO countries VALUES ('fr', 'France'), ('de', 'Germany')"))
        .isEqualTo(2);
    for (int shard = 0; shard < 4; shard++) {
      assertThat(shards.shardRows(shard, "SELECT count(*) FROM countries")).containsExactly("2");
    }
    for (int i = 0; i < 5; i++) {
      assertThat(shards.rows("SELECT name FROM countries WHERE code = 'de'"))
          .containsExactly("Germany");
    }
  }

  @Test
  void referenceTable_thatDiffers_isNotWritten() throws SQLException {
    shards.update("INSERT INTO countries VALUES ('fr', 'France')");
    shards.onShard(2, "DELETE FROM countries");

    assertRefused(
        ErrorCode.REFERENCE_DRIFT, () -> shards.update("UPDATE countries SET name = 'x'"));

    assertThat(shards.shardRows(0, "SELECT name FROM countries")).containsExactly("France");
  }

  @Test
  void stream_toSeveralShards_isRefused() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement update =
            connection.prepareStatement("UPDATE samples SET t = ? WHERE k IN (?, ?)")) {
      update.setCharacterStream(1, new java.io.StringReader("x"));
      update.setLong(2, shards.keyOn(0, 0));
      update.setLong(3, shards.keyOn(1, 0));
      assertRefused(ErrorCode.JDBC_FEATURE_UNSUPPORTED, update::executeUpdate);
    }
  }
}
