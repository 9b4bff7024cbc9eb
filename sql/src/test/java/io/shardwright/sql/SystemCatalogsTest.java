package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Route.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemCatalogsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select table_name from information_schema.tables where table_schema = ?",
        "select * from information_schema.sequences",
        "SELECT COUNT(*) FROM pg_namespace WHERE nspname=?",
        "select c.relname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid ="
            + " c.relnamespace where exists (select 1 from pg_constraint k where k.conrelid ="
            + " c.oid)",
        "select format_type(a.atttypid, a.atttypmod) from pg_attribute a where a.attrelid ="
            + " 'orders'::regclass",
        "select name from countries where exists (select 1 from pg_type)",
        "select current_database(), current_schema()",
        "show search_path",
        "SHOW TRANSACTION ISOLATION LEVEL"
      })
  void schemaQuestion_isForTheFirstShard(String sql) {
    Plan plan = Plans.PLANNER.plan(sql);

    assertThat(plan.route(java.util.Collections.nCopies(plan.parameterCount(), "x"), g -> null))
        .satisfies(route -> assertThat(route.target()).isEqualTo(Target.FIRST_SHARD))
        .satisfies(route -> assertThat(route.anyShardStatement().sql()).isEqualTo(sql));
    assertThat(plan.returnsRows()).isTrue();
    assertThat(plan.locksOrWrites()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select relfilenode from pg_class where relname = 'orders'",
        "select * from pg_class",
        "select c.* from pg_class c",
        "select nextval('s') from pg_type",
        "select my_report(oid) from pg_type",
        "select relname from pg_class for update",
        "select o.status from orders o, pg_type where o.order_id = 1",
        "select count(*) from orders where exists (select 1 from information_schema.tables)",
        "update orders set status = (select min(typname) from pg_type) where order_id = 1",
        "update countries set name = t.typname from pg_type t",
        "delete from orders where order_id = 1 and exists (select 1 from pg_type)",
        "show work_mem",
        "show all"
      })
  void statementThatEachShardWouldAnswerForItself_isRefused(String sql) {
    assertRefused(sql, ErrorCode.STATEMENT_UNSUPPORTED);
  }

  @Test
  void estimatesOfOneShard_areAnsweredAsUnknown() {
    String sql =
        "select c.relname, c.reltuples, relpages as \"PAGES\", reltuples::bigint from pg_class c"
            + " where pg_class.reltuples >= 0";

    assertThat(Plans.route(sql).anyShardStatement().sql())
        .isEqualTo(
            "select c.relname, (-1)::real AS reltuples, 0 as \"PAGES\", (-1)::real::bigint from"
                + " pg_class c where (-1)::real >= 0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from pg_stat_user_tables",
        "select * from pg_stats",
        "select * from pg_sequences",
        "select * from pg_locks",
        "select * from other.pg_class"
      })
  void statistics_areNoTables(String sql) {
    assertRefused(sql, ErrorCode.TABLE_UNKNOWN);
  }

  private static void assertRefused(String sql, ErrorCode code) {
    assertThatThrownBy(() -> Plans.PLANNER.plan(sql))
        .isInstanceOfSatisfying(
            ShardwrightException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
