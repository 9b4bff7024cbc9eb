package io.shardwright.advisor.advice;

import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Counts the values of one key, of at most a given number of distinct ones; then spreads them by
 * the product's own route. Not thread-safe.
 */
final class KeySpread {
  private final int distinctMax;
  private final Map<List<String>, long[]> counts = new HashMap<>();
  private long values;
  private long left;

  KeySpread(int distinctMax) {
    this.distinctMax = distinctMax;
  }

  void add(List<String> key, long times) {
    long[] count = counts.get(key);
    if (count == null) {
      if (counts.size() >= distinctMax) {
        left += times;
        return;
      }
      count = new long[1];
      counts.put(List.copyOf(key), count);
    }
    count[0] += times;
    values += times;
  }

  long values() {
    return values;
  }

  int distinct() {
    return counts.size();
  }

  /** True when each value came once. */
  boolean isOneToOne() {
    return left == 0 && counts.size() == values;
  }

  /** True when all values look like dates or times. */
  boolean isTime() {
    return !counts.isEmpty()
        && counts.keySet().stream()
            .allMatch(k -> k.size() == 1 && k.get(0).matches("\\d{4}-\\d{2}-\\d{2}([ T].*)?"));
  }

  /** Empty without values. */
  Optional<Evenness> evenness(String source, int shards, int buckets, boolean showKeys) {
    if (values == 0) {
      return Optional.empty();
    }
    int width = counts.keySet().iterator().next().size();
    List<KeyType> types = new ArrayList<>();
    for (int c = 0; c < width; c++) {
      int column = c;
      boolean whole =
          counts.keySet().stream().allMatch(k -> k.get(column).matches("-?[0-9]{1,18}"));
      types.add(whole ? KeyType.INTEGER : KeyType.TEXT);
    }
    BucketFunction function = new BucketFunction(types, HashAlgorithm.XXH64, buckets);
    List<ShardId> names = IntStream.range(0, shards).mapToObj(i -> new ShardId("s" + i)).toList();
    BucketMap map = BucketMap.initial("judged", buckets, names);
    long[] rows = new long[shards];
    long[] rowsOfBuckets = new long[buckets];
    List<Map.Entry<List<String>, long[]>> hottest = hottest();
    double[] promoted = new double[shards];
    for (Map.Entry<List<String>, long[]> entry : counts.entrySet()) {
      Optional<BucketId> bucket = function.bucket(new ArrayList<>(entry.getKey()));
      if (bucket.isEmpty()) {
        continue;
      }
      int shard = Integer.parseInt(map.shardOf(bucket.get()).name().substring(1));
      long count = entry.getValue()[0];
      rows[shard] += count;
      rowsOfBuckets[bucket.get().value()] += count;
      promoted[shard] +=
          isPromoted(hottest, entry) ? (double) count * Evenness.PROMOTION : (double) count;
    }
    return Optional.of(
        Evenness.of(
            source,
            rows,
            maxToMean(rowsOfBuckets),
            counts.size(),
            left,
            hottest.stream().map(entry -> hot(entry, showKeys)).toList(),
            Optional.of(maxToMean(promoted))));
  }

  private static boolean isPromoted(
      List<Map.Entry<List<String>, long[]>> hottest, Map.Entry<List<String>, long[]> entry) {
    return hottest.subList(0, Math.min(Evenness.PROMOTED, hottest.size())).contains(entry);
  }

  private static HotKey hot(Map.Entry<List<String>, long[]> entry, boolean showKeys) {
    String key = String.join(",", entry.getKey());
    return new HotKey(showKeys ? key : Evenness.digest(key), entry.getValue()[0]);
  }

  private List<Map.Entry<List<String>, long[]>> hottest() {
    List<Map.Entry<List<String>, long[]>> all = new ArrayList<>(counts.entrySet());
    Collections.sort(
        all,
        (a, b) ->
            a.getValue()[0] != b.getValue()[0]
                ? Long.compare(b.getValue()[0], a.getValue()[0])
                : String.join(",", a.getKey()).compareTo(String.join(",", b.getKey())));
    return all.subList(0, Math.min(Evenness.HOTTEST_MAX, all.size()));
  }

  private static double maxToMean(long[] counts) {
    return maxToMean(Arrays.stream(counts).asDoubleStream().toArray());
  }

  private static double maxToMean(double[] counts) {
    double sum = 0;
    double max = 0;
    for (double count : counts) {
      sum += count;
      max = Math.max(max, count);
    }
    return sum == 0 ? 1 : max * counts.length / sum;
  }
}
