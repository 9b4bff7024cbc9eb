package io.shardwright.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.SegmentIds.Block;
import io.shardwright.testkit.Gen;
import io.shardwright.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SegmentIdsTest {
  private static final Duration WAIT = Duration.ofSeconds(30);

  private final AtomicLong nextBlock = new AtomicLong(1_000);
  private final AtomicInteger fetched = new AtomicInteger();

  private Block take(long size) {
    fetched.incrementAndGet();
    long first = nextBlock.getAndAdd(size);
    return new Block(first, first + size - 1);
  }

  /** Single numbers and ranges, in any order: each number once, none left out, ascending. */
  @Test
  void next_ofSinglesAndRanges_isEveryNumberOnceInOrder() {
    Seeds.check(
        1_000,
        Gen.lists(Gen.integers(1, 30), 1, 60),
        counts -> {
          AtomicLong source = new AtomicLong();
          SegmentIds ids =
              new SegmentIds(
                  () -> {
                    long first = source.getAndAdd(10);
                    return new Block(first, first + 9);
                  },
                  Runnable::run,
                  WAIT);
          long expected = 0;
          for (int count : counts) {
            Block block = count == 1 ? single(ids.next()) : ids.next(count);
            assertThat(block.first()).isEqualTo(expected);
            assertThat(block.size()).isBetween(1L, (long) count);
            expected = block.last() + 1;
          }
        });
  }

  private static Block single(long id) {
    return new Block(id, id);
  }

  @Test
  void next_atHalfABlock_asksForTheFollowingOneAndDoesNotWait() {
    Deque<Runnable> asked = new ArrayDeque<>();
    SegmentIds ids = new SegmentIds(() -> take(10), asked::add, Duration.ofMillis(1));
    assertThatThrownBy(ids::next)
        .as("nobody fetches")
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.ID_CAPACITY_EXHAUSTED));
    asked.remove().run();

    for (int i = 0; i < 5; i++) {
      assertThat(ids.next()).isEqualTo(1_000 + i);
    }
    assertThat(asked).isEmpty();
    assertThat(ids.next()).isEqualTo(1_005);
    assertThat(asked).as("half is used").hasSize(1);
    ids.next();
    assertThat(asked).as("once").hasSize(1);
    asked.remove().run();
    for (int i = 7; i < 20; i++) {
      assertThat(ids.next()).isEqualTo(1_000 + i);
    }
    assertThat(fetched).hasValue(2);
  }

  @Test
  void next_afterAnEarlyFetchFailed_asksAgainWhenTheBlockIsNeeded() {
    AtomicInteger calls = new AtomicInteger();
    SegmentIds ids =
        new SegmentIds(
            () -> {
              if (calls.incrementAndGet() == 2) {
                throw new ShardwrightException(ErrorCode.CATALOG_UNAVAILABLE, "down");
              }
              return take(4);
            },
            Runnable::run,
            WAIT);
    for (int i = 0; i < 8; i++) {
      assertThat(ids.next()).isEqualTo(1_000 + i);
    }
    assertThat(calls).hasValue(4);
  }

  @Test
  void next_whileTheSourceFails_throwsItsErrorAndRecovers() {
    AtomicInteger failures = new AtomicInteger(2);
    SegmentIds ids =
        new SegmentIds(
            () -> {
              if (failures.getAndDecrement() > 0) {
                throw new ShardwrightException(ErrorCode.CATALOG_UNAVAILABLE, "down");
              }
              return take(4);
            },
            Runnable::run,
            WAIT);
    for (int i = 0; i < 1; i++) {
      assertThatThrownBy(ids::next)
          .isInstanceOfSatisfying(
              ShardwrightException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_UNAVAILABLE));
    }
    assertThat(ids.next()).isEqualTo(1_000);
  }

  @Test
  void next_fromManyThreads_isUniqueAndLosesNothing() throws Exception {
    int threads = 8;
    ExecutorService background = Executors.newSingleThreadExecutor();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      SegmentIds ids = new SegmentIds(() -> take(100), background, WAIT);
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<List<Long>>> running = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        running.add(
            pool.submit(
                () -> {
                  start.await();
                  List<Long> mine = new ArrayList<>();
                  for (int i = 0; i < 5_000; i++) {
                    mine.add(ids.next());
                  }
                  return mine;
                }));
      }
      Set<Long> all = new HashSet<>();
      for (Future<List<Long>> mine : running) {
        assertThat(mine.get()).isSorted();
        all.addAll(mine.get());
      }
      assertThat(all).hasSize(threads * 5_000);
      assertThat(all.stream().mapToLong(Long::longValue).max())
          .as("no gap")
          .hasValue(1_000 + threads * 5_000 - 1);
    } finally {
      pool.shutdownNow();
      background.shutdownNow();
    }
  }

  @Test
  void next_allocatesNothing() {
    SegmentIds ids = new SegmentIds(() -> take(1_000_000), Runnable::run, WAIT);

    assertThat(
            AllocatedBytes.of(
                () -> {
                  for (int i = 0; i < 20_000; i++) {
                    ids.next();
                  }
                }))
        .isZero();
  }
}
