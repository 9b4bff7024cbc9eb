package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** INSERT ... SELECT over several shards stores what one database stores. */
class QueryInsertTest extends FourShards {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO items (tenant_id, buyer_id, order_id, line, sku, price) OVERRIDING SYSTEM"
            + " VALUE SELECT tenant_id, buyer_id, order_id, 900 + quantity, coalesce(status,"
            + " 'none'), amount * 2 FROM orders WHERE quantity = 1",
        "INSERT INTO items (tenant_id, buyer_id, order_id, sku) SELECT tenant_id, buyer_id,"
            + " order_id, 'x' FROM orders WHERE quantity = 100",
        "INSERT INTO items (tenant_id, buyer_id, order_id, line, sku, price) OVERRIDING SYSTEM"
            + " VALUE SELECT o.tenant_id, o.buyer_id, o.order_id, 1000, c.name, 1.5 FROM orders o"
            + " JOIN countries c ON c.code = o.status LIMIT 4000",
        "INSERT INTO items (tenant_id, buyer_id, order_id, line, sku) OVERRIDING SYSTEM VALUE"
            + " (SELECT tenant_id, buyer_id, max(order_id), 950, 'm' FROM orders GROUP BY 1, 2)",
        "INSERT INTO samples (k, id, t, n) WITH s AS (SELECT status, sum(amount) AS n FROM orders"
            + " GROUP BY status) SELECT 1, 100 + row_number() OVER (ORDER BY n), status, n FROM s",
        "INSERT INTO samples (k, id, t) SELECT 1, 1, 'again' FROM countries WHERE code = 'a' ON"
            + " CONFLICT (bucket_id, id) DO UPDATE SET t = excluded.t",
      })
  void insertOfQuery_onSeveralShards_isAsOnOneDatabase(String postgres) throws SQLException {
    OrdersAndItems.insert(shards);
    shards.both(
        "INSERT INTO samples (bucket_id, k, id, t) VALUES (?, 1, 1, 'a')", shards.samplesBucket(1));
    String sql = shards.database().inItsWords(postgres);
    String items = "SELECT tenant_id, buyer_id, order_id, sku, price FROM items ORDER BY 3, 4, 5";
    String samples = "SELECT k, id, t, n FROM samples ORDER BY 1, 2";
    try (Connection logical = shards.connect();
        Connection plain = shards.plain()) {
      TestingShards.update(plain, "UPDATE samples SET bucket_id = 0");
      assertThat(TestingShards.update(logical, sql)).isEqualTo(TestingShards.update(plain, sql));
      assertThat(TestingShards.rows(logical, items)).isEqualTo(TestingShards.rows(plain, items));
      assertThat(TestingShards.rows(logical, samples))
          .isEqualTo(TestingShards.rows(plain, samples));
    }
  }
}
