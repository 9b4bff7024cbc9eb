-- family: MariaDB's own forms
-- database: mariadb

-- construct: backticks, double quotes as text, backslashes
-- class: single
SELECT `o`.`order_id`, o.`Mixed Case` FROM `orders` AS `o` WHERE `o`.`tenant_id` = 1 AND `o`.`buyer_id` = 1 ORDER BY `o`.`order_id`;
SELECT "tenant_id = 9" AS `a ``b`, 'it\'s', "say ""x""", 'a\\', "\" ? --" FROM orders WHERE tenant_id = 1 AND buyer_id = 4 ORDER BY order_id;
SELECT order_id # a remark ? 'with
FROM orders -- another ?
WHERE tenant_id = 1 AND buyer_id = 4 ORDER BY 1;
SELECT quantity--1, quantity -- 1
 FROM orders WHERE tenant_id = 1 AND buyer_id = 4 ORDER BY order_id;
-- today: refused SW202 on mariadb
SELECT /*! STRAIGHT_JOIN */ order_id /*M! , status */ FROM orders WHERE tenant_id = 1 AND buyer_id = 4 ORDER BY 1;
SELECT N'n', _utf8mb4'u', x'4d', b'1', 0x4d, 'a' 'b', DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00' FROM orders WHERE tenant_id = 1 AND buyer_id = 4 AND order_id = {id 1/4/1};
-- class: scatter
SELECT order_id FROM orders WHERE status = "it's" OR status = 'it\'s' OR status = "x\" OR tenant_id = 1" ORDER BY 1;
SELECT COUNT(*), COUNT( * ) FROM orders;
SELECT order_id FROM orders WHERE status LIKE 'a\%b\_c' ORDER BY 1;

-- construct: hints and index hints
-- class: single
SELECT SQL_NO_CACHE HIGH_PRIORITY order_id FROM orders FORCE INDEX (PRIMARY) WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1;
SELECT /*+ NO_INDEX_MERGE(orders) */ order_id FROM orders USE INDEX () WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1;
SELECT o.order_id, i.sku FROM orders o STRAIGHT_JOIN items i ON i.order_id = o.order_id WHERE o.order_id = {id 1/1/1} ORDER BY 2;
-- class: scatter
SELECT o.order_id, i.sku FROM orders o STRAIGHT_JOIN items i ON i.order_id = o.order_id ORDER BY 1, i.line;
SELECT order_id FROM orders IGNORE INDEX (PRIMARY) WHERE status = 'paid' ORDER BY 1;

-- construct: key conditions
-- class: single
SELECT id FROM samples WHERE k <=> 2 ORDER BY 1;
SELECT id FROM samples WHERE k = '2' ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = CAST('1' AS SIGNED) AND buyer_id = 1 ORDER BY 1;
-- class: scatter
SELECT order_id FROM orders WHERE CAST(buyer_id AS CHAR) = '10' ORDER BY 1;
SELECT id FROM samples WHERE k & 1 ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 && buyer_id = 1 || status = 'done' ORDER BY 1;
SELECT id FROM samples WHERE k XOR 1 ORDER BY 1;
SELECT order_id FROM orders WHERE tenant_id = 1 AND NOT buyer_id = 1 ORDER BY 1;
SELECT order_id FROM orders WHERE (tenant_id = 1 AND buyer_id = 1) = 1 ORDER BY 1;
SELECT order_id FROM orders WHERE !(tenant_id <> 1 OR buyer_id <> 1) ORDER BY 1;
SELECT order_id FROM orders WHERE NOT (tenant_id <> 1 OR buyer_id <> 1) XOR status = 'done' ORDER BY 1;

-- class: single
SELECT id FROM samples WHERE k = 2e0 ORDER BY 1;
SELECT id FROM samples WHERE k = true ORDER BY 1;
-- class: multi
SELECT id FROM samples WHERE k IN (1, '2') ORDER BY 1;
-- class: refused SW302
SELECT id FROM samples WHERE k = '2abc' ORDER BY 1;

-- construct: locking reads
-- class: single
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id LIMIT 1 FOR UPDATE SKIP LOCKED;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1 LOCK IN SHARE MODE;
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1 FOR UPDATE WAIT 5;
-- class: refused SW208
SELECT order_id FROM orders WHERE status = 'paid' LOCK IN SHARE MODE;

