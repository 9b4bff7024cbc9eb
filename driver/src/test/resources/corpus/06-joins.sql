-- family: Joins and subqueries over several shards

-- construct: INNER JOIN on the key or the id
-- class: scatter
SELECT o.order_id, i.sku, i.price FROM orders o JOIN items i ON i.order_id = o.order_id ORDER BY 1, 2, 3;
SELECT o.order_id, i.sku FROM orders o JOIN items i ON i.tenant_id = o.tenant_id AND i.buyer_id = o.buyer_id AND i.order_id = o.order_id ORDER BY 1, i.line;
SELECT o.status, count(*), sum(i.price) FROM orders o JOIN items i USING (tenant_id, buyer_id, order_id) GROUP BY o.status ORDER BY 1;
SELECT o.order_id, i.line FROM orders o, items i WHERE i.order_id = o.order_id AND o.status = 'paid' ORDER BY 1, 2;
SELECT * FROM orders o JOIN items i ON i.order_id = o.order_id WHERE i.price > 9 ORDER BY o.order_id, i.line;
SELECT o.*, i.sku FROM orders o JOIN items i ON i.order_id = o.order_id;
SELECT a.order_id, b.order_id FROM orders a JOIN orders b ON a.tenant_id = b.tenant_id AND a.buyer_id = b.buyer_id AND a.order_id < b.order_id ORDER BY 1, 2;
SELECT a.order_id, b.line, c.line FROM orders a JOIN items b ON b.order_id = a.order_id JOIN items c ON c.order_id = b.order_id AND c.line > b.line ORDER BY 1, 2, 3;
SELECT order_id, sku FROM orders NATURAL JOIN items ORDER BY order_id, line;
SELECT a.id, b.id FROM samples a JOIN samples b ON a.k = b.k WHERE a.id < b.id ORDER BY 1;
-- class: multi
SELECT o.order_id, i.sku FROM orders o JOIN items i ON i.order_id = o.order_id WHERE (o.tenant_id, o.buyer_id) IN ((1, 1), (1, 3)) ORDER BY 1, 2;

-- construct: LEFT JOIN on the key or the id
-- class: scatter
SELECT o.order_id, i.sku FROM orders o LEFT JOIN items i ON i.order_id = o.order_id ORDER BY 1, 2;
SELECT o.order_id FROM orders o LEFT JOIN items i ON i.order_id = o.order_id WHERE i.line IS NULL ORDER BY 1;
SELECT o.order_id, count(i.line), coalesce(sum(i.price), 0) FROM orders o LEFT JOIN items i ON i.order_id = o.order_id GROUP BY o.order_id ORDER BY 1;
SELECT o.order_id, i.sku FROM orders o LEFT JOIN items i ON i.order_id = o.order_id AND i.price > 5 AND o.status = 'paid' ORDER BY 1, i.line;
SELECT count(*), count(i.sku) FROM orders o LEFT JOIN items i USING (tenant_id, buyer_id, order_id);

-- construct: RIGHT and FULL JOIN on the key or the id
-- class: scatter
SELECT o.order_id, i.sku FROM items i RIGHT JOIN orders o ON i.order_id = o.order_id ORDER BY 1, i.line;
-- only: postgres
SELECT o.order_id, i.sku FROM orders o FULL JOIN items i ON i.order_id = o.order_id ORDER BY 1, i.line;
-- only: postgres
SELECT count(*) FROM orders o FULL OUTER JOIN items i ON i.order_id = o.order_id AND o.status = 'paid';
-- class: single
-- today: scatter
SELECT o.order_id, i.sku FROM items i RIGHT JOIN orders o ON i.order_id = o.order_id AND i.tenant_id = 1 AND i.buyer_id = 1 WHERE o.tenant_id = 1 AND o.buyer_id = 1 ORDER BY 1, i.line;

