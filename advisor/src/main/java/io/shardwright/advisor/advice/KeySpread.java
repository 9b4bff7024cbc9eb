package io.shardwright.advisor.advice;

import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Counts the values of one key, of at most a given number of distinct ones; then spreads them by
 * the product's own route. Not thread-safe.
 */
public final class KeySpread {
  private static final int DIGITS_MAX = 18;

  /** Of all texts of one key and table; longer keys than 160 bytes leave room for fewer. */
  private static final int BYTES_MAX = 16 << 20;

  private static final Pattern TIME = Pattern.compile("\\d{4}-\\d{2}-\\d{2}([ T].*)?");

  private final int distinctMax;

  /** Null before the first value. */
  private KeyTable counts;

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
      List<Integer> hottest) {}

  public KeySpread(int distinctMax) {
    this.distinctMax = distinctMax;
  }

  /**
   * @param key as many texts as each key before
   */
  public void add(List<String> key, long times) {
    if (counts == null) {
      counts = new KeyTable(key.size(), distinctMax, BYTES_MAX);
    }
    if (counts.add(key, times)) {
      values += times;
    } else {
      left += times;
    }
  }

  long values() {
    return values;
  }

  int distinct() {
    return counts == null ? 0 : counts.size();
  }

  /** True when each value came once. */
  boolean isOneToOne() {
    return left == 0 && distinct() == values;
  }

  /** True when all values look like dates or times. */
  boolean isTime() {
    return distinct() > 0
        && counts.width() == 1
        && keys().allMatch(key -> TIME.matcher(key.get(0)).matches());
  }

  private Stream<List<String>> keys() {
    return IntStream.range(0, counts.size()).mapToObj(counts::key);
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
            0,
            of.hottest().stream().map(number -> hot(number, settings.showKeys())).toList(),
            Optional.of(of.promotedMaxToMean())));
  }

  private Figures figures(int shards, int buckets) {
    BucketFunction function = new BucketFunction(types(), HashAlgorithm.XXH64, buckets);
    int[] owners = owners(shards, buckets);
    long[] rows = new long[shards];
    long[] rowsOfBuckets = new long[buckets];
    List<Integer> hottest = hottest();
    List<Integer> promotedKeys = hottest.subList(0, Math.min(Evenness.PROMOTED, hottest.size()));
    double[] promoted = new double[shards];
    for (int number = 0; number < counts.size(); number++) {
      Optional<BucketId> bucket = function.bucket(counts.key(number));
      if (bucket.isEmpty()) {
        continue;
      }
      int shard = owners[bucket.get().value()];
      long count = counts.count(number);
      rows[shard] += count;
      rowsOfBuckets[bucket.get().value()] += count;
      promoted[shard] +=
          promotedKeys.contains(number) ? (double) count * Evenness.PROMOTION : (double) count;
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

  private HotKey hot(int number, boolean showKeys) {
    String key = String.join(",", counts.key(number));
    return new HotKey(showKeys ? key : Evenness.digest(key), counts.count(number));
  }

  private List<KeyType> types() {
    List<KeyType> types = new ArrayList<>();
    for (int c = 0; c < counts.width(); c++) {
      int column = c;
      boolean whole = keys().allMatch(key -> isWhole(key.get(column)));
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

  /** The numbers of the hottest keys, of equal ones the first by their text. */
  private List<Integer> hottest() {
    List<Integer> top = new ArrayList<>();
    for (int number = 0; number < counts.size(); number++) {
      int place = top.size();
      while (place > 0 && isHotter(number, top.get(place - 1))) {
        place--;
      }
      if (place < Evenness.HOTTEST_MAX) {
        top.add(place, number);
        if (top.size() > Evenness.HOTTEST_MAX) {
          top.remove(Evenness.HOTTEST_MAX);
        }
      }
    }
    return top;
  }

  private boolean isHotter(int a, int b) {
    return counts.count(a) > counts.count(b)
        || (counts.count(a) == counts.count(b)
            && String.join(",", counts.key(a)).compareTo(String.join(",", counts.key(b))) < 0);
  }

  /** The shard of each bucket by the first map. */
  static int[] owners(int shards, int buckets) {
    List<ShardId> names = IntStream.range(0, shards).mapToObj(i -> new ShardId("s" + i)).toList();
    BucketMap map = BucketMap.initial("judged", buckets, names);
    return IntStream.range(0, buckets)
        .map(b -> Integer.parseInt(map.shardOf(new BucketId(b)).name().substring(1)))
        .toArray();
  }

  static double maxToMean(long[] counts) {
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
