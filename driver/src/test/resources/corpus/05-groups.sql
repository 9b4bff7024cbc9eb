-- family: Aggregates and groups over several shards

-- construct: COUNT
-- class: scatter
SELECT count(*) FROM orders;
SELECT count(*), count(amount), count(status) FROM orders WHERE tenant_id = 1;
SELECT count(1), count(NULL), count(ALL quantity) FROM orders;
-- only: postgres
SELECT count(o) FROM orders o;
SELECT count(*) AS "Count", count(*) AS n FROM items;
-- class: multi
SELECT count(*) FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3, 10);

-- construct: SUM, with the database's own type
-- class: scatter
SELECT sum(i2), sum(i4), sum(n) FROM samples WHERE n <> 'NaN';
SELECT sum(i8) FROM samples;
SELECT sum(i8) FROM samples WHERE i8 > 0;
SELECT sum(amount), sum(quantity), sum(price) FROM orders o LEFT JOIN items i ON i.order_id = o.order_id;
SELECT sum(price) FROM items;
SELECT sum(f8), sum(f4) FROM samples WHERE k + 0 IN (0, 5, 8, 10, 11) AND f8 < 1e100 AND f8 > -1e100;
-- mariadb: SELECT sum(f8) FROM samples WHERE id < 108
SELECT sum(f8) FROM samples;
-- today: refused SW208 on postgres
SELECT sum(tm) FROM samples;
-- today: refused SW208 on postgres
-- mariadb: SELECT sum(ts - '2024-01-01') FROM samples WHERE ts = '2024-01-02 03:04:05.678901'
SELECT sum(ts - timestamp '2024-01-01') FROM samples WHERE ts = '2024-01-02 03:04:05.678901';
SELECT sum(quantity * amount), sum(-amount), sum(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) FROM orders;
-- params: 'paid'
SELECT sum(CASE WHEN status = ? THEN amount END) FROM orders;
-- mariadb: SELECT sum(1), sum(1.0), sum(CAST(2 AS SIGNED)) FROM orders
SELECT sum(1), sum(1.0), sum(2::smallint) FROM orders;

-- construct: AVG, with the database's own scale
-- class: scatter
SELECT avg(amount), avg(quantity), avg(price) FROM orders o LEFT JOIN items i ON i.order_id = o.order_id;
SELECT avg(amount) FROM orders WHERE status = 'paid';
SELECT avg(quantity) FROM orders WHERE quantity < 1000 AND quantity > -1000;
SELECT avg(i8), avg(i2), avg(i4) FROM samples;
SELECT avg(n) FROM samples WHERE n <> 'NaN';
SELECT avg(n) FROM samples;
SELECT avg(ratio) FROM orders;
SELECT avg(f8) FROM samples WHERE id < 108;
SELECT avg(price), avg(price * 3), avg(price / 3) FROM items WHERE price < 1000;
SELECT status, avg(amount), avg(quantity) FROM orders GROUP BY status;
-- mariadb: SELECT CAST(avg(amount) AS DECIMAL(10, 2)), round(avg(amount), 1) FROM orders
SELECT avg(amount)::numeric(10, 2), round(avg(amount), 1) FROM orders;
SELECT avg(f4) FROM samples WHERE id IN (104, 106);
SELECT avg(due - date '2024-01-01') FROM orders;

-- construct: MIN and MAX
-- class: scatter
SELECT min(order_id), max(order_id), min(amount), max(amount) FROM orders;
SELECT min(status), max(status) FROM orders;
SELECT min(created_at), max(created_at), min(due), max(due) FROM orders;
SELECT min(f8), max(f8), min(n), max(n), min(i8), max(i8) FROM samples;
SELECT min(tm), max(tm), min(d), max(d), min(ts), max(tstz) FROM samples;
SELECT min(t), max(t), min(v), max(v) FROM samples;
SELECT min(label), max(label) FROM orders;
-- today: refused SW208
-- only: postgres
SELECT min(arr), max(arr) FROM samples;
-- only: postgres
SELECT min(tz), max(tz) FROM samples;
SELECT max(lower(nick)) FROM orders;
SELECT status, min(label), max(label) FROM orders GROUP BY status;
SELECT greatest(max(quantity), 5), least(min(amount), 0) FROM orders;

