-- family: As applications and frameworks write it

-- construct: Hibernate: entity by key, lazy collection, version column
-- class: single
-- params: 1, 1L, {id 1/1/1}
select o1_0.order_id,o1_0.tenant_id,o1_0.buyer_id,o1_0.amount,o1_0.created_at,o1_0.quantity,o1_0.status from orders o1_0 where o1_0.tenant_id=? and o1_0.buyer_id=? and o1_0.order_id=?;
-- params: {id 1/1/1}
select i1_0.order_id,i1_0.line,i1_0.price,i1_0.sku from items i1_0 where i1_0.order_id=?;
-- params: {id 1/1/1}
select o1_0.order_id,i1_0.order_id,i1_0.line,i1_0.sku,o1_0.status from orders o1_0 left join items i1_0 on o1_0.order_id=i1_0.order_id where o1_0.order_id=?;
-- params: 12.50, 2, 'sent', {id 1/1/1}, 1
-- only: postgres
update orders set amount=?,quantity=?,status=? where order_id=? and quantity=?;
-- params: {id 1/1/1}, 99
-- only: postgres
delete from orders where order_id=? and quantity=?;
-- params: null, 1L, 'x', 1, {id 1/1/9}
-- only: postgres
insert into orders (amount,buyer_id,status,tenant_id,order_id) values (?,?,?,?,?);
-- class: multi
-- params: {id 1/1/1}, {id 1/3/1}, {id 2/1/1}
select i1_0.order_id,i1_0.line,i1_0.sku from items i1_0 where i1_0.order_id in (?,?,?);
-- class: scatter
-- params: 'paid'
select o1_0.order_id,o1_0.status from orders o1_0 where o1_0.status=? order by o1_0.order_id;
-- params: 'open', 0, 5
select o1_0.order_id,o1_0.amount from orders o1_0 where o1_0.status=? order by o1_0.amount desc,o1_0.order_id offset ? rows fetch first ? rows only;
-- params: 'paid'
select count(o1_0.order_id) from orders o1_0 where o1_0.status=?;
-- params: 'paid'
select distinct o1_0.order_id,o1_0.status from orders o1_0 join items i1_0 on o1_0.order_id=i1_0.order_id where o1_0.status=? order by o1_0.order_id;
select count(distinct o1_0.order_id) from orders o1_0 join items i1_0 on o1_0.order_id=i1_0.order_id;

-- construct: jOOQ: quoted names, paging, multisets
-- class: single
-- params: 1, 1L
-- mariadb: select `orders`.`order_id`, `orders`.`status` from `orders` where (`orders`.`tenant_id` = ? and `orders`.`buyer_id` = ?) order by `orders`.`order_id`
select "public"."orders"."order_id", "public"."orders"."status" from "public"."orders" where ("public"."orders"."tenant_id" = ? and "public"."orders"."buyer_id" = ?) order by "public"."orders"."order_id";
-- params: 1, 3L
-- only: postgres
select "o"."order_id", (select coalesce(jsonb_agg(jsonb_build_array("v0", "v1") order by "v0"), jsonb_build_array()) from (select "i"."line" as "v0", "i"."sku" as "v1" from "items" as "i" where "i"."order_id" = "o"."order_id") as "t") as "items" from "orders" as "o" where ("o"."tenant_id" = ? and "o"."buyer_id" = ?) order by "o"."order_id";
-- class: multi
-- params: 1, 1L, 1, 3L
-- mariadb: select `order_id` from `orders` where (`tenant_id`, `buyer_id`) in ((?, ?), (?, ?)) order by `order_id` desc
select "order_id" from "orders" where ("tenant_id", "buyer_id") in ((?, ?), (?, ?)) order by "order_id" desc;
-- class: scatter
-- params: 'open', 3, 2
-- mariadb: select `alias_1`.`order_id`, `alias_1`.`amount` from (select `orders`.`order_id`, `orders`.`amount` from `orders` where `orders`.`status` = ?) as `alias_1` order by `alias_1`.`order_id` offset ? rows fetch next ? rows only
select "alias_1"."order_id", "alias_1"."amount" from (select "orders"."order_id", "orders"."amount" from "orders" where "orders"."status" = ?) as "alias_1" order by "alias_1"."order_id" offset ? rows fetch next ? rows only;
-- params: 5.00
-- mariadb: select `status`, count(*) as `c` from `orders` where `amount` > cast(? as decimal(20, 5)) group by `status` having count(*) > 1 order by `c` desc, `status`
select "status", count(*) as "c" from "orders" where "amount" > cast(? as numeric) group by "status" having count(*) > 1 order by "c" desc, "status";

