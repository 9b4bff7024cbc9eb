package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.sql.Planner;
import io.shardwright.sql.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class PlanCacheTest {
  private static final int MAX = 8;
  private final PlanCache cache =
      new PlanCache(new Planner(Schema.of(List.of())), 0, new Statistics(OptionalInt.empty()), MAX);

  @Test
  void plan_sameText_isPlannedOnce() {
    Planned first = cache.plan("SELECT 1");
    assertThat(cache.plan(new String("SELECT 1"))).isSameAs(first);
  }

  @Test
  void size_neverExceedsTheBound() {
    for (int i = 0; i < 100; i++) {
      cache.plan("SELECT " + i);
      assertThat(cache.size()).isLessThanOrEqualTo(MAX);
    }
    assertThat(cache.size()).isEqualTo(MAX);
  }

  @Test
  void textThatReturns_outlivesThoseUsedOnce() {
    Planned hot = cache.plan("SELECT 'hot'");
    for (int i = 0; i < 100; i++) {
      cache.plan("SELECT " + i);
      assertThat(cache.plan("SELECT 'hot'")).isSameAs(hot);
    }
  }

  @Test
  void hugeText_isNotKept() {
    String text = "SELECT '" + "x".repeat(PlanCache.MAX_TEXT_CHARS) + "'";
    assertThat(cache.plan(text)).isNotSameAs(cache.plan(text));
    assertThat(cache.size()).isZero();
  }

  @Test
  void manyThreads_keepTheBound() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int first = thread;
        running.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < 500; i++) {
                    assertThat(cache.plan("SELECT " + (first + i) % 20).plan().sql())
                        .isEqualTo("SELECT " + (first + i) % 20);
                  }
                }));
      }
      for (Future<?> done : running) {
        done.get();
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(cache.size()).isLessThanOrEqualTo(MAX);
  }
}