-- construct: LIMIT forms
-- class: scatter
SELECT order_id FROM orders ORDER BY order_id LIMIT 4, 5;
-- params: 4, 5
SELECT order_id FROM orders ORDER BY order_id LIMIT ?, ?;
SELECT order_id FROM orders ORDER BY order_id LIMIT 18446744073709551615 OFFSET 20;
SELECT order_id FROM orders ORDER BY order_id OFFSET 2 ROWS FETCH FIRST 3 ROWS ONLY;
SELECT order_id FROM orders ORDER BY order_id LIMIT 5 ROWS EXAMINED 100000;
-- class: single
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id LIMIT 1, 2;

-- construct: text without case, accents and trailing blanks
-- class: scatter
SELECT order_id FROM orders WHERE label = 'ZEBRA' ORDER BY 1;
SELECT order_id FROM orders WHERE nick IN ('ann', 'GUS') ORDER BY 1;
SELECT count(DISTINCT label), count(DISTINCT nick), count(DISTINCT status) FROM orders;
SELECT count(*) FROM orders GROUP BY label ORDER BY 1;
SELECT min(lower(nick)), count(*) FROM orders GROUP BY nick ORDER BY 1;
SELECT order_id FROM orders ORDER BY label, order_id;
SELECT order_id FROM orders ORDER BY nick DESC, order_id LIMIT 7;
-- fixed: 1
SELECT lower(nick) FROM orders ORDER BY nick;
SELECT order_id FROM orders WHERE label BETWEEN 'a' AND 'c' ORDER BY label, order_id;
SELECT count(*) FROM samples WHERE v = 'a' GROUP BY v;
SELECT id FROM samples WHERE v = 'SS' ORDER BY id;
SELECT count(*) FROM (SELECT DISTINCT label FROM orders) d;
SELECT label LIKE 'Z%', label REGEXP '^z', label RLIKE 'a$' FROM orders ORDER BY order_id;
SELECT status, count(*) FROM orders GROUP BY status ORDER BY status;
SELECT DISTINCT status FROM orders ORDER BY status DESC;
SELECT max(binary label), min(binary label) FROM orders;
SELECT status FROM orders ORDER BY status COLLATE utf8mb4_uca1400_ai_ci, order_id;
SELECT status, order_id FROM orders ORDER BY binary status, order_id;

-- construct: GROUP BY as MariaDB has it
-- class: scatter
SELECT quantity % 2 AS odd, count(*) FROM orders GROUP BY odd ORDER BY odd;
SELECT status AS s, count(*) AS n FROM orders GROUP BY s HAVING n > 2 ORDER BY n DESC, s;
SELECT order_id AS o, status FROM orders HAVING o > {id 2/1/1} ORDER BY o;
-- today: refused SW208 on mariadb
SELECT status, count(*) FROM orders GROUP BY status WITH ROLLUP;
-- today: refused SW208 on mariadb
SELECT status, quantity, sum(amount) FROM orders GROUP BY status, quantity WITH ROLLUP;
-- fixed: nothing
SELECT status, count(*) FROM orders GROUP BY status ORDER BY NULL;
-- today: refused SW208 on mariadb
SELECT status, count(*) FROM orders GROUP BY status DESC ORDER BY status DESC;
-- class: single
SELECT status, count(*) FROM orders WHERE tenant_id = 1 AND buyer_id = 1 GROUP BY status WITH ROLLUP;