-- construct: MyBatis: where tags, foreach, page helper
-- class: single
-- params: 1, 1L, 'paid'
SELECT
    order_id, status, amount
    FROM orders
     WHERE tenant_id = ?
        AND buyer_id = ?


        AND status = ?
    ORDER BY
        created_at DESC, order_id;
-- class: multi
-- params: 1L, 3L, 10L
SELECT order_id
    FROM orders
    WHERE tenant_id = 1 AND buyer_id IN
      (
       ?
     ,
       ?
     ,
       ?
      )
    ORDER BY order_id;
-- params: 2, 901, 'a', 1, 902, 'b', 3, 903, 'c'
-- only: postgres
INSERT INTO samples (k, id, t) VALUES
      (?, ?, ?)
     ,
      (?, ?, ?)
     ,
      (?, ?, ?);
-- class: scatter
SELECT count(0) FROM orders WHERE 1 = 1 AND status = 'paid';
-- params: 'paid', 3, 3
SELECT order_id, status FROM orders WHERE status = ? ORDER BY order_id LIMIT ? OFFSET ?;
-- params: 'a'
-- mariadb: SELECT order_id FROM orders WHERE status LIKE concat('%', CAST(? AS CHAR), '%') ORDER BY order_id
SELECT order_id FROM orders WHERE status LIKE concat('%', ?::text, '%') ORDER BY order_id;

-- construct: Spring Data, JdbcTemplate, Django, ActiveRecord
-- class: single
-- params: {id 1/1/1}
-- mariadb: SELECT `orders`.`order_id` AS `order_id`, `orders`.`status` AS `status` FROM `orders` WHERE `orders`.`order_id` = ? LIMIT 1
SELECT "orders"."order_id" AS "order_id", "orders"."status" AS "status" FROM "orders" WHERE "orders"."order_id" = ? LIMIT 1;
-- mariadb: SELECT `orders`.* FROM `orders` WHERE `orders`.`tenant_id` = 1 AND `orders`.`buyer_id` = 1 ORDER BY `orders`.`order_id` ASC LIMIT 1
SELECT "orders".* FROM "orders" WHERE "orders"."tenant_id" = 1 AND "orders"."buyer_id" = 1 ORDER BY "orders"."order_id" ASC LIMIT 1;
-- mariadb: SELECT 1 AS one FROM `orders` WHERE `orders`.`tenant_id` = 1 AND `orders`.`buyer_id` = 1 LIMIT 1
SELECT 1 AS one FROM "orders" WHERE "orders"."tenant_id" = 1 AND "orders"."buyer_id" = 1 LIMIT 1;
-- mariadb: SELECT COUNT(*) AS `__count` FROM `orders` WHERE (`orders`.`tenant_id` = 1 AND `orders`.`buyer_id` = 1)
SELECT COUNT(*) AS "__count" FROM "orders" WHERE ("orders"."tenant_id" = 1 AND "orders"."buyer_id" = 1);
-- class: scatter
-- mariadb: SELECT `orders`.`status`, COUNT(`orders`.`order_id`) AS `total` FROM `orders` WHERE NOT (`orders`.`status` IS NULL) GROUP BY `orders`.`status` ORDER BY `total` DESC, `orders`.`status` ASC LIMIT 5
SELECT "orders"."status", COUNT("orders"."order_id") AS "total" FROM "orders" WHERE NOT ("orders"."status" IS NULL) GROUP BY "orders"."status" ORDER BY "total" DESC, "orders"."status" ASC LIMIT 5;
-- mariadb: SELECT SUM(`orders`.`amount`) AS `sum_amount`, AVG(`orders`.`amount`) AS `avg_amount` FROM `orders` WHERE `orders`.`created_at` >= '2024-01-05 00:00:00' AND `orders`.`created_at` < '2024-01-10 00:00:00'
SELECT SUM("orders"."amount") AS "sum_amount", AVG("orders"."amount") AS "avg_amount" FROM "orders" WHERE "orders"."created_at" >= '2024-01-05 00:00:00' AND "orders"."created_at" < '2024-01-10 00:00:00';
-- mariadb: SELECT COUNT(*) FROM (SELECT 1 AS one FROM `orders` WHERE `orders`.`status` = 'paid' LIMIT 3) subquery_for_count
SELECT COUNT(*) FROM (SELECT 1 AS one FROM "orders" WHERE "orders"."status" = 'paid' LIMIT 3) subquery_for_count;
-- mariadb: SELECT DISTINCT `orders`.`tenant_id` FROM `orders` WHERE (`orders`.`amount` > 5 OR `orders`.`status` IN ('done', 'open')) ORDER BY 1
SELECT DISTINCT "orders"."tenant_id" FROM "orders" WHERE ("orders"."amount" > 5 OR "orders"."status" IN ('done', 'open')) ORDER BY 1;

