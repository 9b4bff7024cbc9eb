-- family: Nothing to be found

-- construct: contradictions
-- class: single
SELECT order_id, amount, avg(quantity) FROM orders WHERE tenant_id = 1 AND buyer_id = 1 AND buyer_id = 2 GROUP BY 1, 2;
SELECT id, n, t FROM samples WHERE k = 1 AND k = 2;
SELECT count(*), sum(amount), max(status) FROM orders WHERE tenant_id = 1 AND buyer_id = 1 AND buyer_id = 3;
-- params: 1, 2
SELECT id FROM samples WHERE k = ? AND k = ?;
-- today: multi
SELECT id FROM samples WHERE k IN (1, 2) AND k IN (4, 5);
SELECT id FROM samples WHERE k = NULL;
-- params: null
SELECT id, t FROM samples WHERE k = ?;
SELECT id FROM samples WHERE k = 1 AND false;
SELECT id, t FROM samples WHERE k IS NULL AND k = 1;
-- class: multi
SELECT id, t FROM samples WHERE k IN (1, 2) AND 1 = 0;

-- construct: keys without rows
-- class: single
SELECT * FROM orders WHERE tenant_id = 4 AND buyer_id = 2;
SELECT count(*), max(amount) FROM orders WHERE tenant_id = 4 AND buyer_id = 2;
-- class: multi
SELECT tenant_id, order_id, amount FROM orders WHERE tenant_id = 9 AND buyer_id IN (1, 2, 3, 4, 5) ORDER BY amount;
SELECT count(*), sum(quantity), avg(amount), min(status) FROM orders WHERE tenant_id = 9 AND buyer_id IN (1, 2, 3, 4, 5);

-- construct: LIMIT 0
-- class: single
SELECT * FROM orders WHERE tenant_id = 1 AND buyer_id = 1 LIMIT 0;
-- class: scatter
SELECT order_id, amount, label FROM orders LIMIT 0;
SELECT status, count(*), avg(amount) FROM orders GROUP BY status ORDER BY status LIMIT 0;
SELECT count(*) FROM orders LIMIT 0;
SELECT DISTINCT status FROM orders ORDER BY status LIMIT 0;
-- params: 0
SELECT order_id FROM orders ORDER BY order_id LIMIT ?;

-- construct: a global aggregate over nothing gives one row
-- class: scatter
SELECT count(*), count(amount), sum(amount), avg(amount), min(status), max(created_at) FROM orders WHERE amount = 123456;
-- mariadb: SELECT coalesce(sum(amount), 0), count(DISTINCT status), min(quantity > 1), GROUP_CONCAT(status ORDER BY order_id SEPARATOR ',') FROM orders WHERE amount = 123456
SELECT coalesce(sum(amount), 0), count(DISTINCT status), bool_and(quantity > 1), string_agg(status, ',' ORDER BY order_id) FROM orders WHERE amount = 123456;
SELECT sum(quantity) + 1 FROM orders WHERE false;
SELECT count(*) FROM orders WHERE false HAVING count(*) > 0;
SELECT count(*) FROM orders WHERE false HAVING count(*) = 0;
-- mariadb: SELECT count(*) FROM orders WHERE amount = 123456 LIMIT 18446744073709551615 OFFSET 1
SELECT count(*) FROM orders WHERE amount = 123456 OFFSET 1;
SELECT 'none' WHERE NOT EXISTS (SELECT 1 FROM orders WHERE amount = 123456);

-- construct: groups over nothing give no row
-- class: scatter
SELECT status, count(*) FROM orders WHERE amount = 123456 GROUP BY status;
SELECT status, avg(amount) FROM orders WHERE false GROUP BY status HAVING count(*) > 0 ORDER BY 1;
-- only: postgres
SELECT count(*) FROM orders WHERE false GROUP BY ();
