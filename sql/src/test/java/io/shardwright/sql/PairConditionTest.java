package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.routing.BucketId;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.ShardStatement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MariaDB gets each element of an IN list with its own bucket. */
class PairConditionTest {
  private static final String LIST = "select status from orders where tenant_id = 1 and buyer_id ";

  @Test
  void list_isPairsOfBucketAndElement() {
    ShardStatement statement = of("s2", MariaDbPlans.route(LIST + "in (?, 3, ?, 5)", 2, 4));

    assertThat(statement.text().sql())
        .isEqualTo(
            "select status from orders where ((orders.bucket_id = ? AND orders.`buyer_id` = 3)"
                + " OR (orders.bucket_id = ? AND orders.`buyer_id` = 5))"
                + " AND ( tenant_id = 1 and buyer_id in (3, 5))");
    assertThat(statement.text().arguments()).containsExactly(bucket(3), bucket(5));
  }

  @Test
  void listOfParameters_isPairsOfBucketAndParameter() {
    ShardStatement statement = of("s2", MariaDbPlans.route(LIST + "in (?, ?, ?)", 3, 2, 5));

    assertThat(statement.text().sql())
        .isEqualTo(
            "select status from orders where ((orders.bucket_id = ? AND orders.`buyer_id` = ?)"
                + " OR (orders.bucket_id = ? AND orders.`buyer_id` = ?))"
                + " AND ( tenant_id = 1 and buyer_id in (?, ?))");
    assertThat(statement.text().arguments())
        .containsExactly(
            bucket(3), parameter(0), bucket(5), parameter(2), parameter(0), parameter(2));
  }

  @Test
  void listOfOneShard_staysAsItIsBesideItsPairs() {
    Route route = MariaDbPlans.route(LIST + "in (?, ?, ?)", 3, null, 5);

    assertThat(MariaDbPlans.text(route))
        .isEqualTo(
            "select status from orders where ((orders.bucket_id = ? AND orders.`buyer_id` = ?)"
                + " OR (orders.bucket_id = ? AND orders.`buyer_id` = ?))"
                + " AND ( tenant_id = 1 and buyer_id in (?, ?, ?))");
    assertThat(route.statements().get(0).text().arguments())
        .containsExactly(
            bucket(3),
            parameter(0),
            bucket(5),
            parameter(2),
            parameter(0),
            parameter(1),
            parameter(2));
  }

  @Test
  void tableOfTheSameKey_getsThePairsToo_others_theBuckets() {
    Route route =
        MariaDbPlans.route(
            "select o.status from orders o join order_items i on i.tenant_id = o.tenant_id"
                + " and i.buyer_id = o.buyer_id join order_items j on j.order_id = o.order_id"
                + " where o.tenant_id = 1 and o.buyer_id in (3, 5)");

    assertThat(MariaDbPlans.text(route))
        .contains(
            " where ((o.bucket_id = ? AND o.`buyer_id` = 3)"
                + " OR (o.bucket_id = ? AND o.`buyer_id` = 5))"
                + " AND ((i.bucket_id = ? AND i.`buyer_id` = 3)"
                + " OR (i.bucket_id = ? AND i.`buyer_id` = 5))"
                + " AND j.bucket_id IN (?, ?) AND (");
  }

  /** What holds in the subquery alone says nothing of the rows around it. */
  @Test
  void equalListOfASubquery_isAnotherList() {
    Route route =
        MariaDbPlans.route(
            "with s as (select i.order_id, (select count(*) from orders x where"
                + " x.order_id = i.order_id and x.tenant_id = 1 and x.buyer_id = i.quantity"
                + " and i.quantity in (3, 5)) as own from order_items i) select s.own from orders a"
                + " join s on s.order_id = a.order_id where a.tenant_id = 1"
                + " and a.buyer_id in (3, 5) and a.status > ?",
            7);

    assertThat(MariaDbPlans.text(route))
        .contains(
            "from order_items i WHERE i.bucket_id IN (?, ?))",
            "((a.bucket_id = ? AND a.`buyer_id`");
  }

  @Test
  void equalListOfAnOuterJoin_isNotCut() {
    Route route =
        MariaDbPlans.route(
            "select s.line_no from order_items s left join orders x on x.tenant_id = 1 and"
                + " x.buyer_id = s.quantity and x.order_id = s.order_id join orders a on"
                + " a.order_id = s.order_id where s.quantity in (2, 3) and a.tenant_id = 1 and"
                + " a.buyer_id in (2, 3) and a.status > ?",
            7);

    assertThat(route.statements()).hasSize(2);
    for (ShardStatement statement : route.statements()) {
      assertThat(statement.text().sql())
          .contains("s.quantity in (2, 3)")
          .doesNotContain("quantity` =");
    }
  }