-- construct: aggregates
-- class: scatter
SELECT group_concat(status ORDER BY order_id SEPARATOR '|') FROM orders;
SELECT status, group_concat(DISTINCT quantity ORDER BY quantity DESC) FROM orders GROUP BY status ORDER BY status;
SELECT json_arrayagg(quantity ORDER BY order_id) FROM orders WHERE tenant_id = 3;
SELECT bit_and(quantity), bit_or(quantity), bit_xor(quantity) FROM orders WHERE quantity > 0;
SELECT std(quantity), stddev(quantity), stddev_samp(quantity), variance(quantity), var_samp(quantity) FROM orders WHERE quantity BETWEEN 0 AND 100;
SELECT sum(amount), avg(amount), sum(quantity), avg(quantity), avg(ratio) FROM orders;
SELECT sum(i8), avg(i8), sum(n), avg(n), sum(b), avg(b) FROM samples;
SELECT sum(amount > 10), sum(status = 'paid') / count(*), avg(quantity > 1) FROM orders;
SELECT count(DISTINCT status, quantity) FROM orders;
SELECT sum(DISTINCT amount), avg(DISTINCT quantity) FROM orders;
SELECT ifnull(sum(amount), 0), if(count(*) > 3, 'many', 'few'), sum(amount) DIV 7, sum(quantity) MOD 7 FROM orders;
SELECT max(created_at), min(due), max(tm), min(tstz) FROM orders o JOIN samples s ON false;
SELECT min(created_at), max(created_at), min(due), max(due) FROM orders;
SELECT min(tm), max(tm), min(u), max(u), min(raw), max(raw), max(b) FROM samples;
SELECT status, avg(amount) * 2, count(DISTINCT quantity) FROM orders GROUP BY status ORDER BY status;
-- class: refused SW208
SELECT status, avg(amount) * 2, count(*), count(DISTINCT status) FROM orders GROUP BY status ORDER BY count(*) DESC, status;
-- class: single
SELECT group_concat(sku ORDER BY line) FROM items WHERE tenant_id = 1 AND buyer_id = 1;

-- construct: values that are changed with a warning
-- class: single
SELECT 1 / 0, 5 DIV 0, CAST('12abc' AS SIGNED) FROM orders WHERE tenant_id = 1 AND buyer_id = 4 AND order_id = {id 1/4/1};
-- class: scatter
SELECT order_id, quantity / 0 FROM orders WHERE quantity = 4 ORDER BY order_id;
SELECT order_id FROM orders WHERE status = 0 AND quantity = 4 ORDER BY order_id;
SELECT sum(status) FROM orders WHERE quantity = 4;

-- construct: JSON
-- class: single
SELECT json_value(meta, '$.a'), json_extract(meta, '$.tags[0]'), json_exists(meta, '$.a') FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id;
SELECT o.order_id, t.tag FROM orders o, JSON_TABLE(o.meta, '$.tags[*]' COLUMNS (tag varchar(10) PATH '$')) AS t WHERE o.tenant_id = 1 AND o.buyer_id = 1 ORDER BY 1, 2;
-- class: scatter
SELECT order_id FROM orders WHERE json_value(meta, '$.a') = '1' ORDER BY order_id;
-- today: refused SW208 on mariadb
SELECT json_value(meta, '$.a') AS a, count(*) FROM orders WHERE json_value(meta, '$.a') < 3 GROUP BY a ORDER BY a;

-- construct: INSERT ... ON DUPLICATE KEY UPDATE
-- class: single
INSERT INTO samples (k, id, t) VALUES (1, 102, 'again') ON DUPLICATE KEY UPDATE t = VALUES(t), i4 = 7;
INSERT INTO samples (k, id, t) VALUES (1, 102, 'zz') ON DUPLICATE KEY UPDATE t = VALUES(t);
INSERT INTO samples (k, id, t) VALUES (3, 900, 'new') ON DUPLICATE KEY UPDATE t = 'old';
-- params: 1, 102, 'x', 'y', 3
INSERT INTO samples (k, id, t) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE t = ?, i4 = ifnull(i4, 0) - ?;
-- class: multi
INSERT INTO samples (k, id, t) VALUES (1, 102, 'a'), (2, 104, 'b'), (3, 900, 'c') ON DUPLICATE KEY UPDATE t = concat(VALUES(t), '!');
-- params: 1, 102, 2, 104, 9
INSERT INTO samples (k, id) VALUES (?, ?), (?, ?) ON DUPLICATE KEY UPDATE i4 = ?;
-- class: refused SW206
INSERT INTO samples (k, id) VALUES (1, 102) ON DUPLICATE KEY UPDATE k = 2;

--- One row each: the trigger of the one database fails for more (MariaDB 11.4.5). See MariaDbQueryInsertTest.
-- construct: INSERT ... SELECT keeps types
-- class: scatter
INSERT INTO samples (k, id, i2, i4, i8, n, f8, b, t, v, d, tm, ts, tstz, u, raw, j) SELECT k, id + 1000, i2, i4, i8, n, f8, b, t, v, d, tm, ts, tstz, u, raw, j FROM samples WHERE id = 102;
INSERT INTO samples (k, id, t) SELECT k, id, 'again' FROM samples WHERE id = 102 ON DUPLICATE KEY UPDATE t = VALUES(t);
REPLACE INTO samples (k, id, t) SELECT k, id, 'again' FROM samples WHERE id = 102;
INSERT INTO samples (k, id, t) SELECT k, id + 1000, t FROM samples WHERE id = 102 RETURNING id, upper(t);
-- fails: 23000
INSERT INTO samples (k, id, t) SELECT k, id, 'again' FROM samples WHERE id = 102;
-- class: refused SW208
INSERT INTO samples (k, id, f4) SELECT k, id + 1000, f4 FROM samples WHERE id = 102;

