-- On every shard and on the one database, after the tables of TestingShards.
CREATE COLLATION german (provider = icu, locale = 'de');
CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
ALTER TABLE orders
  ADD label text COLLATE german, ADD nick text COLLATE blind, ADD meta jsonb, ADD due date,
  ADD "Mixed Case" int;
CREATE FUNCTION warned(value int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
  $$ BEGIN RAISE WARNING 'warned of %', value; RETURN value; END $$;
