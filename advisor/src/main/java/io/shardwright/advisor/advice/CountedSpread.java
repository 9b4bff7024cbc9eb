package io.shardwright.advisor.advice;

import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Spreads keys of which each comes once, with all its rows; none is held but the ten with the most.
 * Not thread-safe.
 */
final class CountedSpread {
  private static final int TOP = Evenness.HOTTEST_MAX;

  private final BucketFunction function;
  private final int shards;
  private final int[] owners;
  private final long[] rowsOfBuckets;
  private final String[] topKeys = new String[TOP];
  private final long[] topRows = new long[TOP];
  private final int[] topBuckets = new int[TOP];
  private long distinct;
  private long left;

  /**
   * @param whole true for a column of whole numbers
   */
  CountedSpread(boolean whole, AdviceSettings settings) {
    int buckets = settings.buckets();
    this.shards = settings.judgedShards();
    this.function =
        new BucketFunction(
            List.of(whole ? KeyType.INTEGER : KeyType.TEXT), HashAlgorithm.XXH64, buckets);
    this.owners = KeySpread.owners(shards, buckets);
    this.rowsOfBuckets = new long[buckets];
  }

  /** A null key is that of rows that no shard could own. */
  void add(String key, long rows) {
    Optional<BucketId> bucket = key == null ? Optional.empty() : function.bucket(List.of(key));
    if (bucket.isEmpty()) {
      left += rows;
      return;
    }
    distinct++;
    rowsOfBuckets[bucket.get().value()] += rows;
    top(key, rows, bucket.get().value());
  }

  private void top(String key, long rows, int bucket) {
    for (int place = 0; place < TOP; place++) {
      if (rows > topRows[place]) {
        for (int i = TOP - 1; i > place; i--) {
          topKeys[i] = topKeys[i - 1];
          topRows[i] = topRows[i - 1];
          topBuckets[i] = topBuckets[i - 1];
        }
        topKeys[place] = key;
        topRows[place] = rows;
        topBuckets[place] = bucket;
        return;
      }
    }
  }

  /** Empty without keys. */
  Optional<Evenness> evenness(String source, boolean showKeys) {
    if (distinct == 0) {
      return Optional.empty();
    }
    long[] rows = new long[shards];
    for (int bucket = 0; bucket < rowsOfBuckets.length; bucket++) {
      rows[owners[bucket]] += rowsOfBuckets[bucket];
    }
    long[] promoted = rows.clone();
    for (int i = 0; i < Evenness.PROMOTED && topKeys[i] != null; i++) {
      promoted[owners[topBuckets[i]]] += topRows[i] * (Evenness.PROMOTION - 1);
    }
    return Optional.of(
        Evenness.of(
            source,
            rows,
            KeySpread.maxToMean(rowsOfBuckets),
            distinct,
            0,
            left,
            hottest(showKeys),
            Optional.of(KeySpread.maxToMean(promoted))));
  }

  private List<HotKey> hottest(boolean showKeys) {
    List<HotKey> hottest = new ArrayList<>();
    for (int i = 0; i < TOP && topKeys[i] != null; i++) {
      hottest.add(new HotKey(showKeys ? topKeys[i] : Evenness.digest(topKeys[i]), topRows[i]));
    }
    return hottest;
  }
}
