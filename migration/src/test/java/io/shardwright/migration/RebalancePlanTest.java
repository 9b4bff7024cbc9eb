package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RebalancePlanTest {
  private static List<ShardId> shards(int count) {
    return IntStream.range(0, count).mapToObj(i -> new ShardId("s" + i)).toList();
  }

  private static Map<ShardId, Integer> equal(int count) {
    Map<ShardId, Integer> weights = new TreeMap<>();
    shards(count).forEach(shard -> weights.put(shard, 1));
    return weights;
  }

  private static int moved(RebalancePlan plan) {
    return plan.steps().stream().mapToInt(step -> step.buckets().size()).sum();
  }

  private static BucketMap map(int buckets, int shards) {
    return BucketMap.initial("g", buckets, shards(shards));
  }

  @ParameterizedTest
  @CsvSource({"1024,4,1", "1024,4,2", "4096,4,1", "4096,3,1", "16384,7,1", "64,2,1", "1000,100,1"})
  void shardsAdded_equalBuckets_movesTheirShareOnce(int buckets, int shards, int added) {
    int all = shards + added;
    RebalancePlan plan =
        RebalancePlan.of(map(buckets, shards), Collections.nCopies(buckets, 10L), equal(all));

    assertThat(plan.steps()).allMatch(step -> number(step.target()) >= shards);
    assertThat(moved(plan)).isBetween(added * (buckets / all), added * (buckets / all + 1));
    // Within one bucket of what is best.
    assertThat(plan.after().values())
        .allMatch(load -> Math.abs(load - 10.0 * buckets / all) < 10.0 + 1e-9);
  }

  private static int number(ShardId shard) {
    return Integer.parseInt(shard.name().substring(1));
  }

  @Test
  void evenAlready_movesNothing() {
    assertThat(RebalancePlan.of(map(1024, 4), Collections.nCopies(1024, 7L), equal(4)).steps())
        .isEmpty();
    assertThat(RebalancePlan.of(map(64, 3), Collections.nCopies(64, 0L), equal(4)).steps())
        .isEmpty();
  }

  @Test
  void weights_giveEachItsShare() {
    Map<ShardId, Integer> weights = new TreeMap<>(equal(3));
    weights.put(new ShardId("s2"), 2);
    RebalancePlan plan = RebalancePlan.of(map(1024, 2), Collections.nCopies(1024, 1L), weights);
    assertThat(plan.after().values()).containsExactly(256L, 256L, 512L);
    assertThat(moved(plan)).isEqualTo(512);
    assertThat(plan.skewAfter()).isEqualTo(1);
  }

  @Test
  void weightZero_isEmptied_alsoOfEmptyBuckets() {
    Map<ShardId, Integer> weights = new TreeMap<>(equal(3));
    weights.put(new ShardId("s1"), 0);
    for (long size : new long[] {0, 5}) {
      List<Long> sizes = Collections.nCopies(999, size);
      for (RebalancePlan plan :
          List.of(
              RebalancePlan.of(map(999, 3), sizes, weights),
              RebalancePlan.draining(map(999, 3), sizes, weights))) {
        assertThat(moved(plan)).isEqualTo(333);
        assertThat(plan.steps()).hasSize(2).allMatch(step -> number(step.source()) == 1);
        assertThat(plan.steps()).allMatch(step -> step.buckets().size() >= 166);
        assertThat(plan.after().get(new ShardId("s1"))).isZero();
      }
    }
    assertThatThrownBy(
            () ->
                RebalancePlan.of(
                    map(8, 1), Collections.nCopies(8, 1L), Map.of(new ShardId("s0"), 0)))
        .hasMessageContaining("every shard has the weight 0");
  }

  @Test
  void oneHugeBucket_staysAndTheOthersLeave() {
    List<Long> sizes = new ArrayList<>(Collections.nCopies(64, 1L));
    sizes.set(3, 1_000L);
    RebalancePlan plan = RebalancePlan.of(map(64, 2), sizes, equal(2));
    assertThat(plan.after().get(new ShardId("s0"))).isLessThanOrEqualTo(1_031);
    assertThat(plan.steps()).noneMatch(step -> step.buckets().toString().equals("3"));
    assertThat(plan.skewAfter()).isLessThanOrEqualTo(plan.skewBefore());
  }

  /** Never worse, each bucket at most once, the same twice, and close to even where that can be. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomSizes_laws(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int round = 0; round < 20; round++) {
      int buckets = 1 << random.nextInt(3, 10);
      int before = random.nextInt(1, Math.min(8, buckets) + 1);
      int after = before + random.nextInt(0, 3);
      List<Long> sizes = new ArrayList<>();
      for (int i = 0; i < buckets; i++) {
        sizes.add(random.nextInt(4) == 0 ? 0L : (long) Math.exp(random.nextDouble(10)));
      }
      Map<ShardId, Integer> weights = new TreeMap<>();
      shards(after).forEach(shard -> weights.put(shard, random.nextInt(1, 4)));
      BucketMap map = map(buckets, before);

      RebalancePlan plan = RebalancePlan.of(map, sizes, weights);

      assertThat(plan).isEqualTo(RebalancePlan.of(map, sizes, weights));
      assertThat(plan.skewAfter()).isLessThanOrEqualTo(plan.skewBefore());
      BucketMap done = map;
      for (RebalancePlan.Step step : plan.steps()) {
        for (var bucket : step.buckets()) {
          assertThat(map.shardOf(bucket)).isEqualTo(step.source());
        }
        done = done.withMoved(step.buckets().toList(), step.target());
      }
      Map<ShardId, Long> loads = new TreeMap<>();
      weights.keySet().forEach(shard -> loads.put(shard, 0L));
      for (int i = 0; i < buckets; i++) {
        loads.merge(done.shardOf(new BucketId(i)), sizes.get(i), Long::sum);
      }
      assertThat(loads).isEqualTo(plan.after());
      // Once more there is nothing to do.
      assertThat(RebalancePlan.of(done, sizes, weights).steps()).isEmpty();
    }
  }

  private static final List<ShardId> TWO = shards(2);

  private static RebalancePlan.Sizes sizes(String name, long... byBucket) {
    return new RebalancePlan.Sizes(name, Arrays.stream(byBucket).boxed().toList());
  }

  @Test
  void largeAndBusyApart_areBothEvenedOut() {
    // s0 has what is large, s1 what is busy: their sums are even, no measure is.
    BucketMap map = BucketMap.of("g", 1, List.of(TWO.get(0), TWO.get(0), TWO.get(1), TWO.get(1)));
    RebalancePlan plan =
        RebalancePlan.ofAll(
            map, List.of(sizes("bytes", 9, 9, 1, 1), sizes("time", 1, 1, 9, 9)), equal(2));

    assertThat(plan.measures())
        .allSatisfy(measure -> assertThat(plan.skew(measure.before())).isEqualTo(1.8))
        .allSatisfy(measure -> assertThat(plan.skew(measure.after())).isEqualTo(1));
    assertThat(moved(plan)).isEqualTo(2);
  }

  @Test
  void trafficUnknown_isAsBytesAlone() {
    List<Long> bytes = IntStream.range(0, 64).mapToObj(i -> (long) i * i).toList();
    RebalancePlan alone = RebalancePlan.of(map(64, 3), bytes, equal(4));
    RebalancePlan both =
        RebalancePlan.ofAll(
            map(64, 3),
            List.of(
                new RebalancePlan.Sizes("size", bytes),
                new RebalancePlan.Sizes("time", Collections.nCopies(64, 0L))),
            equal(4));
    assertThat(both.steps()).isEqualTo(alone.steps());
  }

  @Test
  void bucketHotterThanAShare_isNamed_andIsAloneAfterwards() {
    long[] time = new long[8];
    Arrays.fill(time, 10);
    time[2] = 500;
    RebalancePlan plan = RebalancePlan.ofAll(map(8, 2), List.of(sizes("time", time)), equal(2));

    assertThat(plan.beyond()).hasSize(1);
    RebalancePlan.Beyond beyond = plan.beyond().get(0);
    assertThat(beyond.bucket()).isEqualTo(2);
    assertThat(beyond.measure()).isEqualTo("time");
    assertThat(beyond.shares()).isEqualTo(500 / 285.0);
    assertThat(plan.after().get(beyond.shard())).isEqualTo(500);
  }

  /** No measure gets worse than the worst was, whatever was planned is found by replaying it. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void twoMeasures_laws(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int round = 0; round < 20; round++) {
      int buckets = 1 << random.nextInt(3, 9);
      int before = random.nextInt(1, Math.min(6, buckets) + 1);
      List<RebalancePlan.Sizes> sizes = new ArrayList<>();
      for (String name : List.of("bytes", "time")) {
        long[] byBucket = new long[buckets];
        for (int i = 0; i < buckets; i++) {
          byBucket[i] = random.nextInt(4) == 0 ? 0 : (long) Math.exp(random.nextDouble(9));
        }
        sizes.add(sizes(name, byBucket));
      }
      Map<ShardId, Integer> weights = new TreeMap<>();
      shards(before + random.nextInt(0, 3))
          .forEach(shard -> weights.put(shard, random.nextInt(1, 4)));
      BucketMap map = map(buckets, before);

      RebalancePlan plan = RebalancePlan.ofAll(map, sizes, weights);

      assertThat(worst(plan, true)).isLessThanOrEqualTo(worst(plan, false));
      BucketMap done = map;
      for (RebalancePlan.Step step : plan.steps()) {
        done = done.withMoved(step.buckets().toList(), step.target());
      }
      assertThat(RebalancePlan.ofAll(done, sizes, weights).steps()).isEmpty();
      for (int m = 0; m < sizes.size(); m++) {
        assertThat(plan.of(map, sizes.get(m))).isEqualTo(plan.measures().get(m));
      }
    }
  }

  private static double worst(RebalancePlan plan, boolean after) {
    return plan.measures().stream()
        .mapToDouble(measure -> plan.skew(after ? measure.after() : measure.before()))
        .max()
        .orElseThrow();
  }

  /** Nothing ends where it may not be, and what may stay leaves only to even out. */
  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void zones_laws(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int round = 0; round < 20; round++) {
      int count = random.nextInt(2, 6);
      List<Long> sizes = IntStream.range(0, 64).mapToObj(i -> random.nextLong(100)).toList();
      long zoned = random.nextLong();
      ShardId only = new ShardId("s" + random.nextInt(count));
      BiPredicate<BucketId, ShardId> permits =
          (bucket, shard) -> (zoned >> bucket.value() & 7) != 7 || shard.equals(only);
      BucketMap map = map(64, count);
      List<RebalancePlan.Sizes> measures = List.of(new RebalancePlan.Sizes("size", sizes));

      RebalancePlan plan = RebalancePlan.ofAll(map, measures, equal(count), permits);

      BucketMap done = map;
      for (RebalancePlan.Step step : plan.steps()) {
        done = done.withMoved(step.buckets().toList(), step.target());
      }
      for (int i = 0; i < 64; i++) {
        assertThat(permits.test(new BucketId(i), done.shardOf(new BucketId(i)))).isTrue();
      }
      assertThat(RebalancePlan.ofAll(done, measures, equal(count), permits).steps()).isEmpty();
      assertThat(plan.after().values().stream().mapToLong(Long::longValue).sum())
          .isEqualTo(sizes.stream().mapToLong(Long::longValue).sum());
    }
  }

  @Test
  void zones_bucketWithoutAPlace_isRefusedByName() {
    Map<ShardId, Integer> weights = new TreeMap<>(equal(3));
    weights.put(new ShardId("s1"), 0);
    assertThatThrownBy(
            () ->
                RebalancePlan.drainingAll(
                    map(9, 3),
                    List.of(sizes("bytes", 1, 1, 1, 1, 1, 1, 1, 1, 1)),
                    weights,
                    (bucket, shard) -> bucket.value() != 4 || shard.name().equals("s1")))
        .hasMessageStartingWith("SW603: bucket 4 of group g has to leave shard s1, and groups.g");
  }
}
