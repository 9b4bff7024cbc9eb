package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.routing.ScatterPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScatterTest {
  private static final Planner PLANNER = new Planner(Schema.of(List.of(orders())));
  private static final TestingContext ALLOW = TestingContext.reads(ScatterPolicy.ALLOW);
  private static final TestingContext REFUSE = TestingContext.reads(ScatterPolicy.REFUSE);

  /** (bucket_id, order_id) and amount_cent are unique; order_id has no gene here. */
  private static Schema.Table orders() {
    Schema.Table table = Plans.SCHEMA.table("orders").orElseThrow();
    Schema.Sharding sharding = table.sharding().orElseThrow();
    return new Schema.Table(
        table.name(),
        Optional.of(
            new Schema.Sharding(
                sharding.group(), sharding.key(), sharding.function(), Optional.empty())),
        table.home(),
        table.columns(),
        List.of(List.of("bucket_id", "order_id"), List.of("status", "amount_cent")),
        List.of(),
        List.of());
  }

  private static Route route(RouteContext context, String sql, Object... parameters) {
    return PLANNER.plan(sql).route(Arrays.asList(parameters), g -> Plans.MAP, context);
  }

  private static void assertRefused(RouteContext context, String sql, String... words) {
    assertThatThrownBy(() -> route(context, sql))
        .hasMessageStartingWith("SW205: ")
        .hasMessageContainingAll(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select * from orders limit 5 | LIMIT",
        "select * from orders order by created_at fetch first 5 rows only | LIMIT",
        "select count(*) from orders where status = 1 | an aggregate",
        "select coalesce(sum(amount_cent), 0) from orders | an aggregate",
        "select status, 1 from orders group by status | GROUP BY",
        "select distinct status from orders | DISTINCT",
        "select * from orders /* shardwright: max_rows=5 */ | the hint max_rows",
      })
  void bounded_boundedByItsForm_passes(String sql, String bound) {
    Route route = route(TestingContext.DEFAULT, sql);
    assertThat(route.statements()).hasSize(4);
    assertThat(route.reason())
        .isEqualTo(
            "scatter: no condition on the route key (tenant_id, buyer_id) of orders; policy"
                + " bounded (test), bounded by "
                + bound);
    assertRefused(REFUSE, sql, "the policy refuse (test) forbids that");
    assertThat(route(ALLOW, sql).reason()).endsWith("; policy allow (test)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from orders",
        "select * from orders order by created_at offset 5",
        "select * from orders limit all",
        "select * from orders limit null",
        "select status as count from orders where status > 5",
      })
  void bounded_withoutBound_isRefusedAndSaysWhatToDo(String sql) {
    assertRefused(
        TestingContext.DEFAULT,
        sql,
        "SELECT on orders",
        "route key (tenant_id, buyer_id)",
        "the policy bounded (test) wants its rows to be bounded",
        "LIMIT, setMaxRows, or setFetchSize",
        "/* shardwright: scatter=allow */");
    assertThat(route(ALLOW, sql).statements()).hasSize(4);
    assertThat(route(TestingContext.DEFAULT.boundBy("setMaxRows"), sql).reason())
        .endsWith("bounded by setMaxRows");
    String hinted = "/* shardwright: scatter=allow */ " + sql;
    assertThat(route(REFUSE, hinted).reason()).endsWith("; policy allow (hint)");
    assertThat(route(REFUSE, hinted).statements().get(0).text().sql()).contains("scatter=allow");
  }

  @Test
  void bounded_limitParameter_countsWhenItHasAValue() {
    assertThat(route(TestingContext.DEFAULT, "select * from orders limit ?", 5).statements())
        .hasSize(4);
    assertThatThrownBy(
            () -> route(TestingContext.DEFAULT, "select * from orders limit ?", (Object) null))
        .hasMessageStartingWith("SW205");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from orders where order_id = 5",
        "select * from orders where 5 = order_id and created_at > now() limit 1",
        "select * from orders where order_id in (5, 6) limit 10",
        "select count(*) from orders where status = 1 and amount_cent = 9",
      })
  void bounded_lookUpByUniqueColumns_isRefusedInSpiteOfABound(String sql) {
    assertRefused(
        TestingContext.DEFAULT.boundBy("setMaxRows"), sql, "forbids to look for single rows (by ");
    assertThat(route(ALLOW, sql).statements()).hasSize(4);
  }

  @Test
  void bounded_partOfAUniqueKey_isNoLookUp() {
    assertThat(
            route(TestingContext.DEFAULT, "select * from orders where amount_cent = 9 limit 9")
                .statements())
        .hasSize(4);
  }

  @ParameterizedTest
  @EnumSource(ScatterPolicy.class)
  void policy_withKey_isNotAsked(ScatterPolicy policy) {
    String sql = "select * from orders where tenant_id = 1 and buyer_id in (1, 2, 3, 4, 5, 6)";
    assertThat(route(TestingContext.reads(policy), sql).statements()).hasSizeGreaterThan(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"delete from orders where status = 1", "update orders set status = 1"})
  void writes_withoutKey_needPermission(String sql) {
    assertRefused(
        ALLOW,
        sql,
        "on orders would go to every shard (scatter: no condition on the route key",
        "the policy refuse (test) forbids that",
        "scatter=allow");
    assertRefused(ALLOW, sql + " /* shardwright: scatter=bounded */", "the policy bounded (hint)");
    Route hinted = route(REFUSE, sql + " /* shardwright: scatter=allow */");
    assertThat(hinted.statements()).hasSize(4);
    assertThat(hinted.merge()).isEqualTo(new Merge.SumCounts());
    assertThat(route(REFUSE.writes(ScatterPolicy.ALLOW), sql).reason())
        .endsWith("; policy allow (test)");
  }

  @Test
  void refuseHint_onAnAllowingConnection_refuses() {
    assertRefused(
        ALLOW, "select count(*) from orders -- shardwright: scatter=refuse", "refuse (hint)");
  }

  @Test
  void route_withoutContext_readsButNeverWritesEverywhere() {
    assertThat(PLANNER.plan("select * from orders").route(List.of(), g -> Plans.MAP).statements())
        .hasSize(4);
    assertThatThrownBy(() -> PLANNER.plan("delete from orders").route(List.of(), g -> Plans.MAP))
        .hasMessageStartingWith("SW205");
  }
}