-- construct: GROUP BY columns
-- class: scatter
SELECT status, count(*) FROM orders GROUP BY status;
SELECT status, quantity, count(*), sum(amount) FROM orders GROUP BY status, quantity;
SELECT count(*) FROM orders GROUP BY status;
SELECT tenant_id, count(*) FROM orders GROUP BY tenant_id ORDER BY tenant_id;
SELECT status AS s, count(*) AS n FROM orders GROUP BY s ORDER BY n DESC, s;
-- mariadb: SELECT status, count(*) FROM orders GROUP BY 1 ORDER BY 2 DESC, 1
SELECT status, count(*) FROM orders GROUP BY 1 ORDER BY 2 DESC, 1 NULLS FIRST;
SELECT n, count(*) FROM samples WHERE n <> 1 GROUP BY n ORDER BY n;
SELECT b, count(*) FROM samples GROUP BY b;
-- today: refused SW208 on mariadb
SELECT f4, count(*) FROM samples GROUP BY f4 ORDER BY f4;
SELECT d, max(id) FROM samples GROUP BY d ORDER BY d;
-- today: refused SW208 on mariadb
SELECT u, count(*) FROM samples GROUP BY u;
SELECT raw, count(*) FROM samples GROUP BY raw;
-- today: refused SW208 on mariadb
SELECT j, count(*) FROM samples WHERE id <> 104 GROUP BY j;
-- today: refused SW208
-- only: postgres
SELECT arr, count(*) FROM samples GROUP BY arr;
SELECT status FROM orders GROUP BY status ORDER BY count(*) DESC, status;
SELECT quantity FROM orders GROUP BY quantity, status ORDER BY quantity, count(*), status;
-- class: multi
SELECT status, count(*), avg(amount) FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3, 10) GROUP BY status ORDER BY status;

-- construct: GROUP BY expressions
-- class: scatter
SELECT quantity % 2, count(*) FROM orders GROUP BY quantity % 2;
-- mariadb: SELECT CAST(created_at AS DATE), sum(amount) FROM orders GROUP BY CAST(created_at AS DATE) ORDER BY 1
SELECT created_at::date, sum(amount) FROM orders GROUP BY created_at::date ORDER BY 1;
-- only: postgres
SELECT date_trunc('month', created_at) AS m, count(*) FROM orders GROUP BY m;
SELECT lower(status), count(*) FROM orders GROUP BY lower(status) ORDER BY 2, 1;
SELECT CASE WHEN amount > 10 THEN 'big' ELSE 'small' END AS size, count(*), sum(amount) FROM orders GROUP BY 1 ORDER BY 1;
SELECT quantity % 2 + 1, count(*) FROM orders GROUP BY quantity % 2 ORDER BY 1;
SELECT coalesce(status, 'none') || '!', count(*) FROM orders GROUP BY coalesce(status, 'none');
SELECT count(*) FROM orders GROUP BY status IS NULL;
-- params: 2, 2
SELECT quantity / ?, count(*) FROM orders WHERE quantity > ? GROUP BY 1;
SELECT tenant_id + buyer_id, count(*) FROM orders WHERE buyer_id < 100 GROUP BY tenant_id + buyer_id;

