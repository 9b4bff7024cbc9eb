package io.shardwright.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BucketMapTest {
  private static final ShardId S0 = new ShardId("s0");
  private static final ShardId S1 = new ShardId("s1");
  private static final ShardId S2 = new ShardId("s2");

  @Test
  void initial_forEveryShardCount_isBalancedContiguousAndComplete() {
    for (int buckets : new int[] {1, 7, 64, 1024}) {
      for (int count = 1; count <= Math.min(buckets, 70); count++) {
        List<ShardId> shards = shards(count);
        BucketMap map = BucketMap.initial("orders", buckets, shards);
        List<BucketId> all = new ArrayList<>();
        for (ShardId shard : shards) {
          assertThat(map.bucketsOf(shard).size())
              .isBetween(buckets / count, (buckets + count - 1) / count);
          all.addAll(map.bucketsOf(shard));
        }

        // In shard order the buckets ascend from 0 without gap: each is owned once, in ranges.
        assertThat(all).isEqualTo(IntStream.range(0, buckets).mapToObj(BucketId::new).toList());
        assertThat(map.version()).isEqualTo(1);
      }
    }
  }

  @Test
  void initial_withoutShardsOrWithMoreThanBuckets_isRefused() {
    assertThatThrownBy(() -> BucketMap.initial("orders", 4, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("orders");
    assertThatThrownBy(() -> BucketMap.initial("orders", 1, List.of(S0, S1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not 2");
  }

  @Test
  void withMoved_movesTheNamedOnly_inTheNextVersion() {
    Random random = new Random(4);
    BucketMap map = BucketMap.initial("orders", 256, shards(4));
    for (int step = 0; step < 50; step++) {
      List<BucketId> moved =
          random.ints(random.nextInt(20), 0, 256).distinct().mapToObj(BucketId::new).toList();
      ShardId target = new ShardId("s" + random.nextInt(6));
      BucketMap next = map.withMoved(moved, target);

      assertThat(next.version()).isEqualTo(map.version() + 1);
      for (int value = 0; value < 256; value++) {
        BucketId bucket = new BucketId(value);
        assertThat(next.shardOf(bucket))
            .isEqualTo(moved.contains(bucket) ? target : map.shardOf(bucket));
      }
      map = next;
    }
  }

  @Test
  void withMoved_leavesTheOldVersionAsItWas() {
    BucketMap map = BucketMap.initial("orders", 4, List.of(S0, S1));

    BucketMap next = map.withMoved(List.of(new BucketId(0)), S2);

    assertThat(map.shardOf(new BucketId(0))).isEqualTo(S0);
    assertThat(map.shards()).containsExactly(S0, S1);
    assertThat(next.shards()).containsExactly(S0, S1, S2);
  }

  @Test
  void shards_areOnlyThoseThatOwnABucket() {
    BucketMap map = BucketMap.initial("orders", 2, List.of(S1, S0));

    assertThat(map.shards()).containsExactly(S0, S1);
    assertThat(map.withMoved(List.of(new BucketId(0)), S0).shards()).containsExactly(S0);
  }

  @Test
  void of_persistedOwners_isThatMap() {
    BucketMap map = BucketMap.of("orders", 7, List.of(S1, S0, S1));

    assertThat(map.version()).isEqualTo(7);
    assertThat(map.buckets()).isEqualTo(3);
    assertThat(map.bucketsOf(S1)).containsExactly(new BucketId(0), new BucketId(2));
    assertThat(map.bucketsOf(S2)).isEmpty();
    assertThat(map).hasToString("bucket map of orders, version 7, 3 buckets on [s0, s1]");
  }

  @Test
  void of_versionZeroOrNoOwners_isRefused() {
    assertThatThrownBy(() -> BucketMap.of("orders", 0, List.of(S0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BucketMap.of("orders", 1, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shardId_names_followTheRule() {
    for (String name : List.of("s0", "a", "eu-west_1", "a".repeat(63))) {
      assertThat(new ShardId(name)).hasToString(name);
    }
    for (String name : List.of("", "0s", "S0", "s 0", "_s", "s.0", "ä", "a".repeat(64))) {
      assertThatThrownBy(() -> new ShardId(name)).hasMessageContaining("'" + name + "'");
    }
  }

  @Test
  void bucketId_negative_isRefused() {
    assertThatThrownBy(() -> new BucketId(-1)).hasMessageContaining("-1");
  }

  private static List<ShardId> shards(int count) {
    return IntStream.range(0, count).mapToObj(i -> new ShardId("s" + i)).toList();
  }
}
