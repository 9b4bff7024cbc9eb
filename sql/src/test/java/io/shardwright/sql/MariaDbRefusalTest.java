package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements of MariaDB that must never be sent, and the word of the message that helps. */
class MariaDbRefusalTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
      TABLE_UNKNOWN | select * from ORDERS where order_id = 5 | ORDERS
      TABLE_UNKNOWN | select * from public.orders where order_id = 5 | public.orders
      TABLE_UNKNOWN | select * from mysql.user | mysql.user
      TABLE_UNKNOWN | insert into other.orders (tenant_id, buyer_id) values (1, 2) | other.orders
      STATEMENT_UNSUPPORTED | select @x from orders where order_id = 5 | variable of the session
      STATEMENT_UNSUPPORTED | select @@autocommit | variable of the session
      STATEMENT_UNSUPPORTED | update orders set status = (@n := 1) where order_id = 5 | variable
      STATEMENT_UNSUPPORTED | insert into orders (tenant_id, buyer_id, status) values (1, 2, @x) | variable
      STATEMENT_UNSUPPORTED | insert into orders (tenant_id, buyer_id, status) values (1, 2, last_insert_id()) | last_insert_id
      STATEMENT_UNSUPPORTED | select last_insert_id() | session
      STATEMENT_UNSUPPORTED | select connection_id() | session
      STATEMENT_UNSUPPORTED | select get_lock('a', 1) from orders where order_id = 5 | session
      STATEMENT_UNSUPPORTED | select sql_calc_found_rows * from orders where order_id = 5 | SQL_CALC_FOUND_ROWS
      STATEMENT_UNSUPPORTED | select * from orders for system_time all where order_id = 5 | FOR
      STATEMENT_UNSUPPORTED | select next value for s | FOR
      STATEMENT_UNSUPPORTED | select * from orders where order_id = 5 procedure analyse() | PROCEDURE
      STATEMENT_UNSUPPORTED | select order_id into @x from orders where order_id = 5 | variable
      STATEMENT_UNSUPPORTED | select order_id into outfile '/tmp/x' from orders where order_id = 5 | INTO
      STATEMENT_UNSUPPORTED | with ORDERS as (select 1) select * from orders | name of a table
      STATEMENT_UNSUPPORTED | use shop | urls
      STATEMENT_UNSUPPORTED | lock tables orders write | SELECT
      STATEMENT_UNSUPPORTED | set names utf8 | urls
      STATEMENT_UNSUPPORTED | update orders o join countries c on c.tenant_id = o.tenant_id set c.name = 'x' where o.order_id = 5 | reads sharded
      STATEMENT_UNSUPPORTED | update orders o join countries c on c.tenant_id = o.tenant_id set c.name = 'x', o.status = 1 where o.order_id = 5 | live elsewhere
      STATEMENT_UNSUPPORTED | update orders o join order_items i using (order_id) set tenant_id = 1 where o.order_id = 5 | not known
      STATEMENT_UNSUPPORTED | delete c from orders o join countries c on c.tenant_id = o.tenant_id where o.order_id = 5 | reads sharded
      STATEMENT_UNSUPPORTED | delete from countries limit 1 | LIMIT
      STATEMENT_UNSUPPORTED | update countries set name = uuid() | uuid
      STATEMENT_UNSUPPORTED | update countries set name = curdate() | curdate
      STATEMENT_UNSUPPORTED | insert into orders set tenant_id = 1, buyer_id = 2, status = (select max(status) from orders) | subquery
      STATEMENT_UNSUPPORTED | replace into orders (tenant_id, buyer_id, status) values (1, 2, (select 1)) | subquery
      TABLE_UNKNOWN | delete x from orders o join order_items i using (order_id) where o.order_id = 5 | x
      ROUTE_KEY_UPDATE | update orders o join order_items i on i.order_id = o.order_id set o.status = 1, shop.o.BUYER_ID = 2 where o.order_id = 5 | never changes
      ROUTE_KEY_UPDATE | insert into orders (tenant_id, buyer_id) values (1, 2) on duplicate key update Order_Id = 3 | never changes
      ROUTE_KEY_UPDATE | insert into orders set tenant_id = 1, buyer_id = 2 on duplicate key update orders.bucket_id = 3 | never changes
      ROUTE_KEY_MISSING | insert into orders set tenant_id = 1 | buyer_id
      ROUTE_KEY_MISSING | insert into orders () values () | tenant_id
      ROUTE_KEY_MISSING | insert into orders set tenant_id = 1, buyer_id = 1 + 1 | expression
      ROUTE_KEY_MISSING | delete from orders where tenant_id = 1 and buyer_id = 2 or 1 | route key
      MERGE_UNSUPPORTED | update orders set status = 1 where tenant_id = 1 and buyer_id in (2, 3) limit 1 | LIMIT
      MERGE_UNSUPPORTED | delete from orders where tenant_id = 1 and buyer_id in (2, 3) order by order_id | ORDER
      MERGE_UNSUPPORTED | select * from orders lock in share mode | locking
      MERGE_UNSUPPORTED | select status, amount from orders group by status | not grouped by
      MERGE_UNSUPPORTED | select status, amount, count(distinct buyer_id) from orders group by status | not grouped by
      MERGE_UNSUPPORTED | select status, std(amount) + tenant_id from orders group by status | not grouped by
      MERGE_UNSUPPORTED | select tenant_id, buyer_id, status from orders group by tenant_id, buyer_id | not grouped by
      MERGE_UNSUPPORTED | select status, count(*) from orders group by status order by amount + 1 | not grouped by
      MERGE_UNSUPPORTED | select distinct status from orders order by amount | does not select
      MERGE_UNSUPPORTED | select status, count(*) from orders group by status with rollup | plain GROUP BY
      MERGE_UNSUPPORTED | select status, count(*) from orders group by status desc | plain GROUP BY
      MERGE_UNSUPPORTED | select kind, count(*) from tags group by kind | type or collation
      MERGE_UNSUPPORTED | select tag from tags order by kind | type or collation
      STATEMENT_UNSUPPORTED | select * from orders join dual | FROM clause
      STATEMENT_UNSUPPORTED | select table_name, data_length from information_schema.tables | data_length
      STATEMENT_UNSUPPORTED | select * from information_schema.TABLES | numbers of rows
      STATEMENT_UNSUPPORTED | select * from information_schema.processlist | processlist
      STATEMENT_UNSUPPORTED | select * from information_schema.INNODB_TRX | INNODB_TRX
      STATEMENT_UNSUPPORTED | select o.order_id from orders o, information_schema.columns c | information_schema
      STATEMENT_UNSUPPORTED | show status | SHOW
      STATEMENT_UNSUPPORTED | show processlist | SHOW
      STATEMENT_UNSUPPORTED | show index from orders | SHOW
      STATEMENT_UNSUPPORTED | show variables like 'server_id' | SHOW
      STATEMENT_UNSUPPORTED | select @@server_id | variable
      DDL_UNSUPPORTED | truncate table orders | rows written since
      DDL_UNSUPPORTED | alter table orders change buyer_id b bigint | column buyer_id of orders decides
      DDL_UNSUPPORTED | alter table orders modify column Buyer_Id varchar(20) | copy the rows
      DDL_UNSUPPORTED | alter ignore table shop.orders add x int, modify if exists bucket_id int | bucket_id
      DDL_UNSUPPORTED | alter online table if exists orders drop column order_id | order_id
      DDL_UNSUPPORTED | alter table orders rename column tenant_id to t | tenant_id
      DDL_UNSUPPORTED | alter table orders alter buyer_id set default 1 | buyer_id
      DDL_UNSUPPORTED | alter table orders rename old_orders | keeps its name
      DDL_UNSUPPORTED | alter table countries rename as c | keeps its name
      DDL_UNSUPPORTED | rename table x to y, shop.orders to z | keeps its name
      DDL_UNSUPPORTED | alter table tags convert to character set latin1 | tag
      DDL_UNSUPPORTED | alter table orders drop partition p0 | changes rows
      DDL_UNSUPPORTED | alter table orders truncate partition p0 | changes rows
      DDL_UNSUPPORTED | create or replace table orders (a int) | keeps its name
      DDL_UNSUPPORTED | create or replace temporary table x (a int) | physical connection
      DDL_UNSUPPORTED | create table x select 1 a | other rows
      DDL_UNSUPPORTED | create table x (a int) ignore select * from orders | other rows
      DDL_UNSUPPORTED | drop database shop | server
      DDL_UNSUPPORTED | create user u identified by 'p' | roles belong to the server
      DDL_UNSUPPORTED | grant all on shop.* to u identified by 'p' | password
      LIMIT_INVALID | select order_id from orders limit -1 | negative
      """)
  void plan_unsafeStatement_isRefusedBeforeAnythingIsSent(ErrorCode code, String sql, String help) {
    assertThatThrownBy(() -> MariaDbPlans.route(sql))
        .isInstanceOfSatisfying(
            ShardwrightException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(help);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select table_name from INFORMATION_SCHEMA.tables",
        "select c.* from information_schema.COLUMNS c where table_schema = database()",
        "select database()",
        "select schema()",
        "show full tables from shop",
        "show columns from orders",
        "show databases",
        "show create table orders",
        "show variables like 'sql_mode'"
      })
  void plan_questionAboutTheSchema_goesToTheFirstShard(String sql) {
    assertThat(MariaDbPlans.route(sql).target()).isEqualTo(Route.Target.FIRST_SHARD);
  }

  @Test
  void plan_estimate_isAnsweredAsUnknown() {
    assertThat(
            MariaDbPlans.route("select INDEX_NAME, CARDINALITY from information_schema.STATISTICS")
                .anyShardStatement()
                .sql())
        .isEqualTo("select INDEX_NAME, NULL AS cardinality from information_schema.STATISTICS");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1",
        "select 1 from dual",
        "select @@version, @@session.sql_mode",
        "select now()"
      })
  void plan_noTable_goesToAnyShard(String sql) {
    assertThat(MariaDbPlans.route(sql).target()).isEqualTo(Route.Target.ANY_SHARD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alter table orders add column note varchar(20) after status, add index (status)",
        "alter table orders drop primary key, drop index i, rename index a to b",
        "alter table orders modify status int, drop column note",
        "alter table other rename to x",
        "create or replace table x like orders",
        "create definer = 'u'@'%' view v as select 1",
        "rename table a to b",
        "drop table if exists orders"
      })
  void plan_ddlThatMovesNoRow_goesToEveryShard(String sql) {
    assertThat(MariaDbPlans.route(sql).target()).isEqualTo(Route.Target.EVERY_SHARD);
  }

  @Test
  void route_nullLimit_isRefused() {
    assertThatThrownBy(
            () -> MariaDbPlans.route("select order_id from orders limit ?", (Object) null))
        .hasMessageContaining("not NULL");
  }
}
