package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Types and columns of the keys stay what they were when the rows were written. */
class ApplyKeyTest {
  private static final ShardId S0 = new ShardId("s0");
  private static final ShardId S1 = new ShardId("s1");

  @Test
  void run_keyTypeChangedLater_isReported() throws SQLException {
    OrderShards shards = OrderShards.create(1).withCatalog().withTables();
    assertThat(shards.apply().ok()).isTrue();
    shards.everywhere(
        "ALTER TABLE orders ALTER buyer_id TYPE bigint USING 1;"
            + "ALTER TABLE items ALTER buyer TYPE bigint USING 1");

    assertThat(shards.apply().problems())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.code()).isEqualTo(ErrorCode.CATALOG_MISMATCH);
              assertThat(p.message())
                  .contains("[INTEGER, INTEGER] on the shards and [INTEGER, TEXT] in the catalog");
            });
  }

  @Test
  void run_keyOfATableChangedLater_isReported() throws SQLException {
    OrderShards shards = OrderShards.create(1).withCatalog().withTables();
    shards.everywhere("ALTER TABLE items ADD other varchar(40) NOT NULL");
    assertThat(shards.apply().ok()).isTrue();

    ApplyReport changed = apply(shards, "[tenant, buyer]", "[tenant, other]");

    assertThat(changed.problems())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.code()).isEqualTo(ErrorCode.CATALOG_MISMATCH);
              assertThat(p.message())
                  .contains(
                      "table items has the key [tenant, buyer] in the catalog and the key [tenant,"
                          + " other] in the file");
            });
    assertThat(shards.apply().ok()).isTrue();
  }

  @Test
  void run_tableWithProblems_isNotPinned() throws SQLException {
    OrderShards shards = OrderShards.create(1).withCatalog().withTables();
    shards.everywhere("ALTER TABLE items ADD other varchar(40)");

    assertThat(apply(shards, "[tenant, buyer]", "[tenant, other]").ok()).isFalse();

    assertThat(shards.apply().problems()).isEmpty();
  }

  /** Without a catalog only the rows tell which key they were written with. */
  @Test
  void run_swappedKeyOverRows_isReported() throws SQLException {
    OrderShards shards = OrderShards.create(2).withTables();
    String swappable =
        "ALTER TABLE orders ALTER buyer_id TYPE bigint USING 1;"
            + "ALTER TABLE items ALTER buyer TYPE bigint USING 1";
    shards.everywhere(swappable);
    assertThat(apply(shards, "[tenant, buyer]", "[buyer, tenant]").problems()).isEmpty();
    BucketId bucket = bucket(3, 77);
    insertItem(shards, bucket, 3, 77);

    assertThat(shards.apply().problems()).isEmpty();
    assertThat(apply(shards, "[tenant, buyer]", "[buyer, tenant]").problems())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.table()).contains("items");
              assertThat(p.message())
                  .contains("bucket_id is not the bucket of their key [buyer, tenant]");
              assertThat(p.action()).contains("verify --placement");
            });
  }

  @Test
  void run_shardsOfAStaticMapReordered_isReported() throws SQLException {
    OrderShards shards = OrderShards.create(2).withTables();
    shards.everywhere(
        "ALTER TABLE orders ALTER buyer_id TYPE bigint USING 1;"
            + "ALTER TABLE items ALTER buyer TYPE bigint USING 1");
    assertThat(shards.apply().problems()).isEmpty();
    insertItem(shards, bucket(3, 77), 3, 77);
    Configuration good = shards.configuration();
    Map<ShardId, Configuration.Shard> reordered = new LinkedHashMap<>();
    reordered.put(S1, good.shards().get(S1));
    reordered.put(S0, good.shards().get(S0));

    ApplyReport report =
        Apply.run(TestingConfiguration.withShards(good, reordered), Apply.Options.DEFAULT);

    assertThat(report.problems())
        .extracting(Finding::message)
        .containsExactly(
            "table items has rows of buckets that the bucket map gives to another shard",
            "table orders has rows of buckets that the bucket map gives to another shard");
  }

  private static ApplyReport apply(OrderShards shards, String key, String instead) {
    return Apply.run(
        shards.configuration(OrderShards.GROUPS.replace(key, instead)), Apply.Options.DEFAULT);
  }

  private static BucketId bucket(long tenant, long buyer) {
    return new BucketFunction(List.of(KeyType.INTEGER, KeyType.INTEGER), HashAlgorithm.XXH64, 1024)
        .bucket(List.of(tenant, buyer))
        .orElseThrow();
  }

  /** On the shard that owns the bucket. */
  private static void insertItem(OrderShards shards, BucketId bucket, long tenant, long buyer)
      throws SQLException {
    long id = (long) bucket.value() << GeneIdLayout.forBuckets(1024).geneShift();
    shards.on(
        bucket.value() < 512 ? 0 : 1,
        "INSERT INTO orders VALUES (%1$d, %2$d, %3$d, %4$d, NULL, 's', now());"
                .formatted(bucket.value(), id, tenant, buyer)
            + "INSERT INTO items VALUES (%1$d, %2$d, 1, %3$d, %4$d)"
                .formatted(bucket.value(), id, tenant, buyer));
  }
}
