package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which shards a statement of MariaDB goes to, and what each of them gets. */
class MariaDbRouteTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from orders where TENANT_ID = 1 and `Buyer_Id` = 2",
        "select * from shop.orders where shop.orders.tenant_id = 1 and orders.buyer_id = 2",
        "select * from `orders` o where o.tenant_id = '1' && o.buyer_id = \"2\"",
        "select high_priority straight_join * from orders use index (a) where tenant_id=1 and buyer_id=2",
        "select * from orders partition (p0) as o ignore key (b) where tenant_id = 1 and buyer_id = 2",
        "select * from orders where (tenant_id, buyer_id) in ((1, 2)) limit 1, 2",
        "select * from orders o straight_join order_items i on i.order_id = o.order_id where o.tenant_id = 1 and o.buyer_id = 2",
        "select * from orders o join order_items i where i.order_id = o.order_id and o.tenant_id = true and o.buyer_id = 2",
        "select 1 as `end`, case when status then 1 end from orders where tenant_id = 1 and buyer_id = 2 for update skip locked",
        "select * from orders where tenant_id = 1 and buyer_id = 2 lock in share mode",
        "select * from orders where tenant_id = 1 and buyer_id = cast(2 as signed) # ' or 1\n",
        "select * from orders where tenant_id <=> 1 and '2' <=> buyer_id",
        "select * from orders where not (tenant_id <> 1) and not not buyer_id = 2",
        "select * from orders where not (tenant_id <> 1 || buyer_id not in (2))",
        "select * from orders where (tenant_id = 1 and buyer_id = 2) = true",
        "select * from orders where (tenant_id = 1 and buyer_id = 2) is true and (status <=> 1) = false",
        "select * from orders where tenant_id between 1 and 1 and buyer_id > 1 and buyer_id < '3'",
        "update orders set status = 1 where tenant_id = 1 and buyer_id = 2 order by order_id limit 3",
        "update low_priority ignore orders o join order_items i on i.order_id = o.order_id set o.status = 1, i.quantity = 2 where o.tenant_id = 1 and o.buyer_id = 2",
        "update orders o, countries c set o.status = 1 where c.tenant_id = o.tenant_id and o.tenant_id = 1 and o.buyer_id = 2",
        "delete quick from orders where tenant_id = 1 and buyer_id = 2 limit 1 returning order_id",
        "delete o, i.* from orders o join order_items i using (order_id) where o.tenant_id = 1 and o.buyer_id = 2",
        "delete from o using orders as o join order_items i using (order_id) where o.tenant_id = 1 and o.buyer_id = 2",
        "insert into orders (tenant_id, buyer_id) value (1, 2)",
        "insert low_priority ignore orders (orders.tenant_id, shop.orders.buyer_id) values (1, '2') returning *",
        "insert into orders set status = 3, tenant_id = 1, buyer_id = 2 on duplicate key update status = values(status)",
        "replace shop.orders set tenant_id = 1, buyer_id = 2",
        "replace into orders (tenant_id, buyer_id) values (1, 2)",
      })
  void route_pinnedKey_goesToItsShard(String sql) {
    Route route = MariaDbPlans.route(sql);

    assertThat(route.statements()).hasSize(1);
    assertThat(route.statements().get(0).shard()).isEqualTo(Plans.shard(1, 2));
    assertThat(route.statements().get(0).buckets()).containsExactly(Plans.bucket(1, 2));
  }

  /** What looks like the key and leaves rows of other keys in. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "tenant_id = 1 and buyer_id = 2 || status = 3",
        "tenant_id = 1 and buyer_id = 2 xor status = 3",
        "status xor tenant_id = 1 and buyer_id = 2",
        "tenant_id = 1 and not buyer_id = 2",
        "tenant_id = 1 and buyer_id <=> 2 = 0",
        "tenant_id = 1 and buyer_id = 2 is false",
        "tenant_id = 1 and buyer_id = 2 div 3",
        "tenant_id = 1 and cast(buyer_id as char) = '2'",
        "tenant_id = 1 and buyer_id = 0x02",
        "tenant_id = 1 and cast(buyer_id as signed) = '2'",
        "tenant_id = 1 and cast(buyer_id as char) <=> '2'",
        "tenant_id = 1 and !(buyer_id <> 2)",
        "not (tenant_id <> 1 or buyer_id <> 2) xor status = 3",
        "not tenant_id <> 1 and not buyer_id <> 2 xor status = 3",
        "tenant_id = 1 and (buyer_id = 2) = 2",
        "tenant_id = 1 and (buyer_id = 2) <> true",
        "tenant_id = 1 and buyer_id = x'02'",
        "tenant_id = 1 and buyer_id = '2' '3'",
        "tenant_id = 1 and buyer_id = -'2'",
        "tenant_id = 1 and binary buyer_id = 2",
        "tenant_id = 1 and status > case when end and buyer_id = 2 and 1 then 1 end",
        "end = case when 1 and tenant_id = 1 and buyer_id = 2 and 1 then 1 end",
      })
  void route_conditionThatDoesNotPin_goesToEveryShard(String condition) {
    assertThat(MariaDbPlans.route("select order_id from orders where " + condition).statements())
        .hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"'2abc'", "' 2'", "'2.0'", "'2e0'", "''", "'0x2'", "9007199254740993e0"})
  void route_textThatIsNoPlainInteger_isRefused(String value) {
    assertRefused(
        "select * from orders where tenant_id = 1 and buyer_id = " + value,
        ErrorCode.ROUTE_KEY_VALUE_INVALID);
    assertRefused(
        "insert into orders (tenant_id, buyer_id) values (1, " + value + ")",
        ErrorCode.ROUTE_KEY_VALUE_INVALID);
  }

  @Test
  void route_numberBesideATextKey_isRefusedAndStored() {
    assertRefused("select * from tags where tag = 7", ErrorCode.ROUTE_KEY_VALUE_INVALID);
    assertRefused("select * from tags where tag = ?", ErrorCode.ROUTE_KEY_VALUE_INVALID, 7);
    assertRefused("select * from tags where tag in ('a', true)", ErrorCode.ROUTE_KEY_VALUE_INVALID);
    assertThat(
            MariaDbPlans.route("insert into tags (tag) values (?)", 7).statements().get(0).shard())
        .isEqualTo(
            MariaDbPlans.route("select * from tags where tag = '7'").statements().get(0).shard());
  }

  @Test
  void route_castToText_doesNotPinATextKey() {
    assertThat(MariaDbPlans.route("select tag from tags where tag = cast(7 as char)").statements())
        .hasSize(4);
  }

  @Test
  void route_parametersOfEveryNumberType_goToOneShard() {
    for (Object buyer : List.of(2, 2L, (short) 2, "2", 2.0, new java.math.BigDecimal("2.00"))) {
      assertThat(
              MariaDbPlans.route(
                      "select * from orders where tenant_id = ? and buyer_id = ?", true, buyer)
                  .statements()
                  .get(0)
                  .shard())
          .isEqualTo(Plans.shard(1, 2));
    }
  }

  @Test
  void route_insertOfAssignments_putsTheBucketInFront() {
    Route route = MariaDbPlans.route("insert into orders set tenant_id = ?, buyer_id = 2", 1);

    assertThat(MariaDbPlans.text(route))
        .isEqualTo(
            "insert into orders set bucket_id = ?, `order_id` = ?, tenant_id = ?, buyer_id = 2");
    assertThat(route.statements().get(0).text().arguments())
        .containsExactly(
            new Route.Argument.Int64(Plans.bucket(1, 2).value()),
            new Route.Argument.IssuedId(
                0,
                Plans.bucket(1, 2),
                new Route.IssuedColumn("orders", "orders", "order_id", Plans.LAYOUT, true)),
            new Route.Argument.Parameter(0));
  }

  @Test
  void route_updateOfAJoin_addsTheBucketOfEach() {
    Route route =
        MariaDbPlans.route(
            "update orders o join order_items i on i.order_id = o.order_id set o.status = 1"
                + " where o.tenant_id = 1 and o.buyer_id = 2");

    assertThat(MariaDbPlans.text(route))
        .isEqualTo(
            "update orders o join order_items i on i.order_id = o.order_id set o.status = 1"
                + " where o.bucket_id = ? AND i.bucket_id = ? AND ("
                + " o.tenant_id = 1 and o.buyer_id = 2)");
  }

  @Test
  void route_insertIgnore_takesOnlyValuesThatFit() {
    assertThat(
            MariaDbPlans.route("insert ignore into orders (tenant_id, buyer_id) values (1, 2)")
                .statements())
        .hasSize(1);
    assertRefused(
        "insert ignore into orders (tenant_id, buyer_id) values (1, 3000000000)",
        ErrorCode.ROUTE_KEY_VALUE_INVALID);
    assertThat(
            MariaDbPlans.route("insert into orders (tenant_id, buyer_id) values (1, 3000000000)")
                .statements())
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
      select `order_id`, 1+  1, 'it''s', COUNT(*), (status), n'x' | `order_id`;1+  1;it's;COUNT(*);status;x
      select status 'a b', status as "c", status d, null, +5, (1+1) | a b;c;d;NULL;5;(1+1)
      select created_at + interval 1 day, interval 1 day + created_at x, date '2020-01-01' | created_at + interval 1 day;x;date '2020-01-01'
      select true, 'a' 'b', o.Status, -1, x'41' | TRUE;ab;Status;-1;x'41'
      """)
  void label_ofEachItem_isTheDatabases(String select, String labels) {
    SqlTokens tokens = SqlTokens.of(MariaDbPlans.DIALECT, select + " from orders o");
    BlockReader.Blocks blocks = BlockReader.read(MariaDbPlans.SCHEMA, tokens, 0);
    SelectList items = SelectList.of(tokens, blocks.top().orElseThrow());

    StringBuilder found = new StringBuilder();
    for (int i = 0; i < items.size(); i++) {
      found.append(i == 0 ? "" : ";").append(items.label(i));
    }
    assertThat(found.toString().replace("order_id", "`order_id`")).isEqualTo(labels);
  }

  private static void assertRefused(String sql, ErrorCode code, Object... parameters) {
    assertThatThrownBy(() -> MariaDbPlans.route(sql, parameters))
        .as(sql)
        .isInstanceOfSatisfying(
            ShardwrightException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
