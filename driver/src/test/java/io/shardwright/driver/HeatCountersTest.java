package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.BucketHeat;
import io.shardwright.catalog.CatalogHeat.Outcome;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class HeatCountersTest {
  private static final BucketMap MAP = BucketMap.initial("g", 16, List.of(new ShardId("s0")));

  private final HeatCounters counters = new HeatCounters(true);
  private final List<BucketHeat> catalog = new ArrayList<>();

  private static List<BucketId> buckets(int... numbers) {
    List<BucketId> buckets = new ArrayList<>();
    for (int number : numbers) {
      buckets.add(new BucketId(number));
    }
    return buckets;
  }

  private Outcome take(List<BucketHeat> due) {
    catalog.addAll(due);
    return Outcome.RECORDED;
  }

  @Test
  void counts_ofSeveralBuckets_areDividedWithoutARest() {
    counters.of(MAP).read(buckets(1, 2, 3), 100);
    counters.of(MAP).rows(buckets(1, 2, 3), 5);
    counters.of(MAP).wrote(buckets(2), 7);
    counters.of(MAP).read(List.of(), 9);

    assertThat(counters.all())
        .containsExactly(
            new BucketHeat("g", 1, 1, 0, 1, 33),
            new BucketHeat("g", 2, 1, 1, 2, 33 + 7),
            new BucketHeat("g", 3, 1, 0, 2, 34),
            new BucketHeat("g", BucketHeat.SCATTERED, 1, 0, 0, 9));
  }

  @Test
  void record_again_recordsOnlyWhatIsNew() {
    counters.of(MAP).read(buckets(4), 10);
    counters.record(this::take);
    counters.of(MAP).wrote(buckets(4), 20);
    counters.record(this::take);
    counters.record(this::take);

    assertThat(catalog)
        .containsExactly(new BucketHeat("g", 4, 1, 0, 0, 10), new BucketHeat("g", 4, 0, 1, 0, 20));
    assertThat(counters.all()).containsExactly(new BucketHeat("g", 4, 1, 1, 0, 30));
  }

  @Test
  void record_thatFails_keepsTheCounts_unlessTheyMayBeThere() {
    counters.of(MAP).read(buckets(4), 10);
    counters.record(
        due -> {
          throw new ShardwrightException(ErrorCode.CATALOG_UNAVAILABLE, "down");
        });
    counters.record(due -> Outcome.NOT_APPLIED);
    counters.record(this::take);
    assertThat(catalog).containsExactly(new BucketHeat("g", 4, 1, 0, 0, 10));

    counters.of(MAP).read(buckets(5), 10);
    counters.record(
        due -> {
          throw new ShardwrightException(ErrorCode.OUTCOME_UNKNOWN, "perhaps");
        });
    counters.record(this::take);
    assertThat(catalog).hasSize(1);
  }

  @Test
  void record_whileManyCount_losesAndDoublesNothing() throws Exception {
    int threads = 4;
    int times = 50_000;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Void>> work = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int bucket = i % 2;
        work.add(
            () -> {
              for (int time = 0; time < times; time++) {
                counters.of(MAP).wrote(buckets(bucket), 3);
                counters.of(MAP).rows(buckets(bucket), 2);
              }
              return null;
            });
      }
      List<Future<Void>> running = work.stream().map(executor::submit).toList();
      while (running.stream().anyMatch(future -> !future.isDone())) {
        counters.record(this::take);
      }
      for (Future<Void> future : running) {
        future.get();
      }
    } finally {
      executor.shutdown();
    }
    counters.record(this::take);

    Map<Integer, List<Long>> sums = new TreeMap<>();
    for (BucketHeat heat : catalog) {
      sums.merge(
          heat.bucket(),
          List.of(heat.writes(), heat.rows(), heat.nanos()),
          (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1), a.get(2) + b.get(2)));
    }
    long each = (long) threads / 2 * times;
    assertThat(sums)
        .isEqualTo(
            Map.of(0, List.of(each, 2 * each, 3 * each), 1, List.of(each, 2 * each, 3 * each)));
  }

  @Test
  void off_countsNothing() {
    assertThat(new HeatCounters(false).of(MAP)).isNull();
  }
}
