package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.sql.Merge.Output;
import io.shardwright.sql.Merge.SortKey;
import io.shardwright.sql.Merge.Window;
import io.shardwright.sql.Schema.ValueOrder;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is pushed to the shards of a scatter and what remains to be merged. */
class PlannerMergeTest {

  @Test
  void merge_orderBySelectedColumns_usesTheirPositions() {
    Route route =
        Plans.route("select order_id, created_at as c from orders order by c desc nulls last, 1");

    assertThat(route.statements()).hasSize(4);
    assertThat(route.merge())
        .isEqualTo(
            new Merge.Ordered(
                List.of(
                    new SortKey(2, true, false, ValueOrder.NATURAL),
                    new SortKey(1, false, false, ValueOrder.NATURAL)),
                0,
                Window.ALL));
  }

  @Test
  void merge_orderByOtherColumns_hidesThemAtTheEnd() {
    Route route = Plans.route("select o.* from orders o order by amount_cent * 2, o.order_id desc");

    assertThat(text(route))
        .isEqualTo(
            "select o.*, amount_cent * 2 AS shardwright_1, o.order_id AS shardwright_2"
                + " from orders o order by amount_cent * 2, o.order_id desc");
    assertThat(route.merge())
        .isEqualTo(
            new Merge.Ordered(
                List.of(
                    new SortKey(-2, false, false, ValueOrder.NATURAL),
                    new SortKey(-1, true, true, ValueOrder.NATURAL)),
                2,
                Window.ALL));
  }

  @Test
  void merge_outputNameBeforeInputColumn_asInPostgres() {
    Route route =
        Plans.route("select order_id as status, status as order_id from orders order by status");

    assertThat(((Merge.Ordered) route.merge()).keys().get(0).column()).isEqualTo(1);
  }

  @Test
  void merge_orderByTheNameOfACast_meansTheOutputColumn() {
    for (String item : List.of("amount_cent::int", "(cast(amount_cent as int))", "abs(status)")) {
      String name = item.contains("abs") ? "abs" : "amount_cent";
      Route route =
          Plans.route("select " + item + ", order_id from orders order by " + name + ", 2");

      assertThat(route.merge())
          .as(item)
          .isEqualTo(
              new Merge.Ordered(
                  List.of(
                      new SortKey(1, false, false, ValueOrder.NATURAL),
                      new SortKey(2, false, false, ValueOrder.NATURAL)),
                  0,
                  Window.ALL));
    }
  }

  @Test
  void merge_orderByTheNameOfAnAggregate_meansIt() {
    Route route =
        Plans.route("select status, count(*) from orders group by status order by count desc");

    assertThat(((Merge.Aggregate) route.merge()).order())
        .containsExactly(new SortKey(2, true, true, ValueOrder.NATURAL));
  }

  @Test
  void merge_limitAndOffset_areAddedForTheShards() {
    Route route =
        Plans.route(
            "select order_id from orders order by 1 offset ? rows fetch next 7 rows only", 3);

    assertThat(text(route)).isEqualTo("select order_id from orders order by 1 LIMIT ?");
    assertThat(route.statements().get(0).text().arguments())
        .containsExactly(new Route.Argument.Int64(10));
    assertThat(((Merge.Ordered) route.merge()).window())
        .isEqualTo(new Window(3, OptionalLong.of(7)));
  }

  @Test
  void merge_nullLimit_isNoLimit() {
    Route route = Plans.route("select order_id from orders limit ? offset ?", null, null);

    assertThat(route.merge()).isEqualTo(new Merge.Concatenate(0, Window.ALL));
    assertThat(text(route)).isEqualTo("select order_id from orders ");
  }

  @Test
  void merge_aggregates_haveTheirPartsHidden() {
    Route route =
        Plans.route(
            "select count(*), avg(amount_cent), status s from orders where created_at > ?"
                + " group by s order by sum(amount_cent) desc, s limit 3",
            "2020-01-01");

    assertThat(text(route))
        .isEqualTo(
            "select count(*), avg(amount_cent), status s, SUM(amount_cent) AS shardwright_1,"
                + " COUNT(amount_cent) AS shardwright_2, sum(amount_cent) AS shardwright_3"
                + " from orders where created_at > ? group by s  ");
    assertThat(route.merge())
        .isEqualTo(
            new Merge.Aggregate(
                List.of(3),
                List.of(
                    new Output.Count(1),
                    new Output.Average(2, 4, 5),
                    new Output.Group(3),
                    new Output.Sum(6)),
                List.of(
                    new SortKey(4, true, true, ValueOrder.NATURAL),
                    new SortKey(3, false, false, ValueOrder.NATURAL)),
                3,
                new Window(0, OptionalLong.of(3))));
  }

  @Test
  void merge_groupsThatContainTheKey_arePushedWhole() {
    Route route =
        Plans.route(
            "select buyer_id, tenant_id, count(distinct status) from orders group by 1, tenant_id"
                + " having count(*) > 1 order by 3 limit 5");

    assertThat(route.merge()).isInstanceOf(Merge.Ordered.class);
    assertThat(text(route)).contains("having count(*) > 1").endsWith("LIMIT 5");
  }

  @Test
  void merge_groupedColumnNotSelected_isHidden() {
    Route route = Plans.route("select max(created_at) from orders group by status");

    assertThat(text(route)).startsWith("select max(created_at), status AS shardwright_1 from");
    assertThat(((Merge.Aggregate) route.merge()).groupColumns()).containsExactly(2);
    assertThat(((Merge.Aggregate) route.merge()).visibleOutputs()).isEqualTo(1);
  }

  @Test
  void merge_joinsTiedByKeyOrId_areSplit() {
    assertThat(
            Plans.route(
                    "select o.order_id from orders o left join order_items i on i.order_id ="
                        + " o.order_id join countries c on c.tenant_id = o.tenant_id")
                .statements())
        .hasSize(4);
    assertThat(
            Plans.route(
                    "select 1 from orders o where not exists (select 1 from order_items i"
                        + " where i.tenant_id = o.tenant_id and i.buyer_id = o.buyer_id)")
                .statements())
        .hasSize(4);
  }

  @Test
  void merge_writeOfSeveralKeys_addsCounts() {
    Route route =
        Plans.route(
            "update orders set status = 9 where tenant_id = 1 and buyer_id in (2, 3, 4) returning *");

    assertThat(route.merge()).isEqualTo(new Merge.SumCounts());
    assertThat(route.statements()).hasSize(3);
  }

  @Test
  void merge_oneShardMap_needsNoMerge() {
    var one =
        io.shardwright.routing.BucketMap.initial(
            "orders", 4096, List.of(new io.shardwright.routing.ShardId("only")));
    Route route =
        Plans.PLANNER
            .plan("select order_id from orders order by created_at limit 5 offset 2")
            .route(List.of(), group -> one);

    assertThat(route.statements()).hasSize(1);
    assertThat(route.merge()).isEqualTo(new Merge.PassThrough());
    assertThat(route.statements().get(0).text().sql())
        .isEqualTo("select order_id from orders order by created_at limit 5 offset 2");
  }

  private static String text(Route route) {
    return route.statements().get(0).text().sql();
  }
}
