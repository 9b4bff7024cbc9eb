package io.shardwright.ids;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts within the ticks of a clock, for each slot on its own.
 *
 * <p>Problem: numbers of one slot must never repeat although many threads ask at once, a tick has
 * few of them, the clock may step back, and the node number may have had another holder. Idea: one
 * word per slot holds (tick, sequence) of the last number; the next one takes the larger of "floor,
 * sequence 0" and "last + 1" by compare-and-set. The floor is the newest tick that the clock ever
 * showed or that an earlier holder may have used. A used-up tick and a clock that went back are
 * then the same thing: the word runs ahead of the clock.
 *
 * <p>Limits: up to {@link #RESERVE} ahead the next number is given at once. Beyond that a slot that
 * got too many numbers waits for the clock, {@link #PAUSES_MAX} pauses at most (SW306); a clock
 * that went back further is refused at once (SW307). No tick beyond the lease is used (SW308).
 *
 * <p>Invariants: words only grow; each number's tick lies within the lease that was current when it
 * was taken. Thread-safe. Allocates for errors and when the lease changes.
 */
final class TickCounter {
  static final Duration RESERVE = Duration.ofSeconds(10);
  static final Duration PAUSE = Duration.ofMillis(1);

  /** Two seconds: more than the longest tick. */
  static final int PAUSES_MAX = 2_000;

  private final Ticks ticks;
  private final NodeLease lease;
  private final InstantSource clock;
  private final Runnable pause;
  private final long epochMillis;
  private final long reserveTicks;
  private final long pauseTicksMax;
  private final AtomicLong newestTick = new AtomicLong();
  private final AtomicLongArray lastBySlot;

  /** Derived from the lease; a race computes it twice. */
  private volatile Bounds bounds;

  /**
   * @param epoch tick 0, which is never used
   * @param millis of one tick
   * @param max the last tick
   * @param sequences numbers in a tick
   * @param nodes node numbers are below this, a power of two
   */
  record Ticks(Instant epoch, long millis, long max, int sequences, int nodes) {
    int sequenceBits() {
      return Integer.SIZE - Integer.numberOfLeadingZeros(sequences - 1);
    }

    int nodeBits() {
      return Integer.numberOfTrailingZeros(nodes);
    }

    long of(long epochMillis, long timeMillis) {
      return Math.floorDiv(timeMillis - epochMillis, millis);
    }
  }

  private record Bounds(NodeLease.Grant grant, long firstTick, long lastTick) {}

  TickCounter(Ticks ticks, int slots, NodeLease lease, InstantSource clock) {
    this(ticks, slots, lease, clock, () -> LockSupport.parkNanos(PAUSE.toNanos()));
  }

  TickCounter(Ticks ticks, int slots, NodeLease lease, InstantSource clock, Runnable pause) {
    this.ticks = ticks;
    this.lease = lease;
    this.clock = clock;
    this.pause = pause;
    this.epochMillis = ticks.epoch().toEpochMilli();
    this.reserveTicks = RESERVE.toMillis() / ticks.millis();
    this.pauseTicksMax = PAUSES_MAX * PAUSE.toMillis() / ticks.millis();
    this.lastBySlot = new AtomicLongArray(slots);
    this.bounds = bounds(lease.current());
  }

  /**
   * @return tick, sequence and node, in this order, in {@link #tick}'s form; ascends per slot while
   *     the node stays
   */
  long next(int slot) {
    int pauses = 0;
    while (true) {
      Bounds held = held();
      long nowMillis = clock.millis();
      if (nowMillis > held.grant.validUntilMillis()) {
        throw leaseOver(held.grant);
      }
      long now = ticks.of(epochMillis, nowMillis);
      if (now < 1 || now + reserveTicks > ticks.max()) {
        throw outsideTime();
      }
      long floor = Math.max(newest(now), held.firstTick);
      long last = lastBySlot.get(slot);
      long next = Math.max(floor << ticks.sequenceBits(), following(last));
      long tick = next >>> ticks.sequenceBits();
      long missing = Math.max(tick - now - reserveTicks, tick - held.lastTick);
      if (missing <= 0) {
        if (lastBySlot.compareAndSet(slot, last, next)) {
          return next << ticks.nodeBits() | held.grant.node();
        }
      } else if (missing > pauseTicksMax
          || pauses++ == PAUSES_MAX
          || Thread.currentThread().isInterrupted()) {
        throw floor - now > reserveTicks
            ? clockWentBack(floor, now, held)
            : exhausted(slot, tick, held);
      } else {
        pause.run();
      }
    }
  }

  long tick(long number) {
    return number >>> (ticks.sequenceBits() + ticks.nodeBits());
  }

  int sequence(long number) {
    return (int) (number >>> ticks.nodeBits()) & ((1 << ticks.sequenceBits()) - 1);
  }

  int node(long number) {
    return (int) number & (ticks.nodes() - 1);
  }

  /** The end of the newest tick used so far, in milliseconds since 1970; 0 when none was. */
  long usedUntilMillis() {
    long newest = 0;
    for (int slot = 0; slot < lastBySlot.length(); slot++) {
      newest = Math.max(newest, lastBySlot.get(slot) >>> ticks.sequenceBits());
    }
    return newest == 0 ? 0 : endMillis(newest);
  }

  private long following(long word) {
    long next = word + 1;
    boolean full = (next & ((1L << ticks.sequenceBits()) - 1)) >= ticks.sequences();
    return full ? ((word >>> ticks.sequenceBits()) + 1) << ticks.sequenceBits() : next;
  }

  @SuppressWarnings("ReferenceEquality") // A lease gives the same object until it changes.
  private Bounds held() {
    NodeLease.Grant grant = lease.current();
    Bounds known = bounds;
    if (known.grant != grant) {
      known = bounds(grant);
      bounds = known;
    }
    return known;
  }

  private Bounds bounds(NodeLease.Grant grant) {
    if (grant.node() >= ticks.nodes()) {
      throw new IllegalArgumentException(
          "node " + grant.node() + " is outside 0 to " + (ticks.nodes() - 1));
    }
    return new Bounds(
        grant,
        ticks.of(epochMillis, grant.usedUntilMillis()) + 1,
        ticks.of(epochMillis, grant.validUntilMillis()));
  }

  private long newest(long now) {
    long seen = newestTick.get();
    while (now > seen && !newestTick.compareAndSet(seen, now)) {
      seen = newestTick.get();
    }
    return Math.max(seen, now);
  }

  private long endMillis(long tick) {
    return epochMillis + (tick + 1) * ticks.millis() - 1;
  }

  private Instant start(long tick) {
    return ticks.epoch().plusMillis(tick * ticks.millis());
  }

  private ShardwrightException outsideTime() {
    return new ShardwrightException(
        ErrorCode.CLOCK_BEHIND,
        "the clock reads "
            + clock.instant()
            + ", outside the time that these ids can express ("
            + start(1)
            + " to "
            + start(ticks.max() - reserveTicks)
            + "); set the clock right");
  }

  private ShardwrightException clockWentBack(long floor, long now, Bounds held) {
    return new ShardwrightException(
        ErrorCode.CLOCK_BEHIND,
        "the clock reads "
            + clock.instant()
            + ", "
            + TimeUnit.MILLISECONDS.toSeconds((floor - now) * ticks.millis())
            + " s before "
            + start(floor)
            + ", up to which ids of node "
            + held.grant.node()
            + " may have been issued; at most "
            + RESERVE.toSeconds()
            + " s are bridged. Set the clock right, or restart to take another node number");
  }

  private ShardwrightException exhausted(int slot, long tick, Bounds held) {
    if (tick > held.lastTick) {
      return leaseOver(held.grant);
    }
    return new ShardwrightException(
        ErrorCode.ID_CAPACITY_EXHAUSTED,
        "ids "
            + (lastBySlot.length() == 1 ? "" : "of bucket " + slot + " ")
            + "run "
            + RESERVE.toSeconds()
            + " s ahead of the clock: more than "
            + ticks.sequences()
            + " were asked for in each "
            + ticks.millis()
            + " ms for long. Ask for fewer, spread them over more buckets or nodes, try again"
            + " later");
  }

  private static ShardwrightException leaseOver(NodeLease.Grant grant) {
    return new ShardwrightException(
        ErrorCode.NODE_LEASE_LOST,
        "the lease of node "
            + grant.node()
            + " (epoch "
            + grant.epoch()
            + ") allows ids up to "
            + Instant.ofEpochMilli(grant.validUntilMillis())
            + " and has not been renewed; ids are issued again once the catalog answers");
  }
}
