-- family: One shard: whatever the database can do

-- construct: plain SELECT
-- class: single
SELECT * FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
SELECT order_id, status, amount * 2 AS twice, label, meta, due FROM orders WHERE tenant_id = 1 AND buyer_id = 2 ORDER BY order_id;
-- params: 1, 2L
SELECT count(*) FROM orders WHERE tenant_id = ? AND buyer_id = ?;
SELECT * FROM samples WHERE k = 1 ORDER BY id;

-- construct: CTE
-- class: single
WITH mine AS (SELECT * FROM orders WHERE tenant_id = 1 AND buyer_id = 1) SELECT status, count(*) FROM mine GROUP BY status;
WITH mine AS (SELECT order_id, amount FROM orders WHERE tenant_id = 1 AND buyer_id = 1), big AS (SELECT * FROM mine WHERE amount > 10) SELECT m.order_id, b.amount FROM mine m LEFT JOIN big b USING (order_id) ORDER BY 1;
-- mariadb: WITH mine AS (SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 3) SELECT sku FROM items WHERE tenant_id = 1 AND buyer_id = 3 AND order_id IN (SELECT order_id FROM mine) ORDER BY sku
WITH mine AS MATERIALIZED (SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 3) SELECT sku FROM items WHERE tenant_id = 1 AND buyer_id = 3 AND order_id IN (SELECT order_id FROM mine) ORDER BY sku;
-- params: 1, 4
WITH mine (id, s) AS (SELECT order_id, status FROM orders WHERE tenant_id = ? AND buyer_id = ?) SELECT id, s FROM mine ORDER BY id;

-- construct: recursive CTE
-- class: single
WITH RECURSIVE line (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM line WHERE n < 3) SELECT o.order_id, l.n FROM orders o CROSS JOIN line l WHERE o.tenant_id = 1 AND o.buyer_id = 2 ORDER BY 1, 2;

