-- family: Rows of several shards

-- construct: SELECT without the key
-- class: scatter
SELECT * FROM orders;
SELECT o.* FROM orders o WHERE o.status = 'paid';
SELECT order_id, status FROM orders WHERE amount IS NULL;
SELECT order_id, amount + 1, upper(status), coalesce(label, '-'), quantity % 3 = 0, status || '!' FROM orders;
SELECT *, amount * 2 FROM orders WHERE quantity = 4;
SELECT 1 FROM orders;
SELECT 'x' AS x, NULL, 1.50, true FROM items;
-- mariadb: SELECT id, i2, i4, i8, n, f4, f8, b, t, v, d, tm, ts, tstz, u, raw, j FROM samples
SELECT id, i2, i4, i8, n, f4, f8, b, t, v, d, tm, tz, ts, tstz, u, raw, j, arr FROM samples;
SELECT order_id FROM orders WHERE status LIKE 'a\%b\_c' OR status = 'it''s';
SELECT order_id FROM orders WHERE status = 'trail ' OR status = '日本';
-- params: 'paid', 10.00
SELECT order_id FROM orders WHERE status = ? AND amount = ?;
-- params: offset 2024-01-01T10:00:00Z, null
SELECT order_id FROM orders WHERE created_at = ? OR status = ?;
-- params: date 2024-02-01
SELECT order_id FROM orders WHERE due = ?;
-- params: true, uuid a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11
SELECT id FROM samples WHERE b = ? AND u = ?;

-- construct: ORDER BY columns, positions, aliases
-- class: scatter
SELECT order_id, status FROM orders ORDER BY order_id;
SELECT order_id FROM orders ORDER BY order_id DESC;
SELECT status, amount, order_id FROM orders ORDER BY 1, 2 DESC, 3;
SELECT quantity AS q, order_id AS id FROM orders ORDER BY q, id;
SELECT amount AS status, order_id FROM orders ORDER BY status, order_id;
SELECT o.status AS s, o.order_id FROM orders o ORDER BY o.status, o.order_id;
SELECT order_id, created_at FROM orders ORDER BY created_at DESC, order_id DESC;
SELECT id, i8 FROM samples ORDER BY i8, id;
SELECT id, n FROM samples ORDER BY n DESC, id;
SELECT id, f8 FROM samples ORDER BY f8, id;
-- mariadb: SELECT id, f4 FROM samples ORDER BY f4 DESC, id
-- today: refused SW208 on mariadb
SELECT id, f4 FROM samples ORDER BY f4 DESC NULLS LAST, id;
SELECT id, b FROM samples ORDER BY b, id;
SELECT id, d FROM samples ORDER BY d, id;
SELECT id, ts, tstz FROM samples ORDER BY ts DESC, tstz, id;
SELECT id, tm FROM samples ORDER BY tm, id;
-- only: postgres
SELECT id, tz FROM samples ORDER BY tz, id;
SELECT id, u FROM samples ORDER BY u, id;
SELECT id, raw FROM samples ORDER BY raw, id;
-- today: refused SW208 on mariadb
SELECT id, j FROM samples ORDER BY j, id;
-- today: refused SW208
-- only: postgres
SELECT id, arr FROM samples ORDER BY arr, id;
SELECT id, v FROM samples ORDER BY v, id;
SELECT id, t FROM samples ORDER BY t DESC, id;
-- class: multi
SELECT order_id, status FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3, 10) ORDER BY status, order_id;

-- construct: ORDER BY what is not selected
-- class: scatter
SELECT status FROM orders ORDER BY order_id;
-- mariadb: SELECT label FROM orders ORDER BY amount DESC, order_id
SELECT label FROM orders ORDER BY amount DESC NULLS LAST, order_id;
SELECT o.status FROM orders o ORDER BY o.created_at, o.order_id LIMIT 5;
SELECT status AS order_id FROM orders ORDER BY orders.order_id;

