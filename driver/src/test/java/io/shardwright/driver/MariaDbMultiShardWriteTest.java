package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.sql.Route.ShardStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MariaDbMultiShardWriteTest extends MultiShardWriteContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }

  @Test
  void returning_ofAReferenceTable_isRefused() {
    assertRefused(
        ErrorCode.STATEMENT_UNSUPPORTED, () -> shards.rows("DELETE FROM countries RETURNING code"));
  }

  @Test
  void generatedKeys_ofSeveralShards_comeInTheOrderOfTheValues() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO items (tenant_id, buyer_id, order_id, sku) VALUES (1, ?, ?, 'a'),"
                    + " (1, ?, ?, 'b'), (1, ?, ?, 'c'), (1, ?, ?, 'd')",
                Statement.RETURN_GENERATED_KEYS)) {
      long[] buyers = buyersOfAllShards();
      for (int row = 0; row < buyers.length; row++) {
        insert.setLong(2 * row + 1, buyers[row]);
        insert.setLong(2 * row + 2, orderId(buyers[row]));
      }
      assertThat(insert.executeUpdate()).isEqualTo(4);
      List<String> keys = new ArrayList<>();
      try (ResultSet generated = insert.getGeneratedKeys()) {
        while (generated.next()) {
          keys.add(generated.getString(1));
        }
      }
      assertThat(keys).isEqualTo(shards.rows("SELECT line FROM items ORDER BY sku"));
      shards.assertIdle();
    }
  }

  @Test
  void returning_ofAShardThatSeesBeforehandThatItHasNoRows_isThatOfTheOthers() throws SQLException {
    long one = shards.keyOn(0, 0);
    long other = shards.keyOn(1, 0);
    long smaller = Math.min(one, other);
    long greater = Math.max(one, other);
    String delete = "DELETE FROM samples WHERE k IN (?, ?) AND k ";
    for (long key : List.of(smaller, greater)) {
      shards.update("INSERT INTO samples (k, id) VALUES (?, ?)", key, key);
    }
    assertThat(shards.rows(delete + "> ? RETURNING k", smaller, greater, smaller))
        .containsExactly(String.valueOf(greater));
    assertThat(shards.rows(delete + "< ? RETURNING k", smaller, greater, greater))
        .containsExactly(String.valueOf(smaller));
    assertThat(shards.rows(delete + "< ? RETURNING k", smaller, greater, smaller)).isEmpty();
  }

  /** One on each shard, each of which has counted differently far. */
  private long[] buyersOfAllShards() throws SQLException {
    long[] buyers = new long[4];
    int found = 0;
    for (long buyer = 1; found < buyers.length; buyer++) {
      int shard = shardOf(buyer);
      if (buyers[shard] == 0) {
        buyers[shard] = buyer;
        found++;
        String row = "%d, 0, 0, %d".formatted(bucketOf(buyer), orderId(buyer));
        for (int i = 0; i < shard; i++) {
          shards.onShard(
              shard,
              "INSERT INTO items (bucket_id, tenant_id, buyer_id, order_id) VALUES (" + row + ")");
          shards.onShard(shard, "DELETE FROM items");
        }
      }
    }
    return buyers;
  }

  private int shardOf(long buyer) {
    String name = statementFor(buyer).shard().name();
    return Integer.parseInt(name.substring(1));
  }

  private long bucketOf(long buyer) {
    return statementFor(buyer).buckets().get(0).value();
  }

  /** A gene id in the bucket of tenant 1 and the buyer. */
  private long orderId(long buyer) {
    return bucketOf(buyer) << GeneIdLayout.forBuckets(1024).geneShift();
  }

  private ShardStatement statementFor(long buyer) {
    return shards
        .source()
        .explain("SELECT 1 FROM orders WHERE tenant_id = 1 AND buyer_id = " + buyer, List.of())
        .statements()
        .get(0);
  }

  @Test
  void generatedKeys_ofOneShard_arePassedThrough() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO items (tenant_id, buyer_id, order_id, sku) VALUES (1, 7, "
                      + orderId(7)
                      + ", 'a')",
                  Statement.RETURN_GENERATED_KEYS))
          .isEqualTo(1);
      try (ResultSet generated = statement.getGeneratedKeys()) {
        assertThat(generated.next()).isTrue();
        assertThat(generated.getString(1)).isEqualTo(shards.rows("SELECT line FROM items").get(0));
      }
    }
  }
}
