package io.shardwright.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The law that the real orders spread evenly although one country places nine in ten of them. */
class RetailDistributionTest {
  private static final int BUCKETS = 4096;
  private static final double MAX_TO_MEAN = 1.10;

  private static final BucketFunction FUNCTION =
      new BucketFunction(List.of(KeyType.INTEGER, KeyType.INTEGER), HashAlgorithm.XXH64, BUCKETS);

  private static final List<NewOrder.Buyer> BUYERS_OF_ORDERS = new ArrayList<>();

  @BeforeAll
  static void readInvoices() {
    RetailOrders orders = new RetailOrders();
    RetailData.in(Path.of("data"))
        .forEach(
            RetailData.INVOICES, invoice -> BUYERS_OF_ORDERS.add(orders.order(invoice).buyer()));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8})
  void orders_byTenantAndBuyer_spreadOverTheShards(int shards) {
    int[] orders = ordersByShard(shards, FUNCTION);

    assertThat(Arrays.stream(orders).sum()).isEqualTo(RetailData.INVOICES);
    assertThat(maxToMean(orders)).isLessThanOrEqualTo(MAX_TO_MEAN);
  }

  @Test
  void orders_byTenantAlone_wouldNotSpread() {
    BucketFunction tenantAlone =
        new BucketFunction(List.of(KeyType.INTEGER), HashAlgorithm.XXH64, BUCKETS);

    assertThat(maxToMean(ordersByShard(4, tenantAlone))).isGreaterThan(2);
  }

  private static int[] ordersByShard(int shards, BucketFunction function) {
    List<ShardId> names = IntStream.range(0, shards).mapToObj(i -> new ShardId("s" + i)).toList();
    BucketMap map = BucketMap.initial("orders", BUCKETS, names);
    int[] orders = new int[shards];
    for (NewOrder.Buyer buyer : BUYERS_OF_ORDERS) {
      List<Long> key = List.of(buyer.tenantId(), buyer.buyerId());
      BucketId bucket = function.bucket(key.subList(0, function.types().size())).orElseThrow();
      orders[names.indexOf(map.shardOf(bucket))]++;
    }
    return orders;
  }

  private static double maxToMean(int[] orders) {
    double mean = Arrays.stream(orders).average().orElseThrow();
    return Arrays.stream(orders).max().orElseThrow() / mean;
  }
}
