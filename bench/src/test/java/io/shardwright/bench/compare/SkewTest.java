package io.shardwright.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SkewTest {
  @Test
  void buyers_comeAsOftenAsZipfSays() {
    Skew skew = Skew.of(1_000);
    SplittableRandom random = new SplittableRandom(3);
    int[] counts = new int[1_001];
    for (int i = 0; i < 100_000; i++) {
      counts[(int) skew.buyer(random)]++;
    }

    assertThat(counts[0]).isZero();
    assertThat(counts[1] / 100_000.0).isCloseTo(skew.hottest(), within(0.01));
    assertThat((double) counts[1] / counts[2]).isCloseTo(Math.pow(2, 0.99), within(0.1));
  }

  @Test
  void balance_isOfTheWholeAndHoldsTheHottestBuyer() {
    Skew skew = Skew.of(5_000);

    double[] shares = skew.balance(8);

    assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-9));
    assertThat(shares[OrderTables.shard(OrderTables.bucket(1), 8)])
        .isGreaterThanOrEqualTo(skew.hottest());
  }
}