-- construct: ORDER BY expressions
-- class: scatter
SELECT order_id FROM orders ORDER BY quantity % 3, order_id;
SELECT order_id, amount FROM orders ORDER BY -amount, order_id;
-- mariadb: SELECT order_id FROM orders ORDER BY CAST(coalesce(quantity, 0) AS SIGNED) + 1 DESC, order_id
SELECT order_id FROM orders ORDER BY coalesce(quantity, 0)::bigint + 1 DESC, order_id;
SELECT order_id, status FROM orders ORDER BY lower(status), order_id;
SELECT order_id FROM orders ORDER BY CASE WHEN status = 'paid' THEN 0 ELSE 1 END, order_id;
SELECT order_id FROM orders ORDER BY status IS NULL, order_id;
-- mariadb: SELECT order_id FROM orders ORDER BY CAST(created_at AS DATE), order_id
SELECT order_id FROM orders ORDER BY created_at::date, order_id;
-- mariadb: SELECT id FROM samples ORDER BY abs(CAST(i4 AS SIGNED)) DESC, id
SELECT id FROM samples ORDER BY abs(i4::bigint) DESC NULLS LAST, id;
-- params: 3
SELECT order_id FROM orders ORDER BY quantity % ?, order_id;
-- only: postgres
SELECT order_id FROM orders ORDER BY meta ->> 'a', order_id;
SELECT order_id FROM orders ORDER BY due - date '2024-01-01', order_id;

-- construct: NULLS FIRST, NULLS LAST, USING
-- class: scatter
-- mariadb: SELECT quantity, order_id FROM orders ORDER BY quantity, order_id
SELECT quantity, order_id FROM orders ORDER BY quantity NULLS FIRST, order_id;
-- mariadb: SELECT quantity, order_id FROM orders ORDER BY quantity DESC, order_id
SELECT quantity, order_id FROM orders ORDER BY quantity DESC NULLS LAST, order_id;
-- mariadb: SELECT status, order_id FROM orders ORDER BY status DESC, order_id
SELECT status, order_id FROM orders ORDER BY status DESC NULLS FIRST, order_id NULLS LAST;
SELECT quantity, order_id FROM orders ORDER BY quantity DESC, order_id ASC;
-- only: postgres
SELECT quantity, order_id FROM orders ORDER BY quantity USING >, order_id;

-- construct: ties of ORDER BY
-- class: scatter
-- fixed: 1
SELECT status, order_id FROM orders ORDER BY status;
-- fixed: 1
SELECT quantity, order_id FROM orders ORDER BY quantity DESC;
-- fixed: 1, 2
SELECT amount, quantity, order_id FROM orders ORDER BY amount, 2;
-- fixed: 1
SELECT quantity FROM orders ORDER BY quantity LIMIT 10 OFFSET 3;

-- construct: text in a language's order
-- class: scatter
SELECT label, order_id FROM orders ORDER BY label, order_id;
-- mariadb: SELECT order_id FROM orders ORDER BY label DESC, order_id LIMIT 7
SELECT order_id FROM orders ORDER BY label DESC NULLS LAST, order_id LIMIT 7;
-- mariadb: SELECT label, order_id FROM orders ORDER BY label COLLATE utf8mb4_nopad_bin, order_id
SELECT label, order_id FROM orders ORDER BY label COLLATE "C", order_id;
-- only: postgres
SELECT status, order_id FROM orders ORDER BY status COLLATE german, order_id;
SELECT order_id FROM orders WHERE label > 'o' ORDER BY order_id;
SELECT order_id FROM orders WHERE label BETWEEN 'a' AND 'b' ORDER BY label, order_id LIMIT 3;
SELECT order_id, nick FROM orders WHERE nick = 'ANN' ORDER BY order_id;
-- fixed: 2
SELECT nick, lower(nick) FROM orders ORDER BY nick, lower(nick);
-- class: multi
SELECT label FROM orders WHERE tenant_id IN (1, 2) AND buyer_id IN (1, 2, 3) ORDER BY label, order_id;