-- construct: joins that are not on the key
-- class: scatter
SELECT o.order_id, i.sku FROM orders o JOIN items i ON i.price = o.amount;
SELECT a.order_id, b.order_id FROM orders a JOIN orders b ON a.status = b.status;
SELECT count(*) FROM orders o CROSS JOIN items i;
SELECT count(*) FROM orders o, items i WHERE o.buyer_id = i.buyer_id;
SELECT o.order_id, s.t FROM orders o JOIN samples s ON s.k = o.buyer_id;
SELECT o.order_id FROM orders o JOIN items i ON i.order_id >= o.order_id;
SELECT a.order_id FROM orders a JOIN orders b ON a.tenant_id = b.tenant_id AND a.buyer_id = b.buyer_id + 0;

-- construct: joins with a reference table
-- class: scatter
SELECT o.order_id, c.name FROM orders o JOIN countries c ON c.code = o.status ORDER BY 1;
SELECT o.order_id, c.name FROM orders o LEFT JOIN countries c ON c.code = o.status ORDER BY 1;
SELECT c.name, count(*) FROM orders o JOIN countries c ON c.code = o.status GROUP BY c.name ORDER BY 1;
SELECT c.name, o.order_id, i.sku FROM countries c JOIN orders o ON o.status = c.code JOIN items i ON i.order_id = o.order_id ORDER BY 2, i.line;
SELECT count(*) FROM orders o CROSS JOIN countries c;
SELECT o.order_id, c.name FROM orders o, countries c WHERE c.code = o.status AND c.name LIKE 'P%' ORDER BY 1;
-- class: multi
SELECT o.order_id, c.name FROM orders o LEFT JOIN countries c ON c.code = o.status WHERE o.tenant_id = 1 AND o.buyer_id IN (1, 3) ORDER BY 1;
-- class: single
SELECT o.order_id, c.name FROM orders o LEFT JOIN countries c ON c.code = o.status WHERE o.tenant_id = 1 AND o.buyer_id = 1 ORDER BY 1;
SELECT c.code, o.order_id FROM countries c LEFT JOIN orders o ON o.status = c.code AND o.tenant_id = 1 AND o.buyer_id = 1 ORDER BY 1, 2;

-- construct: a reference table LEFT JOINed to a sharded one
-- class: scatter
SELECT c.code, o.order_id FROM countries c LEFT JOIN orders o ON o.status = c.code ORDER BY 1, 2;
SELECT c.name, count(o.order_id) FROM countries c LEFT JOIN orders o ON o.status = c.code GROUP BY c.name ORDER BY 1;
SELECT c.code FROM countries c LEFT JOIN orders o ON o.status = c.code WHERE o.order_id IS NULL ORDER BY 1;
SELECT o.order_id, c.code FROM orders o RIGHT JOIN countries c ON o.status = c.code ORDER BY 1, 2;

-- construct: EXISTS and NOT EXISTS tied by the key
-- class: scatter
SELECT order_id FROM orders o WHERE EXISTS (SELECT 1 FROM items i WHERE i.order_id = o.order_id AND i.price > 9) ORDER BY 1;
SELECT order_id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM items i WHERE i.tenant_id = o.tenant_id AND i.buyer_id = o.buyer_id AND i.order_id = o.order_id) ORDER BY 1;
SELECT status, count(*) FROM orders o WHERE EXISTS (SELECT 1 FROM items i WHERE i.order_id = o.order_id) GROUP BY status;
SELECT order_id, EXISTS (SELECT 1 FROM items i WHERE i.order_id = o.order_id) FROM orders o ORDER BY 1;
SELECT order_id FROM orders o WHERE EXISTS (SELECT * FROM countries c WHERE c.code = o.status) ORDER BY 1;
SELECT order_id FROM orders o WHERE status = 'paid' OR EXISTS (SELECT 1 FROM items i WHERE i.order_id = o.order_id AND i.sku = 'hat') ORDER BY 1;

