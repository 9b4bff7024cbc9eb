-- On the one database: what the driver does for bucket_id, so that RETURNING * and SELECT * agree.
CREATE TABLE buckets (t text, tenant_id bigint, key bigint, bucket_id int,
  PRIMARY KEY (t, tenant_id, key));
CREATE FUNCTION orders_bucket() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  SELECT b.bucket_id INTO STRICT NEW.bucket_id FROM buckets b
    WHERE b.t = 'orders' AND b.tenant_id = NEW.tenant_id AND b.key = NEW.buyer_id;
  RETURN NEW;
END $$;
CREATE FUNCTION samples_bucket() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  SELECT b.bucket_id INTO STRICT NEW.bucket_id FROM buckets b WHERE b.t = 'samples' AND b.key = NEW.k;
  RETURN NEW;
END $$;
CREATE TRIGGER b BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION orders_bucket();
CREATE TRIGGER b BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION orders_bucket();
CREATE TRIGGER b BEFORE INSERT ON samples FOR EACH ROW EXECUTE FUNCTION samples_bucket();