-- construct: window functions
-- class: single
-- mariadb: SELECT order_id, row_number() OVER (ORDER BY amount, order_id) FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id
SELECT order_id, row_number() OVER (ORDER BY amount NULLS LAST, order_id) FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id;
SELECT order_id, lag(amount) OVER w, sum(quantity) OVER w FROM orders WHERE tenant_id = 2 AND buyer_id = 2 WINDOW w AS (ORDER BY order_id) ORDER BY order_id;
SELECT status, rank() OVER (PARTITION BY status ORDER BY created_at), ntile(2) OVER (ORDER BY order_id) FROM orders WHERE tenant_id = 1 AND buyer_id = 10 ORDER BY order_id;
SELECT order_id, first_value(status) OVER (ORDER BY order_id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1;

-- construct: subqueries
-- class: single
SELECT order_id, (SELECT max(price) FROM items i WHERE i.tenant_id = 1 AND i.buyer_id = 1 AND i.order_id = o.order_id) FROM orders o WHERE o.tenant_id = 1 AND o.buyer_id = 1 ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 3 AND order_id IN (SELECT order_id FROM items WHERE tenant_id = 1 AND buyer_id = 3 AND price > 5) ORDER BY 1;
SELECT order_id FROM orders o WHERE tenant_id = 1 AND buyer_id = 1 AND amount = (SELECT max(amount) FROM orders WHERE tenant_id = 1 AND buyer_id = 1);
SELECT order_id FROM orders o WHERE tenant_id = 1 AND buyer_id = 2 AND NOT EXISTS (SELECT 1 FROM items i WHERE i.tenant_id = o.tenant_id AND i.buyer_id = o.buyer_id AND i.order_id = o.order_id);
-- mariadb: SELECT s.status, s.n FROM (SELECT status, count(*) AS n FROM orders WHERE tenant_id = 1 AND buyer_id = 1 GROUP BY status) s WHERE s.n > 0 ORDER BY 1
SELECT s.status, s.n FROM (SELECT status, count(*) AS n FROM orders WHERE tenant_id = 1 AND buyer_id = 1 GROUP BY status) s WHERE s.n > 0 ORDER BY 1 NULLS FIRST;
-- today: scatter
-- only: postgres
SELECT o.order_id, last.sku FROM orders o, LATERAL (SELECT sku FROM items i WHERE i.order_id = o.order_id ORDER BY line DESC LIMIT 1) last WHERE o.tenant_id = 1 AND o.buyer_id = 1 ORDER BY 1;

-- construct: set operations
-- class: single
SELECT status FROM orders WHERE tenant_id = 1 AND buyer_id = 1 UNION SELECT status FROM orders WHERE tenant_id = 1 AND buyer_id = 1 AND quantity > 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 EXCEPT SELECT order_id FROM items WHERE tenant_id = 1 AND buyer_id = 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 INTERSECT ALL SELECT order_id FROM items WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1;

-- construct: grouping sets, ROLLUP, CUBE
-- class: single
-- only: postgres
SELECT status, quantity, count(*) FROM orders WHERE tenant_id = 1 AND buyer_id = 1 GROUP BY ROLLUP (status, quantity);
-- only: postgres
SELECT status, quantity, grouping(status), sum(amount) FROM orders WHERE tenant_id = 1 AND buyer_id = 1 GROUP BY GROUPING SETS ((status), (quantity), ());
-- only: postgres
SELECT status, count(*) FROM orders WHERE tenant_id = 2 AND buyer_id = 2 GROUP BY CUBE (status);

-- construct: aggregates of every kind
-- class: single
-- only: postgres
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount), mode() WITHIN GROUP (ORDER BY status) FROM orders WHERE tenant_id = 1 AND buyer_id = 2;
-- mariadb: SELECT GROUP_CONCAT(order_id ORDER BY order_id DESC), JSON_ARRAYAGG(status ORDER BY order_id), GROUP_CONCAT(label ORDER BY label SEPARATOR ', ') FROM orders WHERE tenant_id = 1 AND buyer_id = 2
SELECT array_agg(order_id ORDER BY order_id DESC), json_agg(status ORDER BY order_id), string_agg(label, ', ' ORDER BY label) FROM orders WHERE tenant_id = 1 AND buyer_id = 2;
-- only: postgres
SELECT stddev(amount), variance(quantity), corr(ratio, quantity), count(*) FILTER (WHERE status = 'paid') FROM orders WHERE tenant_id = 1 AND buyer_id = 2;
-- only: postgres
SELECT DISTINCT ON (status) status, order_id FROM orders WHERE tenant_id = 2 AND buyer_id = 2 ORDER BY status, order_id DESC;

-- construct: JSON, arrays, ranges, regular expressions
-- class: single
-- only: postgres
SELECT meta ->> 'a', meta -> 'tags' -> 0, meta #>> '{tags,1}', meta @> '{"a": 1}' FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id;
-- only: postgres
SELECT meta ->> 'a', jsonb_array_length(meta -> 'tags') FROM orders WHERE tenant_id = 1 AND buyer_id = 1 AND jsonb_exists(meta, 'tags');
-- only: postgres
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 2 AND meta ?? 'a';
-- only: postgres
SELECT jsonb_path_query(meta, '$.a') FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id;
-- only: postgres
SELECT arr[1], arr || 7, array_length(arr, 1), 2 = ANY (arr) FROM samples WHERE k = 2 ORDER BY id;
-- only: postgres
SELECT status ~ '^p', status SIMILAR TO 'p%', status LIKE 'p\_%', status ILIKE 'PA%' FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id;
-- only: postgres
SELECT daterange(due, due + 3) @> date '2024-02-02' FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id;
-- only: postgres
SELECT x.value FROM orders o, jsonb_array_elements_text(o.meta -> 'tags') AS x (value) WHERE o.tenant_id = 1 AND o.buyer_id = 1 AND o.order_id = {id 1/1/1} ORDER BY 1;

