package io.shardwright.migration;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which buckets of one group go where, so that each shard has its share. Pure and deterministic.
 *
 * <p>Problem: shards of different capacity have buckets of different size; few buckets shall move,
 * and no shard shall be fuller afterwards than the fullest was.
 *
 * <p>Idea: greedy. The shard that is fullest by its capacity gives to the emptiest the bucket that
 * makes the fuller one of the two least full, as long as that is less than it was. It ends when
 * every shard is within one bucket of average size of its share, or when no bucket helps. With
 * equal buckets and one more shard S that is V/S buckets, each moved once. A shard of weight 0
 * gives all it has, the largest first. Costs buckets * shards for each bucket moved.
 *
 * @param before load of each shard; the same unit as the sizes of the buckets
 * @param after the same when all is done
 */
public record RebalancePlan(
    String group,
    List<Step> steps,
    SortedMap<ShardId, Long> before,
    SortedMap<ShardId, Long> after,
    Map<ShardId, Integer> weights) {
  public RebalancePlan {
    steps = List.copyOf(steps);
    weights = Map.copyOf(weights);
  }

  /** Buckets that go from one shard to another. */
  public record Step(ShardId source, ShardId target, BucketSet buckets) {}

  /**
   * Gives every shard its share.
   *
   * @param sizes by bucket number, 0 or more
   * @param weights of all shards that the file has; a shard of the map that is not among them
   *     counts as 0
   */
  public static RebalancePlan of(BucketMap map, List<Long> sizes, Map<ShardId, Integer> weights) {
    Work work = new Work(map, sizes, weights);
    work.drain();
    work.level();
    return work.plan();
  }

  /** Only empties shards of weight 0. */
  public static RebalancePlan draining(
      BucketMap map, List<Long> sizes, Map<ShardId, Integer> weights) {
    Work work = new Work(map, sizes, weights);
    work.drain();
    return work.plan();
  }

  /** The fullest shard's load by its share; 1 is even. */
  public double skewBefore() {
    return skew(before);
  }

  public double skewAfter() {
    return skew(after);
  }

  private double skew(Map<ShardId, Long> loads) {
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

  private static final class Work {
    private final BucketMap map;
    private final List<Long> sizes;
    private final Map<ShardId, Integer> weights = new TreeMap<>();
    private final SortedMap<ShardId, Long> before = new TreeMap<>();
    private final SortedMap<ShardId, Long> loads;
    private final List<ShardId> owners = new ArrayList<>();
    private final double total;
    private final double capacity;

    /** The average of those that are not empty. */
    private final double unit;

    Work(BucketMap map, List<Long> sizes, Map<ShardId, Integer> weights) {
      this.map = map;
      this.sizes = sizes;
      map.shards().forEach(shard -> this.weights.put(shard, 0));
      this.weights.putAll(weights);
      this.weights.keySet().forEach(shard -> before.put(shard, 0L));
      for (int bucket = 0; bucket < map.buckets(); bucket++) {
        owners.add(map.shardOf(new BucketId(bucket)));
        before.merge(owners.get(bucket), sizes.get(bucket), Long::sum);
      }
      this.loads = new TreeMap<>(before);
      this.total = sizes.stream().mapToLong(Long::longValue).sum();
      this.capacity = this.weights.values().stream().mapToInt(Integer::intValue).sum();
      long filled = sizes.stream().filter(size -> size > 0).count();
      this.unit = filled == 0 ? 0 : total / filled;
      if (capacity == 0) {
        throw new IllegalArgumentException("every shard has the weight 0");
      }
    }

    private double fullness(ShardId shard, long load) {
      return load / (double) weights.get(shard);
    }

    private double share(ShardId shard) {
      return total * weights.get(shard) / capacity;
    }

    private List<ShardId> receivers() {
      return weights.keySet().stream().filter(shard -> weights.get(shard) > 0).toList();
    }

    private void move(int bucket, ShardId target) {
      loads.merge(owners.get(bucket), -sizes.get(bucket), Long::sum);
      loads.merge(target, sizes.get(bucket), Long::sum);
      owners.set(bucket, target);
    }

    void drain() {
      List<Integer> leaving = new ArrayList<>();
      for (int bucket = 0; bucket < owners.size(); bucket++) {
        if (weights.get(owners.get(bucket)) == 0) {
          leaving.add(bucket);
        }
      }
      leaving.sort(Comparator.comparing(sizes::get, Comparator.reverseOrder()));
      // Of equal fullness the one with the fewest buckets: empty ones are dealt out, too.
      Map<ShardId, Integer> counts = new TreeMap<>();
      owners.forEach(owner -> counts.merge(owner, 1, Integer::sum));
      for (int bucket : leaving) {
        ShardId target =
            receivers().stream()
                .min(
                    Comparator.comparingDouble(
                            (ShardId shard) ->
                                fullness(shard, loads.get(shard) + sizes.get(bucket)))
                        .thenComparing(shard -> counts.getOrDefault(shard, 0)))
                .orElseThrow();
        counts.merge(target, 1, Integer::sum);
        move(bucket, target);
      }
    }

    void level() {
      while (step()) {
        // Each makes the fuller of two shards less full, so it ends.
      }
    }

    private boolean step() {
      Comparator<ShardId> byFullness =
          Comparator.comparingDouble(shard -> fullness(shard, loads.get(shard)));
      List<ShardId> emptiest = receivers().stream().sorted(byFullness).toList();
      List<ShardId> fullest = receivers().stream().sorted(byFullness.reversed()).toList();
      for (ShardId source : fullest) {
        for (ShardId target : emptiest) {
          boolean worth =
              loads.get(source) - share(source) >= unit
                  || share(target) - loads.get(target) >= unit;
          if (worth && fullness(source, loads.get(source)) > fullness(target, loads.get(target))) {
            Optional<Integer> bucket = best(source, target);
            if (bucket.isPresent()) {
              move(bucket.get(), target);
              return true;
            }
          }
        }
      }
      return false;
    }

    /** The bucket after which the fuller of the two is least full, if that is less than now. */
    private Optional<Integer> best(ShardId source, ShardId target) {
      double least = fullness(source, loads.get(source));
      Optional<Integer> best = Optional.empty();
      for (int bucket = 0; bucket < owners.size(); bucket++) {
        if (owners.get(bucket).equals(source) && sizes.get(bucket) > 0) {
          double fuller =
              Math.max(
                  fullness(source, loads.get(source) - sizes.get(bucket)),
                  fullness(target, loads.get(target) + sizes.get(bucket)));
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
      for (int bucket = 0; bucket < owners.size(); bucket++) {
        ShardId source = map.shardOf(new BucketId(bucket));
        if (!owners.get(bucket).equals(source)) {
          moves
              .computeIfAbsent(source, shard -> new TreeMap<>())
              .merge(
                  owners.get(bucket), BucketSet.of(List.of(new BucketId(bucket))), BucketSet::plus);
        }
      }
      List<Step> steps = new ArrayList<>();
      moves.forEach(
          (source, targets) ->
              targets.forEach((target, buckets) -> steps.add(new Step(source, target, buckets))));
      return new RebalancePlan(map.group(), steps, before, loads, weights);
    }
  }
}
