package io.shardwright.catalog;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.List;

/**
 * Neighbouring buckets of one owner: the stored form of a map.
 *
 * @param last inclusive
 */
record MapRange(int first, int last, ShardId shard) {

  /** As few ranges as possible, in bucket order. */
  static List<MapRange> of(BucketMap map) {
    List<MapRange> ranges = new ArrayList<>();
    int first = 0;
    for (int bucket = 1; bucket <= map.buckets(); bucket++) {
      ShardId owner = map.shardOf(new BucketId(first));
      if (bucket == map.buckets() || !map.shardOf(new BucketId(bucket)).equals(owner)) {
        ranges.add(new MapRange(first, bucket - 1, owner));
        first = bucket;
      }
    }
    return ranges;
  }

  /**
   * @param ranges in bucket order
   * @throws ShardwrightException SW901 when they do not cover 0 to {@code buckets} - 1 exactly once
   */
  static BucketMap toMap(String group, long version, int buckets, List<MapRange> ranges) {
    List<ShardId> owners = new ArrayList<>(buckets);
    for (MapRange range : ranges) {
      if (range.first != owners.size() || range.last < range.first || range.last >= buckets) {
        break;
      }
      for (int bucket = range.first; bucket <= range.last; bucket++) {
        owners.add(range.shard);
      }
    }
    if (owners.size() != buckets) {
      throw new ShardwrightException(
          ErrorCode.INVARIANT_BROKEN,
          "version "
              + version
              + " of the bucket map of group "
              + group
              + " in the catalog gives bucket "
              + owners.size()
              + " no owner or several, of "
              + buckets
              + " buckets; shardwright_map_range was changed by hand: restore it");
    }
    return BucketMap.of(group, version, owners);
  }
}