  @Test
  void tableInFrom_namesItsOwnColumn() {
    Route route =
        MariaDbPlans.route(
            "select t.s from (select status s, buyer_id b, tenant_id from orders) t"
                + " where t.tenant_id = 1 and t.b in (3, 5)");

    assertThat(MariaDbPlans.text(route))
        .contains(
            "from orders WHERE ((orders.bucket_id = ? AND orders.`buyer_id` = 3)"
                + " OR (orders.bucket_id = ? AND orders.`buyer_id` = 5))) t");
  }

  @ParameterizedTest
  @ValueSource(strings = {"?, ?", "?, null", "4.5, ?"})
  void listWithoutAKey_findsNothing(String list) {
    Object[] parameters = list.startsWith("?, ?") ? new Object[2] : new Object[1];

    Route route = MariaDbPlans.route(LIST + "in (" + list + ")", parameters);

    assertThat(MariaDbPlans.text(route))
        .isEqualTo(
            "select status from orders where true AND ( tenant_id = 1 and buyer_id in ("
                + list
                + "))");
  }

  @Test
  void listOfIds_isPairsToo() {
    long first = Plans.LAYOUT.compose(1, 1, Plans.bucket(1, 3), 0, 0);
    long second = Plans.LAYOUT.compose(1, 2, Plans.bucket(1, 5), 0, 0);

    Route route = MariaDbPlans.route("delete from orders where order_id in (?, ?)", first, second);

    assertThat(MariaDbPlans.text(route))
        .isEqualTo(
            "delete from orders where ((orders.bucket_id = ? AND orders.`order_id` = ?)"
                + " OR (orders.bucket_id = ? AND orders.`order_id` = ?)) AND ("
                + " order_id in (?, ?))");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Of one bucket, no list, or several values of another key column.
        "select status from orders where tenant_id = 1 and buyer_id in (3, 3)",
        "select status from orders where tenant_id = 1 and (buyer_id = 3 or buyer_id = 5)",
        "select status from orders where bucket_id in (3, 5)",
        "select status from orders where tenant_id in (1, 2) and buyer_id in (3, 5)",
      })
  void otherForms_keepTheListOfBuckets(String sql) {
    for (ShardStatement statement : MariaDbPlans.route(sql).statements()) {
      assertThat(statement.text().sql())
          .contains("bucket_id ")
          .doesNotContain("bucket_id = ? AND orders.`");
    }
  }

  @Test
  void otherDatabases_keepTheListOfBuckets() {
    assertThat(of("s2", Plans.route(LIST + "in (3, 5)")).text().sql())
        .contains("orders.bucket_id IN (?, ?)");
  }

  /** Law: each element is asked once, of its shard, with its own bucket. */
  @Test
  void listsOfAnyLength_pairEachElementWithItsBucket() {
    Set<String> texts = new HashSet<>();
    for (int keys = 2; keys <= 400; keys++) {
      Object[] buyers = LongStream.range(0, keys).mapToObj(i -> i * 7 + 1).toArray();
      Route route = MariaDbPlans.route(LIST + "in (?" + ", ?".repeat(keys - 1) + ")", buyers);
      Set<Integer> asked = new HashSet<>();
      for (ShardStatement statement : route.statements()) {
        List<Argument> arguments = statement.text().arguments();
        if (!statement.text().sql().contains("bucket_id = ? AND orders.`")) {
          long own =
              arguments.stream().filter(Argument.Parameter.class::isInstance).distinct().count();
          assertThat(own == 1 || own > Edit.PairCondition.PAIRS_MAX).as("%s keys", own).isTrue();
          continue;
        }
        Set<Integer> paired = new TreeSet<>();
        int pairs = statement.text().sql().split("bucket_id = \\? AND ", -1).length - 1;
        for (int pair = 0; pair < pairs; pair++) {
          int index = ((Argument.Parameter) arguments.get(2 * pair + 1)).index();
          BucketId bucket = Plans.bucket(1, (Long) buyers[index]);
          assertThat(arguments.get(2 * pair)).isEqualTo(new Argument.Int64(bucket.value()));
          assertThat(Plans.MAP.shardOf(bucket)).isEqualTo(statement.shard());
          paired.add(index);
        }
        assertThat(arguments.subList(2 * pairs, arguments.size()))
            .allSatisfy(a -> assertThat(paired).contains(((Argument.Parameter) a).index()));
        paired.forEach(index -> assertThat(asked.add(index)).as("asked once").isTrue());
        texts.add(statement.text().sql());
      }
    }
    assertThat(texts).hasSizeLessThan(60);
  }

  private static ShardStatement of(String shard, Route route) {
    return route.statements().stream()
        .filter(statement -> statement.shard().name().equals(shard))
        .findFirst()
        .orElseThrow();
  }

  private static Argument bucket(long buyer) {
    return new Argument.Int64(Plans.bucket(1, buyer).value());
  }

  private static Argument parameter(int index) {
    return new Argument.Parameter(index);
  }
}