-- construct: semi-joins: IN (SELECT ...) tied by the key
-- class: scatter
SELECT order_id FROM orders WHERE order_id IN (SELECT order_id FROM items WHERE price > 9) ORDER BY 1;
SELECT order_id FROM orders WHERE (tenant_id, buyer_id, order_id) IN (SELECT tenant_id, buyer_id, order_id FROM items WHERE sku = 'pen') ORDER BY 1;
SELECT order_id FROM orders WHERE order_id NOT IN (SELECT order_id FROM items) ORDER BY 1;
SELECT order_id FROM orders WHERE order_id = ANY (SELECT order_id FROM items WHERE sku = 'pen') ORDER BY 1;
SELECT order_id FROM orders o WHERE status IN (SELECT code FROM countries) ORDER BY 1;
SELECT order_id FROM orders o WHERE status NOT IN (SELECT code FROM countries) ORDER BY 1;
SELECT id FROM samples WHERE k IN (SELECT k FROM samples WHERE b) ORDER BY 1;
SELECT order_id FROM orders o WHERE order_id IN (SELECT i.order_id FROM items i WHERE i.order_id = o.order_id AND i.line = 2) ORDER BY 1;

-- construct: subqueries that need rows of other shards
-- class: scatter
SELECT order_id FROM orders WHERE amount = (SELECT max(amount) FROM orders);
SELECT order_id FROM orders WHERE amount > (SELECT avg(price) FROM items WHERE price < 1000);
SELECT order_id FROM orders WHERE status IN (SELECT sku FROM items);
SELECT order_id FROM orders WHERE quantity NOT IN (SELECT quantity FROM orders WHERE status = 'done');
SELECT order_id FROM orders WHERE amount NOT IN (SELECT price FROM items);
SELECT order_id FROM orders o WHERE EXISTS (SELECT 1 FROM items i WHERE i.price = o.amount);
SELECT order_id, (SELECT count(*) FROM items) FROM orders;
SELECT order_id FROM orders WHERE amount > ALL (SELECT price FROM items WHERE price < 100);
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 AND amount > (SELECT avg(amount) FROM orders);
SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM items);

-- construct: scalar subqueries tied by the key
-- class: scatter
SELECT order_id, (SELECT max(price) FROM items i WHERE i.order_id = o.order_id) FROM orders o ORDER BY 1;
SELECT order_id, (SELECT count(*) FROM items i WHERE i.tenant_id = o.tenant_id AND i.buyer_id = o.buyer_id) FROM orders o ORDER BY 1;
SELECT order_id, (SELECT name FROM countries c WHERE c.code = o.status) FROM orders o ORDER BY 1;
SELECT order_id FROM orders o WHERE amount >= (SELECT coalesce(sum(price), 0) FROM items i WHERE i.order_id = o.order_id) ORDER BY 1;
SELECT order_id FROM orders o WHERE quantity = (SELECT max(quantity) FROM orders p WHERE p.tenant_id = o.tenant_id AND p.buyer_id = o.buyer_id) ORDER BY 1;
SELECT order_id FROM orders o ORDER BY (SELECT count(*) FROM items i WHERE i.order_id = o.order_id) DESC, order_id LIMIT 5;
-- fails: 21000
SELECT order_id, (SELECT sku FROM items i WHERE i.order_id = o.order_id) FROM orders o;

-- construct: derived tables that use the query around them
-- class: scatter
-- only: postgres
SELECT order_id, (SELECT max(t.p) FROM (SELECT price AS p FROM items i WHERE i.order_id = o.order_id) t) FROM orders o ORDER BY 1;
-- only: postgres
SELECT order_id FROM orders o WHERE EXISTS (SELECT 1 FROM (SELECT sku FROM items i WHERE i.order_id = o.order_id ORDER BY line LIMIT 1) t WHERE t.sku = 'pen') ORDER BY 1;
-- only: postgres
SELECT order_id, (WITH t AS (SELECT price FROM items i WHERE i.order_id = o.order_id) SELECT count(*) FROM t) FROM orders o ORDER BY 1;
-- only: postgres
SELECT order_id, (SELECT count(*) FROM (SELECT 1 FROM items i WHERE i.price > o.amount) t) FROM orders o ORDER BY 1;
-- class: single
-- only: postgres
SELECT order_id, (SELECT max(t.p) FROM (SELECT price AS p FROM items i WHERE i.order_id = o.order_id) t) FROM orders o WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1;
-- only: postgres
SELECT order_id, (WITH t AS (SELECT price FROM items i WHERE i.order_id = o.order_id) SELECT count(*) FROM t) FROM orders o WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1;

