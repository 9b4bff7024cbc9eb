package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.errors.ErrorCode;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements whose parts are on several shards give what one database gives. */
class GatheringTest extends FourShards {
  private void load() throws SQLException {
    OrdersAndItems.insert(shards);
    shards.both(
        "INSERT INTO samples (bucket_id, k, id, t, arr) VALUES (?, 1, 1, 'a', '{1,2}')",
        shards.samplesBucket(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT status FROM orders UNION SELECT sku FROM items ORDER BY 1 NULLS FIRST",
        "SELECT status, amount FROM orders WHERE quantity = 1 UNION ALL SELECT 'x', price FROM"
            + " items ORDER BY 2, 1",
        "SELECT buyer_id FROM orders EXCEPT SELECT buyer_id FROM items ORDER BY 1",
        "SELECT buyer_id FROM orders INTERSECT ALL SELECT buyer_id FROM items ORDER BY buyer_id"
            + " LIMIT 4",
        "(SELECT order_id FROM orders ORDER BY amount DESC LIMIT 3) UNION ALL (SELECT order_id FROM"
            + " orders ORDER BY amount LIMIT 2) ORDER BY 1",
        "SELECT NULL AS n, 1 AS one UNION ALL SELECT max(quantity), 2 FROM orders ORDER BY 2",
        "SELECT t.status, t.n FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) t"
            + " WHERE t.n > 3 ORDER BY t.n, t.status",
        "SELECT count(*) FROM (SELECT o.* FROM orders o WHERE o.quantity > 1) c",
        "SELECT count(0) FROM (SELECT DISTINCT status, quantity FROM orders) table_count",
        "SELECT * FROM (SELECT order_id, amount FROM orders ORDER BY amount DESC LIMIT 5) t ORDER"
            + " BY amount",
        "WITH big AS (SELECT * FROM orders WHERE amount > 3), n AS (SELECT count(*) AS all_of FROM"
            + " orders) SELECT b.order_id, n.all_of FROM big b, n ORDER BY 1",
        "WITH RECURSIVE r AS (SELECT min(quantity) AS q FROM orders UNION ALL SELECT q + 1 FROM r"
            + " WHERE q < (SELECT max(quantity) FROM orders)) SELECT q FROM r ORDER BY q",
        "SELECT o.order_id FROM orders o WHERE o.amount = (SELECT max(amount) FROM orders) ORDER BY"
            + " 1",
        "SELECT o.order_id FROM orders o WHERE o.amount > (SELECT avg(price) FROM items i WHERE"
            + " i.line < 9) ORDER BY 1",
        "SELECT o.order_id FROM orders o WHERE o.quantity IN (SELECT i.line % 4 FROM items i) ORDER"
            + " BY 1",
        "SELECT o.order_id FROM orders o WHERE o.status NOT IN (SELECT sku FROM items) ORDER BY 1",
        "SELECT o.order_id, (SELECT count(*) FROM orders p WHERE p.status = o.status) AS same FROM"
            + " orders o ORDER BY 1",
        "SELECT o.order_id FROM orders o WHERE EXISTS (SELECT 1 FROM items i WHERE i.price ="
            + " o.quantity) ORDER BY 1",
        "SELECT c.name, o.order_id FROM countries c LEFT JOIN orders o ON o.status = c.code AND"
            + " o.quantity = 1 ORDER BY 1, 2",
        "SELECT c.code, count(o.order_id) FROM orders o RIGHT JOIN countries c ON c.code = o.status"
            + " GROUP BY c.code ORDER BY 1",
        "SELECT o.order_id, c.code FROM orders o FULL JOIN countries c ON c.code = o.status ORDER"
            + " BY 1, 2",
        "SELECT o.order_id, i.price FROM orders o RIGHT JOIN items i ON i.order_id = o.order_id AND"
            + " o.quantity = 0 ORDER BY 2",
        "SELECT a.order_id, b.order_id FROM orders a JOIN orders b ON a.amount = b.amount + 0.25"
            + " WHERE a.quantity = 1 ORDER BY 1, 2",
        "SELECT order_id, amount, sku FROM orders NATURAL JOIN items ORDER BY 1, 3",
        "SELECT DISTINCT ON (status) status, order_id FROM orders ORDER BY status, amount DESC",
        "SELECT DISTINCT * FROM countries, orders ORDER BY order_id, code",
        "SELECT status, quantity, count(*) FROM orders GROUP BY ROLLUP (status, quantity) ORDER BY"
            + " 1, 2, 3",
        "SELECT order_id FROM orders ORDER BY amount DESC FETCH FIRST 3 ROWS WITH TIES",
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) FROM orders",
        "SELECT *, row_number() OVER (ORDER BY amount, order_id) AS place FROM orders ORDER BY"
            + " place",
        "SELECT order_id FROM orders ORDER BY order_id LIMIT 2 + 3",
        "SELECT array_agg(quantity ORDER BY quantity) FROM orders GROUP BY status ORDER BY 1 LIMIT"
            + " 1",
        "SELECT o.order_id, s.arr FROM orders o, samples s WHERE s.k = o.quantity ORDER BY 1",
        "SELECT o.order_id, j.name FROM orders o LEFT JOIN jobs j ON j.id = o.order_id ORDER BY 1",
        "SELECT case when o.quantity > (SELECT avg(quantity) FROM orders) then 'over' else 'under'"
            + " end, count(*) FROM orders o GROUP BY 1 ORDER BY 1",
        "SELECT x.order_id, l.price FROM orders x CROSS JOIN LATERAL (SELECT i.price FROM items i"
            + " WHERE i.price < x.quantity ORDER BY 1 LIMIT 1) l ORDER BY 1",
        "SELECT b FROM (SELECT DISTINCT 10::bit(4) AS b, (quantity % 2)::bit(3) AS c FROM orders) d"
            + " WHERE c <> '000' UNION SELECT 9::bit(4) FROM items ORDER BY b",
        "SELECT o FROM countries o, orders p WHERE p.quantity > 2 AND o.code = p.status ORDER BY 1",
        "SELECT count(*) FROM orders a WHERE a.tenant_id = 1 AND a.buyer_id = 1 AND a.amount <"
            + " (SELECT sum(amount) FROM orders WHERE tenant_id = 2)",
      })
  void parts_onSeveralShards_areAsOnOneDatabase(String sql) throws SQLException {
    load();
    try (Connection logical = shards.connect();
        Connection plain = shards.plain()) {
      assertThat(LastStepTest.answer(logical, sql)).isEqualTo(LastStepTest.answer(plain, sql));
    }
    shards.assertIdle();
  }