-- construct: LIMIT and OFFSET
-- class: scatter
SELECT order_id FROM orders ORDER BY order_id LIMIT 5;
SELECT order_id FROM orders ORDER BY order_id LIMIT 5 OFFSET 4;
-- mariadb: SELECT order_id FROM orders ORDER BY order_id LIMIT 18446744073709551615 OFFSET 20
SELECT order_id FROM orders ORDER BY order_id OFFSET 20;
-- mariadb: SELECT order_id FROM orders ORDER BY order_id LIMIT 2 OFFSET 3
SELECT order_id FROM orders ORDER BY order_id OFFSET 3 LIMIT 2;
-- mariadb: SELECT order_id FROM orders ORDER BY order_id LIMIT 18446744073709551615 OFFSET 1000
SELECT order_id FROM orders ORDER BY order_id OFFSET 1000;
SELECT order_id FROM orders ORDER BY order_id LIMIT 9223372036854775807 OFFSET 2;
-- only: postgres
SELECT order_id FROM orders ORDER BY order_id LIMIT ALL;
-- only: postgres
SELECT order_id FROM orders ORDER BY order_id LIMIT NULL OFFSET NULL;
SELECT order_id FROM orders ORDER BY order_id OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY;
SELECT order_id FROM orders ORDER BY order_id FETCH FIRST ROW ONLY;
-- params: 3, 2
SELECT order_id FROM orders ORDER BY order_id LIMIT ? OFFSET ?;
-- params: 3L, 2L
SELECT order_id FROM orders ORDER BY order_id DESC LIMIT ? OFFSET ?;
-- params: null
-- only: postgres
SELECT order_id FROM orders ORDER BY order_id LIMIT ?;
-- params: null, 2
-- only: postgres
SELECT order_id FROM orders ORDER BY order_id OFFSET ? ROWS FETCH FIRST ? ROWS ONLY;
-- params: 'paid', 2, 1
SELECT order_id FROM orders WHERE status = ? ORDER BY order_id LIMIT ? OFFSET ?;
SELECT count(*) FROM (SELECT order_id FROM orders LIMIT 5) d;
-- class: multi
-- mariadb: SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3, 10) ORDER BY amount DESC, order_id LIMIT 4 OFFSET 1
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3, 10) ORDER BY amount DESC NULLS LAST, order_id LIMIT 4 OFFSET 1;

-- construct: LIMIT that is no count
-- class: refused SW213
-- fails: 2201W on postgres
-- fails: 42000 on mariadb
SELECT order_id FROM orders ORDER BY order_id LIMIT -1;
-- params: -1
-- fails: 2201X on postgres
-- fails: 42000 on mariadb
SELECT order_id FROM orders ORDER BY order_id OFFSET ?;

-- construct: FETCH FIRST ... WITH TIES
-- class: scatter
SELECT quantity FROM orders WHERE quantity > 1 ORDER BY quantity FETCH FIRST 2 ROWS WITH TIES;

-- construct: LIMIT with an expression
-- class: scatter
-- only: postgres
SELECT order_id FROM orders ORDER BY order_id LIMIT 1 + 2;

-- construct: DISTINCT
-- class: scatter
SELECT DISTINCT status FROM orders;
SELECT DISTINCT status, quantity FROM orders ORDER BY quantity, status;
SELECT DISTINCT tenant_id FROM orders ORDER BY 1 DESC LIMIT 2;
SELECT DISTINCT quantity % 2 FROM orders;
SELECT DISTINCT status IS NULL, amount > 10 FROM orders;
-- mariadb: SELECT DISTINCT CAST(created_at AS DATE) AS day FROM orders ORDER BY day LIMIT 5 OFFSET 2
SELECT DISTINCT created_at::date AS day FROM orders ORDER BY day LIMIT 5 OFFSET 2;
SELECT DISTINCT amount FROM orders ORDER BY amount DESC;
SELECT DISTINCT n FROM samples WHERE n <> 1 ORDER BY n;
SELECT DISTINCT f8 + 0 FROM samples WHERE f8 IS NOT NULL ORDER BY 1;
SELECT DISTINCT i2, b FROM samples ORDER BY i2, b;
SELECT DISTINCT t FROM samples ORDER BY t;
SELECT DISTINCT label FROM orders ORDER BY label;
SELECT DISTINCT tenant_id, buyer_id FROM orders;
SELECT DISTINCT order_id, status FROM orders ORDER BY order_id;
-- only: postgres
SELECT DISTINCT meta -> 'a' FROM orders;
SELECT DISTINCT upper(nick) FROM orders;
-- mariadb: SELECT DISTINCT lower(status) AS s FROM orders ORDER BY s
SELECT DISTINCT lower(status) AS s FROM orders ORDER BY s NULLS FIRST;
SELECT DISTINCT 1 FROM orders;
SELECT DISTINCT 'a', NULL FROM orders;
-- params: 1
SELECT DISTINCT status FROM orders WHERE quantity > ? ORDER BY status;
SELECT count(*) FROM (SELECT DISTINCT status FROM orders) d;
-- class: multi
SELECT DISTINCT status FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3, 10);

