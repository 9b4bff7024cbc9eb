package io.shardwright.ids;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.testkit.Gen;
import io.shardwright.testkit.Seeds;
import io.shardwright.testkit.TestingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * No id is issued twice, whatever the clocks of the processes do and however often node numbers
 * change hands.
 *
 * <p>Fault model: each process has a clock of its own that jumps by up to six minutes in both
 * directions; any process dies at any step; a number may be given to another process although its
 * holder lives and goes on asking for ids; renewals come when they like. What holds is the record
 * of each number: the end of its last grant, written before the grant is used.
 */
class NodeLeaseLawTest {
  /** Two buckets with two numbers a millisecond: the fewest of any layout. */
  private static final GeneIdLayout LAYOUT = new GeneIdLayout(2, 2, 53, 1, 6, 1);

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final long LEASE_MILLIS = 60_000;
  private static final int PROCESSES = 3;
  private static final int NODES = 2;

  private enum Action {
    ISSUE,
    STEP_CLOCK,
    RENEW,
    RESTART
  }

  /**
   * @param amount ids, milliseconds or the node number
   */
  private record Step(int process, Action action, long amount) {}

  private static final Gen<List<Step>> STEPS =
      Gen.lists(
          Gen.integers(0, PROCESSES - 1)
              .flatMap(
                  process ->
                      Gen.oneOf(
                              List.of(
                                  Action.ISSUE,
                                  Action.ISSUE,
                                  Action.STEP_CLOCK,
                                  Action.RENEW,
                                  Action.RESTART))
                          .flatMap(
                              action ->
                                  amount(action).map(amount -> new Step(process, action, amount)))),
          1,
          60);

  private static Gen<Long> amount(Action action) {
    return switch (action) {
      case ISSUE -> Gen.longs(1, 40);
      case STEP_CLOCK ->
          Gen.oneOf(List.of(1L, 30L, 5_000L, 70_000L, 360_000L, -5L, -5_000L, -360_000L));
      case RENEW -> Gen.longs(0, 0);
      case RESTART -> Gen.longs(0, NODES - 1);
    };
  }

  /** The table of the catalog: the end of the last grant of each number. */
  private static final class Numbers {
    private final long[] validUntil = new long[NODES];
    private final int[] epoch = new int[NODES];
  }

  private static final class Holder {
    final TestingClock clock = new TestingClock(START);
    final Numbers numbers;
    TestingLease lease;
    GeneIdGenerator ids;
    int node;
    int epoch;

    Holder(Numbers numbers, int node) {
      this.numbers = numbers;
      restart(node);
    }

    void restart(int taken) {
      node = taken;
      epoch = ++numbers.epoch[node];
      long used = numbers.validUntil[node];
      lease = new TestingLease(node, used, extend());
      ids = new GeneIdGenerator(LAYOUT, 0, lease, clock, () -> clock.step(Duration.ofMillis(1)));
    }

    /** Nothing when the number is another's by now. */
    void renew() {
      if (numbers.epoch[node] == epoch) {
        lease.grant(node, lease.current().usedUntilMillis(), extend());
      }
    }

    private long extend() {
      long until = Math.max(numbers.validUntil[node], clock.millis() + LEASE_MILLIS);
      numbers.validUntil[node] = until;
      return until;
    }
  }

  @Test
  void ids_ofAllProcesses_areDifferent() {
    AtomicLong issued = new AtomicLong();
    AtomicLong refused = new AtomicLong();
    Seeds.check(800, STEPS, steps -> run(steps, issued, refused));

    assertThat(issued.get()).as("the law is not empty").isGreaterThan(50_000);
    assertThat(refused.get()).as("limits are met").isGreaterThan(500);
  }

  private static void run(List<Step> steps, AtomicLong issued, AtomicLong refused) {
    Numbers numbers = new Numbers();
    List<Holder> processes = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      processes.add(new Holder(numbers, i % NODES));
    }
    Set<Long> all = new HashSet<>();
    for (Step step : steps) {
      Holder process = processes.get(step.process);
      switch (step.action) {
        case ISSUE -> {
          for (int i = 0; i < step.amount; i++) {
            try {
              long id = process.ids.next(new BucketId(i % 2));
              if (!all.add(id)) {
                throw new AssertionError("id " + id + " was issued twice");
              }
              issued.incrementAndGet();
            } catch (ShardwrightException e) {
              assertThat(e.code()).isIn(ErrorCode.CLOCK_BEHIND, ErrorCode.NODE_LEASE_LOST);
              refused.incrementAndGet();
            }
          }
        }
        case STEP_CLOCK -> process.clock.step(Duration.ofMillis(step.amount));
        case RENEW -> process.renew();
        case RESTART -> process.restart((int) step.amount);
      }
    }
  }
}
