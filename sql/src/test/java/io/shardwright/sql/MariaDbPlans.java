package io.shardwright.sql;

import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.sql.Schema.Column;
import io.shardwright.sql.Schema.GeneIdColumn;
import io.shardwright.sql.Schema.Integers;
import io.shardwright.sql.Schema.Sharding;
import io.shardwright.sql.Schema.Table;
import io.shardwright.sql.Schema.ValueOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The order platform's schema on MariaDB, in the database shop, for tests of the planner. */
final class MariaDbPlans {
  static final Dialect DIALECT = Dialect.mariaDb("shop");

  private static final BucketFunction TEXT =
      new BucketFunction(List.of(KeyType.TEXT), HashAlgorithm.XXH64, 4096);

  static final Schema SCHEMA =
      Schema.of(
          DIALECT,
          List.of(
              orders("orders", "bucket_id Order_Id tenant_id Buyer_Id status amount created_at"),
              orders("order_items", "bucket_id order_id line_no tenant_id buyer_id quantity"),
              new Table(
                  "tags",
                  Optional.of(new Sharding("tags", List.of("tag"), TEXT, Optional.empty())),
                  List.of(
                      column("bucket_id"),
                      new Column(
                          "tag",
                          ValueOrder.CODE_POINT,
                          OptionalInt.of(5),
                          Optional.of("utf8mb4_nopad_bin"),
                          Optional.of(KeyType.TEXT)),
                      text("name"),
                      new Column(
                          "kind",
                          ValueOrder.OPAQUE,
                          OptionalInt.empty(),
                          Optional.of("utf8mb4_general_ci"),
                          Optional.empty()))),
              new Table(
                  "countries", Optional.empty(), List.of(column("tenant_id"), text("name")))));

  static final Planner PLANNER = new Planner(SCHEMA);

  private MariaDbPlans() {}

  private static Table orders(String name, String columns) {
    return new Table(
        name,
        Optional.of(
            new Sharding(
                "orders",
                List.of("Tenant_Id", "buyer_id"),
                Plans.TUPLE,
                Optional.of(new GeneIdColumn("order_id", Plans.LAYOUT, name.equals("orders"))))),
        Arrays.stream(columns.split(" ")).map(MariaDbPlans::column).toList());
  }

  private static Column column(String name) {
    return new Column(
        name,
        ValueOrder.NATURAL,
        OptionalInt.empty(),
        Optional.empty(),
        Optional.of(KeyType.INTEGER),
        Optional.of(new Integers(Integer.MIN_VALUE, Integer.MAX_VALUE)));
  }

  private static Column text(String name) {
    return new Column(
        name,
        ValueOrder.UNKNOWN,
        OptionalInt.of(20),
        Optional.of("utf8mb4_general_ci"),
        Optional.empty());
  }

  static Route route(String sql, Object... parameters) {
    return PLANNER.plan(sql).route(Arrays.asList(parameters), group -> Plans.MAP);
  }

  /** The one text that every shard gets. */
  static String text(Route route) {
    List<String> texts = route.statements().stream().map(s -> s.text().sql()).distinct().toList();
    return texts.size() == 1 ? texts.get(0) : texts.toString();
  }
}
