package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Single tables: jobs on s1, history on s2. */
class SingleTablesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      select * from jobs where id = 1 | false
      select id from "public"."jobs" for update skip locked | true
      select nextval('s') from jobs | true
      select j.id, c.name from jobs j left join countries c on c.tenant_id = j.id | false
      select id, row_number() over (order by done_at) from jobs union all select 1, 2 | false
      insert into jobs (id, done_at) values (1, now()) | true
      insert into jobs values (default, now()) returning id | true
      update jobs set done_at = clock_timestamp() where id = 1 returning id | true
      delete from jobs j using countries c where c.tenant_id = j.id | true
      """)
  void statement_isSentAsItIsToTheHome(String sql, boolean pins) {
    Plan plan = Plans.PLANNER.plan(sql);

    assertThat(Plans.route(sql).statements())
        .singleElement()
        .satisfies(to -> assertThat(to.shard()).isEqualTo(new ShardId("s1")))
        .satisfies(to -> assertThat(to.text().sql()).isEqualTo(sql));
    assertThat(plan.locksOrWrites()).isEqualTo(pins);
    assertThat(plan.returnsRows()).isEqualTo(sql.startsWith("select") || sql.contains("returning"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update orders set status = j.id from jobs j where order_id = 1",
        "delete from jobs where id in (select order_id from orders where order_id = 1)",
      })
  void besideTablesThatAreElsewhere_isRefused(String sql) {
    assertRefused(sql, ErrorCode.TABLES_NOT_COLOCATED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update countries set name = 'x' from jobs j where j.id = tenant_id",
        "delete from countries using jobs j where j.id = tenant_id",
        "insert into countries (tenant_id, name) select id, 'x' from jobs",
        "select my_report() from jobs"
      })
  void copyOfItsRows_isRefused(String sql) {
    assertRefused(sql, ErrorCode.STATEMENT_UNSUPPORTED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from jobs, orders where order_id = 1",
        "select * from orders where order_id in (select id from jobs)",
        "select * from jobs, history"
      })
  void readBesideTablesThatAreElsewhere_bringsTheRowsTogether(String sql) {
    assertThat(Plans.route(sql).target()).isEqualTo(Route.Target.GATHERED);
  }

  private static void assertRefused(String sql, ErrorCode code) {
    assertThatThrownBy(() -> Plans.PLANNER.plan(sql))
        .isInstanceOfSatisfying(
            ShardwrightException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
