-- family: How the key is found

-- construct: equality, either way round
-- class: single
SELECT order_id FROM orders WHERE 1 = tenant_id AND 1 = buyer_id ORDER BY 1;
SELECT order_id FROM orders WHERE buyer_id = 3 AND (tenant_id) = (1) ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 9223372036854775807;
SELECT id FROM samples WHERE k = +2 ORDER BY 1;
SELECT id FROM samples WHERE k = -2;
SELECT id FROM samples WHERE NOT (k <> 2) ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 AND status IS NOT NULL AND NOT (quantity > 5) ORDER BY 1;

-- construct: NOT, IS TRUE, = TRUE
-- class: single
SELECT id FROM samples WHERE NOT k <> 2 AND t IS NOT NULL ORDER BY 1;
SELECT id FROM samples WHERE NOT NOT (k = 2) ORDER BY 1;
-- params: 1, 1L
SELECT order_id FROM orders WHERE NOT (tenant_id <> ? OR buyer_id <> ? OR status IS NULL) ORDER BY 1;
SELECT order_id FROM orders WHERE (tenant_id = 1 AND buyer_id = 1) IS TRUE ORDER BY 1;
SELECT order_id FROM orders WHERE (tenant_id <> 1 OR buyer_id <> 1) IS FALSE ORDER BY 1;
SELECT order_id FROM orders WHERE (tenant_id = 1) = true AND (buyer_id <> 1) = false ORDER BY 1;
UPDATE samples SET v = 'n' WHERE NOT (k <> 2);
DELETE FROM samples WHERE (k = 2) IS TRUE AND id = 105;
-- class: multi
SELECT id FROM samples WHERE NOT (k NOT IN (1, 2)) ORDER BY 1;
SELECT id FROM samples WHERE NOT (k <> 1 AND k <> 2) ORDER BY 1;
-- class: scatter
SELECT id FROM samples WHERE NOT (k = 2) ORDER BY 1;
SELECT id FROM samples WHERE (k = 2) IS NOT FALSE ORDER BY 1;
SELECT id FROM samples WHERE NOT ((k = 2) = true) ORDER BY 1;
SELECT order_id FROM orders WHERE NOT (tenant_id <> 1 AND buyer_id <> 1) ORDER BY 1;

-- construct: gene id
-- class: single
SELECT * FROM orders WHERE order_id = {id 1/3/2};
-- params: {id 1/3/2}
SELECT status FROM orders WHERE order_id = ?;
SELECT sku FROM items WHERE order_id = {id 1/10/1} ORDER BY 1;
SELECT status FROM orders WHERE order_id = {id 1/3/2} AND tenant_id = 1 AND buyer_id = 3;
SELECT status FROM orders WHERE order_id = {id 1/3/2} AND tenant_id = 2;

-- construct: IN list
-- class: multi
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3, 10) ORDER BY 1;
-- params: 1L, 3, short 10
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id IN (?, ?, ?) ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id IN (1, 2) AND buyer_id IN (1, 2, 3);
SELECT id FROM samples WHERE k IN (1, 2, 1, 2, 2) ORDER BY id;
SELECT id FROM samples WHERE k IN (1, 2, NULL) ORDER BY id;
SELECT status FROM orders WHERE order_id IN ({id 1/1/1}, {id 1/3/1}, {id 2/1/1}) ORDER BY order_id;
-- params: {id 1/1/1}, {id 1/10/2}
SELECT status FROM orders WHERE order_id IN (?, ?) ORDER BY order_id;
-- class: single
SELECT id FROM samples WHERE k IN (2) ORDER BY id;
SELECT id FROM samples WHERE k IN (2, NULL, 2) ORDER BY id;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 2, 5) ORDER BY 1;

-- construct: OR of keys
-- class: multi
SELECT order_id FROM orders WHERE (tenant_id = 1 AND buyer_id = 1) OR (tenant_id = 1 AND buyer_id = 3) ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND (buyer_id = 1 OR buyer_id = 3 OR buyer_id = 10) ORDER BY 1;
SELECT order_id FROM orders WHERE (tenant_id = 1 AND buyer_id = 1 AND status = 'paid') OR (order_id = {id 1/3/1}) ORDER BY 1;
SELECT id FROM samples WHERE k = 1 OR k = 2 OR k IN (4, 5) ORDER BY 1;
-- class: single
SELECT order_id FROM orders WHERE (tenant_id = 1 AND buyer_id = 1) OR (tenant_id = 1 AND buyer_id = 1 AND quantity = 1) ORDER BY 1;
-- class: scatter
SELECT order_id FROM orders WHERE (tenant_id = 1 AND buyer_id = 1) OR status = 'done' ORDER BY 1;
SELECT id FROM samples WHERE k = 1 OR k IS NULL OR id = 105 ORDER BY 1;

