package io.shardwright.driver;

import io.shardwright.routing.GeneIdLayout;
import io.shardwright.sql.Schema;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;

/** Thirty orders of 21 keys with items and three countries, on shards and the plain database. */
final class OrdersAndItems {
  private OrdersAndItems() {}

  static void insert(TestingShards shards) throws SQLException {
    for (String code : List.of("a", "b", "c")) {
      shards.both("INSERT INTO countries (code, name) VALUES (?, ?)", code, "name of " + code);
    }
    for (int i = 0; i < 30; i++) {
      int tenant = i % 3;
      long buyer = i % 7;
      Schema.Sharding sharding =
          shards.source().schema().table("orders").orElseThrow().sharding().orElseThrow();
      int bucket = sharding.function().bucket(List.of(tenant, buyer)).orElseThrow().value();
      GeneIdLayout layout = sharding.id().orElseThrow().layout();
      long id =
          ((long) i << (layout.geneBits() + layout.geneShift()))
              | ((long) bucket << layout.geneShift());
      shards.both(
          "INSERT INTO orders (bucket_id, tenant_id, buyer_id, order_id, status, amount, quantity)"
              + " VALUES (?, ?, ?, ?, ?, ?, ?)",
          bucket,
          tenant,
          buyer,
          id,
          i % 5 == 0 ? null : List.of("a", "b", "d").get(i % 3),
          BigDecimal.valueOf(i * 25L, 2),
          i % 4);
      if (i % 2 == 0) {
        shards.both(
            shards
                .database()
                .inItsWords(
                    "INSERT INTO items (bucket_id, tenant_id, buyer_id, order_id, line, sku, price)"
                        + " OVERRIDING SYSTEM VALUE VALUES (?, ?, ?, ?, ?, ?, ?)"),
            bucket,
            tenant,
            buyer,
            id,
            i,
            "sku" + i % 3,
            BigDecimal.valueOf(i));
      }
    }
  }
}