-- construct: GROUP BY the whole key or the id
-- class: scatter
SELECT tenant_id, buyer_id, count(*), sum(amount) FROM orders GROUP BY tenant_id, buyer_id;
-- mariadb: SELECT tenant_id, buyer_id, GROUP_CONCAT(status ORDER BY order_id SEPARATOR ','), count(DISTINCT status) FROM orders GROUP BY tenant_id, buyer_id ORDER BY tenant_id, buyer_id
SELECT tenant_id, buyer_id, string_agg(status, ',' ORDER BY order_id), count(DISTINCT status) FROM orders GROUP BY tenant_id, buyer_id ORDER BY tenant_id, buyer_id;
-- only: postgres
SELECT order_id, stddev(price), array_agg(sku ORDER BY line) FROM items GROUP BY order_id ORDER BY order_id;
-- only: postgres
SELECT buyer_id, tenant_id, percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) FROM orders GROUP BY buyer_id, tenant_id HAVING count(*) > 2 ORDER BY 1, 2;
-- mariadb: SELECT tenant_id, buyer_id, sum(amount) FROM orders GROUP BY tenant_id, buyer_id ORDER BY sum(amount) DESC, 1, 2 LIMIT 3
SELECT tenant_id, buyer_id, sum(amount) FROM orders GROUP BY tenant_id, buyer_id ORDER BY sum(amount) DESC NULLS LAST, 1, 2 LIMIT 3;
-- mariadb: SELECT k, max(i8), max(b) FROM samples GROUP BY k ORDER BY k
SELECT k, max(i8), bool_or(b) FROM samples GROUP BY k ORDER BY k;

-- construct: text in groups as the collation has it
-- class: scatter
SELECT label, count(*) FROM orders GROUP BY label ORDER BY label;
SELECT count(DISTINCT label), count(DISTINCT nick) FROM orders;
SELECT lower(min(nick)), count(*) FROM orders GROUP BY nick ORDER BY 1;
SELECT count(*) FROM orders GROUP BY nick HAVING nick = 'ANN';
-- only: postgres
SELECT status, count(*) FROM orders WHERE status IN ('paid', 'Paid', 'PAID') GROUP BY status ORDER BY status COLLATE german;
SELECT count(*), count(DISTINCT status), count(DISTINCT t) FROM orders, (SELECT 1 AS t) d;
SELECT v, count(*) FROM samples GROUP BY v ORDER BY v;

-- construct: HAVING after the merge
-- class: scatter
SELECT status, count(*) FROM orders GROUP BY status HAVING count(*) > 3;
SELECT status FROM orders GROUP BY status HAVING sum(amount) > 100 ORDER BY status;
SELECT status, sum(quantity) FROM orders GROUP BY status HAVING status <> 'paid' AND max(quantity) > 1;
SELECT status FROM orders GROUP BY status HAVING count(*) = 1 ORDER BY 1 LIMIT 2;
SELECT count(*) FROM orders HAVING count(*) > 5;
SELECT count(*) FROM orders HAVING count(*) < 5;
SELECT 1 FROM orders HAVING max(amount) > 5;
SELECT status, avg(amount) FROM orders GROUP BY status HAVING avg(amount) BETWEEN 5 AND 30 ORDER BY 2, 1;
SELECT tenant_id, count(DISTINCT status) FROM orders GROUP BY tenant_id HAVING count(DISTINCT status) > 3;
-- params: 2
SELECT quantity FROM orders GROUP BY quantity HAVING count(*) >= ? ORDER BY quantity;
-- mariadb: SELECT status FROM orders GROUP BY status HAVING max(quantity > 4) AND min(label) IS NOT NULL
SELECT status FROM orders GROUP BY status HAVING bool_or(quantity > 4) AND min(label) IS NOT NULL;
SELECT status, count(*) FROM orders GROUP BY status HAVING count(*) > (SELECT 2) ORDER BY 1;
-- class: multi
SELECT status, count(*) FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3, 4, 10) GROUP BY status HAVING count(*) > 2;

