package io.shardwright.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneIdGeneratorTest {
  private static final GeneIdLayout LAYOUT = GeneIdLayout.forBuckets(4096);
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final BucketId GENE = new BucketId(659);

  private final SteppedClock clock = new SteppedClock(NOW);
  private final GeneIdGenerator ids = new GeneIdGenerator(LAYOUT, 1, 5, clock);

  @ParameterizedTest
  @ValueSource(ints = {1024, 4096, 16_384})
  void next_carriesAllFields(int buckets) {
    GeneIdLayout layout = GeneIdLayout.forBuckets(buckets);
    GeneIdGenerator generator = new GeneIdGenerator(layout, 3, 63, clock);
    for (int bucket : new int[] {0, 1, buckets / 2, buckets - 1}) {
      long id = generator.next(new BucketId(bucket));

      assertThat(GeneId.decode(id, layout))
          .isEqualTo(new GeneId(id, 3, NOW, new BucketId(bucket), 63, 0));
      assertThat(layout.gene(id)).isEqualTo(new BucketId(bucket));
    }
  }

  @Test
  void next_ofOneGene_ascendsWhateverTheClockDoes() {
    Random random = new Random(5);
    Set<Long> seen = new HashSet<>();
    long last = -1;
    for (int i = 0; i < 5_000; i++) {
      clock.now = NOW.plusMillis(random.nextInt(1_000));
      long id = ids.next(GENE);

      assertThat(id).isGreaterThan(last);
      assertThat(seen.add(id)).isTrue();
      assertThat(LAYOUT.gene(id)).isEqualTo(GENE);
      last = id;
    }
  }

  @Test
  void next_ofManyGenesInOneTick_countsEachGeneAlone() {
    Set<Long> seen = new HashSet<>();
    for (int round = 0; round < LAYOUT.idsPerGeneNodeAndTick(); round++) {
      for (int bucket = 0; bucket < 4096; bucket++) {
        long id = ids.next(new BucketId(bucket));

        assertThat(GeneId.decode(id, LAYOUT).createdAt()).isEqualTo(NOW);
        assertThat(seen.add(id)).isTrue();
      }
    }
  }

  @Test
  void next_ofTwoNodes_neverMeet() {
    GeneIdGenerator other = new GeneIdGenerator(LAYOUT, 1, 6, clock);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      assertThat(seen.add(ids.next(GENE))).isTrue();
      assertThat(seen.add(other.next(GENE))).isTrue();
    }
  }

  @Test
  void next_fromManyThreads_isUniqueAndAscendsInEach() throws Exception {
    int threads = 8;
    int perThread = 1_500;
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<List<Long>>> issued = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        issued.add(
            pool.submit(
                () -> {
                  start.await();
                  List<Long> mine = new ArrayList<>();
                  for (int i = 0; i < perThread; i++) {
                    mine.add(ids.next(GENE));
                  }
                  return mine;
                }));
      }
      Set<Long> all = new HashSet<>();
      for (Future<List<Long>> mine : issued) {
        assertThat(mine.get()).isSorted();
        all.addAll(mine.get());
      }

      assertThat(all).hasSize(threads * perThread);
      // Nothing is skipped either: the ids are the first of the ticks from now on.
      long ticks = Duration.between(NOW, latest(all)).toMillis() + 1;
      assertThat(ticks).isEqualTo(threads * perThread / LAYOUT.idsPerGeneNodeAndTick());
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void next_afterTheTicksSequencesAreUsed_borrowsTheNextTick() {
    int perTick = LAYOUT.idsPerGeneNodeAndTick();
    for (int i = 0; i < 3 * perTick; i++) {
      GeneId id = GeneId.decode(ids.next(GENE), LAYOUT);

      assertThat(id.createdAt()).isEqualTo(NOW.plusMillis(i / perTick));
      assertThat(id.sequence()).isEqualTo(i % perTick);
    }
  }

  @Test
  void next_pastTheReserve_isRefusedUntilTheClockGoesOn() {
    long reserve = (GeneIdGenerator.BORROW_MAX.toMillis() + 1) * LAYOUT.idsPerGeneNodeAndTick();
    long last = 0;
    for (long i = 0; i < reserve; i++) {
      last = ids.next(GENE);
    }

    assertExhausted();
    assertThat(LAYOUT.gene(ids.next(new BucketId(1))))
        .as("others go on")
        .isEqualTo(new BucketId(1));
    clock.now = NOW.plusMillis(1);
    assertThat(ids.next(GENE)).isGreaterThan(last);
  }

  @Test
  void next_afterTheClockWentBackALittle_goesOnFromTheLastTick() {
    long before = ids.next(GENE);
    clock.now = NOW.minusMillis(5);

    long after = ids.next(GENE);

    assertThat(after).isGreaterThan(before);
    assertThat(GeneId.decode(after, LAYOUT).createdAt()).isEqualTo(NOW);
    assertThat(GeneId.decode(after, LAYOUT).sequence()).isEqualTo(1);
  }

  @Test
  void next_afterTheClockWentBackFar_isRefusedUntilItIsNear() {
    long before = ids.next(GENE);
    clock.now = NOW.minusSeconds(5);

    assertExhausted();
    clock.now = NOW.minus(GeneIdGenerator.BORROW_MAX).minusMillis(1);
    assertExhausted();
    clock.now = NOW.minus(GeneIdGenerator.BORROW_MAX);
    assertThat(ids.next(GENE)).isGreaterThan(before);
  }

  @Test
  void next_outsideTheLayoutsTime_isRefused() {
    Instant end = GeneIdLayout.EPOCH.plusMillis((1L << LAYOUT.timeBits()) - 1);
    for (Instant outside :
        List.of(
            Instant.EPOCH,
            GeneIdLayout.EPOCH,
            end.minus(GeneIdGenerator.BORROW_MAX).plusMillis(1),
            end.plusSeconds(1))) {
      clock.now = outside;
      assertThatThrownBy(() -> ids.next(GENE))
          .isInstanceOfSatisfying(
              ShardwrightException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOCK_BEHIND))
          .hasMessageContaining(outside.toString());
    }
    clock.now = end.minus(GeneIdGenerator.BORROW_MAX);
    assertThat(GeneId.decode(ids.next(GENE), LAYOUT).createdAt()).isEqualTo(clock.now);
  }

  @Test
  void construction_withNodeOrGenerationOutsideTheLayout_isRefused() {
    for (int node : new int[] {-1, 64}) {
      assertThatThrownBy(() -> new GeneIdGenerator(LAYOUT, 0, node, clock))
          .hasMessageContaining("node " + node);
    }
    for (int version : new int[] {-1, 4}) {
      assertThatThrownBy(() -> new GeneIdGenerator(LAYOUT, version, 0, clock))
          .hasMessageContaining("generation " + version);
    }
  }

  private void assertExhausted() {
    assertThatThrownBy(() -> ids.next(GENE))
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.ID_CAPACITY_EXHAUSTED))
        .hasMessageContaining("bucket 659");
  }

  private static Instant latest(Set<Long> all) {
    return GeneId.decode(all.stream().max(Long::compare).orElseThrow(), LAYOUT).createdAt();
  }

  private static final class SteppedClock implements InstantSource {
    private volatile Instant now;

    SteppedClock(Instant now) {
      this.now = now;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }
}
