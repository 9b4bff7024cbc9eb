package io.shardwright.advisor.advice;

import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Counts the values of one key, of at most a given number of distinct ones; then spreads them by
 * the product's own route. Not thread-safe.
 */
public final class KeySpread {
  private static final int DIGITS_MAX = 18;

  private final int distinctMax;
  private final Map<List<String>, long[]> counts = new HashMap<>();
  private long values;
  private long left;
  private Optional<Figures> figures = Optional.empty();

  /** Of all values; asked for by each score that looks at the key, and sources differ in name. */
  private record Figures(
      int shards,
      int buckets,
      long values,
      List<Long> rows,
      double bucketMaxToMean,
      double promotedMaxToMean,
      List<Map.Entry<List<String>, long[]>> hottest) {}

  public KeySpread(int distinctMax) {
    this.distinctMax = distinctMax;
  }

  public void add(List<String> key, long times) {
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
  public Optional<Evenness> evenness(String source, AdviceSettings settings) {
    if (values == 0) {
      return Optional.empty();
    }
    int shards = settings.judgedShards();
    int buckets = settings.buckets();
    boolean current =
        figures.isPresent()
            && figures.get().shards() == shards
            && figures.get().buckets() == buckets
            && figures.get().values() == values;
    if (!current) {
      figures = Optional.of(figures(shards, buckets));
    }
    Figures of = figures.get();
    return Optional.of(
        Evenness.of(
            source,
            of.rows().stream().mapToLong(Long::longValue).toArray(),
            of.bucketMaxToMean(),
            counts.size(),
            left,
            of.hottest().stream().map(entry -> hot(entry, settings.showKeys())).toList(),
            Optional.of(of.promotedMaxToMean())));
  }

  private Figures figures(int shards, int buckets) {
    BucketFunction function = new BucketFunction(types(), HashAlgorithm.XXH64, buckets);
    List<ShardId> names = IntStream.range(0, shards).mapToObj(i -> new ShardId("s" + i)).toList();
    BucketMap map = BucketMap.initial("judged", buckets, names);
    int[] owners =
        IntStream.range(0, buckets)
            .map(b -> Integer.parseInt(map.shardOf(new BucketId(b)).name().substring(1)))
            .toArray();
    long[] rows = new long[shards];
    long[] rowsOfBuckets = new long[buckets];
    List<Map.Entry<List<String>, long[]>> hottest = hottest();
    double[] promoted = new double[shards];
    for (Map.Entry<List<String>, long[]> entry : counts.entrySet()) {
      Optional<BucketId> bucket = function.bucket(entry.getKey());
      if (bucket.isEmpty()) {
        continue;
      }
      int shard = owners[bucket.get().value()];
      long count = entry.getValue()[0];
      rows[shard] += count;
      rowsOfBuckets[bucket.get().value()] += count;
      promoted[shard] +=
          isPromoted(hottest, entry) ? (double) count * Evenness.PROMOTION : (double) count;
    }
    return new Figures(
        shards,
        buckets,
        values,
        Arrays.stream(rows).boxed().toList(),
        maxToMean(rowsOfBuckets),
        maxToMean(promoted),
        hottest);
  }

  private static boolean isPromoted(
      List<Map.Entry<List<String>, long[]>> hottest, Map.Entry<List<String>, long[]> entry) {
    return hottest.subList(0, Math.min(Evenness.PROMOTED, hottest.size())).contains(entry);
  }

  private static HotKey hot(Map.Entry<List<String>, long[]> entry, boolean showKeys) {
    String key = String.join(",", entry.getKey());
    return new HotKey(showKeys ? key : Evenness.digest(key), entry.getValue()[0]);
  }

  private List<KeyType> types() {
    int width = counts.keySet().iterator().next().size();
    List<KeyType> types = new ArrayList<>();
    for (int c = 0; c < width; c++) {
      int column = c;
      boolean whole = counts.keySet().stream().allMatch(k -> isWhole(k.get(column)));
      types.add(whole ? KeyType.INTEGER : KeyType.TEXT);
    }
    return types;
  }

  /** At most 18 digits: such a number is a long. */
  private static boolean isWhole(String text) {
    int start = text.startsWith("-") ? 1 : 0;
    int digits = text.length() - start;
    boolean whole = digits >= 1 && digits <= DIGITS_MAX;
    for (int i = start; whole && i < text.length(); i++) {
      whole = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return whole;
  }

  private List<Map.Entry<List<String>, long[]>> hottest() {
    List<Map.Entry<List<String>, long[]>> top = new ArrayList<>();
    for (Map.Entry<List<String>, long[]> entry : counts.entrySet()) {
      int place = top.size();
      while (place > 0 && isHotter(entry, top.get(place - 1))) {
        place--;
      }
      if (place < Evenness.HOTTEST_MAX) {
        top.add(place, entry);
        if (top.size() > Evenness.HOTTEST_MAX) {
          top.remove(Evenness.HOTTEST_MAX);
        }
      }
    }
    return top;
  }

  private static boolean isHotter(
      Map.Entry<List<String>, long[]> a, Map.Entry<List<String>, long[]> b) {
    long rows = a.getValue()[0];
    long others = b.getValue()[0];
    return rows > others
        || (rows == others
            && String.join(",", a.getKey()).compareTo(String.join(",", b.getKey())) < 0);
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
