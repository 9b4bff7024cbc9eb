package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.BucketHeat;
import io.shardwright.catalog.CatalogHeat.Recorded;
import io.shardwright.migration.HeatReport.Group;
import io.shardwright.migration.HeatReport.Hint;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeatReportTest {
  private static final ShardId S0 = new ShardId("s0");
  private static final ShardId S1 = new ShardId("s1");
  private static final ShardId S2 = new ShardId("s2");

  /** Buckets 0 to 3 on s0, 4 to 7 on s1; s2 is new. */
  private static final BucketMap MAP = BucketMap.initial("g", 8, List.of(S0, S1));

  private static Group group(long... nanosByBucket) {
    List<BucketHeat> heat = new ArrayList<>();
    heat.add(new BucketHeat("other", 1, 9, 9, 9, 9_999));
    heat.add(new BucketHeat("g", BucketHeat.SCATTERED, 3, 0, 3, 77));
    for (int bucket = 0; bucket < nanosByBucket.length; bucket++) {
      if (nanosByBucket[bucket] > 0) {
        heat.add(new BucketHeat("g", bucket, 1, 2, 3, nanosByBucket[bucket]));
      }
    }
    Recorded recorded = new Recorded(Duration.ofHours(1), heat);
    return HeatReport.of(recorded, Map.of("g", MAP), List.of(S0, S1, S2)).groups().get(0);
  }

  @Test
  void buckets_areSortedByTime_withTheirShardAndShare() {
    Group group = group(10, 0, 60, 0, 0, 30);

    assertThat(group.buckets())
        .extracting(bucket -> bucket.heat().bucket())
        .containsExactly(2, 5, 0);
    assertThat(group.buckets())
        .extracting(HeatReport.Bucket::shard)
        .containsExactly(MAP.shardOf(bucket(2)), MAP.shardOf(bucket(5)), MAP.shardOf(bucket(0)));
    assertThat(group.buckets()).extracting(HeatReport.Bucket::share).containsExactly(0.6, 0.3, 0.1);
    assertThat(group.scattered()).isEqualTo(new BucketHeat("g", -1, 3, 0, 3, 77));
    assertThat(group.shards().values().stream().mapToLong(BucketHeat::nanos).sum()).isEqualTo(100);
    assertThat(group.shards().get(S2).nanos()).isZero();
  }

  private static BucketId bucket(int number) {
    return new BucketId(number);
  }

  @Test
  void hint_isTheBucketThatEvensOutMost() {
    List<Integer> ofS0 = MAP.bucketsOf(S0).stream().map(BucketId::value).toList();
    long[] nanos = new long[8];
    nanos[ofS0.get(0)] = 50;
    nanos[ofS0.get(1)] = 40;
    nanos[ofS0.get(2)] = 5;

    Group group = group(nanos);

    assertThat(group.skew()).isEqualTo(3);
    assertThat(group.hint()).contains(new Hint(ofS0.get(0), S0, S1, 50 / (95 / 3.0)));
  }

  @Test
  void hint_oneBucketHasItAll_isNone() {
    long[] nanos = new long[8];
    nanos[3] = 100;

    assertThat(group(nanos).hint()).isEmpty();
    assertThat(group().hint()).isEmpty();
    assertThat(group().skew()).isEqualTo(1);
  }
}