-- construct: expressions around aggregates
-- class: scatter
SELECT coalesce(sum(amount), 0), coalesce(max(status), 'none') FROM orders WHERE quantity > 1000000000;
SELECT max(amount) - min(amount) AS spread, sum(amount) / count(*) AS mean FROM orders;
-- mariadb: SELECT status, CAST(sum(quantity) AS DOUBLE) / count(*), round(avg(amount), 2) FROM orders WHERE quantity < 1000 GROUP BY status ORDER BY status
SELECT status, sum(quantity)::float8 / count(*), round(avg(amount), 2) FROM orders WHERE quantity < 1000 GROUP BY status ORDER BY status;
SELECT 100.0 * sum(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) / count(*) FROM orders;
SELECT count(*) > 10, -sum(quantity), sum(quantity) % 7, CASE WHEN count(*) > 3 THEN 'many' ELSE 'few' END FROM orders;
SELECT 'n=' || count(*) || ', max=' || max(quantity) FROM orders;
-- mariadb: SELECT max(created_at) - min(created_at), CAST(max(created_at) AS DATE), extract(day FROM max(created_at)) FROM orders
SELECT max(created_at) - min(created_at), max(created_at)::date, extract(day FROM max(created_at)) FROM orders;
-- mariadb: SELECT nullif(count(*), 29), abs(CAST(min(quantity) AS SIGNED)), format(sum(amount), 2) FROM orders
SELECT nullif(count(*), 29), abs(min(quantity)::bigint), to_char(sum(amount), '999.99') FROM orders;
-- mariadb: SELECT status, sum(amount) + sum(quantity) FROM orders GROUP BY status ORDER BY sum(amount) + sum(quantity) DESC, status
SELECT status, sum(amount) + sum(quantity) FROM orders GROUP BY status ORDER BY sum(amount) + sum(quantity) DESC NULLS LAST, status;
SELECT status || '!', count(*) * 2 FROM orders GROUP BY status ORDER BY count(*) * 2 DESC, 1;
-- params: 10
SELECT sum(amount) * ? FROM orders;
SELECT sum(quantity) FROM orders WHERE quantity < 100 GROUP BY status ORDER BY -sum(quantity), 1;

-- construct: aggregates with equal labels
-- class: scatter
SELECT sum(quantity), sum(amount), sum(buyer_id) FROM orders WHERE buyer_id < 100;
SELECT count(*), count(amount), count(DISTINCT status) FROM orders;
SELECT sum(amount) AS x, min(quantity) AS x, max(quantity) AS x, count(*) AS x FROM orders;
SELECT status AS count, count(*) FROM orders GROUP BY status;
SELECT max(status) AS status, status AS max FROM orders GROUP BY status ORDER BY orders.status;

-- construct: DISTINCT inside aggregates
-- class: scatter
SELECT count(DISTINCT status) FROM orders;
SELECT count(DISTINCT status), count(DISTINCT quantity), count(*) FROM orders;
SELECT sum(DISTINCT amount), avg(DISTINCT amount), avg(DISTINCT quantity), sum(DISTINCT quantity) FROM orders;
SELECT min(DISTINCT amount), max(DISTINCT status) FROM orders;
SELECT tenant_id, count(DISTINCT status) FROM orders GROUP BY tenant_id ORDER BY 2, 1;
-- today: refused SW208
-- only: postgres
SELECT count(DISTINCT (status, quantity)) FROM orders;
SELECT count(DISTINCT quantity % 3), count(DISTINCT lower(status)) FROM orders;
-- mariadb: SELECT GROUP_CONCAT(DISTINCT status ORDER BY status SEPARATOR ',') FROM orders
SELECT string_agg(DISTINCT status, ',' ORDER BY status) FROM orders;
-- only: postgres
SELECT array_agg(DISTINCT quantity ORDER BY quantity DESC) FROM orders;
SELECT count(DISTINCT order_id), count(DISTINCT buyer_id) FROM orders;
-- class: multi
SELECT count(DISTINCT status) FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3, 10);

-- construct: bool and bit aggregates
-- class: scatter
-- mariadb: SELECT min(quantity > 0), max(quantity > 100), min(amount IS NOT NULL) FROM orders
SELECT bool_and(quantity > 0), bool_or(quantity > 100), every(amount IS NOT NULL) FROM orders;
SELECT bit_and(quantity), bit_or(quantity), bit_xor(quantity) FROM orders WHERE quantity > 0;
-- mariadb: SELECT status, max(amount > 50), bit_or(tenant_id) FROM orders GROUP BY status ORDER BY status
SELECT status, bool_or(amount > 50), bit_or(tenant_id) FROM orders GROUP BY status ORDER BY status;

