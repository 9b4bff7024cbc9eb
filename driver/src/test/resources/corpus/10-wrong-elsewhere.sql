-- family: Where a merge easily goes wrong

-- construct: LIMIT below GROUP BY
--- A limit that is pushed to the shards loses groups that are small on each and large in all.
-- class: scatter
SELECT quantity, count(*) FROM orders GROUP BY quantity ORDER BY count(*) DESC, quantity LIMIT 1;
SELECT status, count(*) FROM orders GROUP BY status ORDER BY count(*), status LIMIT 3;
SELECT status, quantity, count(*) FROM orders GROUP BY status, quantity ORDER BY quantity, status LIMIT 4;
SELECT status, max(quantity) FROM orders GROUP BY status ORDER BY status DESC LIMIT 2 OFFSET 1;
-- mariadb: SELECT status FROM orders GROUP BY status, quantity ORDER BY sum(amount), status, quantity LIMIT 5
SELECT status FROM orders GROUP BY status, quantity ORDER BY sum(amount) NULLS FIRST, status, quantity LIMIT 5;
SELECT tenant_id, count(*) FROM orders GROUP BY tenant_id, status ORDER BY count(*) DESC, tenant_id, status LIMIT 3;
SELECT DISTINCT quantity FROM orders ORDER BY quantity LIMIT 3 OFFSET 2;

-- construct: the same aggregate twice
-- class: scatter
SELECT count(*), count(*) FROM orders GROUP BY status ORDER BY status;
SELECT status, sum(amount), sum(amount) AS again, avg(amount), avg(amount) FROM orders GROUP BY status ORDER BY status;
SELECT max(quantity), max(quantity), min(quantity) FROM orders;
SELECT status, status, count(*) FROM orders GROUP BY status, status ORDER BY 1, 2;

-- construct: names that mean two things
-- class: scatter
SELECT -amount AS amount, order_id FROM orders ORDER BY amount, order_id;
SELECT quantity % 2 AS quantity, count(*) FROM orders GROUP BY quantity ORDER BY count(*), 1;
SELECT max(amount) AS amount, status FROM orders GROUP BY status ORDER BY amount, status;
SELECT lower(status) AS status, count(*) FROM orders GROUP BY status ORDER BY orders.status;
SELECT o.order_id, i.order_id AS other FROM orders o JOIN items i ON i.order_id = o.order_id ORDER BY o.order_id, i.line;
SELECT count(*) AS quantity FROM orders GROUP BY status ORDER BY quantity, status;
SELECT count(*) AS order_id FROM orders HAVING count(order_id) > 3;
SELECT o.status AS s, i.sku AS s FROM orders o JOIN items i ON i.order_id = o.order_id ORDER BY o.order_id, i.line;
-- fails: 42702 on postgres
-- fails: 23000 on mariadb
SELECT order_id FROM orders o JOIN items i ON i.order_id = o.order_id;
-- fails: 42702 on postgres
-- fails: 23000 on mariadb
-- today: refused SW208 on mariadb
SELECT amount AS x, quantity AS x FROM orders ORDER BY x;

-- construct: NULL in groups, order, DISTINCT and aggregates
-- class: scatter
SELECT status, quantity, count(*) FROM orders WHERE status IS NULL GROUP BY status, quantity ORDER BY quantity;
SELECT count(DISTINCT status), count(status), count(*) FROM orders WHERE status IS NULL;
SELECT sum(amount), avg(amount), min(amount), max(amount), count(amount) FROM orders WHERE amount IS NULL;
-- mariadb: SELECT status, sum(amount), avg(quantity) FROM orders WHERE amount IS NULL GROUP BY status ORDER BY status
SELECT status, sum(amount), avg(quantity) FROM orders WHERE amount IS NULL GROUP BY status ORDER BY status NULLS FIRST;
-- mariadb: SELECT DISTINCT CAST(NULL AS SIGNED), status IS NULL FROM orders
SELECT DISTINCT NULL::int, status IS NULL FROM orders;
-- mariadb: SELECT status FROM orders WHERE status IS NULL OR status = '' ORDER BY status, order_id
SELECT status FROM orders WHERE status IS NULL OR status = '' ORDER BY status NULLS FIRST, order_id;
-- only: postgres
SELECT bool_and(NULL::boolean), string_agg(NULL::text, ',' ORDER BY order_id) FROM orders;
SELECT order_id FROM orders WHERE NOT (status = 'paid') ORDER BY 1;
-- only: postgres
SELECT order_id FROM orders WHERE status <> ALL (ARRAY['paid', NULL]) ORDER BY 1;
SELECT order_id FROM orders WHERE status NOT IN ('paid', NULL) ORDER BY 1;