-- construct: keyset paging
-- class: single
SELECT order_id, created_at FROM orders WHERE tenant_id = 1 AND buyer_id = 1 AND (created_at, order_id) > ('2024-01-01 10:00:00', {id 1/1/1}) ORDER BY created_at, order_id LIMIT 2;
-- class: scatter
-- params: offset 2024-01-08T00:00:00Z, {id 1/4/1}
SELECT order_id, created_at FROM orders WHERE (created_at, order_id) > (?, ?) ORDER BY created_at, order_id LIMIT 5;
-- params: {id 1/4/1}
SELECT order_id FROM orders WHERE order_id > ? ORDER BY order_id LIMIT 5;
SELECT order_id, amount FROM orders WHERE amount < 30 OR (amount = 30 AND order_id > {id 1/3/3}) ORDER BY amount DESC, order_id LIMIT 6;

-- construct: queues
-- class: single
-- only: postgres
UPDATE orders SET status = 'taken' WHERE order_id = (SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 AND status = 'open' ORDER BY order_id LIMIT 1 FOR UPDATE SKIP LOCKED) AND tenant_id = 1 AND buyer_id = 1 RETURNING order_id;
DELETE FROM items WHERE tenant_id = 1 AND buyer_id = 1 AND line = (SELECT min(line) FROM items WHERE tenant_id = 1 AND buyer_id = 1) RETURNING *;

-- construct: counters, balances, stock
-- class: single
-- params: 3, 1, 1L, 3
-- only: postgres
UPDATE orders SET quantity = quantity - ? WHERE tenant_id = ? AND buyer_id = ? AND quantity >= ? AND status = 'open';
-- mariadb: INSERT INTO samples (k, id, i4) VALUES (1, 102, 1) ON DUPLICATE KEY UPDATE i4 = samples.i4 - VALUES(i4) RETURNING i4
INSERT INTO samples (k, id, i4) VALUES (1, 102, 1) ON CONFLICT (bucket_id, id) DO UPDATE SET i4 = samples.i4 - excluded.i4 RETURNING i4;
-- only: postgres
UPDATE orders SET amount = amount + CASE WHEN status = 'paid' THEN 5 ELSE -5 END WHERE tenant_id = 1 AND buyer_id = 2;
-- class: scatter
-- only: postgres
SELECT status, sum(quantity) AS stock, sum(quantity) FILTER (WHERE amount > 10) AS dear FROM orders WHERE quantity BETWEEN 0 AND 100 GROUP BY status ORDER BY stock DESC, status;

