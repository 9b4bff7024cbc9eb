-- family: Reference tables, single tables, no table

-- construct: reading reference tables
-- class: any shard
SELECT * FROM countries ORDER BY code;
SELECT count(*), max(name) FROM countries;
SELECT a.code, b.name FROM countries a JOIN countries b ON a.code < b.code ORDER BY 1, 2;
WITH c AS (SELECT name FROM countries WHERE code <> '') SELECT upper(name) FROM c ORDER BY 1;

-- construct: writing reference tables
-- class: every shard
-- only: postgres
INSERT INTO countries (code, name) VALUES ('de', 'Germany'), ('fr', 'France');
-- params: 'Land', 'paid'
-- only: postgres
UPDATE countries SET name = name || ? WHERE code = ?;
-- today: refused SW202 on mariadb
DELETE FROM countries WHERE code = 'xx' RETURNING code, name;
-- mariadb: INSERT INTO countries (code, name) VALUES ('paid', 'again') ON DUPLICATE KEY UPDATE name = VALUES(name)
INSERT INTO countries (code, name) VALUES ('paid', 'again') ON CONFLICT (code) DO UPDATE SET name = excluded.name;
-- today: refused SW202
-- only: postgres
INSERT INTO countries (code, name) SELECT code || '2', name FROM countries WHERE code <> '';
-- fails: 23505 on postgres
-- fails: 23000 on mariadb
INSERT INTO countries (code, name) VALUES ('paid', 'again');
-- fails: 23502 on postgres
-- fails: 23000 on mariadb
UPDATE countries SET name = NULL;

-- construct: values that differ from shard to shard
-- class: refused SW202
-- mariadb: UPDATE countries SET name = CAST(rand() AS CHAR)
UPDATE countries SET name = random()::text;
-- mariadb: INSERT INTO countries (code, name) VALUES ('now', CAST(now() AS CHAR))
INSERT INTO countries (code, name) VALUES ('now', now()::text);
-- only: postgres
UPDATE countries SET name = (SELECT max(status) FROM orders);

-- class: refused SW208
-- only: postgres
SELECT ctid FROM countries;
-- only: postgres
DELETE FROM countries WHERE ctid = '(0,1)';

-- construct: single tables
-- class: single
SELECT * FROM jobs ORDER BY id;
INSERT INTO jobs (name, made_at) VALUES ('third', '2024-01-03') RETURNING id, name;
-- keys: id
-- only: postgres
INSERT INTO jobs (name, made_at) VALUES ('third', '2024-01-03');
-- only: postgres
UPDATE jobs SET name = 'x' WHERE id = 1;
-- only: postgres
DELETE FROM jobs;
SELECT j.name, c.name FROM jobs j LEFT JOIN countries c ON c.code = j.name ORDER BY 1;
-- only: postgres
WITH next AS (SELECT id FROM jobs ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) UPDATE jobs SET name = 'taken' FROM next WHERE jobs.id = next.id RETURNING jobs.id;

-- construct: single tables beside sharded ones
-- class: scatter
SELECT o.order_id FROM orders o JOIN jobs j ON j.name = o.status;
-- class: refused SW202
-- only: postgres
INSERT INTO jobs (name, made_at) SELECT status, created_at FROM orders WHERE tenant_id = 1 AND buyer_id = 1;

-- construct: no table
-- class: any shard
SELECT 1;
-- today: refused SW202
-- only: postgres
SELECT 1 AS one, 'x' || 'y', NULL::int, ARRAY[1, 2], current_setting('server_encoding');
-- only: postgres
SELECT * FROM (VALUES (1, 'a'), (2, NULL)) AS v (n, t) ORDER BY n;
-- only: postgres
SELECT g FROM generate_series(1, 5) AS g WHERE g % 2 = 1 ORDER BY g;
VALUES (1, 'a'), (2, 'b');
-- params: 3, 'c'
-- mariadb: VALUES (1, 'a'), (CAST(? AS SIGNED), CAST(? AS CHAR)) ORDER BY 1 DESC
VALUES (1, 'a'), (?::int, ?::text) ORDER BY 1 DESC;
VALUES ((SELECT count(*) FROM countries));
-- class: refused SW202
VALUES ((SELECT count(*) FROM orders));
-- class: any shard
SELECT 1 UNION SELECT 2 ORDER BY 1;
-- params: 5, 'x'
-- mariadb: SELECT CAST(? AS SIGNED) + 1, CAST(? AS CHAR)
SELECT ?::int + 1, ?::text;
-- fails: 22012 on postgres
SELECT 1 / 0;

-- construct: unknown tables
-- class: refused SW203
-- fails: 42P01 on postgres
-- fails: 42S02 on mariadb
SELECT * FROM nowhere;
-- fails: 42P01 on postgres
-- fails: 42S02 on mariadb
INSERT INTO nowhere VALUES (1);
