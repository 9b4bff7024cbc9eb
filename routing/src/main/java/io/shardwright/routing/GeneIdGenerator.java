package io.shardwright.routing;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Issues gene ids for one node.
 *
 * <p>Problem: ids of one gene must never repeat although many threads ask at once, a tick has few
 * sequence numbers, and the clock may step back. Idea: one word per gene holds (tick, sequence) of
 * the last id; the next id takes the larger of "now, sequence 0" and "last + 1" by compare-and-set.
 * Sequence exhaustion and a clock that went back are then the same thing: the word runs ahead of
 * the clock and borrows ticks, at most {@link #BORROW_MAX}; beyond that the call is refused.
 *
 * <p>Invariant: the words only grow. Two generators must not share a node number, and a restart
 * must not reuse it within the borrowed time.
 *
 * <p>Thread-safe. No allocation but for errors.
 */
public final class GeneIdGenerator {
  /** How far ids may run ahead of the clock. */
  public static final Duration BORROW_MAX = Duration.ofSeconds(2);

  private final GeneIdLayout layout;
  private final int version;
  private final int node;
  private final InstantSource clock;
  private final long tickMax;
  private final AtomicLongArray lastByGene;

  /**
   * @param version generation of the group
   * @param node 0 to {@link GeneIdLayout#nodes()} - 1, held by this generator alone
   */
  public GeneIdGenerator(GeneIdLayout layout, int version, int node, InstantSource clock) {
    if (node < 0 || node >= layout.nodes()) {
      throw new IllegalArgumentException(
          "node " + node + " is outside 0 to " + (layout.nodes() - 1));
    }
    if (version < 0 || version >= 1 << layout.versionBits()) {
      throw new IllegalArgumentException("generation " + version + " does not fit the layout");
    }
    this.layout = layout;
    this.version = version;
    this.node = node;
    this.clock = clock;
    this.tickMax = (1L << layout.timeBits()) - 1;
    this.lastByGene = new AtomicLongArray(layout.buckets());
  }

  /**
   * The next id of a bucket; ids of one bucket ascend.
   *
   * @throws ShardwrightException SW306 when the bucket's ids run {@link #BORROW_MAX} ahead of the
   *     clock, SW307 when the clock is outside the layout's time
   */
  public long next(BucketId gene) {
    long now = clock.millis() - GeneIdLayout.EPOCH.toEpochMilli();
    if (now < 1 || now + BORROW_MAX.toMillis() > tickMax) {
      throw new ShardwrightException(
          ErrorCode.CLOCK_BEHIND,
          "the clock reads "
              + clock.instant()
              + ", outside the time that gene ids can express (from "
              + GeneIdLayout.EPOCH
              + "); set the clock right");
    }
    long floor = now << layout.sequenceBits();
    while (true) {
      long last = lastByGene.get(gene.value());
      long next = Math.max(floor, last + 1);
      long tick = next >>> layout.sequenceBits();
      if (tick - now > BORROW_MAX.toMillis()) {
        throw new ShardwrightException(
            ErrorCode.ID_CAPACITY_EXHAUSTED,
            "ids of bucket "
                + gene
                + " run "
                + (tick - now)
                + " ms ahead of the clock, at most "
                + BORROW_MAX.toMillis()
                + " ms are allowed: the clock went back or the bucket got more than "
                + layout.idsPerGeneNodeAndTick()
                + " ids a millisecond; wait and try again");
      }
      if (lastByGene.compareAndSet(gene.value(), last, next)) {
        int sequence = (int) next & (layout.idsPerGeneNodeAndTick() - 1);
        return layout.compose(version, tick, gene, node, sequence);
      }
    }
  }
}
