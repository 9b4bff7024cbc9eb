package io.shardwright.migration;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * Which buckets of one group go where, so that each shard has its share of each measure. Pure and
 * deterministic.
 *
 * <p>Problem: shards of different capacity have buckets of different size and traffic; few buckets
 * shall move, and no shard shall be fuller afterwards than the fullest was. What is large need not
 * be busy: a shard is as full as it is by its fullest measure.
 *
 * <p>Idea: greedy. With one measure the shard that is fullest by its capacity gives to the emptiest
 * the bucket that makes the fuller one of the two least full, as long as that is less than it was.
 * It ends when every shard is within one bucket of average size of its share, or when no bucket
 * helps. With equal buckets and one more shard S that is V/S buckets, each moved once. A shard of
 * weight 0 gives all it has, another one what may not be there, the largest first.
 *
 * <p>With several measures no single move may help where an exchange does. So each move makes the
 * sum of squares of all shards' fullness by all measures smaller, and a shard may be fuller than
 * the fullest was meanwhile, by a bucket of average size; if one still is in the end, all is done
 * again without that. It ends as the sum only gets smaller. Costs buckets * shards for each bucket
 * moved.
 *
 * @param measures what is evened out, at least one
 * @param beyond buckets that have more of a measure than the fair share of the largest shard: no
 *     move evens that out
 */
