package io.shardwright.bench.compare;

import java.util.List;
import java.util.stream.Collectors;
import net.openhft.hashing.LongHashFunction;

/**
 * The tables of the comparison, their rows, and which shard a row is on. All sides read the same
 * rows; one server has the same tables without {@code bucket_id}.
 */
final class OrderTables {
  static final int BUCKETS = 4096;
  static final List<String> STATUSES = List.of("NEW", "PAID", "PACKED", "SENT", "DONE");
  static final String ORDER_COLUMNS = "buyer_id, order_id, status, total_amount, created_at";

  private static final LongHashFunction HASH = LongHashFunction.xx();

  private static final String DDL =
      """
      CREATE TABLE buyers (
        {bucket} buyer_id bigint NOT NULL, name text NOT NULL, level int NOT NULL,
        PRIMARY KEY ({key} buyer_id));
      CREATE TABLE orders (
        {bucket} buyer_id bigint NOT NULL, order_id bigint NOT NULL, status text NOT NULL,
        total_amount numeric(18, 2) NOT NULL, created_at timestamptz NOT NULL,
        PRIMARY KEY ({key} buyer_id, order_id));
      CREATE INDEX orders_created ON orders (created_at DESC, order_id DESC);
      CREATE TABLE order_items (
        {bucket} buyer_id bigint NOT NULL, order_id bigint NOT NULL, line_no int NOT NULL,
        sku text NOT NULL, quantity int NOT NULL, price numeric(18, 2) NOT NULL,
        PRIMARY KEY ({key} buyer_id, order_id, line_no));
      CREATE TABLE payments (
        {bucket} buyer_id bigint NOT NULL, payment_id bigint NOT NULL, order_id bigint NOT NULL,
        amount numeric(18, 2) NOT NULL, method text NOT NULL,
        PRIMARY KEY ({key} buyer_id, payment_id));
      CREATE TABLE order_events (
        {bucket} buyer_id bigint NOT NULL, order_id bigint NOT NULL, event_no int NOT NULL,
        kind text NOT NULL, at timestamptz NOT NULL,
        PRIMARY KEY ({key} buyer_id, order_id, event_no));
      """;

  /** For those who look for a row without naming its bucket. */
  private static final String INDEXES_OF_SHARDS =
      """
      CREATE INDEX buyers_key ON buyers (buyer_id);
      CREATE INDEX orders_key ON orders (buyer_id, order_id);
      """;

  private OrderTables() {}

  static String ofShard() {
    return ddl("bucket_id integer NOT NULL,", "bucket_id,") + INDEXES_OF_SHARDS;
  }

  static String ofOneServer() {
    return ddl("", "");
  }

  private static String ddl(String bucket, String key) {
    return DDL.replace("{bucket}", bucket).replace("{key}", key);
  }

  /** Of the contract in docs/routing-contract.md: XXH64 of the key's eight bytes, big-endian. */
  static int bucket(long buyerId) {
    return (int) Long.remainderUnsigned(HASH.hashLong(Long.reverseBytes(buyerId)), BUCKETS);
  }

  static int shard(int bucket, int shards) {
    return (int) ((long) bucket * shards / BUCKETS);
  }

  /** shardwright.yaml. */
  static String configuration(List<String> urls, String user, String password, int poolMax) {
    return "version: 1\nshards:\n"
        + shards(urls, user, password, poolMax)
        + """
        scatter: {reads: allow, writes: refuse}
        groups:
          orders:
            key: [buyer_id]
            buckets: %d
            tables: {buyers: {}, orders: {}, order_items: {}, payments: {}, order_events: {}}
        """
            .formatted(BUCKETS);
  }

  static String shards(List<String> urls, String user, String password, int poolMax) {
    return urls.stream()
        .map(
            url ->
                "  s%d: {url: \"%s\", user: %s, password: \"%s\", pool: {max: %d}}%n"
                    .formatted(urls.indexOf(url), url, user, password, poolMax))
        .collect(Collectors.joining());
  }
}
