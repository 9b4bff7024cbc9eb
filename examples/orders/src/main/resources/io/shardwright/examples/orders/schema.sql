-- The order platform on PostgreSQL. The table group `orders` shares the route key (tenant, buyer);
-- bucket_id is filled in by Shardwright and leads every primary key.
--
-- Times are UTC and mean different things: created_at (the order was placed), paid_at (money was
-- received), settled_at (booked in finance), updated_at (last change of the row), event_time (when
-- a change of status happened, which may be before it was recorded). Ranges over them are
-- half-open. Names of buyers and products are snapshots: later changes elsewhere do not touch them.

CREATE TABLE countries (
  country_id integer NOT NULL,
  name       text    NOT NULL,
  PRIMARY KEY (country_id)
);

CREATE TABLE orders (
  bucket_id   integer        NOT NULL,
  order_id    bigint         NOT NULL,
  tenant_id   bigint         NOT NULL,
  buyer_id    bigint         NOT NULL,
  seller_id   bigint         NOT NULL,
  client_key  text           NOT NULL,
  buyer_name  text           NOT NULL,
  status      text           NOT NULL,
  currency    text           NOT NULL DEFAULT 'GBP',
  amount_cent bigint         NOT NULL,
  line_count  integer        NOT NULL,
  created_at  timestamptz(6) NOT NULL,
  paid_at     timestamptz(6),
  settled_at  timestamptz(6),
  updated_at  timestamptz(6) NOT NULL,
  version     integer        NOT NULL,
  PRIMARY KEY (bucket_id, order_id),
  -- Creating an order is idempotent by the client's key.
  CONSTRAINT orders_client_key UNIQUE (bucket_id, tenant_id, buyer_id, client_key)
);

-- A buyer's list, newest first.
CREATE INDEX orders_by_buyer ON orders (bucket_id, tenant_id, buyer_id, created_at DESC, order_id DESC);

-- All buyers' orders of a time, newest first.
CREATE INDEX orders_by_time ON orders (created_at DESC, order_id DESC);

CREATE INDEX orders_by_status ON orders (status, created_at, order_id);

CREATE TABLE order_items (
  bucket_id   integer        NOT NULL,
  order_id    bigint         NOT NULL,
  line_no     integer        NOT NULL,
  tenant_id   bigint         NOT NULL,
  buyer_id    bigint         NOT NULL,
  stock_code  text           NOT NULL,
  description text           NOT NULL,
  quantity    integer        NOT NULL,
  unit_price  numeric(12, 3) NOT NULL,
  amount      numeric(14, 3) NOT NULL,
  PRIMARY KEY (bucket_id, order_id, line_no),
  FOREIGN KEY (bucket_id, order_id) REFERENCES orders (bucket_id, order_id)
);

-- The route key has another column name here, as in a table that came from another system.
CREATE TABLE order_addresses (
  bucket_id    integer NOT NULL,
  order_id     bigint  NOT NULL,
  tenant_id    bigint  NOT NULL,
  customer_id  bigint  NOT NULL,
  recipient    text    NOT NULL,
  country_id   integer NOT NULL,
  country_name text    NOT NULL,
  PRIMARY KEY (bucket_id, order_id),
  FOREIGN KEY (bucket_id, order_id) REFERENCES orders (bucket_id, order_id)
);

CREATE TABLE order_amounts (
  bucket_id     integer NOT NULL,
  order_id      bigint  NOT NULL,
  tenant_id     bigint  NOT NULL,
  buyer_id      bigint  NOT NULL,
  goods_cent    bigint  NOT NULL,
  postage_cent  bigint  NOT NULL,
  discount_cent bigint  NOT NULL,
  total_cent    bigint  NOT NULL,
  refunded_cent bigint  NOT NULL DEFAULT 0,
  PRIMARY KEY (bucket_id, order_id),
  FOREIGN KEY (bucket_id, order_id) REFERENCES orders (bucket_id, order_id)
);

CREATE TABLE payment_intents (
  bucket_id   integer        NOT NULL,
  order_id    bigint         NOT NULL,
  attempt     integer        NOT NULL,
  tenant_id   bigint         NOT NULL,
  buyer_id    bigint         NOT NULL,
  status      text           NOT NULL,
  amount_cent bigint         NOT NULL,
  created_at  timestamptz(6) NOT NULL,
  paid_at     timestamptz(6),
  settled_at  timestamptz(6),
  updated_at  timestamptz(6) NOT NULL,
  PRIMARY KEY (bucket_id, order_id, attempt),
  FOREIGN KEY (bucket_id, order_id) REFERENCES orders (bucket_id, order_id)
);

CREATE TABLE fulfilments (
  bucket_id    integer        NOT NULL,
  order_id     bigint         NOT NULL,
  parcel_no    integer        NOT NULL,
  tenant_id    bigint         NOT NULL,
  buyer_id     bigint         NOT NULL,
  status       text           NOT NULL,
  shipped_at   timestamptz(6),
  delivered_at timestamptz(6),
  updated_at   timestamptz(6) NOT NULL,
  PRIMARY KEY (bucket_id, order_id, parcel_no),
  FOREIGN KEY (bucket_id, order_id) REFERENCES orders (bucket_id, order_id)
);

CREATE TABLE order_status_history (
  bucket_id   integer        NOT NULL,
  order_id    bigint         NOT NULL,
  version     integer        NOT NULL,
  tenant_id   bigint         NOT NULL,
  buyer_id    bigint         NOT NULL,
  status      text           NOT NULL,
  reason      text           NOT NULL,
  event_time  timestamptz(6) NOT NULL,
  recorded_at timestamptz(6) NOT NULL,
  PRIMARY KEY (bucket_id, order_id, version),
  FOREIGN KEY (bucket_id, order_id) REFERENCES orders (bucket_id, order_id)
);

-- A refund refers to the change of status that it caused. credit_order_id is the credit note.
CREATE TABLE refunds (
  bucket_id       integer        NOT NULL,
  credit_order_id bigint         NOT NULL,
  order_id        bigint         NOT NULL,
  version         integer        NOT NULL,
  tenant_id       bigint         NOT NULL,
  buyer_id        bigint         NOT NULL,
  amount_cent     bigint         NOT NULL,
  event_time      timestamptz(6) NOT NULL,
  PRIMARY KEY (bucket_id, credit_order_id),
  FOREIGN KEY (bucket_id, order_id, version) REFERENCES order_status_history (bucket_id, order_id, version),
  FOREIGN KEY (bucket_id, credit_order_id) REFERENCES orders (bucket_id, order_id)
);

-- Refunds of an order; also what its foreign key is checked by.
CREATE INDEX refunds_by_order ON refunds (bucket_id, order_id, version);
