package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.ShardStatement;
import io.shardwright.sql.Route.ShardStatementText;
import java.util.List;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Planning by shape goes to the shards and with the texts of planning each text. */
class LiftedPlanTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select a from t where k = 7 and s='x''y'   | select a from t where k = ? and s=?",
        "select a from t where k >= 7 and 8 <> k    | select a from t where k >= ? and 8 <> k",
        "select a from t where k in (1, 'b', c)     | select a from t where k in (?, ?, c)",
        "select a from t where k = 1 order by 1     | select a from t where k = ? order by 1",
        "select 1, 'x' from t where k = 1 limit 5   | select 1, 'x' from t where k = ? limit ?",
        "insert into t (a, b) values (1, f(2))      | insert into t (a, b) values (?, f(2))",
        "update t set a = 5, b = b + 1 where k = 2  | update t set a = ?, b = b + 1 where k = ?",
        "select /* k = 3 */ a from t where k = 4    | select /* k = 3 */ a from t where k = ?",
        "select a from t where k = 5::bigint and b = -1 and c = 2 + 3 and d = 6 |"
            + " select a from t where k = 5::bigint and b = -1 and c = 2 + 3 and d = ?",
        "select a from t where k = E'x' and b = date '2020-01-01' and c = 6 |"
            + " select a from t where k = E'x' and b = date '2020-01-01' and c = ?",
        "select a from t where k between 1 and 2 and b @> '{}' and c -> 'd' = 'e' |"
            + " select a from t where k between 1 and 2 and b @> '{}' and c -> 'd' = ?",
        "select a from t where k = any('{1,2}') and b = 'x' 'y' and c = 1 |"
            + " select a from t where k = any('{1,2}') and b = 'x' 'y' and c = ?",
      })
  void shape_lacksLiteralsThatStandForValuesOnly(String sql, String shape) {
    assertThat(Plans.PLANNER.lift(sql).shape()).isEqualTo(shape);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a from t",
        "select a from t where k = ? and b = 1",
        "select a from t where k = 1 and b ?? 'x'",
        "insert into t (a) values (1), (2)",
        "select 'never closed",
      })
  void lift_ofOtherTexts_isNull(String sql) {
    assertThat(Plans.PLANNER.lift(sql)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from orders where tenant_id = 1 and buyer_id = 2",
        "select * from orders where 1 = tenant_id and buyer_id = 2 and status <> 'PA''ID'",
        "select * from orders where tenant_id = 1 and buyer_id = '2' order by 1 limit 5 offset 3",
        "select * from orders where (tenant_id, buyer_id) = (1, 2) and status = 3",
        "select * from orders where tenant_id in (1) and buyer_id in (2, 2)",
        "select * from orders where tenant_id = 1 and buyer_id in (2, 3, 4, 5, 6, 7)",
        "select * from orders where tenant_id = 1.0 and buyer_id = 2",
        "select * from orders where tenant_id = 1 and buyer_id = 2 or tenant_id = 1 and buyer_id = 2",
        "select * from orders where tenant_id = 1 and tenant_id = 3 and buyer_id = 2",
        "select * from orders where order_id = 1727600",
        "select * from orders o join order_items i on i.order_id = o.order_id"
            + " where o.order_id = 1727600 and i.quantity > 3",
        "select count(*) from orders where tenant_id = 1 and buyer_id = 2 having count(*) > 3",
        "select * from orders where status = 1 limit 3",
        "select status, count(*) from orders where amount_cent > 5 group by status",
        "select status from orders group by status having count(*) > 7",
        "select * from tags where tag = 'x'",
        "select * from countries where tenant_id = 3",
        "select * from jobs where id = 3",
        "update orders set status = 1 where tenant_id = 1 and buyer_id = 2",
        "delete from orders where tenant_id = 1 and buyer_id = 2 and status = 7",
        "insert into orders (tenant_id, buyer_id, order_id, status) values (1, 2, null, 'x')",
        "insert into orders (tenant_id, buyer_id, status) values (1, 2, 3)"
            + " on conflict (tenant_id) do update set status = 4 returning status",
      })
  void route_isThatOfTheTextItself(String sql) {
    Route expected = Plans.PLANNER.plan(sql).route(List.of(), group -> Plans.MAP);

    Plan lifted = lifted(sql);
    Route actual = lifted.route(List.of(), group -> Plans.MAP);

    assertThat(lifted.sql()).isEqualTo(sql);
    assertThat(lifted.parameterCount()).isZero();
    assertThat(actual.target()).isEqualTo(expected.target());
    assertThat(actual.mapVersion()).isEqualTo(expected.mapVersion());
    assertThat(actual.statements()).hasSameSizeAs(expected.statements());
    for (int i = 0; i < expected.statements().size(); i++) {
      ShardStatement one = expected.statements().get(i);
      ShardStatement other = actual.statements().get(i);
      assertThat(other.shard()).isEqualTo(one.shard());
      assertThat(other.buckets()).isEqualTo(one.buckets());
      assertThat(inlined(other.text())).isEqualTo(inlined(one.text()));
    }
    if (expected.statements().size() == 1 && expected.statements().get(0).buckets().size() == 1) {
      assertThat(actual.statements().get(0).text().arguments())
          .allSatisfy(left -> assertThat(left).isInstanceOf(Argument.IssuedId.class));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete from orders where status = 1",
        "select * from tags where tag = 'longer than five'",
        "update orders set buyer_id = 1 where tenant_id = 1 and buyer_id = 2",
        "insert into orders (tenant_id, status) values (1, 2)",
        "select * from orders where tenant_id = 'x' and buyer_id = 2",
      })
  void refusal_isThatOfTheTextItself(String sql) {
    String message = null;
    try {
      Plans.PLANNER.plan(sql).route(List.of(), group -> Plans.MAP);
    } catch (ShardwrightException e) {
      message = e.getMessage();
    }
    if (message == null) {
      assertThat(lifted(sql).route(List.of(), group -> Plans.MAP)).isNotNull();
      return;
    }
    assertThatThrownBy(() -> lifted(sql).route(List.of(), group -> Plans.MAP)).hasMessage(message);
  }

  @Test
  void shapes_areSharedByTexts() {
    LiftedText one =
        Plans.PLANNER.lift("select * from orders where tenant_id = 1 and buyer_id = 2");
    LiftedText other =
        Plans.PLANNER.lift("select * from orders where tenant_id = 10 and buyer_id = '3'");
    Plan shape = Plans.PLANNER.plan(one.shape());
    assertThat(other.shape()).isEqualTo(one.shape());
    LiftedPlan.Splitter splitter = Plans.PLANNER.splitter();
    for (LiftedText text : List.of(one, other, one)) {
      ShardStatement sent =
          new LiftedPlan(shape, splitter, text, () -> Plans.PLANNER.plan(text.sql()))
              .route(List.of(), group -> Plans.MAP)
              .statements()
              .get(0);
      assertThat(sent.text().sql())
          .contains(text.sql().substring(text.sql().indexOf("tenant_id")))
          .contains("bucket_id = " + sent.buckets().get(0).value());
    }
  }

  private static Plan lifted(String sql) {
    LiftedText text = Plans.PLANNER.lift(sql);
    Plan shape;
    try {
      shape = Plans.PLANNER.plan(text.shape());
    } catch (ShardwrightException e) {
      return Plans.PLANNER.plan(sql);
    }
    return new LiftedPlan(shape, Plans.PLANNER.splitter(), text, () -> Plans.PLANNER.plan(sql));
  }

  /** With our numbers in place of their {@code ?}; the texts here have no other. */
  private static String inlined(ShardStatementText text) {
    String sql = text.sql();
    for (Argument argument : text.arguments()) {
      String written =
          argument instanceof Argument.Int64 number
              ? String.valueOf(number.value())
              : argument.toString();
      sql = sql.replaceFirst("\\?", Matcher.quoteReplacement(written));
    }
    return sql;
  }
}
