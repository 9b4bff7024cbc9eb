package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.ShardStatement;
import io.shardwright.sql.Route.Target;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where statements go, and with which text. Key (1, 2) is on shard s3, (1, 3) on s2, (1, 4) on s1.
 */
class PlannerRouteTest {
  // Long because: the ways to pin a key stand side by side.

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from orders where tenant_id = 1 and buyer_id = 2",
        "select * from orders where 1 = tenant_id and 2 = (buyer_id)",
        "select * from ORDERS o where O.tenant_id = 1 and \"buyer_id\" = 2",
        "select * from public.orders where tenant_id = 1 and buyer_id = 2 and status in (1, 2)",
        "select * from orders where (tenant_id, buyer_id) = (1, 2)",
        "select * from orders where (buyer_id, tenant_id) in ((2, 1))",
        "select * from orders where tenant_id in (1) and buyer_id = '2'",
        "select * from orders where tenant_id = 1.0 and buyer_id = +2",
        "select * from orders where tenant_id = 1::bigint and buyer_id = cast(2 as integer)",
        "select * from orders where (tenant_id = 1 and buyer_id = 2 and status = 1)"
            + " or (status = 2 and buyer_id = 2 and tenant_id = 1)",
        "select * from orders where tenant_id = 1 and (buyer_id = 2 or buyer_id in (2, 2))",
        "select o.* from orders o join order_items i using (tenant_id, buyer_id)"
            + " where i.tenant_id = 1 and i.buyer_id = 2",
        "select * from orders o left join order_items i on i.tenant_id = o.tenant_id"
            + " and i.buyer_id = o.buyer_id where o.tenant_id = 1 and o.buyer_id = 2",
        "select * from orders o join order_addresses a on a.tenant_id = o.tenant_id"
            + " and a.customer_id = o.buyer_id where a.tenant_id = 1 and a.customer_id = 2",
        "select * from orders o where o.tenant_id = 1 and o.buyer_id = 2"
            + " and exists (select 1 from order_items i where i.order_id = o.order_id)",
        "select * from orders where tenant_id = 1 and buyer_id between 2 and 2",
        "select * from orders where tenant_id = any (array[1]) and buyer_id = some(array[2, 2])",
        "select * from orders o where o.tenant_id = 1 and o.buyer_id = 2"
            + " and o.order_id in (select i.order_id from order_items i where i.line_no > 1)",
        "delete from order_items where tenant_id = 1 and buyer_id = 2"
            + " and (order_id) in (select distinct o.order_id from orders o where status = 3)",
        "select * from orders natural join order_items where tenant_id = 1 and buyer_id = 2",
        "select * from orders where tenant_id::bigint = 1 and cast((buyer_id) as numeric) = 2",
        "select * from orders o where o.tenant_id::int8::decimal in (1) and 2 = o.buyer_id::bigint",
        "select * from orders where tenant_id = int '1' and buyer_id = bigint '2'",
        "select * from orders where tenant_id = 1.00::numeric and buyer_id = numeric '2.0'",
        "select * from orders where tenant_id is not distinct from 1"
            + " and 2 is not distinct from buyer_id",
        "select * from orders where tenant_id = any ('{1}') and buyer_id = any ('{ 2, 2,null }'::int[])",
        "select * from orders where tenant_id = any (array[1]::bigint[]) and buyer_id <> all ('{3}')"
            + " and not (buyer_id <> all (array['2'::bigint]))",
        "select * from orders where not (tenant_id <> 1) and not buyer_id != 2",
        "select * from orders where not (tenant_id not in (1)) and not not (buyer_id = 2)",
        "select * from orders where not (tenant_id <> 1 or buyer_id <> 2 or status = 3)",
        "select * from orders where not (not (tenant_id = 1 and buyer_id = 2) or status = 3)",
        "select * from orders where not (tenant_id is distinct from 1) and not (buyer_id not between 2 and 2)",
        "select * from orders where tenant_id between 1 and 1 and buyer_id >= 2 and buyer_id <= 2",
        "select * from orders where tenant_id > 0 and 2 > tenant_id and not (buyer_id < 2 or buyer_id > 2)",
        "select * from orders where (tenant_id = 1 and buyer_id = 2) is true",
        "select * from orders where (tenant_id <> 1) is false and not ((buyer_id <> 2) is not false)",
        "select * from orders where (tenant_id = 1) = true and (buyer_id <> 2) = false",
        "select * from orders o join order_items i on i.tenant_id = o.tenant_id and i.buyer_id ="
            + " o.buyer_id where o.tenant_id >= 1 and i.tenant_id <= 1 and o.buyer_id = 2",
        "with x as (select * from orders where tenant_id = 1 and buyer_id = 2) select * from x",
        "select * from (select * from orders where tenant_id = 1 and buyer_id = 2) x",
        "select * from (select * from orders) t where t.tenant_id = 1 and buyer_id = 2",
        "select t.n from (select o.tenant_id t1, o.buyer_id as b, status + 1 n from orders o"
            + " where status = 1) t where t1 = 1 and t.b in (2)",
        "select * from (select tenant_id, buyer_id from orders) as t (a, b) where (a, b) = (1, 2)",
        "select * from (select tenant_id, buyer_id, count(*) n from orders group by 1, buyer_id"
            + " having count(*) > 1) t where t.tenant_id = 1 and t.buyer_id = 2",
        "select * from (select tenant_id, buyer_id, row_number() over (partition by tenant_id,"
            + " buyer_id order by order_id) n from orders) t where t.tenant_id = 1 and buyer_id = 2",
        "select * from (select distinct tenant_id, buyer_id, status from orders) t"
            + " where tenant_id = 1 and buyer_id = 2 and status = 3",
        "select * from (select * from (select o.* from orders o) a where status > 1) b"
            + " where b.tenant_id = 1 and b.buyer_id = 2",
        "select * from (select * from orders where tenant_id = 1) a join (select * from order_items)"
            + " b using (tenant_id, buyer_id) where a.buyer_id = 2",
        "select * from (select order_id, tenant_id, buyer_id from orders where tenant_id = 1 and"
            + " buyer_id = 2 order by created_at limit 3) a join order_items i on i.order_id ="
            + " a.order_id",
        "select * from orders o left join (select tenant_id t, buyer_id b, sum(quantity) q from"
            + " order_items group by tenant_id, buyer_id) s on s.t = o.tenant_id and s.b ="
            + " o.buyer_id where o.tenant_id = 1 and o.buyer_id = 2",
        "with x as (select * from orders) select * from x where tenant_id = 1 and x.buyer_id = 2",
        "with x (a, b) as materialized (select tenant_id, buyer_id from orders), y as (select b, a"
            + " from x where b > 0) select * from y where a = 1 and y.b = 2",
        "with x as (select order_id from orders where status = 1) select * from order_items i"
            + " where i.tenant_id = 1 and i.buyer_id = 2 and exists (select 1 from x"
            + " where x.order_id = i.order_id)",
        "with x as (select order_id from orders) delete from order_items where tenant_id = 1"
            + " and buyer_id = 2 and order_id in (select order_id from x)",
        "(select * from orders where tenant_id = 1 and buyer_id = 2)"
            + " union select * from orders where tenant_id = 1 and buyer_id = 2",
        "update orders set status = 1 where tenant_id = 1 and buyer_id = 2",
        "delete from orders where tenant_id = 1 and buyer_id = 2",
        "insert into orders (tenant_id, buyer_id, order_id) values (1, 2, null)",
        "insert into order_addresses (tenant_id, customer_id) values (1, 2), (1, 2)",
      })
  void route_keyInAnyForm_goesToItsShard(String sql) {
    Route route = Plans.route(sql);

    assertThat(route.target()).isEqualTo(Target.SHARDS);
    assertThat(route.statements()).extracting(ShardStatement::shard).containsExactly(shard(1, 2));
    assertThat(route.statements().get(0).buckets()).containsExactly(Plans.bucket(1, 2));
    assertThat(route.merge()).isEqualTo(new Merge.PassThrough());
    assertThat(route.mapVersion()).hasValue(1);
  }

  /** What looks like the key and leaves rows of other keys in. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "tenant_id = 1 and cast(buyer_id as text) = '2'",
        "tenant_id = 1 and buyer_id::varchar = '2'",
        "tenant_id = 1 and buyer_id::int = 2",
        "tenant_id = 1 and buyer_id::float8 = 2",
        "tenant_id = 1 and -buyer_id::bigint = 2",
        "tenant_id = 1 and buyer_id = ?::float8",
        "tenant_id = 1 and buyer_id = any ('{2}'::float8[])",
        "tenant_id = 1 and buyer_id = all ('{2}')",
        "tenant_id = 1 and not (buyer_id <> any ('{2}'))",
        "tenant_id = 1 and buyer_id = any ('{\"2\"}')",
        "tenant_id = 1 and not (buyer_id = 2)",
        "tenant_id = 1 and not (buyer_id in (2))",
        "not (tenant_id <> 1 and buyer_id <> 2)",
        "tenant_id = 1 and (buyer_id = 2) is not true",
        "tenant_id = 1 and not ((buyer_id <> 2) is true)",
        "tenant_id = 1 and (buyer_id = 2) is not false",
        "tenant_id = 1 and (buyer_id = 2) = false",
        "tenant_id = 1 and (buyer_id <> 2) = true",
        "tenant_id = 1 and (buyer_id = 2) is unknown",
        "tenant_id = 1 and buyer_id = 2 is null",
        "tenant_id = 1 and buyer_id is distinct from 2",
        "tenant_id = 1 and buyer_id >= 2",
        "tenant_id = 1 and buyer_id >= 2 and buyer_id <= 2000",
        "tenant_id = 1 and (buyer_id >= 2 or buyer_id <= 2)",
        "tenant_id = 1 and buyer_id >= 1.5 and buyer_id <= 2",
        "tenant_id = 1 and buyer_id <=> 2",
        "tenant_id = 1 and buyer_id >= 2 and buyer_id <= status",
      })
  void route_conditionThatDoesNotPin_goesToEveryShard(String condition) {
    assertThat(Plans.route("select order_id from orders where " + condition, 2).statements())
        .hasSize(4);
  }

  /** A condition outside that would change the rows inside if it were applied there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from (select * from orders limit 5) t where tenant_id = 1 and buyer_id = 2",
        "select * from (select * from orders offset 5) t where tenant_id = 1 and buyer_id = 2",
        "select * from (select distinct on (status) * from orders) t where tenant_id = 1 and"
            + " buyer_id = 2",
        "select * from (select tenant_id, max(buyer_id) buyer_id from orders group by tenant_id) t"
            + " where tenant_id = 1 and buyer_id = 2",
        "select * from (select tenant_id, buyer_id, row_number() over (partition by tenant_id) n"
            + " from orders) t where tenant_id = 1 and buyer_id = 2",
        "select * from (select tenant_id, buyer_id, rank() over w from orders window w as (partition"
            + " by tenant_id, buyer_id)) t where tenant_id = 1 and buyer_id = 2",
        "select * from (select tenant_id, buyer_id + 1 buyer_id from orders) t where tenant_id = 1"
            + " and buyer_id = 2",
        "select * from (select status tenant_id, buyer_id from orders) t where tenant_id = 1 and"
            + " buyer_id = 2",
        "select * from (select tenant_id, buyer_id from orders union all select tenant_id, quantity"
            + " from order_items) t where tenant_id = 1 and buyer_id = 2",
        "select * from (select tenant_id, buyer_id from orders) t (buyer_id, tenant_id, x) where"
            + " tenant_id = 1 and order_id = 2",
        "with x as (select * from orders) select * from x, x y where x.tenant_id = 1 and"
            + " x.buyer_id = 2",
        "with recursive x as (select * from orders) select * from x where tenant_id = 1 and"
            + " buyer_id = 2",
        "with x as (select tenant_id, buyer_id from orders) select * from (with x as (select"
            + " buyer_id tenant_id, tenant_id buyer_id from order_items limit 1) select * from x) t"
            + " where tenant_id = 1 and buyer_id = 2",
        "select * from (select tenant_id, buyer_id, (select sum(o.status)) s from orders o) t"
            + " where tenant_id = 1 and buyer_id = 2",
      })
  void route_conditionOutsideThatWouldChangeRowsInside_doesNotPin(String sql) {
    Plan plan = Plans.PLANNER.plan(sql);

    assertThat(plan.scatterReason()).as(plan.reason()).isPresent();
  }

  @Test
  void route_ofTheOptionalSide_takesNoEqualityOfNulls() {
    String join =
        "select o.order_id from orders o left join order_items i on i.order_id = o.order_id where ";
    assertThat(
            Plans.route(
                    join + "i.tenant_id = 1 and i.buyer_id is not distinct from ?", (Object) null)
                .statements())
        .hasSize(4);
    assertThat(
            Plans.route(
                    join + "o.tenant_id = 1 and o.buyer_id is not distinct from ?", (Object) null)
                .statements())
        .hasSize(1);
  }

  @Test
  void route_castOfAnArray_isNotGuessed() {
    assertThatThrownBy(
            () ->
                Plans.route(
                    "select * from orders where tenant_id = 1 and buyer_id = any (?::bigint[])",
                    (Object) new Double[] {2.6}))
        .hasMessageContaining("SW302");
  }

  @Test
  void route_emptyRange_asksOneShard() {
    String range = "select * from orders where tenant_id = 1 and buyer_id between ? and ?";
    assertThat(Plans.route(range, Long.MAX_VALUE, Long.MIN_VALUE).statements()).hasSize(1);
    assertThat(
            Plans.route("select * from orders where tenant_id = 1 and buyer_id = any ('{null}')")
                .statements())
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from orders where order_id = 1727600",
        "select * from orders where order_id >= 1727600 and order_id < 1727601",
        "select * from orders where order_id in (1727600, 1727601)",
        "select * from order_items i where i.order_id = '1727600'",
        "select * from orders o join order_items i on i.order_id = o.order_id"
            + " where o.order_id = 1727600",
        "delete from order_items where order_id = 1727600 and line_no = 3",
      })
  void route_geneId_goesToItsBucket(String sql) {
    BucketId bucket = Plans.LAYOUT.gene(1_727_600);

    Route route = Plans.route(sql);

    assertThat(route.statements()).hasSize(1);
    assertThat(route.statements().get(0).buckets()).containsExactly(bucket);
    assertThat(route.reason()).contains("gene of order_id");
  }

  @Test
  void route_parameterOfAnyJavaType_isOneValue() {
    String sql = "select * from orders where tenant_id = ? and buyer_id = ?";
    for (Object buyer : List.of(2, 2L, (short) 2, "2", new BigDecimal("2.00"), 2.0d)) {
      assertThat(Plans.route(sql, 1L, buyer).statements().get(0).buckets())
          .as("buyer %s", buyer.getClass())
          .containsExactly(Plans.bucket(1, 2));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "2.5", "99999999999999999999"})
  void route_valueThatNoRowCanHave_asksOneShard(String value) {
    Route route =
        Plans.route("select count(*) from orders where tenant_id = 1 and buyer_id = " + value);

    assertThat(route.statements()).hasSize(1);
    assertThat(route.merge()).isEqualTo(new Merge.PassThrough());
    assertThat(route.statements().get(0).text().sql()).contains("where true AND (");
  }

  @Test
  void route_sameKeyUnderOtherColumnNames_isOnTheSameShard() {
    for (long buyer = 0; buyer < 500; buyer++) {
      Route orders = Plans.route("select 1 from orders where tenant_id=7 and buyer_id=?", buyer);
      Route addresses =
          Plans.route("select 1 from order_addresses where tenant_id=7 and customer_id=?", buyer);
      assertThat(addresses.statements().get(0).shard())
          .isEqualTo(orders.statements().get(0).shard());
    }
  }

  @Test
  void route_inList_givesEachShardItsOwnElementsOnce() {
    Route route =
        Plans.route(
            "select * from orders where tenant_id = ? and buyer_id in (?, 3, ?, 5) order by buyer_id",
            1,
            2,
            4);

    assertThat(route.statements())
        .extracting(s -> s.shard().name(), s -> s.text().sql(), s -> s.text().arguments())
        .containsExactly(
            org.assertj.core.api.Assertions.tuple(
                "s1",
                "select *, buyer_id AS shardwright_1 from orders where orders.bucket_id = ? AND ("
                    + " tenant_id = ? and buyer_id in (?)) order by buyer_id",
                List.of(number(1, 4), parameter(0), parameter(2))),
            org.assertj.core.api.Assertions.tuple(
                "s2",
                "select *, buyer_id AS shardwright_1 from orders where orders.bucket_id IN (?, ?)"
                    + " AND ( tenant_id = ? and buyer_id in (3, 5)) order by buyer_id",
                Stream.concat(
                        new TreeSet<>(List.of(Plans.bucket(1, 3), Plans.bucket(1, 5)))
                            .stream().map(b -> new Argument.Int64(b.value())),
                        Stream.of(parameter(0)))
                    .toList()),
            org.assertj.core.api.Assertions.tuple(
                "s3",
                "select *, buyer_id AS shardwright_1 from orders where orders.bucket_id = ? AND ("
                    + " tenant_id = ? and buyer_id in (?)) order by buyer_id",
                List.of(number(1, 2), parameter(0), parameter(1))));
  }

  @Test
  void route_inListsOfAnyLength_haveFewTexts_andEachShardItsOwnElements() {
    Set<String> texts = new HashSet<>();
    for (int keys = 1; keys <= 300; keys++) {
      String list = "?" + ", ?".repeat(keys - 1);
      Object[] buyers = LongStream.range(0, keys).mapToObj(i -> i * 7 + 1).toArray();
      Route route =
          Plans.route(
              "select * from orders where tenant_id = 1 and buyer_id in (" + list + ")", buyers);
      Set<Integer> asked = new HashSet<>();
      for (Route.ShardStatement statement : route.statements()) {
        List<Integer> own =
            statement.text().arguments().stream()
                .filter(Argument.Parameter.class::isInstance)
                .map(argument -> ((Argument.Parameter) argument).index())
                .toList();
        for (int index : Set.copyOf(own)) {
          BucketId bucket = Plans.bucket(1, (Long) buyers[index]);
          assertThat(statement.buckets()).contains(bucket);
          assertThat(statement.text().arguments()).contains(new Argument.Int64(bucket.value()));
          assertThat(asked.add(index)).as("asked once").isTrue();
        }
        if (route.statements().size() > 1) {
          int alone = Set.copyOf(own).size();
          assertThat(own).hasSizeBetween(alone, alone + Math.max(0, alone / 4));
          texts.add(statement.text().sql());
        }
      }
      assertThat(asked).hasSize(keys);
    }
    assertThat(texts).hasSizeLessThan(60);
  }

  @Test
  void route_multiRowInsert_splitsRowsAndRemembersTheirOrder() {
    Route route =
        Plans.route(
            "insert into order_items (tenant_id, buyer_id, order_id, quantity) values"
                + " (1, 4, null, ?), (1, ?, null, 5), (1, 4, null, -2) on conflict do nothing returning quantity",
            10,
            3);

    assertThat(route.merge()).isEqualTo(new Merge.InsertedRows(List.of(List.of(0, 2), List.of(1))));
    assertThat(route.statements().get(0).text().sql())
        .isEqualTo(
            "insert into order_items (bucket_id, tenant_id, buyer_id, order_id, quantity) values"
                + " (?, 1, 4, null, ?), (?, 1, 4, null, -2) on conflict do nothing returning quantity");
    assertThat(route.statements().get(0).text().arguments())
        .containsExactly(number(1, 4), parameter(0), number(1, 4));
    assertThat(route.statements().get(1).text().arguments())
        .containsExactly(number(1, 3), parameter(1));
  }

  @Test
  void route_singleShard_keepsTheTextAroundTheEdits() {
    Route route =
        Plans.route(
            "/*+ hint */ SELECT a.x -> 'k' ?? 'j', \"Q\" FROM orders AS a -- ?\n"
                + " LEFT JOIN order_items i ON (i.order_id = a.order_id)\n"
                + " WHERE a.tenant_id=? AND a.buyer_id=? -- end\n FOR UPDATE SKIP LOCKED;",
            1,
            2);

    assertThat(route.statements().get(0).text().sql())
        .isEqualTo(
            "/*+ hint */ SELECT a.x -> 'k' ?? 'j', \"Q\" FROM orders AS a -- ?\n"
                + " LEFT JOIN order_items i ON i.bucket_id = ? AND ( (i.order_id = a.order_id))\n"
                + " WHERE a.bucket_id = ? AND ( a.tenant_id=? AND a.buyer_id=?) -- end\n"
                + " FOR UPDATE SKIP LOCKED;");
    assertThat(route.statements().get(0).text().arguments())
        .containsExactly(number(1, 2), number(1, 2), parameter(0), parameter(1));
  }

  @Test
  void route_repeated_givesEqualTextsForOneKey() {
    Plan plan = Plans.PLANNER.plan("select 1 from orders where tenant_id = ? and buyer_id = ?");

    Route first = plan.route(List.of(1, 2), g -> Plans.MAP);
    Route other = plan.route(List.of(1, 3), g -> Plans.MAP);
    Route again = plan.route(List.of(1, 2), g -> Plans.MAP);

    assertThat(again).isEqualTo(first);
    assertThat(other.statements().get(0).text().sql())
        .isEqualTo(first.statements().get(0).text().sql());
    assertThat(other.statements().get(0).text().arguments()).contains(number(1, 3));
  }

  @Test
  void route_newMapVersion_movesOnlyTheMovedBucket() {
    Plan plan = Plans.PLANNER.plan("select 1 from orders where tenant_id = ? and buyer_id = ?");
    var moved = Plans.MAP.withMoved(List.of(Plans.bucket(1, 2)), new ShardId("s9"));

    assertThat(plan.route(List.of(1, 2), g -> moved).statements().get(0).shard())
        .isEqualTo(new ShardId("s9"));
    assertThat(plan.route(List.of(1, 3), g -> moved).statements().get(0).shard())
        .isEqualTo(shard(1, 3));
  }

  @Test
  void route_referenceTablesAndNoTable_takeAnyShardOrAll() {
    assertThat(Plans.route("select * from countries").target()).isEqualTo(Target.ANY_SHARD);
    assertThat(Plans.route("select 1").target()).isEqualTo(Target.ANY_SHARD);
    assertThat(Plans.route("update countries set name = ? where tenant_id = 1", "x").target())
        .isEqualTo(Target.EVERY_SHARD);
    assertThat(Plans.route("create index i on orders (status)").target())
        .isEqualTo(Target.EVERY_SHARD);
    assertThat(
            Plans.route(
                    "select c.name from orders o join countries c on c.tenant_id ="
                        + " o.tenant_id where o.tenant_id = 1 and o.buyer_id = 2")
                .statements())
        .extracting(ShardStatement::shard)
        .containsExactly(shard(1, 2));
  }

  @Test
  void route_tooManyCombinations_isNoKeyCondition() {
    String list = "0" + ", 1".repeat(199);
    String sql =
        "delete from orders where tenant_id in (" + list + ") and buyer_id in (" + list + ")";

    assertThatThrownBy(() -> Plans.route(sql)).hasMessageContaining("SW205");
  }

  private static ShardId shard(long tenant, long buyer) {
    return Plans.shard(tenant, buyer);
  }

  private static Argument number(long tenant, long buyer) {
    return new Argument.Int64(Plans.bucket(tenant, buyer).value());
  }

  private static Argument parameter(int index) {
    return new Argument.Parameter(index);
  }

  @Test
  void route_arrayAndRangeParameters_goWhereTheirValuesBelong() {
    String any = "select * from orders where tenant_id = ? and buyer_id = any (?)";
    assertThat(shards(any, 1, new Long[] {2L, 3L})).containsExactly(shard(1, 3), shard(1, 2));
    assertThat(shards(any, 1, new long[] {4})).containsExactly(shard(1, 4));
    assertThat(shards(any, 1, new Object[] {null})).hasSize(1);
    assertThat(shards(any, 1, "{2}")).as("an array as text is not read").hasSize(4);

    String between = "select * from orders where tenant_id = ? and buyer_id between ? and ?";
    assertThat(shards(between, 1, 3, 4L)).containsExactly(shard(1, 4), shard(1, 3));
    assertThat(shards(between, 1, 4, 3)).as("nothing is between").hasSize(1);
    assertThat(shards(between, 1, 3, null)).hasSize(1);
    assertThat(shards(between, 1, Long.MIN_VALUE, Long.MAX_VALUE)).hasSize(4);
    assertThat(shards(between, 1, 2.5, 3)).hasSize(4);
  }

  private static List<ShardId> shards(String sql, Object... parameters) {
    return Plans.route(sql, parameters).statements().stream().map(ShardStatement::shard).toList();
  }
}
