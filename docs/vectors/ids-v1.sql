-- Ids and their texts, contract version 1 (../ids.md), in SQL: a second implementation beside the Java one.
-- Tests compare both with the vectors and with each other. PostgreSQL 15 or newer. Needs no rights on tables.
-- Gene ids are in routing-v1.sql.

CREATE SCHEMA shardwright_ids_v1;

-- Base62: digits 0-9A-Za-z, most significant first. NULL for a text that is none.

CREATE FUNCTION shardwright_ids_v1.digits() RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' $$;

-- Leading zeros are taken; any number of digits.
CREATE FUNCTION shardwright_ids_v1.base62_number(code text) RETURNS numeric
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT CASE WHEN code ~ '^[0-9A-Za-z]+$' THEN (
    SELECT sum((strpos(shardwright_ids_v1.digits(), substr(code, i, 1)) - 1) * 62::numeric ^ (length(code) - i))
    FROM generate_series(1, length(code)) AS s(i)
  ) END
$$;

CREATE FUNCTION shardwright_ids_v1.base62_decode(code text) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT CASE WHEN (code = '0' OR code !~ '^0') AND length(code) <= 11
      AND shardwright_ids_v1.base62_number(code) <= 9223372036854775807
    THEN shardwright_ids_v1.base62_number(code)::bigint END
$$;

CREATE FUNCTION shardwright_ids_v1.base62_encode(value numeric, width integer) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  WITH RECURSIVE digit(rest, code) AS (
    SELECT value, ''
    UNION ALL
    SELECT div(rest, 62), substr(shardwright_ids_v1.digits(), mod(rest, 62)::integer + 1, 1) || code
    FROM digit WHERE rest > 0
  )
  SELECT lpad(code, greatest(width, length(code)), '0') FROM digit ORDER BY length(code) DESC LIMIT 1
$$;

-- Public ids: ten Feistel rounds over two halves of 32 bits, HMAC-SHA-256 as the round function.

CREATE FUNCTION shardwright_ids_v1.xored(block bytea, pad integer) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT string_agg(set_byte('\x00'::bytea, 0, get_byte(block, i) # pad), ''::bytea ORDER BY i)
  FROM generate_series(0, length(block) - 1) AS s(i)
$$;

CREATE FUNCTION shardwright_ids_v1.hmac(key bytea, message bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT sha256(shardwright_ids_v1.xored(block, 92) || sha256(shardwright_ids_v1.xored(block, 54) || message))
  FROM (SELECT short || decode(repeat('00', 64 - length(short)), 'hex')
        FROM (SELECT CASE WHEN length(key) > 64 THEN sha256(key) ELSE key END) AS k(short)) AS b(block)
$$;

CREATE FUNCTION shardwright_ids_v1.mix(key bytea, round integer, half bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT (get_byte(h, 0)::bigint << 24) | (get_byte(h, 1) << 16) | (get_byte(h, 2) << 8) | get_byte(h, 3)
  FROM (SELECT shardwright_ids_v1.hmac(key,
    'shardwright-public-id-1'::bytea || set_byte('\x00'::bytea, 0, round) || decode(lpad(to_hex(half), 8, '0'), 'hex'))) AS m(h)
$$;

CREATE FUNCTION shardwright_ids_v1.public_id(key_version integer, key bytea, id bigint) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  WITH RECURSIVE feistel(round, l, r) AS (
    SELECT 0, id >> 32, id & 4294967295
    UNION ALL
    SELECT round + 1, r, l # shardwright_ids_v1.mix(key, round, r) FROM feistel WHERE round < 10
  )
  SELECT shardwright_ids_v1.base62_encode(key_version, 1)
    || shardwright_ids_v1.base62_encode(l * 4294967296::numeric + r, 11)
  FROM feistel WHERE round = 10
$$;

-- Readable order numbers: prefix, version 1, yyMMddHHmmss, gene, node 2, sequence 4, check digit. No row for other texts.

CREATE FUNCTION shardwright_ids_v1.damm(digits text) RETURNS integer
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  WITH RECURSIVE step(i, interim) AS (
    SELECT 0, 0
    UNION ALL
    SELECT i + 1, substr('0317598642709215486342068713591750983426612304597836742095815869720134894536201794386172052581436790',
      10 * interim + substr(digits, i + 1, 1)::integer + 1, 1)::integer
    FROM step WHERE i < length(digits)
  )
  SELECT interim FROM step ORDER BY i DESC LIMIT 1
$$;

CREATE FUNCTION shardwright_ids_v1.order_number(number text, prefix text, buckets integer)
  RETURNS TABLE (version integer, created_at timestamp, gene integer, node integer, sequence integer)
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT parts[1]::integer, made, parts[8]::integer, parts[9]::integer, parts[10]::integer
  FROM regexp_match(number, '^' || prefix || '(\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{'
         || length((buckets - 1)::text) || '})(\d\d)(\d{4})(\d)$') AS m(parts),
    LATERAL (SELECT 2000 + parts[2]::integer, parts[3]::integer, parts[4]::integer) AS d(y, mo, da),
    LATERAL (SELECT CASE WHEN mo BETWEEN 1 AND 12 AND da BETWEEN 1 AND extract(day FROM
        make_date(y, greatest(1, least(12, mo)), 1) + interval '1 month' - interval '1 day')
        AND parts[5]::integer < 24 AND parts[6]::integer < 60 AND parts[7]::integer < 60
      THEN make_timestamp(y, mo, da, parts[5]::integer, parts[6]::integer, parts[7]::integer) END) AS t(made)
  WHERE number ~ '^[ -~]*$' AND made >= '2025-01-01' AND parts[8]::integer < buckets AND parts[9]::integer < 64
    AND shardwright_ids_v1.damm(substr(number, length(prefix) + 1)) = 0
$$;

-- Plain snowflake ids: sign 0 | 41 bits of milliseconds since 2025-01-01 | node 10 | sequence 12.

CREATE FUNCTION shardwright_ids_v1.snowflake(
    id bigint, OUT created_at timestamp, OUT node integer, OUT sequence integer)
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT timestamp '2025-01-01' + (id / 4194304) / 1000 * interval '1 second' + (id / 4194304) % 1000 * interval '1 millisecond',
    (id / 4096 % 1024)::integer, (id % 4096)::integer
$$;

-- UUIDs of version 7. No row for other texts.

CREATE FUNCTION shardwright_ids_v1.uuid_v7(value text)
  RETURNS TABLE (created_at timestamp, counter integer)
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT timestamp '1970-01-01' + ms / 1000 * interval '1 second' + ms % 1000 * interval '1 millisecond',
    ('x' || lpad(substr(value, 16, 3), 8, '0'))::bit(32)::integer
  FROM (SELECT ('x' || lpad(substr(value, 1, 8) || substr(value, 10, 4), 16, '0'))::bit(64)::bigint) AS t(ms)
  WHERE value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'
$$;
