package io.shardwright.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SkewTest {
  private static final long HOTTEST = 14_911;

  private final Skew skew = Skew.ofOnlineRetail();

  @Test
  void data_isThatOfTheShop() {
    assertThat(skew.buyers()).isEqualTo(4_372);
    assertThat(skew.orders()).isEqualTo(22_190);
    assertThat(skew.hottest()).isEqualTo(248.0 / 22_190);
  }

  @Test
  void buyers_comeAsOftenAsInTheData() {
    SplittableRandom random = new SplittableRandom(3);
    int hottest = 0;
    for (int i = 0; i < 100_000; i++) {
      hottest += skew.buyer(random) == HOTTEST ? 1 : 0;
    }

    assertThat(hottest / 100_000.0).isCloseTo(skew.hottest(), within(0.002));
  }

  @Test
  void balance_isOfTheWholeAndHoldsTheHottestBuyer() {
    double[] shares = skew.balance(8);

    assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-9));
    assertThat(shares[OrderTables.shard(OrderTables.bucket(HOTTEST), 8)])
        .isGreaterThanOrEqualTo(skew.hottest());
  }
}
