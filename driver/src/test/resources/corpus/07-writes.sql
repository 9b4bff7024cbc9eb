-- family: Writes

-- construct: INSERT of one row
-- class: single
-- only: postgres
INSERT INTO orders (tenant_id, buyer_id, order_id, status) VALUES (1, 6, {id 1/6/1}, 'new');
-- params: 2, 5L, {id 2/5/1}, 'new', 1.50
-- only: postgres
INSERT INTO orders (tenant_id, buyer_id, order_id, status, amount) VALUES (?, ?, ?, ?, ?);
-- only: postgres
INSERT INTO samples (k, id, t) VALUES (3, 900, 'x');
-- only: postgres
INSERT INTO samples (id, t, k) VALUES (900, 'x', '3');
-- mariadb: INSERT INTO samples (k, id, i2, n, d) VALUES (3, 900, DEFAULT, 1 + 1, '2024-01-01')
INSERT INTO samples (k, id, i2, n, d, arr) VALUES (3, 900, DEFAULT, 1 + 1, date '2024-01-01', ARRAY[1, 2]);
-- mariadb: INSERT INTO `orders` (`tenant_id`, BUYER_ID, order_id, `Mixed Case`) VALUES (1, 6, {id 1/6/1}, 5)
INSERT INTO "orders" AS o ("tenant_id", BUYER_ID, order_id, "Mixed Case") VALUES (1, 6, {id 1/6/1}, 5);
-- mariadb: INSERT INTO samples (k, id) VALUES (3, 900)
INSERT INTO public.samples (k, id) VALUES (3, 900);
-- today: refused SW202
-- only: postgres
INSERT INTO samples (k, id, t) VALUES (3, 900, (SELECT 'sub' || 1));
-- only: postgres
INSERT INTO samples (bucket_id, k, id) VALUES (10, 3, 900);
-- fails: 23505 on postgres
-- fails: 23000 on mariadb
INSERT INTO samples (k, id) VALUES (1, 102);
-- fails: 22003
INSERT INTO samples (k, id, i2) VALUES (3, 900, 70000);
-- fails: 22P02 on postgres
-- fails: 22007 on mariadb
INSERT INTO samples (k, id, i4) VALUES (3, 900, 'abc');
-- fails: 42703 on postgres
-- fails: 42S22 on mariadb
INSERT INTO samples (k, id, nope) VALUES (3, 900, 1);
-- today: refused SW201
-- fails: 42601 on postgres
-- fails: 21S01 on mariadb
INSERT INTO samples (k, id) VALUES (3, 900, 1);
-- fails: 23502 on postgres
-- fails: 23000 on mariadb
INSERT INTO samples (k, id) VALUES (3, NULL);

-- construct: INSERT without the key, or with NULL or a wrong gene
-- class: refused SW205
-- fails: P0002 on postgres
-- fails: 23000 on mariadb
INSERT INTO samples (id, t) VALUES (900, 'x');

-- construct: INSERT of many rows
-- class: multi
-- only: postgres
INSERT INTO samples (k, id, t) VALUES (1, 901, 'a'), (2, 902, 'b'), (3, 903, 'c'), (1, 904, NULL);
-- params: 1, 901, 'a', 2L, 902, 'b'
-- only: postgres
INSERT INTO samples (k, id, t) VALUES (?, ?, ?), (?, ?, ?);
-- only: postgres
INSERT INTO orders (tenant_id, buyer_id, order_id, status) VALUES (1, 6, {id 1/6/1}, 'new'), (1, 3, {id 1/3/9}, 'it''s, (x)'), (2, 1, {id 2/1/9}, DEFAULT);
-- fails: 23505 on postgres
-- fails: 23000 on mariadb
INSERT INTO samples (k, id) VALUES (3, 901), (2, 104), (1, 903);
-- fails: 22P02 on postgres
-- fails: 22007 on mariadb
INSERT INTO samples (k, id, i4) VALUES (1, 901, '1'), (2, 902, 'x');
-- class: single
-- only: postgres
INSERT INTO samples (k, id) VALUES (3, 901), (3, 902), (7, 903);

-- construct: INSERT ... RETURNING
-- class: single
INSERT INTO samples (k, id, t) VALUES (3, 900, 'x') RETURNING *;
INSERT INTO samples (k, id, t) VALUES (3, 900, 'x') RETURNING id, upper(t) AS loud;
-- class: multi
-- fixed: rows
INSERT INTO samples (k, id, t) VALUES (2, 901, 'a'), (1, 902, 'b'), (3, 903, 'c'), (2, 904, 'd') RETURNING id, t;
-- fixed: rows
INSERT INTO samples (k, id) VALUES (5, 903), (2, 902), (1, 901) RETURNING *;
-- fixed: rows
-- params: 5, 903, 2, 902, 1, 901
INSERT INTO samples (k, id) VALUES (?, ?), (?, ?), (?, ?) RETURNING id + 1;

