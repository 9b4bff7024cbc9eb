-- family: Explicit routing

-- construct: bucket_id in the statement
-- class: single
SELECT order_id FROM orders WHERE bucket_id = {bucket 1/1} ORDER BY 1;
-- params: {bucket 1/3}
SELECT order_id, status FROM orders WHERE bucket_id = ? ORDER BY 1;
SELECT count(*), max(amount) FROM orders WHERE {bucket 1/3} = bucket_id AND status = 'paid';
SELECT order_id FROM orders WHERE bucket_id = {bucket 1/1} AND tenant_id = 1 AND buyer_id = 1 ORDER BY 1;
SELECT o.order_id, i.sku FROM orders o JOIN items i ON i.bucket_id = o.bucket_id AND i.order_id = o.order_id WHERE o.bucket_id = {bucket 1/1} ORDER BY 1, 2;
UPDATE orders SET status = 'x' WHERE bucket_id = {bucket 1/1};
DELETE FROM items WHERE bucket_id = {bucket 1/1} AND sku = 'pen';
SELECT order_id FROM orders WHERE bucket_id = 1023 AND bucket_id = 0;
-- class: multi
SELECT order_id FROM orders WHERE bucket_id IN ({bucket 1/1}, {bucket 1/3}, {bucket 2/1}) ORDER BY 1;
SELECT status, count(*) FROM orders WHERE bucket_id = {bucket 1/1} OR bucket_id = {bucket 1/3} GROUP BY status ORDER BY 1;
-- class: scatter
SELECT order_id FROM orders WHERE bucket_id <> {bucket 1/1} ORDER BY 1;
SELECT bucket_id, count(*) FROM orders GROUP BY bucket_id ORDER BY bucket_id;

-- construct: bucket_id that contradicts the key
-- class: refused SW216
SELECT order_id FROM orders WHERE bucket_id = {bucket 1/3} AND tenant_id = 1 AND buyer_id = 1;
UPDATE orders SET status = 'x' WHERE bucket_id = {bucket 1/3} AND tenant_id = 1 AND buyer_id = 1;

-- construct: bucket and key in a comment
-- class: single
-- plain: SELECT order_id FROM orders WHERE bucket_id = {bucket 1/1} ORDER BY 1
/* shardwright: bucket={bucket 1/1} */ SELECT order_id FROM orders ORDER BY 1;
-- plain: SELECT status, count(*) FROM orders WHERE bucket_id = {bucket 1/3} GROUP BY status
/* shardwright: key=(1, 3) */ SELECT status, count(*) FROM orders GROUP BY status;
SELECT order_id /* shardwright: key=(1, 1) */ FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY 1;
-- plain: UPDATE orders SET status = 'x' WHERE status = 'paid' AND bucket_id = {bucket 1/1}
UPDATE /* shardwright: key=(1, 1) */ orders SET status = 'x' WHERE status = 'paid';
-- plain: SELECT o.order_id, i.sku FROM orders o JOIN items i ON i.price > o.amount WHERE o.bucket_id = {bucket 1/1} AND i.bucket_id = {bucket 1/1} ORDER BY 1, 2
/* shardwright: key=(1, 1) */ SELECT o.order_id, i.sku FROM orders o JOIN items i ON i.price > o.amount ORDER BY 1, 2;

-- construct: a comment that contradicts the key, or cannot be read
-- class: refused SW216
/* shardwright: key=(1, 3) */ SELECT order_id FROM orders WHERE tenant_id = 1 AND buyer_id = 1;
/* shardwright: bucket={bucket 1/3} */ DELETE FROM orders WHERE order_id = {id 1/1/1};
-- class: refused SW215
/* shardwright: bucket=9999 */ SELECT order_id FROM orders;
/* shardwright: scatter=maybe */ SELECT order_id FROM orders;
/* shardwright: shard=s1 */ SELECT order_id FROM orders;
-- class: refused SW302
/* shardwright: key=(1) */ SELECT order_id FROM orders;

-- construct: policy in a comment
-- class: scatter
/* shardwright: scatter=allow */ SELECT order_id FROM orders WHERE status = 'paid' ORDER BY 1;
/* shardwright: scatter=bounded */ SELECT order_id FROM orders WHERE amount > 5 ORDER BY order_id LIMIT 3;
/* shardwright: timeout=10s, max_rows=1000, partial=refuse */ SELECT order_id FROM orders ORDER BY 1;
/* shardwright: scatter=allow */ UPDATE orders SET status = 'x' WHERE status = 'paid';
-- class: refused SW205
/* shardwright: scatter=refuse */ SELECT order_id FROM orders WHERE status = 'paid';
/* shardwright: scatter=bounded */ SELECT order_id FROM orders WHERE amount > 5;
