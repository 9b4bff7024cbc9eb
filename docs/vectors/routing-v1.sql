-- Route key to bucket and gene ids, contract version 1 (docs/routing-contract.md), in PostgreSQL 14 or newer.
--
-- The second implementation of the contract: written from its text, without the Java one, and compared with it and
-- with the vectors beside this file in the tests. Useful by itself to ask a shard where a row belongs:
--
--   SELECT shardwright_v1.bucket(4096, shardwright_v1.canonical(tenant_id), shardwright_v1.canonical(buyer_id))
--   FROM orders;
--
-- Slow (about 0.1 ms a key): PostgreSQL has no unsigned 64-bit integers, so sums and products go through numeric.
-- All functions are immutable and strict: NULL in, NULL out.

CREATE SCHEMA shardwright_v1;

-- Unsigned 64-bit arithmetic on bigint, which holds the same 64 bits.

CREATE FUNCTION shardwright_v1.unsigned(x bigint) RETURNS numeric
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT CASE WHEN x < 0 THEN x + 18446744073709551616 ELSE x::numeric END $$;

CREATE FUNCTION shardwright_v1.wrapped(x numeric) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT (CASE WHEN low >= 9223372036854775808 THEN low - 18446744073709551616 ELSE low END)::bigint
  FROM (SELECT mod(mod(x, 18446744073709551616) + 18446744073709551616, 18446744073709551616)) AS r(low)
$$;