-- construct: select items without a name
-- class: scatter
SELECT /* first */ max(quantity) - 1, /* c */ max(quantity) - 1, -- line
 count(*) + 1, /*a*/ /*b*/ sum(quantity), /* c */ 2, /* c */ 'x', /* c */ (max(quantity)), /* c */ x'41' FROM orders;
SELECT DISTINCT /* first */ quantity + 1, quantity /* in */ + 2, /* c */ quantity /* behind */, /* c */ -quantity /* behind */ FROM orders ORDER BY 1;

-- construct: INSERT IGNORE, REPLACE, INSERT ... SET
-- class: single
INSERT IGNORE INTO samples (k, id, t) VALUES (1, 102, 'again');
REPLACE INTO samples (k, id, t) VALUES (1, 102, 'again');
INSERT INTO samples SET k = 3, id = 900, t = 'x';
INSERT samples (k, id) VALUES (3, 900);
INSERT INTO samples (k, id, t) VALUE (3, 900, 'x');
INSERT IGNORE INTO samples (k, id, i2, t) VALUES (3, 900, 70000, 'x');
INSERT IGNORE INTO samples (k, id, i2, t) SELECT k, 900, 70000, 'x' FROM samples WHERE k = 1 AND id = 102;
-- class: multi
INSERT IGNORE INTO samples (k, id, t) VALUES (1, 102, 'a'), (2, 902, 'b');
REPLACE INTO samples (k, id, t) VALUES (1, 102, 'a'), (2, 104, 'b'), (3, 900, 'c');
-- class: refused SW302
INSERT IGNORE INTO orders (tenant_id, buyer_id, order_id) VALUES (3000000000, 1, {id 1/1/1});

-- construct: RETURNING of INSERT, REPLACE and DELETE
-- class: single
INSERT INTO samples (k, id, t) VALUES (3, 900, 'x') RETURNING id, upper(t);
DELETE FROM items WHERE order_id = {id 1/1/1} RETURNING sku, price;
REPLACE INTO samples (k, id, t) VALUES (1, 102, 'again') RETURNING id, t;
-- class: multi
-- fixed: rows
INSERT INTO samples (k, id, t) VALUES (2, 901, 'a'), (1, 902, 'b'), (3, 903, 'c') RETURNING id, t;
DELETE FROM samples WHERE k IN (1, 2) RETURNING id, t;

-- construct: UPDATE and DELETE with ORDER BY and LIMIT, of several tables
-- class: single
UPDATE orders SET status = 'first' WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id LIMIT 2;
DELETE FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id DESC LIMIT 1;
UPDATE orders o JOIN items i ON i.order_id = o.order_id SET o.status = i.sku WHERE o.order_id = {id 1/1/2};
DELETE o, i FROM orders o JOIN items i ON i.order_id = o.order_id WHERE o.order_id = {id 1/1/1};
DELETE FROM i USING items i JOIN orders o ON i.order_id = o.order_id WHERE o.order_id = {id 1/1/1};
UPDATE IGNORE samples SET t = 'x' WHERE k = 1;
UPDATE LOW_PRIORITY samples SET t = 'x', i4 = i4 - 1 WHERE k = 2;
-- class: multi
UPDATE orders SET quantity = 1 WHERE tenant_id = 1 AND buyer_id IN (1, 3) AND quantity = 1;
-- class: refused SW208
UPDATE orders SET status = 'first' WHERE tenant_id = 1 AND buyer_id IN (1, 3) ORDER BY order_id LIMIT 2;
DELETE FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3) LIMIT 1;

-- construct: set operations
-- class: single
SELECT status FROM orders WHERE tenant_id = 1 AND buyer_id = 1 EXCEPT SELECT 'paid';
-- class: scatter
SELECT order_id FROM orders INTERSECT SELECT order_id FROM items ORDER BY 1;
(SELECT order_id FROM orders ORDER BY order_id LIMIT 2) UNION ALL (SELECT order_id FROM items ORDER BY order_id, line LIMIT 2) ORDER BY 1;

