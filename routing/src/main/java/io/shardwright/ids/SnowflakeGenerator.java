package io.shardwright.ids;

import io.shardwright.routing.GeneIdLayout;
import java.time.InstantSource;

/**
 * Issues plain snowflake ids: 4,096 a millisecond and node, 1,024 nodes, until 2094-09-07. For rows
 * whose id is the route key itself, or that are never looked up by it. Thread-safe; no allocation.
 */
public final class SnowflakeGenerator {
  private final TickCounter counter;

  public SnowflakeGenerator(NodeLease lease, InstantSource clock) {
    counter =
        new TickCounter(
            new TickCounter.Ticks(
                GeneIdLayout.EPOCH,
                1,
                SnowflakeId.TICK_MAX,
                SnowflakeId.SEQUENCES,
                SnowflakeId.NODES),
            1,
            lease,
            clock);
  }

  /** Ascending. Limits and errors are those of {@link GeneIdGenerator#next}. */
  public long next() {
    long number = counter.next(0);
    return counter.tick(number) << SnowflakeId.TIME_SHIFT
        | (long) counter.node(number) << SnowflakeId.NODE_SHIFT
        | counter.sequence(number);
  }

  /** See {@link GeneIdGenerator#usedUntilMillis}. */
  public long usedUntilMillis() {
    return counter.usedUntilMillis();
  }
}