CREATE FUNCTION shardwright_v1.product(a bigint, b bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT shardwright_v1.wrapped(a::numeric * b::numeric) $$;

CREATE FUNCTION shardwright_v1.sum(a bigint, b bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT shardwright_v1.wrapped(a::numeric + b::numeric) $$;

-- >> copies the sign: the mask removes the copies. distance is 1 to 63.
CREATE FUNCTION shardwright_v1.shift_right(x bigint, distance integer) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT (x >> distance) & ((1::bigint << (64 - distance)) - 1) $$;

CREATE FUNCTION shardwright_v1.rotate_left(x bigint, distance integer) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT (x << distance) | shardwright_v1.shift_right(x, 64 - distance) $$;

CREATE FUNCTION shardwright_v1.little_endian(bytes bytea, start integer, length integer) RETURNS bigint
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS
$$
DECLARE
  word bigint := 0;
BEGIN
  FOR i IN REVERSE length - 1 .. 0 LOOP
    word := (word << 8) | get_byte(bytes, start + i);
  END LOOP;
  RETURN word;
END
$$;

-- XXH64, seed 0, specification 0.2.0.

CREATE FUNCTION shardwright_v1.xxh64_round(lane bigint, word bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT shardwright_v1.product(
    shardwright_v1.rotate_left(
      shardwright_v1.sum(lane, shardwright_v1.product(word, -4417276706812531889)), 31),
    -7046029288634856825)
$$;

CREATE FUNCTION shardwright_v1.xxh64(bytes bytea) RETURNS bigint
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS
$$
DECLARE
  prime1 CONSTANT bigint := -7046029288634856825; -- 11400714785074694791
  prime2 CONSTANT bigint := -4417276706812531889; -- 14029467366897019727
  prime3 CONSTANT bigint := 1609587929392839161;
  prime4 CONSTANT bigint := -8796714831421723037; -- 9650029242287828579
  prime5 CONSTANT bigint := 2870177450012600261;
  size CONSTANT integer := length(bytes);
  lanes bigint[];
  hash bigint;
  position integer := 0;
BEGIN
  IF size >= 32 THEN
    lanes := ARRAY[
      shardwright_v1.sum(prime1, prime2), prime2, 0, shardwright_v1.wrapped(-prime1::numeric)];
    WHILE position + 32 <= size LOOP
      FOR lane IN 1 .. 4 LOOP
        lanes[lane] := shardwright_v1.xxh64_round(
          lanes[lane], shardwright_v1.little_endian(bytes, position, 8));
        position := position + 8;
      END LOOP;
    END LOOP;
    hash := shardwright_v1.wrapped(
      shardwright_v1.rotate_left(lanes[1], 1)::numeric
      + shardwright_v1.rotate_left(lanes[2], 7)
      + shardwright_v1.rotate_left(lanes[3], 12)
      + shardwright_v1.rotate_left(lanes[4], 18));
    FOR lane IN 1 .. 4 LOOP
      hash := hash # shardwright_v1.xxh64_round(0, lanes[lane]);
      hash := shardwright_v1.sum(shardwright_v1.product(hash, prime1), prime4);
    END LOOP;
  ELSE
    hash := prime5;
  END IF;
  hash := shardwright_v1.sum(hash, size);

  WHILE position + 8 <= size LOOP
    hash := hash # shardwright_v1.xxh64_round(0, shardwright_v1.little_endian(bytes, position, 8));
    hash := shardwright_v1.sum(
      shardwright_v1.product(shardwright_v1.rotate_left(hash, 27), prime1), prime4);
    position := position + 8;
  END LOOP;
  IF position + 4 <= size THEN
    hash := hash # shardwright_v1.product(shardwright_v1.little_endian(bytes, position, 4), prime1);
    hash := shardwright_v1.sum(
      shardwright_v1.product(shardwright_v1.rotate_left(hash, 23), prime2), prime3);
    position := position + 4;
  END IF;
  WHILE position < size LOOP
    hash := hash # shardwright_v1.product(get_byte(bytes, position), prime5);
    hash := shardwright_v1.product(shardwright_v1.rotate_left(hash, 11), prime1);
    position := position + 1;
  END LOOP;

  hash := shardwright_v1.product(hash # shardwright_v1.shift_right(hash, 33), prime2);
  hash := shardwright_v1.product(hash # shardwright_v1.shift_right(hash, 29), prime3);
  RETURN hash # shardwright_v1.shift_right(hash, 32);
END
$$;

-- Canonical bytes: one function per column type.

CREATE FUNCTION shardwright_v1.canonical(x bigint) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT int8send(x) $$;

CREATE FUNCTION shardwright_v1.canonical(x integer) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT int8send(x) $$;

CREATE FUNCTION shardwright_v1.canonical(x smallint) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT int8send(x) $$;

-- Fails on a fraction: such a value has no canonical form.
CREATE FUNCTION shardwright_v1.canonical(x numeric) RETURNS bytea
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS
$$
BEGIN
  IF x <> trunc(x) THEN
    RAISE EXCEPTION 'a route key of an integer column cannot be a fraction' USING ERRCODE = '22023';
  END IF;
  RETURN int8send(x::bigint);
END
$$;

-- Assumes the database encoding UTF8 or one that converts to it.
CREATE FUNCTION shardwright_v1.canonical(x text) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT convert_to(x, 'UTF8') $$;

CREATE FUNCTION shardwright_v1.canonical(x uuid) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT uuid_send(x) $$;

-- extract is numeric, hence exact, from PostgreSQL 14 on.
CREATE FUNCTION shardwright_v1.canonical(x timestamp) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT int8send((extract(epoch FROM x) * 1000000)::bigint) $$;

CREATE FUNCTION shardwright_v1.canonical(x timestamptz) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT int8send((extract(epoch FROM x) * 1000000)::bigint) $$;

CREATE FUNCTION shardwright_v1.canonical(x date) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT int8send((x - date '1970-01-01') * 86400000000) $$;

CREATE FUNCTION shardwright_v1.canonical(x bytea) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT x $$;

-- One column: its bytes alone. Several: the length of each, 4 bytes big-endian, before it. NULL in any: NULL.
CREATE FUNCTION shardwright_v1.key(VARIADIC components bytea[]) RETURNS bytea
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT CASE
    WHEN array_position(components, NULL) IS NOT NULL THEN NULL
    WHEN cardinality(components) = 1 THEN components[1]
    ELSE (SELECT string_agg(int4send(length(c)) || c, ''::bytea ORDER BY n)
          FROM unnest(components) WITH ORDINALITY AS u(c, n))
  END
$$;

CREATE FUNCTION shardwright_v1.bucket(buckets integer, VARIADIC components bytea[]) RETURNS integer
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT mod(
    shardwright_v1.unsigned(shardwright_v1.xxh64(shardwright_v1.key(VARIADIC components))),
    buckets)::integer
$$;

-- Gene ids: sign 0 | version 2 | time | gene | node 6 | sequence.

CREATE FUNCTION shardwright_v1.sequence_bits(buckets integer) RETURNS integer
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT CASE buckets WHEN 1024 THEN 4 WHEN 4096 THEN 3 WHEN 16384 THEN 1 END $$;

-- The bucket that an id names: the expression that a CHECK on bucket_id uses.
CREATE FUNCTION shardwright_v1.gene(id bigint, buckets integer) RETURNS integer
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT ((id >> (6 + shardwright_v1.sequence_bits(buckets))) & (buckets - 1))::integer $$;

CREATE FUNCTION shardwright_v1.gene_id(
    id bigint, buckets integer,
    OUT version integer, OUT created_at timestamptz, OUT gene integer, OUT node integer, OUT sequence integer)
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT
    (id >> 61)::integer,
    timestamptz '2025-01-01T00:00:00Z' + tick / 1000 * interval '1 second' + tick % 1000 * interval '1 millisecond',
    shardwright_v1.gene(id, buckets),
    ((id >> sequence_bits) & 63)::integer,
    (id & ((1 << sequence_bits) - 1))::integer
  FROM (
    SELECT (id & ((1::bigint << 61) - 1)) / ((1::bigint << (6 + sequence_bits)) * buckets), sequence_bits
    FROM shardwright_v1.sequence_bits(buckets) AS s(sequence_bits)
  ) AS parts(tick, sequence_bits)
$$;

-- Reserved buckets: of the entries that the key begins with, the longest; among its buckets the same hash decides.

CREATE TYPE shardwright_v1.entry AS (key bytea[], first integer, count integer);

CREATE FUNCTION shardwright_v1.bucket(
    buckets integer, directory shardwright_v1.entry[], VARIADIC components bytea[]) RETURNS integer
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$
  SELECT COALESCE(
    (SELECT e.first + shardwright_v1.bucket(e.count, VARIADIC components)
       FROM unnest(directory) AS e
      WHERE components[1:cardinality(e.key)] = e.key
      ORDER BY cardinality(e.key) DESC
      LIMIT 1),
    shardwright_v1.bucket(buckets, VARIADIC components))
$$;