-- construct: row values
-- class: single
SELECT order_id FROM orders WHERE (tenant_id, buyer_id) = (1, 1) ORDER BY 1;
-- params: 1, 1
SELECT order_id FROM orders WHERE (buyer_id, tenant_id) = (?, ?) ORDER BY 1;
SELECT order_id FROM orders WHERE ROW(tenant_id, buyer_id) = ROW(1, 3) ORDER BY 1;
SELECT order_id FROM orders WHERE (tenant_id, buyer_id, status) = (1, 1, 'paid') ORDER BY 1;
-- class: multi
SELECT order_id FROM orders WHERE (tenant_id, buyer_id) IN ((1, 1), (1, 3), (2, 1)) ORDER BY 1;
-- params: 1, 1, 2, 1
SELECT order_id FROM orders WHERE (tenant_id, buyer_id) IN ((?, ?), (?, ?)) ORDER BY 1;
SELECT order_id FROM orders WHERE (tenant_id, buyer_id) = (1, 1) OR (tenant_id, buyer_id) = (2, 2) ORDER BY 1;
-- class: scatter
SELECT order_id FROM orders WHERE (tenant_id, buyer_id) > (1, 10) ORDER BY 1;
SELECT order_id FROM orders WHERE (tenant_id, buyer_id) <> (1, 1) ORDER BY 1;

-- construct: casts
-- class: single
-- mariadb: SELECT order_id FROM orders WHERE tenant_id = CAST(1 AS SIGNED) AND buyer_id = CAST(1 AS SIGNED) ORDER BY 1
SELECT order_id FROM orders WHERE tenant_id = 1::int AND buyer_id = CAST(1 AS bigint) ORDER BY 1;
-- params: 1, '1'
-- mariadb: SELECT order_id FROM orders WHERE tenant_id = CAST(? AS SIGNED) AND buyer_id = CAST(? AS SIGNED) ORDER BY 1
SELECT order_id FROM orders WHERE tenant_id = ?::int AND buyer_id = CAST(? AS bigint) ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = '1' AND buyer_id = '1' ORDER BY 1;
-- only: postgres
SELECT order_id FROM orders WHERE tenant_id = int '1' AND buyer_id = bigint '1' ORDER BY 1;
-- today: scatter on mariadb
-- mariadb: SELECT order_id FROM orders WHERE CAST(tenant_id AS SIGNED) = 1 AND buyer_id = 1 ORDER BY 1
SELECT order_id FROM orders WHERE tenant_id::bigint = 1 AND buyer_id = 1 ORDER BY 1;
-- only: postgres
-- params: 1L
SELECT order_id FROM orders WHERE CAST(tenant_id AS numeric) = ? AND 1 = buyer_id::bigint ORDER BY 1;
SELECT id FROM samples WHERE k = 2.0 ORDER BY 1;
-- today: scatter on mariadb
-- mariadb: SELECT id FROM samples WHERE k = CAST(2.00 AS DECIMAL(30,10)) ORDER BY 1
SELECT id FROM samples WHERE k = 2.00::numeric ORDER BY 1;
-- only: postgres
SELECT id FROM samples WHERE k = numeric '2.50';
SELECT id FROM samples WHERE 2.5 = k;
-- params: 2.5
SELECT id FROM samples WHERE k = ?;
-- class: scatter
-- mariadb: SELECT order_id FROM orders WHERE CAST(buyer_id AS CHAR) = '1' AND tenant_id = 1 ORDER BY 1
SELECT order_id FROM orders WHERE CAST(buyer_id AS varchar) = '1' AND tenant_id = 1 ORDER BY 1;
-- mariadb: SELECT order_id FROM orders WHERE CAST(buyer_id AS CHAR) = '10' ORDER BY 1
SELECT order_id FROM orders WHERE buyer_id::text = '10' ORDER BY 1;
-- mariadb: SELECT id FROM samples WHERE CAST(k AS CHAR) IN ('2', '4') ORDER BY 1
SELECT id FROM samples WHERE CAST(k AS text) IN ('2', '4') ORDER BY 1;
-- only: postgres
SELECT id FROM samples WHERE k::numeric(30,2) = 2 ORDER BY 1;
-- mariadb: SELECT id FROM samples WHERE CAST(k AS DOUBLE) = 2 ORDER BY 1
SELECT id FROM samples WHERE k::float8 = 2 ORDER BY 1;
-- mariadb: SELECT id FROM samples WHERE k = CAST(9223372036854775807 AS DOUBLE)
SELECT id FROM samples WHERE k = 9223372036854775807::float8;

