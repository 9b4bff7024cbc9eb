package io.shardwright.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MapRangeTest {
  private static final ShardId A = new ShardId("a");
  private static final ShardId B = new ShardId("b");

  @Test
  void of_everySmallMap_comesBackAsItWas() {
    for (int buckets = 1; buckets <= 8; buckets++) {
      for (int bits = 0; bits < 1 << buckets; bits++) {
        List<ShardId> owners = new ArrayList<>();
        for (int bucket = 0; bucket < buckets; bucket++) {
          owners.add(((bits >> bucket) & 1) == 0 ? A : B);
        }
        BucketMap map = BucketMap.of("g", 3, owners);
        List<MapRange> ranges = MapRange.of(map);
        BucketMap back = MapRange.toMap("g", 3, buckets, ranges);
        for (int bucket = 0; bucket < buckets; bucket++) {
          assertThat(back.shardOf(new BucketId(bucket))).isEqualTo(owners.get(bucket));
        }
        int neighbours = (1 << (buckets - 1)) - 1;
        int changes = Integer.bitCount((bits ^ (bits >> 1)) & neighbours);
        assertThat(ranges).hasSize(1 + changes);
      }
    }
  }

  @Test
  void toMap_gapsOverlapsAndExcess_areFound() {
    assertBroken(List.of(new MapRange(0, 1, A)), "bucket 2");
    assertBroken(List.of(new MapRange(1, 3, A)), "bucket 0");
    assertBroken(List.of(new MapRange(0, 2, A), new MapRange(2, 3, B)), "bucket 3");
    assertBroken(List.of(new MapRange(0, 1, A), new MapRange(3, 3, B)), "bucket 2");
    assertBroken(List.of(new MapRange(0, 4, A)), "bucket 0");
    assertBroken(List.of(), "bucket 0");
  }

  private static void assertBroken(List<MapRange> ranges, String bucket) {
    assertThatThrownBy(() -> MapRange.toMap("g", 1, 4, ranges))
        .hasMessageStartingWith("SW901")
        .hasMessageContaining(bucket + " no owner or several");
  }
}