-- construct: generated keys
-- class: single
-- keys: id
-- only: postgres
INSERT INTO samples (k, id) VALUES (3, 900);
-- class: multi
-- keys: id, t
-- only: postgres
INSERT INTO samples (k, id, t) VALUES (5, 903, 'x'), (2, 902, 'y'), (1, 901, 'z');

-- construct: INSERT ... ON CONFLICT
-- class: single
-- mariadb: INSERT IGNORE INTO samples (k, id, t) VALUES (1, 102, 'again')
INSERT INTO samples (k, id, t) VALUES (1, 102, 'again') ON CONFLICT DO NOTHING;
-- mariadb: INSERT INTO samples (k, id, t) VALUES (1, 102, 'again') ON DUPLICATE KEY UPDATE t = VALUES(t), i4 = 7 RETURNING id, t, i4
INSERT INTO samples (k, id, t) VALUES (1, 102, 'again') ON CONFLICT (bucket_id, id) DO UPDATE SET t = excluded.t, i4 = 7 RETURNING id, t, i4;
-- params: 1, 102, 'again', 'updated', 3
-- mariadb: INSERT INTO samples (k, id, t) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE t = ?, i4 = coalesce(i4, 0) - ?
INSERT INTO samples AS s (k, id, t) VALUES (?, ?, ?) ON CONFLICT (bucket_id, id) DO UPDATE SET t = ?, i4 = coalesce(s.i4, 0) - ?;
-- only: postgres
INSERT INTO samples AS s (k, id, t) VALUES (1, 102, 'again') ON CONFLICT (bucket_id, id) DO UPDATE SET t = 'x' WHERE s.t = 'nope';
-- class: multi
-- mariadb: INSERT INTO samples (k, id, t) VALUES (1, 102, 'a'), (2, 104, 'b'), (3, 900, 'c') ON DUPLICATE KEY UPDATE t = VALUES(t)
INSERT INTO samples (k, id, t) VALUES (1, 102, 'a'), (2, 104, 'b'), (3, 900, 'c') ON CONFLICT (bucket_id, id) DO UPDATE SET t = excluded.t;
-- fixed: rows
-- mariadb: INSERT INTO samples (k, id, t) VALUES (3, 900, 'c'), (2, 104, 'b'), (1, 102, 'a') ON DUPLICATE KEY UPDATE t = concat(VALUES(t), '!') RETURNING id, t
INSERT INTO samples (k, id, t) VALUES (3, 900, 'c'), (2, 104, 'b'), (1, 102, 'a') ON CONFLICT (bucket_id, id) DO UPDATE SET t = excluded.t || '!' RETURNING id, t;
-- params: 1, 102, 'a', 2, 104, 'b', 'same', 9
-- mariadb: INSERT INTO samples (k, id, t) VALUES (?, ?, ?), (?, ?, ?) ON DUPLICATE KEY UPDATE t = concat(VALUES(t), ?), i4 = ?
INSERT INTO samples (k, id, t) VALUES (?, ?, ?), (?, ?, ?) ON CONFLICT (bucket_id, id) DO UPDATE SET t = excluded.t || ?, i4 = ?;
-- mariadb: INSERT IGNORE INTO samples (k, id) VALUES (1, 102), (2, 902)
INSERT INTO samples (k, id) VALUES (1, 102), (2, 902) ON CONFLICT DO NOTHING;
-- fails: 21000 on postgres
-- fails: 42000 on mariadb
INSERT INTO samples (k, id) VALUES (1, 901), (1, 901), (2, 902) ON CONFLICT (bucket_id, id) DO UPDATE SET t = 'x';

-- construct: ON CONFLICT DO UPDATE of a key column
-- class: refused SW206
-- mariadb: INSERT INTO samples (k, id) VALUES (1, 102) ON DUPLICATE KEY UPDATE k = 2
INSERT INTO samples (k, id) VALUES (1, 102) ON CONFLICT (bucket_id, id) DO UPDATE SET k = 2;