-- construct: aliases, quotes, case, schema
-- class: single
SELECT o.order_id FROM orders AS o WHERE o.tenant_id = 1 AND o.buyer_id = 1 ORDER BY 1;
-- mariadb: SELECT `o`.order_id FROM `orders` `o` WHERE `o`.`tenant_id` = 1 AND `buyer_id` = 1 ORDER BY 1
SELECT "o".order_id FROM "orders" "o" WHERE "o"."tenant_id" = 1 AND "buyer_id" = 1 ORDER BY 1;
-- mariadb: SELECT Order_Id FROM orders WHERE orders.TENANT_ID = 1 AND BUYER_ID = 1 ORDER BY 1
SELECT Order_Id FROM ORDERS WHERE Orders.TENANT_ID = 1 AND BUYER_ID = 1 ORDER BY 1;
-- mariadb: SELECT order_id FROM orders WHERE tenant_id = 1 AND orders.buyer_id = 1 ORDER BY 1
SELECT order_id FROM public.orders WHERE tenant_id = 1 AND public.orders.buyer_id = 1 ORDER BY 1;
SELECT "Mixed Case", order_id AS "Buyer_Id" FROM orders WHERE tenant_id = 1 AND buyer_id = 2 AND "Mixed Case" > 4 ORDER BY "Mixed Case";
-- today: refused SW202
-- only: postgres
SELECT a, b FROM orders AS o (bucket, a, b) WHERE a = 1 AND b = 1;
-- class: scatter
-- mariadb: SELECT `Mixed Case` FROM `orders` WHERE `orders`.`Mixed Case` > 20 ORDER BY `Mixed Case` DESC
SELECT "Mixed Case" FROM "orders" WHERE "orders"."Mixed Case" > 20 ORDER BY "Mixed Case" DESC;