-- construct: equal values that look different
-- class: scatter
SELECT count(DISTINCT n) FROM samples WHERE n BETWEEN 0.5 AND 1.5;
SELECT count(*) FROM samples WHERE n BETWEEN 0.5 AND 1.5 GROUP BY n;
SELECT count(DISTINCT f8) FROM samples;
SELECT count(*) FROM samples WHERE f8 = 0 GROUP BY f8;
-- today: refused SW208 on mariadb
SELECT count(DISTINCT j) FROM samples;
-- only: postgres
SELECT count(DISTINCT tz), count(DISTINCT tstz) FROM samples;
SELECT count(DISTINCT v), count(DISTINCT t) FROM samples;
-- today: refused SW208 on mariadb
SELECT count(*) FROM samples WHERE j = '{"k": 1}' GROUP BY j;
SELECT max(price) = 123456789012345678901234567890.123456789 FROM items;
SELECT count(*) FROM items GROUP BY price HAVING price = 8.5;

-- construct: scale and width of numbers
-- class: scatter
SELECT sum(price) FROM items WHERE sku = 'ink';
SELECT avg(price) FROM items WHERE sku IN ('pen', 'ink');
SELECT sum(i8), sum(i8) / 2, avg(i8) FROM samples WHERE i8 = 9223372036854775807;
-- only: postgres
SELECT sum(i4), pg_typeof(sum(i4)), pg_typeof(sum(i8)), pg_typeof(avg(i4)) FROM samples;
SELECT sum(amount) / 3, avg(amount) * 3, sum(quantity) / count(quantity) FROM orders WHERE quantity < 1000 AND quantity > -1000;
-- mariadb: SELECT CAST(sum(amount) AS SIGNED), CAST(avg(quantity) AS SIGNED), CAST(max(amount) AS DOUBLE) FROM orders WHERE amount < 1000 AND amount > -1000 AND quantity < 1000
SELECT sum(amount)::int, avg(quantity)::int, max(amount)::float8 FROM orders WHERE amount < 1000 AND amount > -1000 AND quantity < 1000;
-- mariadb: SELECT avg(CAST(quantity AS SIGNED)), avg(CAST(quantity AS SIGNED)), avg(CAST(quantity AS DECIMAL(30,10))), avg(CAST(quantity AS DECIMAL(20, 4))) FROM orders WHERE quantity BETWEEN 0 AND 100
SELECT avg(quantity::smallint), avg(quantity::bigint), avg(quantity::numeric), avg(quantity::numeric(20, 4)) FROM orders WHERE quantity BETWEEN 0 AND 100;
SELECT stddev_samp(quantity) FROM orders WHERE quantity = 4;
SELECT sum(ratio), avg(ratio) FROM orders WHERE ratio > 0;
-- fails: 22003 on postgres
-- fails: 42000 on mariadb
SELECT sum(i8)::bigint FROM samples WHERE i8 = 9223372036854775807;

-- construct: HAVING and expressions that no shard can judge
-- class: scatter
SELECT status FROM orders GROUP BY status HAVING count(*) = 1 ORDER BY 1;
SELECT status FROM orders GROUP BY status HAVING NOT (count(*) > 2) ORDER BY 1;
SELECT quantity FROM orders GROUP BY quantity HAVING min(order_id) < max(order_id) ORDER BY 1;
SELECT status, count(*) - count(amount) AS missing FROM orders GROUP BY status HAVING count(*) <> count(amount) ORDER BY 1;
SELECT status, coalesce(sum(amount), 0) + coalesce(max(quantity), 0) FROM orders GROUP BY status ORDER BY 2, 1;
-- only: postgres
SELECT sum(amount) FILTER (WHERE status = 'paid') / sum(amount) FROM orders WHERE amount BETWEEN 0 AND 1000;
SELECT (max(created_at) - min(created_at)) / count(*) FROM orders;

-- construct: a condition on one side of an outer join
-- class: scatter
SELECT o.order_id, i.sku FROM orders o LEFT JOIN items i ON i.order_id = o.order_id AND i.sku = 'pen' WHERE o.status = 'paid' ORDER BY 1, i.line;
SELECT o.order_id, i.sku FROM orders o LEFT JOIN items i ON i.order_id = o.order_id WHERE i.sku = 'pen' OR i.sku IS NULL ORDER BY 1, i.line;
SELECT o.order_id, c.name FROM orders o LEFT JOIN countries c ON c.code = o.status AND c.name = 'Paidland' ORDER BY 1;
SELECT count(*), count(c.code) FROM orders o LEFT JOIN countries c ON false;
SELECT o.order_id, i.line, c.name FROM orders o LEFT JOIN items i ON i.order_id = o.order_id LEFT JOIN countries c ON c.code = i.sku ORDER BY 1, 2;
-- class: multi
SELECT o.order_id, i.sku FROM orders o LEFT JOIN items i ON i.order_id = o.order_id AND i.tenant_id = 1 AND i.buyer_id = 3 WHERE o.tenant_id = 1 AND o.buyer_id IN (1, 3) ORDER BY 1, i.line;
-- class: scatter
SELECT o.order_id, i.sku FROM orders o LEFT JOIN items i ON i.order_id = o.order_id AND i.tenant_id = 1 AND i.buyer_id = 3 ORDER BY 1, i.line;

