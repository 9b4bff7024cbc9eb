package io.shardwright.ids;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/**
 * Issues gene ids for the node number that this process holds; the sequence counts per bucket.
 * Thread-safe. Allocates for errors and when the lease changes.
 */
public final class GeneIdGenerator {
  private final GeneIdLayout layout;
  private final int version;
  private final TickCounter counter;

  /**
   * @param version generation of the group
   */
  public GeneIdGenerator(GeneIdLayout layout, int version, NodeLease lease, InstantSource clock) {
    this(layout, version, lease, clock, () -> LockSupport.parkNanos(TickCounter.PAUSE.toNanos()));
  }

  GeneIdGenerator(
      GeneIdLayout layout, int version, NodeLease lease, InstantSource clock, Runnable pause) {
    if (version < 0 || version >= layout.versions()) {
      throw new IllegalArgumentException("generation " + version + " does not fit the layout");
    }
    this.layout = layout;
    this.version = version;
    this.counter =
        new TickCounter(
            new TickCounter.Ticks(
                GeneIdLayout.EPOCH,
                1,
                layout.tickMax(),
                layout.idsPerGeneNodeAndTick(),
                layout.nodes()),
            layout.buckets(),
            lease,
            clock,
            pause);
  }

  /**
   * The next id of a bucket; ids of one bucket ascend. Waits up to two seconds when the bucket got
   * more ids than its ticks hold, for ten seconds on end.
   *
   * @throws ShardwrightException SW306 when waiting did not help, SW307 when the clock went back or
   *     is outside the layout's time, SW308 when the node number is lost
   */
  public long next(BucketId gene) {
    if (gene.value() >= layout.buckets()) {
      throw new IllegalArgumentException(
          "bucket " + gene + " is outside 0 to " + (layout.buckets() - 1));
    }
    long number = counter.next(gene.value());
    return layout.compose(
        version, counter.tick(number), gene, counter.node(number), counter.sequence(number));
  }

  /**
   * Fills {@code ids} with ids of one bucket, ascending.
   *
   * @throws ShardwrightException as {@link #next(BucketId)}; the ids taken before are lost
   */
  public void fill(BucketId gene, long[] ids) {
    for (int i = 0; i < ids.length; i++) {
      ids[i] = next(gene);
    }
  }

  /**
   * The newest time inside an id issued so far, in milliseconds since 1970; 0 when there is none.
   */
  public long usedUntilMillis() {
    return counter.usedUntilMillis();
  }
}