-- construct: CTE and derived tables that pin the key
-- class: single
WITH mine AS (SELECT * FROM orders) SELECT order_id FROM mine WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1;
SELECT order_id FROM (SELECT * FROM orders WHERE tenant_id = 1 AND buyer_id = 1) d ORDER BY 1;
SELECT id FROM (SELECT order_id AS id, buyer_id AS b, tenant_id AS t FROM orders) d WHERE d.t = 1 AND d.b = 1 ORDER BY 1;
-- params: 1, 1L
SELECT t.* FROM (SELECT tenant_id, buyer_id, order_id, amount * 2 AS twice FROM orders WHERE status = 'paid') t WHERE t.buyer_id = ? AND tenant_id = ?;
WITH x (a, b, c) AS (SELECT k, id, t FROM samples WHERE v IS NOT NULL) SELECT b, c FROM x WHERE x.a = 2 ORDER BY 1;
SELECT d.n, o.status FROM (SELECT count(*) AS n FROM items WHERE tenant_id = 1 AND buyer_id = 1) d CROSS JOIN orders o WHERE o.tenant_id = 1 AND o.buyer_id = 1 ORDER BY o.order_id;
SELECT d.order_id, i.sku FROM (SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id DESC LIMIT 2) d JOIN items i ON i.order_id = d.order_id ORDER BY 1, 2;
SELECT a.order_id, b.parts FROM (SELECT * FROM orders WHERE status <> 'x') a JOIN (SELECT tenant_id, buyer_id, order_id, count(*) AS parts FROM items GROUP BY tenant_id, buyer_id, order_id) b ON b.tenant_id = a.tenant_id AND b.buyer_id = a.buyer_id AND b.order_id = a.order_id WHERE a.tenant_id = 1 AND a.buyer_id = 1 ORDER BY 1;
SELECT o.order_id, s.parts FROM orders o LEFT JOIN (SELECT order_id, count(*) AS parts FROM items GROUP BY order_id) s ON s.order_id = o.order_id WHERE o.tenant_id = 1 AND o.buyer_id = 1 ORDER BY 1;
SELECT k, n FROM (SELECT k, count(*) AS n FROM samples GROUP BY k HAVING count(*) > 0) g WHERE k = 2;
SELECT order_id, place FROM (SELECT tenant_id, buyer_id, order_id, row_number() OVER (PARTITION BY tenant_id, buyer_id ORDER BY order_id) AS place FROM orders) w WHERE tenant_id = 1 AND buyer_id = 1 AND place < 3 ORDER BY 1;
SELECT status FROM (SELECT DISTINCT tenant_id, buyer_id, status FROM orders) d WHERE tenant_id = 1 AND buyer_id = 1;
UPDATE orders SET quantity = 5 WHERE tenant_id = 1 AND buyer_id = 1 AND order_id IN (SELECT d.order_id FROM (SELECT i.order_id, i.line FROM items i) d WHERE d.line = 1);
-- class: multi
SELECT t.order_id FROM (SELECT tenant_id, buyer_id, order_id FROM orders WHERE quantity > 0) t WHERE t.tenant_id = 1 AND t.buyer_id IN (1, 3, 10) ORDER BY 1;
SELECT count(*), sum(t.quantity) FROM (SELECT tenant_id, buyer_id, quantity FROM orders) t WHERE t.tenant_id = 1 AND t.buyer_id IN (1, 3, 10);
-- class: single
-- today: scatter
-- mariadb: WITH k AS (SELECT 1 AS t, CAST(1 AS SIGNED) AS b) SELECT o.order_id FROM orders o JOIN k ON o.tenant_id = k.t AND o.buyer_id = k.b ORDER BY 1
WITH k AS (SELECT 1 AS t, 1::bigint AS b) SELECT o.order_id FROM orders o JOIN k ON o.tenant_id = k.t AND o.buyer_id = k.b ORDER BY 1;

-- construct: a key condition outside that must stay outside
-- class: scatter
SELECT order_id FROM (SELECT tenant_id, buyer_id, order_id FROM orders ORDER BY order_id LIMIT 7) t WHERE tenant_id = 1 AND buyer_id = 3 ORDER BY 1;
SELECT b FROM (SELECT tenant_id AS t, max(buyer_id) AS b FROM orders GROUP BY tenant_id) g WHERE t = 1 AND b = 1;
SELECT buyer_id, place FROM (SELECT tenant_id, buyer_id, order_id, row_number() OVER (PARTITION BY tenant_id ORDER BY order_id) AS place FROM orders) w WHERE tenant_id = 1 AND buyer_id = 3 ORDER BY 2;
SELECT buyer_id, n FROM (SELECT tenant_id, buyer_id, count(*) OVER () AS n FROM orders) w WHERE tenant_id = 1 AND buyer_id = 3 ORDER BY 2;
SELECT a.order_id FROM (SELECT order_id, tenant_id, buyer_id - 1 AS buyer_id FROM orders) a WHERE tenant_id = 1 AND buyer_id = 2 ORDER BY 1;
WITH x AS (SELECT tenant_id, buyer_id, order_id FROM orders) SELECT x.order_id, y.order_id FROM x JOIN x y ON y.tenant_id = x.tenant_id AND y.order_id > x.order_id WHERE x.tenant_id = 3 AND x.buyer_id = 1 ORDER BY 1, 2;
-- only: postgres
SELECT order_id FROM (SELECT DISTINCT ON (tenant_id) tenant_id, buyer_id, order_id FROM orders ORDER BY tenant_id, order_id) t WHERE tenant_id = 1 AND buyer_id = 3;
-- only: postgres
WITH RECURSIVE x AS (SELECT tenant_id, buyer_id, order_id FROM orders) SELECT order_id FROM x WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1;

