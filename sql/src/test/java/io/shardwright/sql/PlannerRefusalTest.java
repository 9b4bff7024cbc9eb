package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that must never be sent, and the word of the message that helps. */
class PlannerRefusalTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      TABLE_UNKNOWN | select * from nope | reference
      TABLE_UNKNOWN | select * from other.orders where tenant_id=1 and buyer_id=2 | other.orders
      TABLE_UNKNOWN | insert into nope (a) values (1) | nope
      STATEMENT_UNSUPPORTED | select my_report() | my_report
      STATEMENT_UNSUPPORTED | select * from orders o join order_items i join countries c on true on true | FROM clause
      STATEMENT_UNPARSABLE | insert into orders (tenant_id, buyer_id) values (1) | 1 values for 2
      STATEMENT_UNPARSABLE | insert into orders (tenant_id buyer_id) values (1, 2) | was expected
      STATEMENT_UNSUPPORTED | begin | setAutoCommit
      STATEMENT_UNSUPPORTED | set search_path = x | urls
      STATEMENT_UNSUPPORTED | explain select 1 | shardwright explain
      STATEMENT_UNSUPPORTED | copy orders to stdout | batches of INSERT
      STATEMENT_UNSUPPORTED | select nextval('s') | nextval
      STATEMENT_UNSUPPORTED | select * from countries for update | locking
      STATEMENT_UNSUPPORTED | insert into orders (tenant_id, buyer_id) values (1, (select 2)) | subquery among the values
      STATEMENT_UNSUPPORTED | insert into countries (tenant_id) select 1 | not sharded
      STATEMENT_UNSUPPORTED | with orders as (select 1) select * from orders | name of a table
      STATEMENT_UNSUPPORTED | with d as (delete from orders where order_id = 1 returning *) select * from d | data-changing
      STATEMENT_UNSUPPORTED | with d as (with e as (select 1) delete from orders where status = 3 returning 1) select count(*) from d | data-changing
      STATEMENT_UNSUPPORTED | update orders set U&"buyer\005fid" = 7 where order_id = 5 | write the name itself
      STATEMENT_UNSUPPORTED | select set_config('a.b', 'c', false) from orders where order_id = 5 | session
      STATEMENT_UNSUPPORTED | update countries set name = ' Now ' | Now
      TABLE_UNKNOWN | select count(*) from x where exists (with x as (select 1) select * from x) | x is in no group
      MERGE_UNSUPPORTED | select o.order_id, x.n from orders o, my_report() as x(n) | my_report
      MERGE_UNSUPPORTED | select status, my_report(status) from orders order by order_id | my_report
      ROUTE_KEY_MISSING | update orders o set status = 1 where (o.status, o.tenant_id, o.buyer_id, o.status) = (select 1, 2, 3, 4) | route key
      ROUTE_KEY_MISSING | delete from orders where (select true from countries where name = 'x' and tenant_id = 1 and buyer_id = 2) | route key
      ROUTE_KEY_MISSING | update orders u set status = 1 from countries v join order_items b using (tenant_id, buyer_id) where u.tenant_id = 1 and u.status = 2 | route key
      ROUTE_KEY_VALUE_INVALID | select * from orders where tenant_id = 1 and buyer_id = 'abc' | buyer_id of group orders
      STATEMENT_UNSUPPORTED | select * into x from orders where order_id = 1 | INTO
      STATEMENT_UNSUPPORTED | insert into countries (tenant_id, name) values (1, random()::text) | random
      STATEMENT_UNSUPPORTED | update countries set name = now()::text | now
      STATEMENT_UNSUPPORTED | insert into countries (tenant_id) values (default) | default
      STATEMENT_UNSUPPORTED | delete from countries c using orders o where o.tenant_id = c.tenant_id | reads sharded
      STATEMENT_UNSUPPORTED | select * from orders as o(a, b) where a = 1 and b = 2 | renames
      ROUTE_KEY_MISSING | update orders set status = 1 | tenant_id, buyer_id
      ROUTE_KEY_MISSING | update orders set status = 1 where tenant_id = 1 | route key
      ROUTE_KEY_MISSING | delete from orders where tenant_id = 1 and buyer_id > 2 | route key
      ROUTE_KEY_MISSING | delete from orders where tenant_id = 1 and buyer_id = 2 or status = 3 | route key
      ROUTE_KEY_MISSING | delete from orders where tenant_id = 1 and buyer_id = 2 and status in (1) or status = 3 | route key
      ROUTE_KEY_MISSING | delete from orders where tenant_id = 1 and buyer_id = 2 and amount_cent between 1 and 2 or status = 3 | route key
      ROUTE_KEY_MISSING | delete from orders where not (tenant_id = 1 and buyer_id = 2) | route key
      ROUTE_KEY_MISSING | delete from orders where tenant_id = 1 and buyer_id not in (2) | route key
      ROUTE_KEY_MISSING | insert into orders (tenant_id, order_id) values (1, 2) | buyer_id
      ROUTE_KEY_MISSING | insert into orders (tenant_id, buyer_id) values (1, 1 + 1) | expression
      ROUTE_KEY_MISSING | insert into orders (tenant_id, buyer_id) values (1, default) | expression
      ROUTE_KEY_UPDATE | update orders set buyer_id = 3 where tenant_id = 1 and buyer_id = 2 | never changes
      ROUTE_KEY_UPDATE | update orders set (status, tenant_id) = (1, 2) where order_id = 5 | never changes
      ROUTE_KEY_UPDATE | update orders set bucket_id = 3 where order_id = 5 | never changes
      ROUTE_KEY_UPDATE | insert into orders (tenant_id, buyer_id) values (1, 2) on conflict (order_id) do update set status = 1, order_id = 3 | never changes
      ROUTE_KEY_NULL | insert into orders (tenant_id, buyer_id) values (1, null) | NULL
      ROUTE_KEY_VALUE_INVALID | insert into orders (tenant_id, buyer_id) values (1, 2.5) | fraction
      ROUTE_KEY_VALUE_INVALID | select * from orders where tenant_id = 1 and buyer_id = 'abc' | INTEGER
      ROUTE_KEY_VALUE_INVALID | select * from orders where tenant_id = 1 and buyer_id = 4.6::bigint | cast
      ROUTE_KEY_VALUE_INVALID | insert into tags (tag) values ('abc   ') | 5 characters
      BUCKET_ID_MISMATCH | insert into orders (bucket_id, tenant_id, buyer_id) values (0, 1, 2) | leave bucket_id out
      ID_GENE_MISMATCH | insert into orders (order_id, tenant_id, buyer_id) values (512, 1, 2) | carries bucket 1
      MERGE_UNSUPPORTED | select * from orders where status = 1 for update | locking
      MERGE_UNSUPPORTED | select distinct status from orders limit 3 for update | locking
      MERGE_UNSUPPORTED | select * from orders where tenant_id = 1 and buyer_id in (2, 3) for update | locking
      LIMIT_INVALID | select order_id from orders limit -1 | negative
      LIMIT_INVALID | select order_id from orders limit 1.5 | whole
      DDL_UNSUPPORTED | create temp table x (a int) | physical connection
      DDL_UNSUPPORTED | create table pg_temp.x (a int) | physical connection
      DDL_UNSUPPORTED | create table x as select * from orders | other rows
      DDL_UNSUPPORTED | create materialized view v as select 1 | materialized
      DDL_UNSUPPORTED | alter table orders rename column buyer_id to b | column buyer_id of orders decides
      DDL_UNSUPPORTED | alter table orders rename buyer_id to b | fixed for the life
      DDL_UNSUPPORTED | alter table if exists only orders alter column buyer_id type text | copy the rows
      DDL_UNSUPPORTED | alter table public.orders * alter "tenant_id" set data type int using (1, 2) | column tenant_id
      DDL_UNSUPPORTED | alter table orders add column x int default (1), drop column if exists Bucket_Id | column bucket_id
      DDL_UNSUPPORTED | ALTER TABLE ORDERS DROP ORDER_ID CASCADE | column order_id
      DDL_UNSUPPORTED | alter table orders alter buyer_id drop not null | column buyer_id
      DDL_UNSUPPORTED | alter table orders alter buyer_id set default 1 | column buyer_id
      DDL_UNSUPPORTED | alter table orders rename to old_orders | table orders is named in shardwright.yaml
      DDL_UNSUPPORTED | alter table countries rename to c | table countries
      DDL_UNSUPPORTED | alter table orders set schema old | schema for life
      DDL_UNSUPPORTED | truncate orders | rows written since
      DDL_UNSUPPORTED | create role r login password 'p' | run it on each server
      DDL_UNSUPPORTED | alter user u password 'p' | roles belong to the server
      DDL_UNSUPPORTED | create user mapping for u server s options (password 'p') | password
      DDL_UNSUPPORTED | drop group g | roles belong to the server
      """)
  void plan_unsafeStatement_isRefusedBeforeAnythingIsSent(ErrorCode code, String sql, String help) {
    assertThatThrownBy(() -> Plans.route(sql))
        .isInstanceOfSatisfying(
            ShardwrightException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(help);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alter table orders alter column buyer_id set not null",
        "alter table orders alter buyer_id set statistics 500, add check (buyer_id > 0)",
        "alter table orders drop constraint buyer_id, rename constraint bucket_id to b",
        "alter table orders add column note text, drop column status",
        "alter table other rename column buyer_id to b",
        "alter table archive.orders rename column buyer_id to b",
        "alter table countries drop column tenant_id",
        "drop table orders",
        "alter index orders_buyer_id rename to i",
        "create index on orders (buyer_id)"
      })
  void plan_ddlThatMovesNoRow_goesToEveryShard(String sql) {
    assertThat(Plans.route(sql).target()).isEqualTo(Route.Target.EVERY_SHARD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 2 * status + 1, count(*) from orders group by status + 1 having true",
        "select distinct on (status) status, order_id from orders",
        "select order_id as x, status as x, count(*) from orders group by x, order_id, status having true",
        "select (select sum(o.status)) from orders o",
        "select (select count(o.status) from countries c where c.tenant_id = 1) from orders o",
        "select * from orders o, tags t where o.order_id = 5 and t.tag = 'a'",
        "select * from orders o join order_items i on i.line_no = o.status",
        "select c.name, o.order_id from countries c left join orders o on o.tenant_id = c.tenant_id",
        "select * from orders where amount_cent > (select avg(amount_cent) from orders)",
        "select * from orders o right join countries c on c.tenant_id = o.tenant_id",
        "select status from orders union select status from orders",
        "select * from (select order_id from orders limit 3) x",
        "select order_id from orders order by 1 fetch first 3 rows with ties",
        "select *, order_id as x from orders order by x",
        "select distinct * from orders",
        "select status, max(order_id), quantity from order_items i join orders o using (order_id) group by status",
        "select status, (select max(name) from countries) from orders group by status"
      })
  void plan_partsOnSeveralShards_comeTogether(String sql) {
    assertThat(Plans.route(sql).target()).isEqualTo(Route.Target.GATHERED);
  }
}
