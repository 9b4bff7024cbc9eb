package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MultiShardWriteTest extends MultiShardWriteContract {
  @Test
  void commitThatFailsOnASecondShard_namesWhatWasApplied() throws SQLException {
    // The shard finds the violation only at its commit, when s0 and s1 have committed.
    shards.onShard(
        2, "ALTER TABLE samples ADD CONSTRAINT late UNIQUE (i4) DEFERRABLE INITIALLY DEFERRED");
    try {
      shards.update("INSERT INTO samples (k, id, i4) VALUES (?, 9, 1)", shards.keyOn(2, 0));
      Object[] keys = keysOfAllShards();
      assertThatThrownBy(
              () ->
                  shards.update(
                      "INSERT INTO samples (k, id, i4) VALUES (?, 1, 1), (?, 2, 1), (?, 3, 1), (?,"
                          + " 4, 1)",
                      keys))
          .isInstanceOfSatisfying(
              ShardwrightError.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.MULTI_SHARD_WRITE_PARTIAL))
          .hasMessageContaining("applied on [s0, s1], not applied on [s2, s3]")
          .hasMessageContaining("do not repeat");
      assertThat(shards.rows("SELECT id FROM samples ORDER BY id")).containsExactly("2", "4", "9");
    } finally {
      shards.onShard(2, "ALTER TABLE samples DROP CONSTRAINT late");
    }
  }

  @Test
  void commitThatFailsOnTheFirstShard_appliesNothing() throws SQLException {
    shards.onShard(
        0, "ALTER TABLE samples ADD CONSTRAINT late UNIQUE (i4) DEFERRABLE INITIALLY DEFERRED");
    try {
      shards.update("INSERT INTO samples (k, id, i4) VALUES (?, 9, 1)", shards.keyOn(0, 0));
      assertThatThrownBy(
              () ->
                  shards.update(
                      "INSERT INTO samples (k, id, i4) VALUES (?, 1, 1), (?, 2, 1), (?, 3, 1), (?,"
                          + " 4, 1)",
                      keysOfAllShards()))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
      assertThat(shards.rows("SELECT id FROM samples")).containsExactly("9");
    } finally {
      shards.onShard(0, "ALTER TABLE samples DROP CONSTRAINT late");
    }
  }

  @Test
  void generatedKeys_comeInTheOrderOfTheValues() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement(INSERT_FOUR, new String[] {"id", "bucket_id"})) {
      Object[] keys = keysOfAllShards();
      for (int i = 0; i < keys.length; i++) {
        insert.setObject(i + 1, keys[i]);
      }
      assertThat(insert.executeUpdate()).isEqualTo(4);
      List<String> ids = new ArrayList<>();
      try (ResultSet generated = insert.getGeneratedKeys()) {
        while (generated.next()) {
          ids.add(generated.getString("id"));
          assertThat(generated.getInt(2)).isBetween(0, 63);
        }
      }
      assertThat(ids).containsExactly("1", "2", "3", "4");
      shards.assertIdle();
    }
  }

  @Test
  void generatedKeys_ofOneShard_arePassedThrough() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO items (tenant_id, buyer_id, order_id, sku) VALUES (1, 7, "
                      + orderId()
                      + ", 'a')",
                  Statement.RETURN_GENERATED_KEYS))
          .isEqualTo(1);
      try (ResultSet generated = statement.getGeneratedKeys()) {
        assertThat(generated.next()).isTrue();
        assertThat(generated.getInt("line")).isPositive();
        assertThat(generated.getString("sku")).isEqualTo("a");
      }
      shards.assertIdle();
      statement.executeUpdate("DELETE FROM items WHERE tenant_id = 1 AND buyer_id = 7");
      try (ResultSet none = statement.getGeneratedKeys()) {
        assertThat(none.getMetaData().getColumnCount()).isZero();
        assertThat(none.next()).isFalse();
      }
    }
  }

  /** A gene id in the bucket of tenant 1, buyer 7. */
  private long orderId() {
    int bucket =
        shards
            .source()
            .explain("SELECT 1 FROM orders WHERE tenant_id = 1 AND buyer_id = 7", List.of())
            .statements()
            .get(0)
            .buckets()
            .get(0)
            .value();
    return (long) bucket << io.shardwright.routing.GeneIdLayout.forBuckets(1024).geneShift();
  }

  @Test
  void returning_ofUpdates_comesFromEveryShard() throws SQLException {
    shards.update(INSERT_FOUR, keysOfAllShards());
    assertThat(
            shards.rows(
                "UPDATE samples SET t = upper(t) WHERE k IN (?, ?, ?, ?) RETURNING t",
                keysOfAllShards()))
        .containsExactlyInAnyOrder("A", "B", "C", "D");
    shards.update("INSERT INTO countries VALUES ('fr', 'France'), ('de', 'Germany')");
    assertThat(shards.rows("UPDATE countries SET name = 'x' WHERE code = 'fr' RETURNING name"))
        .containsExactly("x");
  }

  @Test
  void returning_ofAReferenceTableThatDiffers_writesNothing() throws SQLException {
    shards.update("INSERT INTO countries VALUES ('fr', 'France')");
    shards.onShard(2, "DELETE FROM countries");

    assertRefused(
        ErrorCode.REFERENCE_DRIFT,
        () -> shards.rows("UPDATE countries SET name = 'x' RETURNING code"));

    assertThat(shards.shardRows(0, "SELECT name FROM countries")).containsExactly("France");
  }
}