-- construct: key equated through ON or USING
-- class: single
SELECT o.order_id, i.sku FROM orders o JOIN items i ON i.tenant_id = o.tenant_id AND i.buyer_id = o.buyer_id AND i.order_id = o.order_id WHERE o.tenant_id = 1 AND o.buyer_id = 1 ORDER BY 1, 2;
SELECT o.order_id, i.sku FROM orders o JOIN items i ON o.tenant_id = 1 AND o.buyer_id = 1 AND i.order_id = o.order_id ORDER BY 1, 2;
SELECT order_id, sku FROM orders JOIN items USING (tenant_id, buyer_id, order_id) WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1, 2;
SELECT order_id, sku FROM orders NATURAL JOIN items WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1, 2;
SELECT o.order_id, i.line FROM orders o LEFT JOIN items i ON i.tenant_id = o.tenant_id AND i.buyer_id = o.buyer_id AND i.order_id = o.order_id WHERE o.tenant_id = 1 AND o.buyer_id = 2 ORDER BY 1, 2;
SELECT o.order_id, i.sku FROM orders o, items i WHERE o.order_id = i.order_id AND i.order_id = {id 1/1/1} ORDER BY 2;
SELECT count(*) FROM orders a JOIN orders b ON a.tenant_id = b.tenant_id AND a.buyer_id = b.buyer_id WHERE b.tenant_id = 1 AND b.buyer_id = 1;
-- class: multi
SELECT o.order_id, i.sku FROM orders o JOIN items i ON i.order_id = o.order_id WHERE o.tenant_id = 1 AND o.buyer_id IN (1, 3, 10) ORDER BY 1, 2;

-- construct: BETWEEN and ranges over few integers
-- class: single
SELECT id FROM samples WHERE k BETWEEN 2 AND 2 ORDER BY 1;
-- class: multi
SELECT id FROM samples WHERE k BETWEEN 1 AND 2 ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id BETWEEN 1 AND 4 ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id >= 1 AND buyer_id < 5 ORDER BY 1;
-- params: 0, 3
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id > ? AND NOT buyer_id > ? ORDER BY 1;
-- class: single
SELECT id FROM samples WHERE k >= 2 AND 2 >= k ORDER BY 1;
SELECT id FROM samples WHERE k > 4 AND k < 2;
-- params: null
SELECT id FROM samples WHERE k > ? AND k < 2;
-- class: scatter
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id BETWEEN 1 AND 1000000000 ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id >= 1 AND buyer_id < 9000000000 ORDER BY 1;
SELECT id FROM samples WHERE k >= 1.5 AND k < 2.5 ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id > 3 ORDER BY 1;
-- only: postgres
SELECT order_id FROM orders WHERE tenant_id BETWEEN SYMMETRIC 2 AND 1 ORDER BY 1;

-- construct: = ANY of an array
-- class: multi
-- only: postgres
SELECT id FROM samples WHERE k = ANY (ARRAY[1, 2]) ORDER BY 1;
-- only: postgres
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = ANY ('{1,3}'::bigint[]) ORDER BY 1;
-- only: postgres
SELECT id FROM samples WHERE k = ANY (ARRAY[1, 2]::bigint[]) ORDER BY 1;
-- only: postgres
SELECT id FROM samples WHERE k = ANY ('{ 1, 2, NULL }') ORDER BY 1;
-- class: single
-- only: postgres
SELECT id FROM samples WHERE k = ANY ('{2}'::int[]) ORDER BY 1;
-- class: scatter
-- only: postgres
SELECT id FROM samples WHERE k = ANY ('{2}'::float8[]) ORDER BY 1;
-- only: postgres
SELECT id FROM samples WHERE k = ALL ('{2}'::bigint[]) ORDER BY 1;
-- only: postgres
SELECT id FROM samples WHERE NOT (k <> ANY ('{}'::bigint[])) ORDER BY 1;

-- construct: IS NOT DISTINCT FROM
-- class: single
-- mariadb: SELECT id FROM samples WHERE k <=> 2 ORDER BY 1
SELECT id FROM samples WHERE k IS NOT DISTINCT FROM 2 ORDER BY 1;
-- mariadb: SELECT id FROM samples WHERE NULL <=> k
SELECT id FROM samples WHERE NULL IS NOT DISTINCT FROM k;
-- params: 1, null
-- mariadb: SELECT order_id FROM orders WHERE tenant_id <=> ? AND buyer_id <=> ?
SELECT order_id FROM orders WHERE tenant_id IS NOT DISTINCT FROM ? AND buyer_id IS NOT DISTINCT FROM ?;
-- params: 1, 1
-- mariadb: SELECT order_id FROM orders WHERE tenant_id <=> ? AND buyer_id <=> ? ORDER BY 1
SELECT order_id FROM orders WHERE tenant_id IS NOT DISTINCT FROM ? AND buyer_id IS NOT DISTINCT FROM ? ORDER BY 1;
-- class: scatter
-- mariadb: SELECT id FROM samples WHERE NOT (k <=> 2) ORDER BY 1
SELECT id FROM samples WHERE k IS DISTINCT FROM 2 ORDER BY 1;
-- params: null
-- mariadb: SELECT o.order_id FROM orders o LEFT JOIN items i ON i.order_id = o.order_id AND i.line = 1 WHERE i.order_id <=> ? ORDER BY 1
SELECT o.order_id FROM orders o LEFT JOIN items i ON i.order_id = o.order_id AND i.line = 1 WHERE i.order_id IS NOT DISTINCT FROM ? ORDER BY 1;