-- construct: LATERAL tied by the key
-- class: scatter
-- only: postgres
SELECT o.order_id, l.sku FROM orders o CROSS JOIN LATERAL (SELECT sku FROM items i WHERE i.order_id = o.order_id ORDER BY line DESC LIMIT 1) l ORDER BY 1;
-- only: postgres
SELECT o.order_id, l.n FROM orders o LEFT JOIN LATERAL (SELECT count(*) AS n FROM items i WHERE i.order_id = o.order_id) l ON true ORDER BY 1;

-- construct: derived tables and CTEs
-- class: scatter
SELECT d.order_id FROM (SELECT order_id, status FROM orders WHERE amount > 10) d WHERE d.status = 'open' ORDER BY 1;
SELECT status, n FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) d WHERE n > 2 ORDER BY 1;
SELECT max(n) FROM (SELECT tenant_id, buyer_id, count(*) AS n FROM orders GROUP BY tenant_id, buyer_id) d;
SELECT avg(total) FROM (SELECT order_id, sum(price) AS total FROM items GROUP BY order_id) d WHERE total < 1000;
WITH paid AS (SELECT * FROM orders WHERE status = 'paid') SELECT order_id, amount FROM paid WHERE quantity > 1 ORDER BY 1;
WITH paid AS (SELECT order_id FROM orders WHERE status = 'paid') SELECT i.sku FROM items i JOIN paid p ON p.order_id = i.order_id ORDER BY i.order_id, i.line;
WITH totals AS (SELECT order_id, sum(price) AS total FROM items GROUP BY order_id) SELECT o.order_id, o.amount, t.total FROM orders o JOIN totals t ON t.order_id = o.order_id ORDER BY 1;
SELECT d.n FROM (SELECT count(*) AS n FROM orders) d;
SELECT * FROM (SELECT order_id, status FROM orders ORDER BY order_id LIMIT 3) d ORDER BY status, order_id;
-- only: postgres
SELECT v.s, count(o.order_id) FROM (VALUES ('paid'), ('open'), ('nil')) AS v (s) JOIN orders o ON o.status = v.s GROUP BY v.s ORDER BY 1;
-- class: multi
SELECT d.order_id FROM (SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3)) d ORDER BY 1;

-- construct: UNION ALL
-- class: scatter
SELECT order_id FROM orders WHERE status = 'paid' UNION ALL SELECT order_id FROM orders WHERE quantity = 1;
SELECT order_id, 'o' AS kind FROM orders UNION ALL SELECT order_id, 'i' FROM items ORDER BY 1, 2 LIMIT 9;
SELECT amount FROM orders UNION ALL SELECT price FROM items;
SELECT status FROM orders UNION ALL SELECT 'constant';
SELECT count(*) FROM orders UNION ALL SELECT count(*) FROM items;
-- class: multi
-- today: scatter
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1 UNION ALL SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 3 ORDER BY 1;

-- construct: UNION
-- class: scatter
SELECT status FROM orders UNION SELECT sku FROM items ORDER BY 1;
SELECT status FROM orders WHERE quantity > 2 UNION SELECT status FROM orders WHERE amount < 5;
SELECT quantity FROM orders UNION SELECT tenant_id FROM items ORDER BY 1 DESC LIMIT 3;
SELECT tenant_id, status FROM orders UNION SELECT tenant_id, sku FROM items ORDER BY 1, 2;
-- class: multi
-- today: scatter
SELECT status FROM orders WHERE tenant_id = 1 AND buyer_id = 1 UNION SELECT status FROM orders WHERE tenant_id = 1 AND buyer_id = 10;

-- construct: INTERSECT and EXCEPT
-- class: scatter
SELECT order_id FROM orders INTERSECT SELECT order_id FROM items;
SELECT order_id FROM orders EXCEPT SELECT order_id FROM items ORDER BY 1;
SELECT status FROM orders WHERE tenant_id = 1 EXCEPT SELECT status FROM orders WHERE tenant_id = 2;
SELECT quantity FROM orders WHERE tenant_id = 1 INTERSECT ALL SELECT quantity FROM orders WHERE tenant_id = 2 ORDER BY 1;
SELECT status FROM orders EXCEPT ALL SELECT code FROM countries;
