package io.shardwright.sql;

import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Schema.Column;
import io.shardwright.sql.Schema.GeneIdColumn;
import io.shardwright.sql.Schema.Sharding;
import io.shardwright.sql.Schema.Table;
import io.shardwright.sql.Schema.ValueOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The order platform's schema on four shards, for tests of the planner. */
final class Plans {
  static final BucketFunction TUPLE =
      new BucketFunction(List.of(KeyType.INTEGER, KeyType.INTEGER), HashAlgorithm.XXH64, 4096);
  static final BucketMap MAP =
      BucketMap.initial(
          "orders",
          4096,
          List.of(new ShardId("s0"), new ShardId("s1"), new ShardId("s2"), new ShardId("s3")));
  static final GeneIdLayout LAYOUT = GeneIdLayout.forBuckets(4096);

  static final Schema SCHEMA =
      Schema.of(
          List.of(
              table(
                  "orders",
                  List.of("tenant_id", "buyer_id"),
                  "bucket_id order_id tenant_id buyer_id status amount_cent created_at"),
              table(
                  "order_items",
                  List.of("tenant_id", "buyer_id"),
                  "bucket_id order_id line_no tenant_id buyer_id quantity"),
              table(
                  "order_addresses",
                  List.of("tenant_id", "customer_id"),
                  "bucket_id order_id tenant_id customer_id city"),
              new Table(
                  "tags",
                  Optional.of(
                      new Sharding(
                          "tags",
                          List.of("tag"),
                          new BucketFunction(List.of(KeyType.TEXT), HashAlgorithm.XXH64, 4096),
                          Optional.empty())),
                  List.of(
                      new Column(
                          "bucket_id",
                          ValueOrder.NATURAL,
                          OptionalInt.empty(),
                          Optional.empty(),
                          Optional.of(KeyType.INTEGER)),
                      new Column(
                          "tag",
                          ValueOrder.CODE_POINT,
                          OptionalInt.of(5),
                          Optional.empty(),
                          Optional.of(KeyType.TEXT)))),
              new Table("countries", Optional.empty(), columns("tenant_id name")),
              single("jobs", "s1"),
              single("history", "s2")));

  static final Planner PLANNER = new Planner(SCHEMA);

  private Plans() {}

  private static Table single(String name, String shard) {
    return new Table(
        name, Optional.empty(), Optional.of(new ShardId(shard)), columns("id done_at"));
  }

  private static Table table(String name, List<String> key, String columns) {
    GeneIdColumn id = new GeneIdColumn("order_id", LAYOUT, !name.equals("order_items"));
    return new Table(
        name, Optional.of(new Sharding("orders", key, TUPLE, Optional.of(id))), columns(columns));
  }

  private static List<Column> columns(String names) {
    return Arrays.stream(names.split(" "))
        .map(
            name ->
                new Column(
                    name,
                    name.equals("city")
                        ? ValueOrder.EQUALITY_ONLY
                        : name.equals("name") ? ValueOrder.CODE_POINT : ValueOrder.NATURAL,
                    OptionalInt.empty(),
                    Optional.empty(),
                    keyType(name)))
        .toList();
  }

  private static Optional<KeyType> keyType(String column) {
    return switch (column) {
      case "city" -> Optional.empty();
      case "name" -> Optional.of(KeyType.TEXT);
      case "created_at" -> Optional.of(KeyType.TIMESTAMP_WITH_ZONE);
      default -> Optional.of(KeyType.INTEGER);
    };
  }

  static Route route(String sql, Object... parameters) {
    return PLANNER.plan(sql).route(Arrays.asList(parameters), group -> MAP);
  }

  static BucketId bucket(long tenant, long buyer) {
    return TUPLE.bucket(List.of(tenant, buyer)).orElseThrow();
  }

  static ShardId shard(long tenant, long buyer) {
    return MAP.shardOf(bucket(tenant, buyer));
  }
}