-- construct: parameters of any Java type
-- class: single
-- params: 1L, short 1
SELECT order_id FROM orders WHERE tenant_id = ? AND buyer_id = ? ORDER BY 1;
-- params: 1.00, 1
SELECT order_id FROM orders WHERE tenant_id = ? AND buyer_id = ? ORDER BY 1;
-- params: byte 1, big 1
SELECT order_id FROM orders WHERE tenant_id = ? AND buyer_id = ? ORDER BY 1;
-- params: double 1, float 1
SELECT order_id FROM orders WHERE tenant_id = ? AND buyer_id = ? ORDER BY 1;
-- fails: 42883 on postgres
-- params: 1, '1'
SELECT order_id FROM orders WHERE tenant_id = ? AND buyer_id = ? ORDER BY 1;

-- construct: keys from constants in a subquery
-- class: scatter
-- mariadb: SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id IN (SELECT k FROM (SELECT 1 AS k UNION ALL SELECT 3) v)
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id IN (SELECT k FROM (VALUES (1), (3)) v(k));
-- only: postgres
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id IN (VALUES (1), (3));
WITH wanted AS (SELECT 1 AS k UNION ALL SELECT 3) SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id IN (SELECT k FROM wanted);
-- mariadb: SELECT o.order_id, v.k FROM (SELECT 1 AS k UNION ALL SELECT 3) v JOIN orders o ON o.buyer_id = v.k
SELECT o.order_id, v.k FROM (VALUES (1), (3)) v(k) JOIN orders o ON o.buyer_id = v.k;
-- only: postgres
WITH keys(t, b) AS (VALUES (1, 1), (1, 3)) SELECT o.order_id FROM orders o JOIN keys ON o.tenant_id = keys.t AND o.buyer_id = keys.b;
-- only: postgres
SELECT v.k, o.order_id FROM (VALUES (1), (99)) v(k) LEFT JOIN orders o ON o.tenant_id = 1 AND o.buyer_id = v.k;

-- construct: key computed by an expression
-- class: scatter
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 + 2 ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = abs(-3) ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id + 0 = 3 ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = quantity ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND coalesce(buyer_id, 0) = 3 ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND CASE WHEN buyer_id = 3 THEN true ELSE false END ORDER BY 1;

-- construct: conditions that look like the key but are not
-- class: scatter
SELECT order_id FROM orders WHERE tenant_id = 1 ORDER BY 1;
SELECT order_id FROM orders WHERE NOT (tenant_id = 1 AND buyer_id = 1) ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id <> 1 ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id NOT IN (1, 2) ORDER BY 1;
SELECT order_id FROM orders WHERE (tenant_id = 1 AND buyer_id = 1) IS NOT TRUE ORDER BY 1;
SELECT order_id FROM orders WHERE (tenant_id = 1 AND buyer_id = 1) IS FALSE ORDER BY 1;
SELECT order_id, tenant_id = 1 AND buyer_id = 1 AS mine FROM orders ORDER BY 1;
SELECT order_id FROM orders WHERE (tenant_id = 1) = (buyer_id = 1) ORDER BY 1;
SELECT o.order_id, i.line FROM orders o LEFT JOIN items i ON i.order_id = o.order_id AND o.tenant_id = 1 AND o.buyer_id = 1 ORDER BY 1, 2;

-- construct: bucket_id
-- class: single
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 AND bucket_id >= 0 ORDER BY 1;
-- class: scatter
SELECT bucket_id, order_id FROM orders WHERE bucket_id BETWEEN 0 AND 1023 ORDER BY 2;
