-- On the one database: what the driver does for bucket_id, so that RETURNING * and SELECT * agree.
CREATE TABLE buckets (t varchar(10), tenant_id bigint, `key` bigint, bucket_id int, PRIMARY KEY (t, tenant_id, `key`));
CREATE TRIGGER orders_bucket BEFORE INSERT ON orders FOR EACH ROW SET NEW.bucket_id = (
  SELECT b.bucket_id FROM buckets b WHERE b.t = 'orders' AND b.tenant_id = NEW.tenant_id AND b.`key` = NEW.buyer_id);
CREATE TRIGGER items_bucket BEFORE INSERT ON items FOR EACH ROW SET NEW.bucket_id = (
  SELECT b.bucket_id FROM buckets b WHERE b.t = 'orders' AND b.tenant_id = NEW.tenant_id AND b.`key` = NEW.buyer_id);
CREATE TRIGGER samples_bucket BEFORE INSERT ON samples FOR EACH ROW SET NEW.bucket_id = (
  SELECT b.bucket_id FROM buckets b WHERE b.t = 'samples' AND b.`key` = NEW.k);