-- construct: text that contains SQL
-- class: scatter
-- only: postgres
SELECT 'LIMIT 1 OFFSET 2', 'ORDER BY', $$GROUP BY 'x'$$ FROM orders WHERE status = 'it''s' OR status = 'x'' OR tenant_id = 1 --';
SELECT order_id AS "select", status AS "order by 1" FROM orders ORDER BY "order by 1", "select";
SELECT count(*) /* LIMIT 1 */ FROM orders -- GROUP BY status
 WHERE status <> '/* paid */';
-- only: postgres
SELECT E'\'', U&'\00e9', B'101', X'1f', 1e3, .5, 1_000 FROM orders WHERE status = 'done';

-- construct: parameters in many places
-- class: scatter
-- params: 'x', 1, 'paid', 2, 0
-- mariadb: SELECT CAST(? AS CHAR) AS tag, quantity + ? FROM orders WHERE status = ? ORDER BY order_id LIMIT ? OFFSET ?
SELECT ?::text AS tag, quantity + ? FROM orders WHERE status = ? ORDER BY order_id LIMIT ? OFFSET ?;
-- params: 2, 'paid', 0
SELECT quantity / ?, count(*) FROM orders WHERE status = ? GROUP BY 1 HAVING count(*) > ? ORDER BY 1;
-- fails: 42803 on postgres
-- params: 3, 3
-- today: refused SW208 on mariadb
SELECT quantity % ?, count(*) FROM orders GROUP BY quantity % ? ORDER BY 1;
-- params: ',', 1
-- only: postgres
SELECT string_agg(status, ? ORDER BY order_id) FROM orders WHERE quantity = ?;
-- params: 1, 5
SELECT order_id FROM orders ORDER BY CASE WHEN quantity = ? THEN 0 ELSE 1 END, order_id LIMIT ?;
-- class: multi
-- params: 'x', 1, 1, 3, 'paid', 2
-- mariadb: SELECT CAST(? AS CHAR), order_id FROM orders WHERE tenant_id = ? AND buyer_id IN (?, ?) AND status <> ? ORDER BY order_id LIMIT ?
SELECT ?::text, order_id FROM orders WHERE tenant_id = ? AND buyer_id IN (?, ?) AND status <> ? ORDER BY order_id LIMIT ?;

-- construct: where a row is, and who wrote it
--- Rows of two shards have equal places.
-- class: single
-- only: postgres
SELECT tableoid::regclass, xmin = xmax FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
-- class: refused SW208
-- only: postgres
SELECT count(DISTINCT ctid) FROM orders;
-- only: postgres
SELECT ctid, count(*) FROM orders GROUP BY ctid HAVING count(*) > 1;
-- only: postgres
DELETE FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3) AND ctid = '(0,1)';
-- class: refused SW208
-- only: postgres
SELECT order_id FROM orders WHERE ctid IN (SELECT ctid FROM orders WHERE tenant_id = 1 AND buyer_id = 1);

-- construct: functions of one connection to one shard
-- class: refused SW202
-- only: postgres
SELECT setval('jobs_id_seq', 5), lastval(), order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
-- only: postgres
SELECT setval('jobs_id_seq', 5), currval('jobs_id_seq') FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
-- only: postgres
SELECT order_id, pg_advisory_xact_lock(1) FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
-- only: postgres
SELECT query_to_xml('SELECT count(*) FROM orders', true, true, '') FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
-- only: postgres
SELECT pg_relation_size('orders') FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
-- only: postgres
SELECT current_query() FROM orders WHERE tenant_id = 1 AND buyer_id = 1;

-- construct: a comment behind the end
--- The physical drivers take it for a second statement.
-- class: scatter
SELECT count(*) FROM orders; -- all of them
;
SELECT order_id FROM orders WHERE NOT EXISTS (SELECT 1 FROM orders x WHERE x.amount > orders.amount); /* best */ ;
-- class: single
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1; -- hers
;
