package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.routing.BucketId;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.ShardStatement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MeantBucketTest {
  private static final BucketId BUCKET = Plans.bucket(1, 17850);
  private static final BucketId OTHER = Plans.bucket(1, 2);
  private static final String HINT = " /* shardwright: key=(1, 17850) */";
  private static final RouteContext CONNECTION = TestingContext.DEFAULT.bucket(BUCKET);

  private static Route route(RouteContext context, String sql, Object... parameters) {
    return Plans.PLANNER.plan(sql).route(Arrays.asList(parameters), g -> Plans.MAP, context);
  }

  private static void assertMeant(Route route, String text) {
    assertThat(route.statements()).hasSize(1);
    ShardStatement only = route.statements().get(0);
    assertThat(only.shard()).isEqualTo(Plans.MAP.shardOf(BUCKET));
    assertThat(only.buckets()).containsExactly(BUCKET);
    assertThat(only.text().sql()).isEqualTo(text);
    assertThat(only.text().arguments())
        .filteredOn(Argument.Int64.class::isInstance)
        .isNotEmpty()
        .allMatch(new Argument.Int64(BUCKET.value())::equals);
    assertThat(route.merge()).isEqualTo(new Merge.PassThrough());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select * from orders | select * from orders WHERE orders.bucket_id = ?",
        "select * from orders where status = 1 or status = 2 | select * from orders where"
            + " orders.bucket_id = ? AND ( status = 1 or status = 2)",
        "delete from orders o where status = 1 | delete from orders o where o.bucket_id = ? AND ("
            + " status = 1)",
        "update orders set status = 1 | update orders set status = 1 WHERE orders.bucket_id = ?",
        "select 1 from orders o left join order_items i on i.quantity = 1 | select 1 from orders o"
            + " left join order_items i on i.bucket_id = ? AND ( i.quantity = 1) WHERE o.bucket_id"
            + " = ?",
        "with x as (select * from orders) select * from x, countries | with x as (select * from"
            + " orders WHERE orders.bucket_id = ?) select * from x, countries",
        "select status from orders union select 1 from order_items | select status from orders"
            + " WHERE orders.bucket_id = ? union select 1 from order_items WHERE"
            + " order_items.bucket_id = ?",
        "select distinct on (status) * from orders where exists (select 1 from order_items) |"
            + " select distinct on (status) * from orders where orders.bucket_id = ? AND ( exists"
            + " (select 1 from order_items WHERE order_items.bucket_id = ?))",
      })
  void route_meantBucket_everyShardedTableGetsTheCondition(String sql, String text) {
    assertMeant(route(CONNECTION, sql), text);
    assertThat(route(CONNECTION, sql).reason()).startsWith("connection's route key, for orders");
    assertMeant(route(TestingContext.DEFAULT, HINT + sql), HINT + text);
    String bucket = "/* shardwright: bucket=" + BUCKET + ", group=orders */ ";
    assertMeant(route(TestingContext.DEFAULT, bucket + sql), bucket + text);
    assertThat(route(TestingContext.DEFAULT, bucket + sql).reason())
        .startsWith("route hint, for orders");
  }

  @Test
  void route_meantBucketChanges_theTextIsRenderedForEach() {
    Plan plan = Plans.PLANNER.plan("select * from orders");
    for (BucketId bucket : new BucketId[] {BUCKET, OTHER, BUCKET}) {
      Route route =
          plan.route(Arrays.asList(), g -> Plans.MAP, TestingContext.DEFAULT.bucket(bucket));
      assertThat(route.statements().get(0).buckets()).containsExactly(bucket);
      assertThat(route.statements().get(0).text().arguments())
          .containsExactly(new Argument.Int64(bucket.value()));
    }
  }

  @Test
  void route_ownKeyOfTheBucket_passes() {
    String sql = "select * from orders where tenant_id = 1 and buyer_id = ?";
    assertThat(route(CONNECTION, sql, 17850).statements().get(0).buckets()).containsExactly(BUCKET);
    String insert = "insert into orders (tenant_id, buyer_id) values (1, ?)";
    assertThat(route(CONNECTION, insert, 17850L).statements()).hasSize(1);
    assertThat(route(TestingContext.DEFAULT, HINT + insert, 17850L).statements()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from orders where tenant_id = 1 and buyer_id = ?",
        "select * from orders where tenant_id = 1 and buyer_id in (17850, ?)",
        "delete from orders where (tenant_id, buyer_id) = (1, ?)",
        "insert into orders (tenant_id, buyer_id) values (1, ?)",
        "insert into orders (tenant_id, buyer_id) values (1, 17850), (1, ?)",
      })
  void route_ownKeyOfAnotherBucket_isRefusedWhenItIsBound(String sql) {
    assertThatThrownBy(() -> route(CONNECTION, sql, 2))
        .hasMessage(
            "SW216: the connection's route key names bucket "
                + BUCKET
                + " and the statement's own key for orders belongs to bucket "
                + OTHER
                + "; nothing was sent; drop one of the two");
    assertThatThrownBy(() -> route(TestingContext.DEFAULT, HINT + sql, 2))
        .hasMessageStartingWith("SW216: the route hint names bucket " + BUCKET);
  }

  @Test
  void route_hintAgainstConnection_isRefused() {
    assertThatThrownBy(
            () -> route(CONNECTION, "select 1 from orders /* shardwright: bucket=" + OTHER + " */"))
        .hasMessageStartingWith("SW216: the route hint names bucket " + OTHER);
    assertMeant(
        route(CONNECTION, "select 1 from orders" + HINT),
        "select 1 from orders WHERE orders.bucket_id = ?" + HINT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1 from order_items i right join orders o on o.status = i.quantity",
        "select 1 from orders o full join order_items i on o.status = i.quantity",
        "select 1 from orders o left join order_items i using (order_id)",
      })
  void route_placeForTheConditionMissing_isRefused(String sql) {
    assertThatThrownBy(() -> route(CONNECTION, sql)).hasMessageStartingWith("SW202");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select 1 from orders /* shardwright: bucket=4096 */ | has the buckets 0 to 4095",
        "select 1 from orders /* shardwright: bucket=1, group=tags */ | names tags and the",
        "insert into orders (tenant_id, buyer_id) values (1, 1) /* shardwright: bucket=4096 */ |"
            + " has the buckets 0 to 4095",
        "select 1 from orders /* shardwright: key=(1.5, 2) */ | that no row of group orders can",
        "select 1 from countries /* shardwright: bucket=1 */ | the statement has none",
        "select 1 from jobs /* shardwright: key=1 */ | the statement has none",
        "delete from orders /* shardwright: max_rows=1 */ | would not stop a write",
        "create table x (a int) /* shardwright: scatter=allow */ | drop them here",
      })
  void plan_hintThatCannotHold_isRefused(String sql, String message) {
    assertThatThrownBy(() -> Plans.PLANNER.plan(sql))
        .hasMessageStartingWith("SW215")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"key=1", "key=(1, 2, 3)", "key=(1, 'x')"})
  void plan_hintThatIsNoKey_isRefused(String hint) {
    assertThatThrownBy(
            () -> Plans.PLANNER.plan("select 1 from orders /* shardwright: " + hint + " */"))
        .hasMessageStartingWith("SW302");
  }

  // bucket_id in the statement

  @Test
  void route_bucketColumn_pinsLikeAKey() {
    Route one = route(TestingContext.DEFAULT, "select * from orders where bucket_id = ?", 7);
    assertThat(one.statements()).hasSize(1);
    assertThat(one.statements().get(0).buckets()).containsExactly(new BucketId(7));
    assertThat(one.reason()).isEqualTo("bucket_id of orders");
    Route several =
        route(TestingContext.DEFAULT, "delete from orders where bucket_id in (1, ?, 2)", 4095L);
    assertThat(several.statements()).hasSize(2);
    assertThat(several.statements().get(0).text().sql()).contains("bucket_id in (1, 2)");
    assertThat(
            route(
                    TestingContext.DEFAULT,
                    "select 1 from orders o join order_items i on i.bucket_id = o.bucket_id and"
                        + " i.order_id = o.order_id where o.bucket_id = 7")
                .statements())
        .hasSize(1);
  }

  @Test
  void route_bucketColumnOutOfRange_findsNothing() {
    for (Object none : new Object[] {-1, 4096, 1.5, null}) {
      Route route = route(TestingContext.DEFAULT, "select * from orders where bucket_id = ?", none);
      assertThat(route.statements()).hasSize(1);
      assertThat(route.statements().get(0).buckets()).isEmpty();
      assertThat(route.statements().get(0).text().sql()).contains("bucket_id = ?");
    }
  }

  @Test
  void route_bucketColumnAgainstKey_isRefusedWhenTheyDisagree() {
    String sql = "select * from orders where bucket_id = ? and tenant_id = 1 and buyer_id = ?";
    assertThat(
            route(TestingContext.DEFAULT, sql, BUCKET.value(), 17850).statements().get(0).buckets())
        .containsExactly(BUCKET);
    assertThatThrownBy(() -> route(TestingContext.DEFAULT, sql, BUCKET.value(), 2))
        .hasMessageStartingWith("SW216: the statement's own key for orders belongs to bucket");
    assertThat(route(TestingContext.DEFAULT, sql, 4096, 2).statements()).hasSize(1);
  }

  @Test
  void route_joinOnBucketColumn_isOfOneShard() {
    Route route =
        route(
            TestingContext.DEFAULT,
            "select count(*) from orders o join order_items i on i.bucket_id = o.bucket_id");
    assertThat(route.statements()).hasSize(4);
  }
}