-- construct: INSERT ... SELECT
-- class: single
-- today: any shard
INSERT INTO orders (tenant_id, buyer_id, order_id, status) SELECT 1, 6, {id 1/6/1}, 'computed';
-- mariadb: INSERT INTO items (tenant_id, buyer_id, order_id, line, sku, price) SELECT tenant_id, buyer_id, order_id, 9, 'copy', amount FROM orders WHERE tenant_id = 1 AND buyer_id = 3 AND order_id = {id 1/3/1}
INSERT INTO items (tenant_id, buyer_id, order_id, line, sku, price) OVERRIDING SYSTEM VALUE SELECT tenant_id, buyer_id, order_id, 9, 'copy', amount FROM orders WHERE tenant_id = 1 AND buyer_id = 3 AND order_id = {id 1/3/1};
-- class: scatter
INSERT INTO orders (tenant_id, buyer_id, order_id, status, amount, ratio, quantity, created_at) SELECT tenant_id, buyer_id, order_id + 8796093022208, 'copy', amount, ratio, quantity, created_at FROM orders WHERE quantity = 100;
INSERT INTO samples (k, id, t) SELECT k, id + 1000, t FROM samples WHERE t = 'no such text';
-- only: postgres
INSERT INTO orders (tenant_id, buyer_id, order_id, status) SELECT tenant_id, buyer_id, order_id + 8796093022208, 'copy' FROM orders WHERE status = 'paid';

-- construct: WITH before INSERT
-- class: single
-- only: postgres
WITH x AS (SELECT tenant_id, buyer_id, order_id, amount FROM orders WHERE tenant_id = 1 AND buyer_id = 3 AND order_id = {id 1/3/1}) INSERT INTO items (tenant_id, buyer_id, order_id, line, sku, price) OVERRIDING SYSTEM VALUE SELECT tenant_id, buyer_id, order_id, 9, 'copy', amount FROM x;
-- class: scatter
-- only: postgres
-- params: 1000, 'no such text'
WITH x (a, b) AS (SELECT k, id + ? FROM samples WHERE t = ?) INSERT INTO samples (k, id) SELECT a, b FROM x;
-- only: postgres
/* before */ WITH x AS (SELECT k, id FROM samples WHERE id = 102), y AS (SELECT k, id + 1000 AS id FROM x) INSERT INTO samples (k, id, t) SELECT k, id, 'x' FROM y ON CONFLICT DO NOTHING RETURNING id, t;
-- class: any shard
-- only: postgres
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) INSERT INTO samples (k, id, t) SELECT i, 900 + i, 'n' FROM n;
-- class: refused SW202
-- only: postgres
WITH x AS (SELECT 1 AS a) INSERT INTO samples (k, id) VALUES ((SELECT a FROM x), 900);
-- only: postgres
WITH x AS (SELECT 1 AS a) INSERT INTO samples (k, id) VALUES (1, 900);
-- only: postgres
WITH x AS (SELECT 1 AS a) INSERT INTO samples (k, id) WITH y AS (SELECT 900 AS b) SELECT a, b FROM x, y;
-- only: postgres
WITH x AS (SELECT 'zz' AS code) INSERT INTO countries (code, name) SELECT code, 'x' FROM x;

-- construct: UPDATE by key
-- class: single
-- only: postgres
UPDATE orders SET status = 'sent' WHERE tenant_id = 1 AND buyer_id = 1;
-- params: 'sent', 1, 1
-- only: postgres
UPDATE orders SET status = ?, quantity = coalesce(quantity, 0) - 1 WHERE tenant_id = ? AND buyer_id = ? AND amount < 100;
-- only: postgres
UPDATE orders SET (status, amount) = ('s', 1), label = DEFAULT WHERE order_id = {id 1/1/1};
-- only: postgres
UPDATE orders o SET amount = i.price FROM items i WHERE i.order_id = o.order_id AND i.line = 1 AND o.tenant_id = 1 AND o.buyer_id = 1;
-- only: postgres
UPDATE orders SET amount = (SELECT sum(price) FROM items i WHERE i.tenant_id = 1 AND i.buyer_id = 1) WHERE tenant_id = 1 AND buyer_id = 1 RETURNING order_id, amount;
-- only: postgres
UPDATE ONLY orders SET meta = jsonb_set(meta, '{a}', '5') WHERE tenant_id = 1 AND buyer_id = 1;
-- only: postgres
UPDATE orders SET status = 'none' WHERE tenant_id = 4 AND buyer_id = 2;
-- only: postgres
WITH last AS (SELECT max(order_id) AS id FROM orders WHERE tenant_id = 1 AND buyer_id = 1) UPDATE orders o SET status = 'last' FROM last WHERE o.order_id = last.id AND o.tenant_id = 1 AND o.buyer_id = 1;
-- fails: 22003
UPDATE orders SET amount = 99999999999 WHERE tenant_id = 1 AND buyer_id = 1;

