-- On every shard and on the one database, after the tables of TestingShards. Texts of status, sku, t and of countries
-- compare by their bytes, without padding; label, nick and v as languages do.
ALTER TABLE orders MODIFY status varchar(40) COLLATE utf8mb4_nopad_bin,
  ADD label varchar(40), ADD nick varchar(40) COLLATE utf8mb4_general_ci, ADD meta json, ADD due date,
  ADD `Mixed Case` int;
ALTER TABLE items MODIFY sku varchar(40) COLLATE utf8mb4_nopad_bin, MODIFY price decimal(40,9);
ALTER TABLE countries MODIFY code varchar(40) COLLATE utf8mb4_nopad_bin,
  MODIFY name varchar(100) COLLATE utf8mb4_nopad_bin NOT NULL;
ALTER TABLE jobs MODIFY name varchar(40);