-- construct: dates, bits, functions
-- class: single
SELECT date_format(created_at, '%Y-%m'), created_at + INTERVAL 1 DAY, unix_timestamp(created_at), year(created_at) FROM orders WHERE tenant_id = 1 AND buyer_id = 2 ORDER BY order_id;
SELECT i2, i4, i8, n, f4, f8, b, t, v, d, tm, ts, tstz, u, raw, j FROM samples WHERE k = 2 ORDER BY id;
-- class: scatter
SELECT date_format(created_at, '%Y-%m') AS m, count(*) FROM orders GROUP BY m ORDER BY m;
SELECT year(created_at), count(*) FROM orders GROUP BY year(created_at) ORDER BY 1;
SELECT date(created_at) AS day, sum(amount) FROM orders GROUP BY day ORDER BY day DESC LIMIT 3;
SELECT i2, i4, i8, n, f4, f8, b, t, v, d, tm, ts, tstz, u, raw, j FROM samples ORDER BY id;
SELECT order_id FROM orders WHERE created_at > '2024-01-10' - INTERVAL 2 DAY ORDER BY created_at DESC, order_id;
SELECT order_id FROM orders ORDER BY field(status, 'open', 'paid', 'done'), order_id;
--- Functions take the length of their answer from that of a last step's columns.
SELECT DISTINCT hex(raw) FROM samples ORDER BY 1;
SELECT hex(raw) AS h, id FROM samples ORDER BY h, id;
SELECT concat(raw, raw) AS twice, count(*) FROM samples GROUP BY twice HAVING count(*) > 0 ORDER BY twice;

-- construct: digits of quotients and averages
-- class: scatter
--- A quotient has more digits in the query around it than as a value.
SELECT sum(q) FROM (SELECT amount / 3 AS q FROM orders) t;
SELECT avg(q) FROM (SELECT amount / 3 AS q FROM orders) t;
SELECT sum(q) FROM (SELECT r AS q FROM (SELECT amount / 3 AS r FROM orders) a) t;
SELECT max(q) * 3 FROM (SELECT amount / 3 AS q FROM orders WHERE amount < 1000) t;
SELECT sum(x.q) FROM countries c JOIN (SELECT status, amount / 3 AS q FROM orders) x ON x.status = c.code;
WITH t AS (SELECT amount / 3 AS q FROM orders) SELECT sum(q) FROM t;
SELECT sum(q) FROM (SELECT amount / 3 AS q FROM orders UNION ALL SELECT price / 3 FROM items) t;
SELECT (SELECT sum(amount) / 7 FROM orders) * 7 AS x;
SELECT (SELECT avg(amount) FROM orders) * 26 AS x;
SELECT (SELECT round(avg(amount), 2) FROM orders) * 26 AS x;
SELECT sum(amount - (SELECT avg(amount) FROM orders)) AS x FROM orders;
--- Rows that the server stores in between have the digits of a result.
SELECT sum(q) * 7 FROM (SELECT sum(amount) / 7 AS q FROM orders) t;
SELECT sum(m) FROM (SELECT avg(amount) AS m FROM orders GROUP BY tenant_id) t;

-- construct: what only one connection knows
-- class: refused SW202
SELECT SQL_CALC_FOUND_ROWS order_id FROM orders WHERE status = 'paid' LIMIT 2;
SELECT last_insert_id();
SELECT @n := 1;
SELECT found_rows();

-- construct: names of select items with parameters
-- class: scatter
-- params: 2
SELECT avg(amount) * ? FROM orders;
-- params: 2
SELECT ? + amount, order_id FROM orders ORDER BY order_id;
-- params: 5
SELECT status, sum(quantity) + ? FROM orders GROUP BY status;
-- params: 'x'
SELECT DISTINCT concat(status, ?) FROM orders;
-- params: 2
SELECT avg(amount) * ? AS twice FROM orders;
-- class: single
-- params: 2, 'x'
SELECT ? + amount, concat(?, status) FROM orders WHERE tenant_id = 1 AND buyer_id = 1;

-- construct: RETURNING of writes to reference tables
-- class: every shard
-- today: refused SW202
INSERT INTO countries (code, name) VALUES ('zz', 'Z') RETURNING code;
-- today: refused SW202
DELETE FROM countries WHERE code = 'fr' RETURNING code, name;
