package io.shardwright.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.testkit.TestingClock;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneIdGeneratorTest {
  private static final GeneIdLayout LAYOUT = GeneIdLayout.forBuckets(4096);
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final BucketId GENE = new BucketId(659);

  private final TestingClock clock = new TestingClock(NOW);
  private final TestingLease lease = new TestingLease(5, 0, Long.MAX_VALUE);

  /** Pauses of the generator; each is a millisecond of the clock. */
  private final AtomicInteger pauses = new AtomicInteger();

  private final GeneIdGenerator ids = generator(lease);

  @ParameterizedTest
  @ValueSource(ints = {1024, 4096, 16_384})
  void next_carriesAllFields(int buckets) {
    GeneIdLayout layout = GeneIdLayout.forBuckets(buckets);
    GeneIdGenerator generator = new GeneIdGenerator(layout, 3, NodeLease.fixed(63), clock);
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
      clock.set(NOW.plusMillis(random.nextInt(1_000)));
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
    GeneIdGenerator other = generator(NodeLease.fixed(6));
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
  void next_pastTheReserve_waitsForTheClockTickByTick() {
    int perTick = LAYOUT.idsPerGeneNodeAndTick();
    long last = useUpReserve(GENE);
    assertThat(pauses).hasValue(0);

    for (int i = 1; i <= 3 * perTick; i++) {
      long id = ids.next(GENE);
      assertThat(id).isGreaterThan(last);
      assertThat(pauses).as("waits for %s ids", i).hasValue((i + perTick - 1) / perTick);
      last = id;
    }
    ids.next(new BucketId(1));
    assertThat(pauses).as("other buckets do not wait").hasValue(3);
  }

  @Test
  void next_pastTheReserveWithAClockThatStands_isRefusedAfterBoundedPauses() {
    AtomicInteger counted = new AtomicInteger();
    GeneIdGenerator stuck = new GeneIdGenerator(LAYOUT, 1, lease, clock, counted::incrementAndGet);
    for (long i = 0; i < reserveIds(); i++) {
      stuck.next(GENE);
    }

    assertRefused(() -> stuck.next(GENE), ErrorCode.ID_CAPACITY_EXHAUSTED, "bucket 659");
    assertThat(counted).hasValue(TickCounter.PAUSES_MAX);
    assertThat(LAYOUT.gene(stuck.next(new BucketId(1)))).isEqualTo(new BucketId(1));
    clock.step(Duration.ofMillis(1));
    stuck.next(GENE);
  }

  @Test
  void next_interruptedPastTheReserve_doesNotWait() {
    useUpReserve(GENE);
    Thread.currentThread().interrupt();
    try {
      assertRefused(() -> ids.next(GENE), ErrorCode.ID_CAPACITY_EXHAUSTED, "bucket 659");
      assertThat(pauses).hasValue(0);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 5_000, 10_000})
  void next_afterTheClockWentBackWithinTheReserve_goesOnInTheNewestTick(long millis) {
    long before = ids.next(GENE);
    clock.set(NOW.minusMillis(millis));

    long after = ids.next(GENE);
    GeneId other = GeneId.decode(ids.next(new BucketId(0)), LAYOUT);

    assertThat(after).isGreaterThan(before);
    assertThat(GeneId.decode(after, LAYOUT).createdAt()).isEqualTo(NOW);
    assertThat(other.createdAt()).as("of buckets without ids too").isEqualTo(NOW);
    assertThat(pauses).hasValue(0);
  }

  @Test
  void next_afterTheClockWentBackALittleBeyondTheReserve_waits() {
    long before = ids.next(GENE);
    clock.set(NOW.minusMillis(10_005));

    assertThat(ids.next(GENE)).isGreaterThan(before);
    assertThat(pauses).hasValue(5);
  }

  @ParameterizedTest
  @ValueSource(longs = {12_001, 300_000})
  void next_afterTheClockWentBackFurther_isRefusedUntilItIsNear(long millis) {
    long before = ids.next(GENE);
    clock.set(NOW.minusMillis(millis));

    assertRefused(
        () -> ids.next(new BucketId(0)),
        ErrorCode.CLOCK_BEHIND,
        millis / 1000 + " s before " + NOW);
    assertThat(pauses).as("no waiting for a clock that is far off").hasValue(0);
    clock.set(NOW.minus(TickCounter.RESERVE));
    assertThat(ids.next(GENE)).isGreaterThan(before);
  }

  @Test
  void next_afterARestartInTheSameMillisecond_startsAboveWhatTheLeaseRecords() {
    useUpReserve(GENE);
    long last = ids.next(GENE);
    long used = ids.usedUntilMillis();
    assertThat(Instant.ofEpochMilli(used)).isEqualTo(GeneId.decode(last, LAYOUT).createdAt());

    GeneIdGenerator restarted = generator(new TestingLease(5, used, Long.MAX_VALUE));

    for (int i = 0; i < 100; i++) {
      long id = restarted.next(GENE);
      assertThat(id).isGreaterThan(last);
      last = id;
    }
  }

  @Test
  void next_whenTheLeaseRecordsTimesFarAhead_isRefused() {
    GeneIdGenerator behind =
        generator(new TestingLease(5, NOW.plusSeconds(300).toEpochMilli(), Long.MAX_VALUE));

    assertRefused(
        () -> behind.next(GENE), ErrorCode.CLOCK_BEHIND, "restart to take another node number");
  }

  @Test
  void next_afterTheLeaseEnded_isRefusedUntilItIsRenewed() {
    lease.grant(5, 0, NOW.toEpochMilli());
    ids.next(GENE);
    clock.step(Duration.ofMillis(1));

    assertRefused(
        () -> ids.next(GENE),
        ErrorCode.NODE_LEASE_LOST,
        "the lease of node 5 (epoch 1) allows ids up to " + NOW);
    lease.grant(5, 0, NOW.plusSeconds(60).toEpochMilli());
    ids.next(GENE);
  }

  @Test
  void next_neverBorrowsBeyondTheLease() {
    Instant end = NOW.plusMillis(3);
    lease.grant(5, 0, end.toEpochMilli());
    for (int i = 0; i < 4 * LAYOUT.idsPerGeneNodeAndTick(); i++) {
      assertThat(GeneId.decode(ids.next(GENE), LAYOUT).createdAt()).isBeforeOrEqualTo(end);
    }

    assertRefused(() -> ids.next(GENE), ErrorCode.NODE_LEASE_LOST, "node 5");
  }

  @Test
  void next_afterTheNumberChanged_usesTheNewOneAboveItsRecord() {
    ids.next(GENE);
    Instant used = NOW.plusSeconds(3);
    lease.grant(9, used.toEpochMilli(), Long.MAX_VALUE);

    GeneId id = GeneId.decode(ids.next(GENE), LAYOUT);

    assertThat(id.node()).isEqualTo(9);
    assertThat(id.createdAt()).isEqualTo(used.plusMillis(1));
  }

  @Test
  void next_outsideTheLayoutsTime_isRefused() {
    Instant end = GeneIdLayout.EPOCH.plusMillis(LAYOUT.tickMax());
    for (Instant outside :
        List.of(
            Instant.EPOCH,
            GeneIdLayout.EPOCH,
            end.minus(TickCounter.RESERVE).plusMillis(1),
            end.plusSeconds(1))) {
      clock.set(outside);
      assertRefused(() -> generator(lease).next(GENE), ErrorCode.CLOCK_BEHIND, outside.toString());
    }
    clock.set(end.minus(TickCounter.RESERVE));
    assertThat(GeneId.decode(ids.next(GENE), LAYOUT).createdAt()).isEqualTo(clock.instant());
  }

  @Test
  void fill_isAscendingIdsOfOneBucket() {
    long[] batch = new long[1_000];
    ids.fill(GENE, batch);

    assertThat(batch).isSorted().doesNotHaveDuplicates();
    for (long id : batch) {
      assertThat(LAYOUT.gene(id)).isEqualTo(GENE);
    }
  }

  @Test
  void construction_withNodeOrGenerationOutsideTheLayout_isRefused() {
    assertThatThrownBy(() -> generator(NodeLease.fixed(64))).hasMessageContaining("node 64");
    assertThatThrownBy(() -> NodeLease.fixed(-1)).hasMessageContaining("node -1");
    for (int version : new int[] {-1, 4}) {
      assertThatThrownBy(() -> new GeneIdGenerator(LAYOUT, version, lease, clock))
          .hasMessageContaining("generation " + version);
    }
    assertThatThrownBy(() -> ids.next(new BucketId(4096)))
        .hasMessage("bucket 4096 is outside 0 to 4095");
  }

  /** Exactly none: the driver asks for an id on every insert. */
  @Test
  void next_allocatesNothing() {
    BucketId[] genes = new BucketId[1024];
    for (int i = 0; i < genes.length; i++) {
      genes[i] = new BucketId(4 * i);
    }
    GeneIdGenerator generator =
        new GeneIdGenerator(LAYOUT, 1, NodeLease.fixed(5), InstantSource.system());

    assertThat(AllocatedBytes.of(() -> take(generator, genes))).isZero();
  }

  private static void take(GeneIdGenerator generator, BucketId[] genes) {
    for (int i = 0; i < 20_000; i++) {
      generator.next(genes[i & (genes.length - 1)]);
    }
  }

  private GeneIdGenerator generator(NodeLease of) {
    return new GeneIdGenerator(
        LAYOUT,
        1,
        of,
        clock,
        () -> {
          pauses.incrementAndGet();
          clock.step(Duration.ofMillis(1));
        });
  }

  private static long reserveIds() {
    return (TickCounter.RESERVE.toMillis() + 1) * LAYOUT.idsPerGeneNodeAndTick();
  }

  private long useUpReserve(BucketId gene) {
    long last = 0;
    for (long i = 0; i < reserveIds(); i++) {
      last = ids.next(gene);
    }
    return last;
  }

  private static void assertRefused(ThrowingCallable call, ErrorCode code, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ShardwrightException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private static Instant latest(Set<Long> all) {
    return GeneId.decode(all.stream().max(Long::compare).orElseThrow(), LAYOUT).createdAt();
  }
}