public record RebalancePlan(
    String group,
    List<Step> steps,
    List<Measure> measures,
    Map<ShardId, Integer> weights,
    List<Beyond> beyond) {
  // Long because: the loads of shards and all that changes them stand in one place.

  public RebalancePlan {
    steps = List.copyOf(steps);
    measures = List.copyOf(measures);
    weights = Map.copyOf(weights);
    beyond = List.copyOf(beyond);
  }

  /** Buckets that go from one shard to another. */
  public record Step(ShardId source, ShardId target, BucketSet buckets) {}

  /**
   * How much each bucket has of something.
   *
   * @param name for people
   * @param byBucket by bucket number, 0 or more
   */
  public record Sizes(String name, List<Long> byBucket) {
    public Sizes {
      byBucket = List.copyOf(byBucket);
    }
  }

  /**
   * How much each shard has of something.
   *
   * @param after when all is done
   */
  public record Measure(
      String name, SortedMap<ShardId, Long> before, SortedMap<ShardId, Long> after) {}

  /**
   * @param shard that has it afterwards
   * @param shares how many fair shares of the largest shard it has, above 1
   */
  public record Beyond(String measure, int bucket, ShardId shard, double shares) {}

  /**
   * Gives every shard its share.
   *
   * @param sizes of one measure, by bucket number, 0 or more
   * @param weights of all shards that the file has; a shard of the map that is not among them
   *     counts as 0
   */
  public static RebalancePlan of(BucketMap map, List<Long> sizes, Map<ShardId, Integer> weights) {
    return ofAll(map, List.of(new Sizes("size", sizes)), weights);
  }

  /** The same with several measures. */
  public static RebalancePlan ofAll(
      BucketMap map, List<Sizes> sizes, Map<ShardId, Integer> weights) {
    return ofAll(map, sizes, weights, (bucket, shard) -> true);
  }

  /**
   * The same where not every bucket may be everywhere: those that are where they may not be leave
   * first.
   *
   * @param permits whether a shard may own a bucket
   * @throws ShardwrightException SW603 when a bucket has to leave and may go nowhere
   */
  public static RebalancePlan ofAll(
      BucketMap map,
      List<Sizes> sizes,
      Map<ShardId, Integer> weights,
      BiPredicate<BucketId, ShardId> permits) {
    Work work = new Work(map, sizes, weights, permits);
    work.drain();
    work.level();
    return work.plan();
  }

  /** Only empties shards of weight 0. */
  public static RebalancePlan draining(
      BucketMap map, List<Long> sizes, Map<ShardId, Integer> weights) {
    return drainingAll(map, List.of(new Sizes("size", sizes)), weights, (bucket, shard) -> true);
  }

  /** The same with several measures, where not every bucket may be everywhere. */
  public static RebalancePlan drainingAll(
      BucketMap map,
      List<Sizes> sizes,
      Map<ShardId, Integer> weights,
      BiPredicate<BucketId, ShardId> permits) {
    Work work = new Work(map, sizes, weights, permits);
    work.drain();
    return work.plan();
  }

  /**
   * What becomes of another measure, which it was not made for.
   *
   * @param map that it was made for
   */
  public Measure of(BucketMap map, Sizes sizes) {
    SortedMap<ShardId, Long> now = new TreeMap<>();
    weights.keySet().forEach(shard -> now.put(shard, 0L));
    for (int bucket = 0; bucket < map.buckets(); bucket++) {
      now.merge(map.shardOf(new BucketId(bucket)), sizes.byBucket.get(bucket), Long::sum);
    }
    SortedMap<ShardId, Long> then = new TreeMap<>(now);
    for (Step step : steps) {
      for (BucketId bucket : step.buckets) {
        then.merge(step.source, -sizes.byBucket.get(bucket.value()), Long::sum);
        then.merge(step.target, sizes.byBucket.get(bucket.value()), Long::sum);
      }
    }
    return new Measure(sizes.name, now, then);
  }

  /** Of the first measure. */
  public SortedMap<ShardId, Long> before() {
    return measures.get(0).before;
  }

  public SortedMap<ShardId, Long> after() {
    return measures.get(0).after;
  }

  /** The fullest shard's load of the first measure by its share; 1 is even. */
  public double skewBefore() {
    return skew(before());
  }

  public double skewAfter() {
    return skew(after());
  }

  /**
   * The fullest shard by its share; 1 is even.
   *
   * @param loads of all shards
   */
  public double skew(Map<ShardId, Long> loads) {
    double total = loads.values().stream().mapToLong(Long::longValue).sum();
    double capacity = weights.values().stream().mapToInt(Integer::intValue).sum();
    double most = total == 0 ? 1 : 0;
    for (Map.Entry<ShardId, Long> shard : loads.entrySet()) {
      double share = total * weights.getOrDefault(shard.getKey(), 0) / capacity;
      if (share > 0) {
        most = Math.max(most, shard.getValue() / share);
      }
    }
    return most;
  }

  /** Below it two sums of fractions are taken for equal. */
  private static final double ROUNDING = 1e-9;

  /** A move has to gain so much of what its bucket weighs by itself. */
  private static final double GAIN_MIN = 0.05;

  /** Shards by their place in name order, measures by theirs. */
  private static final class Work {
    private final BucketMap map;
    private final BiPredicate<BucketId, ShardId> permits;
    private final List<Sizes> measures;
    private final List<ShardId> shards;
    private final int[] weights;
    private final int capacity;

    /** By measure, then bucket. */
    private final long[][] sizes;

    private final double[] totals;

    /** By measure: the average of buckets that have any of it. */
    private final double[] units;

    /** By measure, then shard. */
    private final long[][] loads;

    private final int[] owners;
    private final long[][] before;

    Work(
        BucketMap map,
        List<Sizes> measures,
        Map<ShardId, Integer> weightOf,
        BiPredicate<BucketId, ShardId> permits) {
      this.permits = permits;
      this.map = map;
      this.measures = measures;
      TreeMap<ShardId, Integer> all = new TreeMap<>();
      map.shards().forEach(shard -> all.put(shard, 0));
      all.putAll(weightOf);
      this.shards = List.copyOf(all.keySet());
      this.weights = all.values().stream().mapToInt(Integer::intValue).toArray();
      this.capacity = all.values().stream().mapToInt(Integer::intValue).sum();
      if (capacity == 0) {
        throw new IllegalArgumentException("every shard has the weight 0");
      }
      this.owners = new int[map.buckets()];
      for (int bucket = 0; bucket < owners.length; bucket++) {
        owners[bucket] = shards.indexOf(map.shardOf(new BucketId(bucket)));
      }
      this.sizes = new long[measures.size()][];
      this.loads = new long[measures.size()][shards.size()];
      this.totals = new double[measures.size()];
      this.units = new double[measures.size()];
      for (int m = 0; m < sizes.length; m++) {
        sizes[m] = measures.get(m).byBucket.stream().mapToLong(Long::longValue).toArray();
        int filled = 0;
        for (int bucket = 0; bucket < owners.length; bucket++) {
          loads[m][owners[bucket]] += sizes[m][bucket];
          totals[m] += sizes[m][bucket];
          filled += sizes[m][bucket] > 0 ? 1 : 0;
        }
        units[m] = filled == 0 ? 0 : totals[m] / filled;
      }
      this.before = new long[measures.size()][];
      for (int m = 0; m < sizes.length; m++) {
        before[m] = loads[m].clone();
      }
    }

    private double share(int measure, int shard) {
      return totals[measure] * weights[shard] / capacity;
    }

    private double fullness(int shard) {
      return fullness(shard, -1, 0);
    }

    /**
     * By its share, of its fullest measure.
     *
     * @param bucket that comes (1) or goes (-1); negative: none
     */
    private double fullness(int shard, int bucket, int sign) {
      double most = 0;
      for (int m = 0; m < sizes.length; m++) {
        if (totals[m] > 0) {
          long load = loads[m][shard] + (bucket < 0 ? 0 : sign * sizes[m][bucket]);
          most = Math.max(most, load / share(m, shard));
        }
      }
      return most;
    }

    private void move(int bucket, int target) {
      for (int m = 0; m < sizes.length; m++) {
        loads[m][owners[bucket]] -= sizes[m][bucket];
        loads[m][target] += sizes[m][bucket];
      }
      owners[bucket] = target;
    }

    /** Of a bucket, in shares of all. */
    private double size(int bucket) {
      double most = 0;
      for (int m = 0; m < sizes.length; m++) {
        most = Math.max(most, totals[m] == 0 ? 0 : sizes[m][bucket] / totals[m]);
      }
      return most;
    }

    void drain() {
      List<Integer> leaving = new ArrayList<>();
      int[] counts = new int[shards.size()];
      for (int bucket = 0; bucket < owners.length; bucket++) {
        counts[owners[bucket]]++;
        if (weights[owners[bucket]] == 0 || !mayBe(bucket, owners[bucket])) {
          leaving.add(bucket);
        }
      }
      leaving.sort((a, b) -> Double.compare(size(b), size(a)));
      for (int bucket : leaving) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int shard = 0; shard < weights.length; shard++) {
          double full =
              weights[shard] == 0 || !mayBe(bucket, shard)
                  ? Double.POSITIVE_INFINITY
                  : fullness(shard, bucket, 1);
          // Of equal fullness the one with the fewest buckets: empty ones are dealt out, too.
          if (full < least || (best >= 0 && full == least && counts[shard] < counts[best])) {
            least = full;
            best = shard;
          }
        }
        if (best < 0) {
          throw new ShardwrightException(
              ErrorCode.COMMAND_INVALID,
              "bucket "
                  + bucket
                  + " of group "
                  + map.group()
                  + " has to leave shard "
                  + shards.get(owners[bucket])
                  + ", and groups."
                  + map.group()
                  + ".zones permit it on no other shard with a weight above 0; give one the labels"
                  + " that it requires");
        }
        counts[best]++;
        move(bucket, best);
      }
    }

    private boolean mayBe(int bucket, int shard) {
      return permits.test(new BucketId(bucket), shards.get(shard));
    }

    void level() {
      if (sizes.length == 1) {
        while (step(this::best)) {
          // Each makes the fuller of two shards less full, so it ends.
        }
        return;
      }
      boolean changed = true;
      while (changed) {
        changed = levelSeveral(true);
        changed |= levelSeveral(false);
      }
    }

    /**
     * @param exchanging whether a shard may be fuller than any was, meanwhile
     * @return false when nothing was done, or was undone since it did not help
     */
    private boolean levelSeveral(boolean exchanging) {
      int[] ownersBefore = owners.clone();
      double most = fullest() * (1 + ROUNDING);
      boolean moved = false;
      while (step((source, target) -> lightest(source, target, exchanging, most))) {
        moved = true;
      }
      if (moved && fullest() > most) {
        for (int bucket = 0; bucket < owners.length; bucket++) {
          move(bucket, ownersBefore[bucket]);
        }
        return false;
      }
      return moved;
    }

    private double fullest() {
      double most = 0;
      for (int shard = 0; shard < weights.length; shard++) {
        most = Math.max(most, weights[shard] == 0 ? 0 : fullness(shard));
      }
      return most;
    }

    /** The bucket whose move makes the sum of squares smallest. */
    private Optional<Integer> lightest(int source, int target, boolean exchanging, double most) {
      double least = 0;
      Optional<Integer> lightest = Optional.empty();
      for (int bucket = 0; bucket < owners.length; bucket++) {
        if (owners[bucket] == source && size(bucket) > 0 && mayBe(bucket, target)) {
          double change = change(bucket, source, target);
          if (change < least
              && fullness(target, bucket, 1) <= most + (exchanging ? ofAverage(target) : 0)) {
            least = change;
            lightest = Optional.of(bucket);
          }
        }
      }
      return lightest;
    }

    /** Of the sum of squares; not below 0 when it is hardly worth a move. */
    private double change(int bucket, int source, int target) {
      double change = 0;
      double own = 0;
      for (int m = 0; m < sizes.length; m++) {
        if (totals[m] > 0) {
          double size = sizes[m][bucket] / totals[m];
          double from = loads[m][source] / totals[m];
          double to = loads[m][target] / totals[m];
          double both = 1.0 / weights[source] + 1.0 / weights[target];
          change += 2 * size * (to / weights[target] - from / weights[source]);
          change += size * size * both;
          own += size * size * both;
        }
      }
      return change + GAIN_MIN * own;
    }

    /** How much fuller a bucket of average size makes a shard. */
    private double ofAverage(int shard) {
      double most = 0;
      for (int m = 0; m < sizes.length; m++) {
        most = Math.max(most, totals[m] == 0 ? 0 : units[m] / share(m, shard));
      }
      return most;
    }

    private interface Choice {
      Optional<Integer> bucket(int source, int target);
    }

    private boolean step(Choice choice) {
      List<Integer> byFullness = new ArrayList<>();
      for (int shard = 0; shard < weights.length; shard++) {
        if (weights[shard] > 0) {
          byFullness.add(shard);
        }
      }
      byFullness.sort((a, b) -> Double.compare(fullness(a), fullness(b)));
      for (int i = byFullness.size() - 1; i >= 0; i--) {
        int source = byFullness.get(i);
        for (int target : byFullness) {
          if (source != target && isWorth(source, target)) {
            Optional<Integer> bucket = choice.bucket(source, target);
            if (bucket.isPresent()) {
              move(bucket.get(), target);
              return true;
            }
          }
        }
      }
      return false;
    }

    /** One of them is a bucket of average size away from its share. */
    private boolean isWorth(int source, int target) {
      for (int m = 0; m < sizes.length; m++) {
        if (units[m] > 0
            && (loads[m][source] - share(m, source) >= units[m]
                || share(m, target) - loads[m][target] >= units[m])) {
          return true;
        }
      }
      return false;
    }

    /** The bucket after which the fuller of the two is least full, if that is less than now. */
    private Optional<Integer> best(int source, int target) {
      if (fullness(source) <= fullness(target)) {
        return Optional.empty();
      }
      double least = fullness(source);
      Optional<Integer> best = Optional.empty();
      for (int bucket = 0; bucket < owners.length; bucket++) {
        if (owners[bucket] == source && size(bucket) > 0 && mayBe(bucket, target)) {
          double fuller = Math.max(fullness(source, bucket, -1), fullness(target, bucket, 1));
          if (fuller < least) {
            least = fuller;
            best = Optional.of(bucket);
          }
        }
      }
      return best;
    }

    RebalancePlan plan() {
      Map<ShardId, Map<ShardId, BucketSet>> moves = new TreeMap<>();
      Map<ShardId, Integer> weightOf = new TreeMap<>();
      for (int shard = 0; shard < weights.length; shard++) {
        weightOf.put(shards.get(shard), weights[shard]);
      }
      for (int bucket = 0; bucket < owners.length; bucket++) {
        ShardId source = map.shardOf(new BucketId(bucket));
        ShardId target = shards.get(owners[bucket]);
        if (!target.equals(source)) {
          moves
              .computeIfAbsent(source, shard -> new TreeMap<>())
              .merge(target, BucketSet.of(List.of(new BucketId(bucket))), BucketSet::plus);
        }
      }
      List<Step> steps = new ArrayList<>();
      moves.forEach(
          (source, targets) ->
              targets.forEach((target, buckets) -> steps.add(new Step(source, target, buckets))));
      List<Measure> all = new ArrayList<>();
      for (int m = 0; m < sizes.length; m++) {
        all.add(new Measure(measures.get(m).name, byShard(before[m]), byShard(loads[m])));
      }
      return new RebalancePlan(map.group(), steps, all, weightOf, beyond());
    }

    private SortedMap<ShardId, Long> byShard(long[] byPlace) {
      SortedMap<ShardId, Long> byShard = new TreeMap<>();
      for (int shard = 0; shard < byPlace.length; shard++) {
        byShard.put(shards.get(shard), byPlace[shard]);
      }
      return byShard;
    }

    private List<Beyond> beyond() {
      int largest = 0;
      for (int weight : weights) {
        largest = Math.max(largest, weight);
      }
      List<Beyond> beyond = new ArrayList<>();
      for (int m = 0; m < sizes.length; m++) {
        double share = totals[m] * largest / capacity;
        for (int bucket = 0; bucket < owners.length; bucket++) {
          if (share > 0 && sizes[m][bucket] > share) {
            ShardId shard = shards.get(owners[bucket]);
            String measure = measures.get(m).name;
            beyond.add(new Beyond(measure, bucket, shard, sizes[m][bucket] / share));
          }
        }
      }
      return beyond;
    }
  }
}
