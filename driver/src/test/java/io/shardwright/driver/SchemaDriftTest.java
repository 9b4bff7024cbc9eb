package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables that somebody changed on one shard only: no rows rather than wrong ones. */
class SchemaDriftTest {
  private static final String INSERT_TWO =
      "INSERT INTO samples (k, id, t) VALUES (?, 11, 'x'), (?, 12, 'y')";
  private TestingShards shards;

  @BeforeEach
  void open() throws SQLException {
    shards = TestingShards.open(3);
    for (int shard = 0; shard < 3; shard++) {
      shards.update(
          "INSERT INTO samples (k, id, i4, t, n) VALUES (?, ?, 1, 'one', 1.25)",
          shards.keyOn(shard, 0),
          shard);
    }
  }

  @AfterEach
  void close() {
    shards.assertIdle();
    shards.close();
  }

  private void assertDrift(String sql, String... words) {
    assertThatThrownBy(() -> shards.rows(sql))
        .isInstanceOfSatisfying(
            ShardwrightError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_DRIFT))
        .message()
        .contains(words);
    shards.assertIdle();
  }

  @Test
  void columnDroppedOnOneShard_givesNoRows() {
    shards.onShard(1, "ALTER TABLE samples DROP COLUMN arr");
    assertDrift("SELECT * FROM samples", "is arr (_int4) on shard s0", "missing on shard s1");
    assertDrift("SELECT * FROM samples ORDER BY k", "on shard s0", "on shard s1");
  }

  @Test
  void columnAddedOnOneShard_isNamed() {
    shards.onShard(0, "ALTER TABLE samples ADD COLUMN extra int");
    assertDrift("SELECT * FROM samples", "extra (int4) on shard s0", "missing on shard s1");
  }

  @Test
  void swappedColumns_giveNoRows() {
    shards.onShard(
        2,
        """
        ALTER TABLE samples DROP COLUMN j, DROP COLUMN arr;
        ALTER TABLE samples ADD COLUMN arr int[], ADD COLUMN j jsonb
        """);
    assertDrift("SELECT * FROM samples", "j (jsonb) on shard s0", "arr (_int4) on shard s2");
  }

  @Test
  void otherType_givesNoRowsAndNoAggregates() {
    shards.onShard(2, "ALTER TABLE samples ALTER COLUMN i4 TYPE text");
    assertDrift("SELECT k, i4 FROM samples", "i4 (int4) on shard s0", "i4 (text) on shard s2");
    assertDrift("SELECT max(i4) FROM samples", "max (int4) on shard s0", "max (text) on shard s2");
    assertDrift("SELECT i4, count(*) FROM samples GROUP BY i4", "i4 (text) on shard s2");
  }

  @Test
  void lastStep_castsOnlyWhatIsDeclaredAlike() throws SQLException {
    String distinct = "SELECT DISTINCT n FROM samples";
    assertThat(shards.rows(distinct)).containsExactly("1.25");
    shards.onShard(0, "ALTER TABLE samples ALTER COLUMN n TYPE numeric(10,1)");
    assertDrift(distinct, "n (numeric(10,1)) on shard s0", "n (numeric) on shard s1");
  }

  @Test
  void columnsThatAreNotAskedFor_matterNot() throws SQLException {
    shards.onShard(1, "ALTER TABLE samples DROP COLUMN arr");
    assertThat(shards.rows("SELECT t, count(*) FROM samples GROUP BY t")).containsExactly("one|3");
    assertThat(shards.rows("SELECT id FROM samples ORDER BY id")).containsExactly("0", "1", "2");
  }

  @Test
  void sequenceBehindAColumn_isNoDifference() throws SQLException {
    shards.onShard(1, "ALTER TABLE items ALTER COLUMN line DROP IDENTITY");
    shards.onShard(2, "ALTER TABLE items ALTER COLUMN line DROP IDENTITY");
    assertThat(shards.rows("SELECT line FROM items")).isEmpty();
    assertThat(shards.rows("SELECT DISTINCT line FROM items")).isEmpty();
  }

  @Test
  void returningOfAWrite_isRefusedBeforeTheCommit() throws SQLException {
    shards.onShard(1, "ALTER TABLE samples DROP COLUMN arr");
    long[] keys = {shards.keyOn(0, 0), shards.keyOn(1, 0)};
    assertRefused(
        ErrorCode.SCHEMA_DRIFT, () -> shards.rows(INSERT_TWO + " RETURNING *", keys[0], keys[1]));
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement(INSERT_TWO, Statement.RETURN_GENERATED_KEYS)) {
      insert.setLong(1, keys[0]);
      insert.setLong(2, keys[1]);
      assertRefused(ErrorCode.SCHEMA_DRIFT, insert::executeUpdate);
    }
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO samples (k, id) VALUES (?, 13)", Statement.RETURN_GENERATED_KEYS)) {
      for (long key : keys) {
        insert.setLong(1, key);
        insert.addBatch();
      }
      assertRefused(ErrorCode.SCHEMA_DRIFT, insert::executeBatch);
    }
    assertThat(shards.rows("SELECT count(*) FROM samples")).containsExactly("3");
  }
}