-- construct: comments, hints, odd layout
-- class: single
/*+ IndexScan(orders) */ SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 4 ORDER BY 1;
-- only: postgres
SELECT /* the ' quote; and ? mark */ order_id -- WHERE buyer_id = 7
FROM orders /* nested /* comment */ here */ WHERE tenant_id = 1 AND buyer_id = 4 ORDER BY 1;
-- mariadb: select ORDER_ID from	orders where TENANT_ID=1 and buyer_id=4 order by 1
select ORDER_ID from	Orders where TENANT_ID=1 and buyer_id=4 order by 1;
-- only: postgres
SELECT 'tenant_id = 9; -- ?' AS "odd ""label""", $$ buyer_id = ? $$, E'it\'s', U&'d\0061ta' FROM orders WHERE tenant_id = 1 AND buyer_id = 4 AND order_id = {id 1/4/1};
(SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 4 ORDER BY order_id DESC LIMIT 1);
SELECT quantity-1, quantity -1, - quantity, quantity--1
 FROM orders WHERE tenant_id = 1 AND buyer_id = 4 ORDER BY order_id;

-- construct: locking reads
-- class: single
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id LIMIT 1 FOR UPDATE SKIP LOCKED;
-- only: postgres
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1 FOR NO KEY UPDATE NOWAIT;
-- only: postgres
SELECT o.order_id FROM orders o JOIN items i USING (tenant_id, buyer_id, order_id) WHERE o.tenant_id = 1 AND o.buyer_id = 1 ORDER BY 1 FOR SHARE OF o;

-- construct: LIMIT WITH TIES, expressions, TABLESAMPLE of all
-- class: single
SELECT status FROM orders WHERE tenant_id = 2 AND buyer_id = 2 ORDER BY status FETCH FIRST 1 ROW WITH TIES;
-- only: postgres
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id LIMIT 1 + 1 OFFSET (SELECT 1);
-- today: refused SW202
-- only: postgres
SELECT order_id FROM orders TABLESAMPLE SYSTEM (100) WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1;

-- construct: collations, time zones, casts
-- class: single
-- mariadb: SELECT label FROM orders WHERE tenant_id = 1 AND buyer_id = 2 ORDER BY label COLLATE utf8mb4_bin
SELECT label FROM orders WHERE tenant_id = 1 AND buyer_id = 2 ORDER BY label COLLATE "C";
SELECT nick, count(*) OVER (PARTITION BY nick) FROM orders WHERE tenant_id = 1 AND buyer_id = 2 ORDER BY order_id;
-- only: postgres
SELECT created_at AT TIME ZONE 'Europe/Berlin', created_at::date, extract(dow FROM created_at), date_trunc('month', created_at) FROM orders WHERE tenant_id = 1 AND buyer_id = 2 ORDER BY order_id;
-- mariadb: SELECT i2, i4, i8, n, f4, f8, b, t, v, d, tm, ts, tstz, u, raw, j FROM samples WHERE k = 2 ORDER BY id
SELECT i2, i4, i8, n, f4, f8, b, t, v, d, tm, tz, ts, tstz, u, raw, j, arr FROM samples WHERE k = 2 ORDER BY id;

-- construct: warnings of the database
-- class: single
-- only: postgres
SELECT warned(quantity) FROM orders WHERE tenant_id = 1 AND buyer_id = 4 ORDER BY order_id;

-- construct: errors of the database
-- class: single
-- fails: 22012 on postgres
SELECT 1 / (quantity - 1) FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
-- fails: 22P02 on postgres
-- fails: 42000 on mariadb
SELECT status::int FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
-- fails: 42883 on postgres
-- fails: 42000 on mariadb
SELECT no_such_function(status) FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
-- fails: 22003 on postgres
SELECT quantity + 1 FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
-- fails: 42703 on postgres
-- fails: 42S22 on mariadb
SELECT no_such_column FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
-- fails: 42803 on postgres
SELECT status, count(*) FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
