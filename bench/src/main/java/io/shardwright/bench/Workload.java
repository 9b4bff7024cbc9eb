package io.shardwright.bench;

import java.util.List;

/** The table, the statements and the configuration that all benchmarks use. */
final class Workload {
  static final int BUCKETS = 4096;
  static final int SHARDS = 4;
  static final int POOL_MAX = 4;

  static final String POINT_SELECT =
      "SELECT order_id, status, total_amount FROM orders"
          + " WHERE tenant_id = ? AND buyer_id = ? AND order_id = ?";

  /** What a careful application sends to the shard itself: bucket_id leads the primary key. */
  static final String POINT_SELECT_ON_SHARD = POINT_SELECT + " AND bucket_id = ?";

  static final String TOP_20 =
      "SELECT order_id, status, total_amount, created_at FROM orders"
          + " ORDER BY created_at DESC, order_id DESC LIMIT 20";

  static final String TOP_100 = TOP_20.replace("LIMIT 20", "LIMIT 100");

  /** The hint says that every row of every shard is meant. */
  static final String SCAN =
      "/* shardwright: scatter=allow */ SELECT order_id, status, total_amount FROM orders";

  static final String INSERT =
      "INSERT INTO orders (tenant_id, buyer_id, order_id, status, total_amount, created_at)"
          + " VALUES (?, ?, ?, ?, ?, ?)";

  static final List<String> TABLES =
      List.of(
          """
          CREATE TABLE orders (
            bucket_id integer NOT NULL,
            tenant_id bigint NOT NULL,
            buyer_id bigint NOT NULL,
            order_id bigint NOT NULL,
            status text NOT NULL,
            total_amount numeric(18, 2) NOT NULL,
            created_at timestamptz NOT NULL,
            PRIMARY KEY (bucket_id, tenant_id, buyer_id, order_id))""",
          "CREATE INDEX orders_created ON orders (created_at DESC, order_id DESC)");

  private Workload() {}

  /** A key of the loaded rows; row numbers start at 0. */
  record OrderKey(long tenantId, long buyerId, long orderId) {
    static OrderKey ofRow(int row) {
      return new OrderKey(row % 40, 1_000 + row % 997, row);
    }
  }

  /** shardwright.yaml without a catalog. */
  static String configuration(List<String> urls, String user, String password) {
    StringBuilder yaml = new StringBuilder("version: 1\nshards:\n");
    for (int i = 0; i < urls.size(); i++) {
      yaml.append(
          "  s%d: {url: \"%s\", user: %s, password: \"%s\", pool: {max: %d}}%n"
              .formatted(i, urls.get(i), user, password, POOL_MAX));
    }
    return yaml
        + """
        groups:
          orders:
            key: [tenant_id, buyer_id]
            buckets: %d
            tables:
              orders: {}
        """
            .formatted(BUCKETS);
  }
}