-- construct: ordered string_agg, array_agg, json_agg
-- class: scatter
-- mariadb: SELECT GROUP_CONCAT(status ORDER BY order_id SEPARATOR ',') FROM orders
SELECT string_agg(status, ',' ORDER BY order_id) FROM orders;
-- mariadb: SELECT GROUP_CONCAT(label ORDER BY label, order_id SEPARATOR '|') FROM orders
SELECT string_agg(label, '|' ORDER BY label, order_id) FROM orders;
-- only: postgres
SELECT array_agg(quantity ORDER BY order_id DESC) FROM orders;
-- mariadb: SELECT status, JSON_ARRAYAGG(order_id ORDER BY order_id), GROUP_CONCAT(nick ORDER BY order_id SEPARATOR '') FROM orders GROUP BY status
SELECT status, array_agg(order_id ORDER BY order_id), string_agg(nick, '' ORDER BY order_id) FROM orders GROUP BY status;
-- only: postgres
SELECT json_agg(status ORDER BY order_id), jsonb_agg(amount ORDER BY order_id) FROM orders WHERE quantity > 3;
-- only: postgres
SELECT json_object_agg(order_id, status ORDER BY order_id) FROM orders WHERE quantity > 5;
-- only: postgres
SELECT string_agg(status, ',' ORDER BY amount DESC, order_id) FILTER (WHERE quantity = 1) FROM orders;

-- construct: FILTER
-- class: scatter
-- only: postgres
SELECT count(*) FILTER (WHERE status = 'paid'), sum(amount) FILTER (WHERE quantity > 3) FROM orders;
-- only: postgres
SELECT status, count(*) FILTER (WHERE amount IS NULL) AS missing FROM orders GROUP BY status ORDER BY 1;
-- only: postgres
SELECT avg(amount) FILTER (WHERE amount > 0), max(status) FILTER (WHERE false) FROM orders;
-- params: 'paid'
-- only: postgres
SELECT count(*) FILTER (WHERE status = ?) FROM orders;

-- construct: statistical aggregates
-- class: scatter
SELECT stddev(amount), variance(amount), stddev_pop(quantity) FROM orders WHERE quantity BETWEEN 0 AND 100;
-- only: postgres
SELECT round(corr(ratio, quantity)::numeric, 10), round(regr_slope(ratio, quantity)::numeric, 10) FROM orders WHERE quantity BETWEEN 0 AND 100;
-- only: postgres
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount), percentile_disc(0.9) WITHIN GROUP (ORDER BY quantity) FROM orders;
-- only: postgres
SELECT mode() WITHIN GROUP (ORDER BY status) FROM orders;
-- only: postgres
SELECT any_value(tenant_id) FROM orders WHERE tenant_id = 3;

-- construct: ROLLUP, CUBE, GROUPING SETS
-- class: scatter
-- only: postgres
SELECT status, count(*) FROM orders GROUP BY ROLLUP (status);
-- only: postgres
SELECT tenant_id, status, sum(amount) FROM orders GROUP BY GROUPING SETS ((tenant_id), (status), ());
-- only: postgres
SELECT status, quantity, count(*) FROM orders GROUP BY CUBE (status, quantity);

-- construct: LIMIT over groups
-- class: scatter
SELECT status, count(*) FROM orders GROUP BY status ORDER BY count(*) DESC, status LIMIT 2;
-- mariadb: SELECT status, sum(amount) AS total FROM orders GROUP BY status ORDER BY total DESC, status LIMIT 3 OFFSET 1
SELECT status, sum(amount) AS total FROM orders GROUP BY status ORDER BY total DESC NULLS LAST, status LIMIT 3 OFFSET 1;
SELECT buyer_id, count(*) FROM orders GROUP BY buyer_id ORDER BY count(*) DESC, buyer_id LIMIT 3;
SELECT order_id, count(*) FROM items GROUP BY order_id ORDER BY count(*) DESC, order_id LIMIT 4;
-- params: 2
SELECT status, max(amount) FROM orders GROUP BY status ORDER BY 1 LIMIT ?;