  @Test
  void parts_withParameters_takeTheirOwn() throws SQLException {
    load();
    String sql =
        "SELECT ? AS mark, t.n FROM (SELECT count(*) AS n FROM orders WHERE quantity = ? AND amount"
            + " < ?) t WHERE t.n > ? UNION ALL SELECT sku, line FROM items WHERE line < ? ORDER BY"
            + " 2, 1";
    Object[] values = {"m", 1, new BigDecimal("5"), 0, 9};
    try (Connection plain = shards.plain()) {
      assertThat(shards.rows(sql, values)).isEqualTo(TestingShards.rows(plain, sql, values));
    }
  }

  @Test
  void parts_inATransaction_seeItsOwnWrites() throws SQLException {
    load();
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      TestingShards.update(
          connection, "UPDATE orders SET status = 'own' WHERE tenant_id = 1 AND buyer_id = 1");
      assertThat(
              TestingShards.rows(
                  connection, "SELECT status FROM orders INTERSECT SELECT 'own' ORDER BY 1"))
          .containsExactly("own");
      connection.rollback();
    }
    shards.assertIdle();
  }

  @Test
  void parts_beyondTheirBound_areRefusedAndFreeEverything() throws SQLException {
    for (int shard = 0; shard < 4; shard++) {
      shards.onShard(
          shard,
          "INSERT INTO samples (bucket_id, k, id) SELECT "
              + shard * 16
              + ", 0, g FROM generate_series(1, "
              + (CollectedRows.MAX_ROWS / 4 + 1)
              + ") g");
    }

    assertRefused(
        ErrorCode.MERGE_TOO_LARGE,
        () -> shards.rows("SELECT id FROM samples EXCEPT SELECT 1 ORDER BY 1"));
    shards.assertIdle();
  }

  @Test
  void parts_withLocks_areRefused() {
    assertRefused(
        ErrorCode.MERGE_UNSUPPORTED,
        () -> shards.rows("SELECT 1 FROM orders o, samples s WHERE o.quantity = s.i4 FOR UPDATE"));
  }

  @Test
  void rowsOfATableAsOneValue_areRefused() throws SQLException {
    load();
    for (String sql :
        new String[] {
          "SELECT count(DISTINCT o) FROM orders o", "SELECT o, count(*) FROM orders o GROUP BY o"
        }) {
      assertRefused(ErrorCode.MERGE_UNSUPPORTED, () -> shards.rows(sql));
    }
  }
}