-- construct: SELECT DISTINCT *
-- class: scatter
SELECT DISTINCT * FROM items;
-- today: refused SW208 on mariadb
SELECT DISTINCT o.* FROM orders o WHERE o.status = 'paid';

-- construct: DISTINCT ON
-- class: scatter
-- only: postgres
SELECT DISTINCT ON (status) status, order_id FROM orders ORDER BY status, order_id;
-- only: postgres
SELECT DISTINCT ON (order_id) order_id, status FROM orders ORDER BY order_id;

-- construct: equal and missing column labels
-- class: scatter
SELECT order_id, order_id, status AS order_id FROM orders;
-- mariadb: SELECT amount + 1, amount + 2, CAST(amount AS CHAR), lower(status), true FROM orders
SELECT amount + 1, amount + 2, amount::text, lower(status), true FROM orders;
SELECT order_id AS "Id", status AS "a b", amount AS "q""q" FROM orders ORDER BY "Id";

-- construct: FOR UPDATE of several shards
-- class: refused SW208
SELECT order_id FROM orders WHERE status = 'open' FOR UPDATE;
-- only: postgres
SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id IN (1, 3) FOR SHARE;

-- construct: window functions
-- class: scatter
SELECT order_id, row_number() OVER (PARTITION BY tenant_id, buyer_id ORDER BY order_id) FROM orders;
SELECT order_id, sum(amount) OVER (PARTITION BY tenant_id, buyer_id) FROM orders ORDER BY order_id;
SELECT order_id, rank() OVER (PARTITION BY order_id ORDER BY amount) FROM orders ORDER BY order_id;
SELECT order_id, row_number() OVER (ORDER BY order_id) FROM orders ORDER BY 1;
-- mariadb: SELECT order_id, rank() OVER (PARTITION BY status ORDER BY amount DESC, order_id) AS r FROM orders ORDER BY r, order_id LIMIT 8
SELECT order_id, rank() OVER (PARTITION BY status ORDER BY amount DESC NULLS LAST, order_id) AS r FROM orders ORDER BY r, order_id LIMIT 8;
SELECT order_id, count(*) OVER () FROM orders ORDER BY order_id LIMIT 3;
SELECT order_id, sum(quantity) OVER (ORDER BY order_id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM orders ORDER BY order_id;
-- only: postgres
SELECT order_id, lag(status, 1, 'none') OVER w, lead(status) OVER w FROM orders WINDOW w AS (ORDER BY order_id) ORDER BY order_id;
SELECT * FROM (SELECT order_id, row_number() OVER (PARTITION BY tenant_id, buyer_id ORDER BY order_id DESC) AS r FROM orders) d WHERE r = 1 ORDER BY order_id;
SELECT status, count(*), rank() OVER (ORDER BY count(*) DESC, status) FROM orders GROUP BY status ORDER BY 3;
SELECT order_id, percent_rank() OVER (ORDER BY amount) FROM orders WHERE amount IS NOT NULL ORDER BY order_id;

-- construct: WITH ORDINALITY, generate_series and other functions in FROM
-- class: scatter
-- only: postgres
SELECT o.order_id, g.n FROM orders o CROSS JOIN generate_series(1, 2) AS g (n) ORDER BY 1, 2;
-- only: postgres
SELECT o.order_id, t.tag FROM orders o CROSS JOIN LATERAL jsonb_array_elements_text(o.meta -> 'tags') AS t (tag) ORDER BY 1, 2;
-- only: postgres
SELECT s.id, e.v FROM samples s, unnest(s.arr) AS e (v) WHERE s.id < 106 ORDER BY 1, 2;

-- construct: functions of users in the select list
-- class: refused SW208
-- only: postgres
SELECT order_id, warned(quantity) FROM orders WHERE quantity = 4 ORDER BY order_id;

-- construct: warnings of the database
-- class: scatter
-- only: postgres
SELECT order_id FROM orders WHERE warned(quantity) = 4 AND quantity = 4 ORDER BY order_id;

-- construct: errors of the database
-- class: scatter
-- fails: 22012 on postgres
SELECT 1 / (tenant_id - 1) FROM orders;
-- fails: 42804 on postgres
SELECT order_id FROM orders WHERE amount;
-- fails: 22P02 on postgres
-- fails: 42000 on mariadb
SELECT status::int FROM orders ORDER BY 1;