-- construct: reports
-- class: scatter
-- only: postgres
SELECT date_trunc('week', created_at) AS week, count(*) AS orders, sum(amount) AS turnover, round(avg(amount), 2) AS mean FROM orders GROUP BY 1 ORDER BY 1;
-- mariadb: SELECT tenant_id, status, count(*), sum(amount), min(created_at), max(created_at) FROM orders WHERE created_at >= '2024-01-01' AND created_at < '2024-02-01' GROUP BY tenant_id, status HAVING sum(amount) > 10 ORDER BY sum(amount) DESC, tenant_id, status
SELECT tenant_id, status, count(*), sum(amount), min(created_at), max(created_at) FROM orders WHERE created_at >= timestamptz '2024-01-01' AND created_at < timestamptz '2024-02-01' GROUP BY tenant_id, status HAVING sum(amount) > 10 ORDER BY sum(amount) DESC, tenant_id, status;
-- mariadb: SELECT o.status, count(DISTINCT o.order_id) AS orders, sum(i.price) AS total FROM orders o JOIN items i ON i.order_id = o.order_id GROUP BY o.status ORDER BY total DESC, o.status
SELECT o.status, count(DISTINCT o.order_id) AS orders, sum(i.price) AS total FROM orders o JOIN items i ON i.order_id = o.order_id GROUP BY o.status ORDER BY total DESC NULLS LAST, o.status;
SELECT sku, count(*) AS sold, sum(price) AS revenue, round(100.0 * sum(price) / sum(sum(price)) OVER (), 2) AS share FROM items WHERE price < 1000 GROUP BY sku ORDER BY sku;
-- mariadb: SELECT buyer_id, sum(amount) AS total FROM orders WHERE tenant_id = 1 GROUP BY buyer_id ORDER BY total DESC, buyer_id LIMIT 3
SELECT buyer_id, sum(amount) AS total FROM orders WHERE tenant_id = 1 GROUP BY buyer_id ORDER BY total DESC NULLS LAST, buyer_id LIMIT 3;
-- mariadb: SELECT tenant_id, buyer_id, sum(amount) AS total, rank() OVER (PARTITION BY tenant_id ORDER BY sum(amount) DESC, buyer_id) FROM orders GROUP BY tenant_id, buyer_id ORDER BY 1, 4
SELECT tenant_id, buyer_id, sum(amount) AS total, rank() OVER (PARTITION BY tenant_id ORDER BY sum(amount) DESC NULLS LAST, buyer_id) FROM orders GROUP BY tenant_id, buyer_id ORDER BY 1, 4;
SELECT CASE WHEN amount < 10 THEN '0-10' WHEN amount < 100 THEN '10-100' ELSE '100+' END AS band, count(*) FROM orders WHERE amount IS NOT NULL GROUP BY 1 ORDER BY 1;
-- only: postgres
SELECT count(*) AS total, count(*) FILTER (WHERE status = 'paid') AS paid, count(*) FILTER (WHERE status = 'paid')::numeric / nullif(count(*), 0) AS ratio FROM orders;
SELECT c.name, count(o.order_id), coalesce(sum(o.amount), 0) FROM orders o JOIN countries c ON c.code = o.status GROUP BY c.name HAVING count(o.order_id) > 1 ORDER BY 3 DESC, 1;
-- mariadb: SELECT extract(year FROM created_at) AS y, extract(month FROM created_at) AS m, count(*) FROM orders GROUP BY extract(year FROM created_at), extract(month FROM created_at) ORDER BY y, m
SELECT extract(year FROM created_at) AS y, extract(month FROM created_at) AS m, count(*) FROM orders GROUP BY extract(year FROM created_at), extract(month FROM created_at) ORDER BY y NULLS FIRST, m;
SELECT max(amount) FROM orders WHERE tenant_id = 2;
SELECT status FROM orders WHERE tenant_id = 1 GROUP BY status HAVING count(*) = count(amount) ORDER BY status;

-- construct: twenty conditions, deep parentheses, long lists
-- class: single
SELECT order_id FROM orders WHERE ((((((((((((((((((((tenant_id = 1)))))))))))))))))))) AND ((((((((((buyer_id = 1)))))))))) ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 AND (status = 'a' OR amount > 1) AND (status = 'b' OR amount > 1) AND (status = 'c' OR amount > 1) AND (status = 'd' OR amount > 1) AND (status = 'e' OR amount > 1) AND (status = 'f' OR amount > 1) AND (status = 'g' OR amount > 1) AND (status = 'h' OR amount > 1) ORDER BY 1;
-- class: multi
SELECT id FROM samples WHERE k IN (1, 2, 4, 5, 6, 8, 10, 11, 20, 21, 23, 24, 25, 26, 27, 28, 30, 31, 32, 33, 34, 35, 36, 38, 40, 41, 42, 43, 44, 45) ORDER BY id;
