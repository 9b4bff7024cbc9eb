-- On every shard and on the one database. Texts of status, sku, t and of countries compare by their bytes, without
-- padding; label, nick and v as languages do.
CREATE TABLE orders (
  bucket_id int NOT NULL, tenant_id int NOT NULL, buyer_id bigint NOT NULL, order_id bigint NOT NULL,
  status varchar(40) COLLATE utf8mb4_nopad_bin, amount decimal(12,2), ratio double, quantity int,
  created_at datetime(6), label varchar(40), nick varchar(40) COLLATE utf8mb4_general_ci, meta json, due date,
  `Mixed Case` int, PRIMARY KEY (bucket_id, order_id));
CREATE TABLE items (
  bucket_id int NOT NULL, tenant_id int NOT NULL, buyer_id bigint NOT NULL, order_id bigint NOT NULL,
  line int NOT NULL, sku varchar(40) COLLATE utf8mb4_nopad_bin, price decimal(40,9),
  PRIMARY KEY (bucket_id, order_id, line));
CREATE TABLE samples (
  bucket_id int NOT NULL, k bigint NOT NULL, id bigint NOT NULL, i2 smallint, i4 int, i8 bigint,
  n decimal(30,9), f4 float, f8 double, b boolean, t varchar(100) COLLATE utf8mb4_nopad_bin, v varchar(20),
  d date, tm time(6), ts datetime(6), tstz timestamp(6) NULL, u uuid, raw varbinary(100), j json,
  PRIMARY KEY (bucket_id, id));
CREATE TABLE countries (
  code varchar(40) COLLATE utf8mb4_nopad_bin PRIMARY KEY, name varchar(40) COLLATE utf8mb4_nopad_bin NOT NULL);
CREATE TABLE jobs (id int AUTO_INCREMENT PRIMARY KEY, name varchar(40), made_at datetime(6));