-- construct: UPDATE by several keys
-- class: multi
-- only: postgres
UPDATE orders SET status = 'sent' WHERE tenant_id = 1 AND buyer_id IN (1, 3, 10);
-- params: 9, 1, 3
-- only: postgres
UPDATE orders SET quantity = ? WHERE tenant_id = 1 AND buyer_id IN (?, ?);
-- only: postgres
UPDATE orders SET status = 'x' WHERE (tenant_id, buyer_id) IN ((1, 1), (2, 1)) AND quantity = 1 RETURNING order_id, status;
-- only: postgres
UPDATE orders SET amount = amount + 1 WHERE order_id IN ({id 1/1/1}, {id 1/3/1}, {id 2/1/1});
-- only: postgres
UPDATE orders o SET status = i.sku FROM items i WHERE i.order_id = o.order_id AND i.line = 2 AND o.tenant_id = 1 AND o.buyer_id IN (1, 3, 10);
-- only: postgres
UPDATE orders SET status = (SELECT name FROM countries WHERE code = 'paid') WHERE tenant_id = 1 AND buyer_id IN (1, 3);
-- fails: 22012
UPDATE orders SET quantity = 1 / (quantity - 5) WHERE tenant_id = 1 AND buyer_id IN (1, 3);

-- construct: UPDATE without the key
-- class: refused SW205
-- only: postgres
UPDATE orders SET status = 'x';
-- only: postgres
UPDATE orders SET status = 'x' WHERE status = 'open';
-- only: postgres
UPDATE orders SET status = 'x' WHERE tenant_id = 1;

-- construct: UPDATE of a key column, the gene id or bucket_id
-- class: refused SW206
-- only: postgres
UPDATE orders SET buyer_id = 2 WHERE tenant_id = 1 AND buyer_id = 1;
-- mariadb: UPDATE orders SET status = 'x', `tenant_id` = tenant_id WHERE tenant_id = 1 AND buyer_id = 1
UPDATE orders SET status = 'x', "tenant_id" = tenant_id WHERE tenant_id = 1 AND buyer_id = 1;
-- only: postgres
UPDATE orders SET (status, order_id) = ('x', 1) WHERE tenant_id = 1 AND buyer_id = 1 AND quantity = 99;
-- only: postgres
UPDATE samples SET bucket_id = 1 WHERE k = 1;

-- construct: DELETE by key
-- class: single
-- only: postgres
DELETE FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
-- params: {id 1/1/1}
DELETE FROM items WHERE order_id = ? RETURNING sku, price;
-- only: postgres
DELETE FROM items USING orders WHERE items.order_id = orders.order_id AND orders.tenant_id = 1 AND orders.buyer_id = 1 AND orders.status = 'paid';
-- only: postgres
DELETE FROM orders WHERE tenant_id = 1 AND buyer_id = 1 AND order_id IN (SELECT order_id FROM items WHERE tenant_id = 1 AND buyer_id = 1);
-- only: postgres
DELETE FROM samples s WHERE s.k = 1 AND s.id > 102;
-- today: refused SW202
-- only: postgres
WITH gone AS (DELETE FROM items WHERE tenant_id = 1 AND buyer_id = 1 RETURNING sku) SELECT count(*) FROM gone;

-- construct: DELETE by several keys
-- class: multi
-- only: postgres
DELETE FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3, 10);
DELETE FROM orders WHERE order_id IN ({id 1/1/1}, {id 1/3/1}) RETURNING order_id, status;
-- only: postgres
DELETE FROM samples WHERE k = 1 OR k = 2;
-- params: 1L, 5L
-- only: postgres
DELETE FROM samples WHERE k IN (?, ?) AND i4 IS NOT NULL;

-- construct: DELETE without the key
-- class: refused SW205
-- only: postgres
DELETE FROM orders;
-- only: postgres
DELETE FROM orders WHERE status = 'open';

-- construct: writes that find nothing
-- class: single
-- only: postgres
UPDATE samples SET t = 'x' WHERE k = 1 AND k = 2;
-- only: postgres
DELETE FROM samples WHERE k = 1 AND false;
-- only: postgres
UPDATE samples SET t = 'x' WHERE k = NULL;
-- class: multi
DELETE FROM samples WHERE k IN (1, 2) AND id = 0 RETURNING *;

-- construct: writing CTEs
-- class: single
-- today: refused SW202
-- only: postgres
WITH moved AS (DELETE FROM items WHERE order_id = {id 1/1/1} RETURNING tenant_id, buyer_id, order_id, line, sku, price) INSERT INTO items (tenant_id, buyer_id, order_id, line, sku, price) OVERRIDING SYSTEM VALUE SELECT tenant_id, buyer_id, order_id, line + 10, sku || '2', price FROM moved;

-- construct: MERGE
-- class: single
-- today: refused SW202
-- only: postgres
MERGE INTO orders o USING (SELECT 1 AS t, 1 AS b) n ON o.tenant_id = 1 AND o.buyer_id = 1 AND o.quantity = n.b WHEN MATCHED THEN UPDATE SET status = 'merged';

-- construct: TRUNCATE
-- class: refused SW503
TRUNCATE orders;

-- construct: bucket_id that is not the key's
-- class: refused SW303
-- only: postgres
INSERT INTO samples (bucket_id, k, id) VALUES (1, 3, 900);