-- construct: DISTINCT beside GROUP BY
-- class: scatter
SELECT DISTINCT count(*) FROM orders GROUP BY status;
SELECT DISTINCT sum(quantity), status IS NULL FROM orders WHERE quantity < 1000 GROUP BY status ORDER BY 1;

-- construct: functional dependence on the primary key
-- class: scatter
-- today: refused SW208 on mariadb
SELECT bucket_id, order_id, status, count(*) FROM orders GROUP BY bucket_id, order_id ORDER BY order_id;
-- today: refused SW208
SELECT o.bucket_id, o.order_id, o.status, count(i.line) FROM orders o JOIN items i ON i.line = o.quantity GROUP BY o.bucket_id, o.order_id;
-- today: refused SW208
-- only: postgres
SELECT o.*, count(*) FROM orders o JOIN items i ON i.line = o.quantity GROUP BY o.bucket_id, o.order_id;

-- construct: errors of the database
-- class: scatter
-- fails: 42803 on postgres
-- today: refused SW208 on mariadb
SELECT status, count(*) FROM orders;
-- fails: 42803 on postgres
-- today: refused SW208 on mariadb
SELECT status, quantity, count(*) FROM orders GROUP BY status;
-- fails: 42883 on postgres
SELECT sum(status) FROM orders;
-- fails: 42803 on postgres
-- fails: HY000 on mariadb
SELECT sum(count(*)) FROM orders;
-- fails: 42803 on postgres
-- fails: HY000 on mariadb
SELECT order_id FROM orders WHERE count(*) > 1;
-- fails: 22012 on postgres
SELECT status, sum(quantity) / sum(quantity - quantity) FROM orders GROUP BY status;

-- construct: the moment of the statement, and what is drawn once for it
-- class: scatter
-- mariadb: SELECT count(DISTINCT now(6)), count(DISTINCT curdate()) FROM orders
SELECT count(DISTINCT now()), count(DISTINCT current_date) FROM orders;
-- only: postgres
SELECT count(DISTINCT 'now'::timestamptz), count(DISTINCT CAST('Today' AS date)), count(DISTINCT timestamp 'now') FROM orders;
-- mariadb: SELECT count(*) FROM orders GROUP BY now(6)
SELECT count(*) FROM orders GROUP BY now();
-- mariadb: SELECT DISTINCT now(6) = current_timestamp(6) FROM orders
SELECT DISTINCT now() = current_timestamp FROM orders;
-- mariadb: SELECT count(DISTINCT x.at) FROM (SELECT order_id, now(6) AS at FROM orders) x
SELECT count(DISTINCT x.at) FROM (SELECT order_id, now() AS at FROM orders) x;
-- mariadb: SELECT count(DISTINCT x.r) FROM (SELECT order_id, (SELECT rand()) AS r FROM orders) x
SELECT count(DISTINCT x.r) FROM (SELECT order_id, (SELECT random()) AS r FROM orders) x;
SELECT count(*) FROM orders WHERE created_at < now() - interval '1' day;
-- mariadb: SELECT tenant_id, count(CASE WHEN created_at < now() THEN 1 END) FROM orders GROUP BY tenant_id
SELECT tenant_id, count(*) FILTER (WHERE created_at < now()) FROM orders GROUP BY tenant_id;
-- class: multi
-- today: scatter
-- mariadb: SELECT count(DISTINCT now(6)) FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3, 10)
SELECT count(DISTINCT now()) FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3, 10);
-- class: refused SW208
-- mariadb: SELECT x.order_id FROM (SELECT order_id, now(6) AS at FROM orders) x WHERE x.at = now(6)
SELECT x.order_id FROM (SELECT order_id, now() AS at FROM orders) x WHERE x.at = now();
-- mariadb: SELECT now(6) FROM orders UNION SELECT now(6) FROM items
SELECT now() FROM orders UNION SELECT now() FROM items;
