package io.shardwright.ids;

import io.shardwright.routing.BucketId;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** Issues readable order numbers: 10,000 a second, bucket and node, until 2099. Thread-safe. */
public final class OrderNumberGenerator {
  private static final long TICK_MILLIS = 1_000;

  private final OrderNumberFormat format;
  private final int version;
  private final TickCounter counter;

  /**
   * @param version generation of the group, 0 to 9
   */
  public OrderNumberGenerator(
      OrderNumberFormat format, int version, NodeLease lease, InstantSource clock) {
    if (version < 0 || version >= OrderNumberFormat.VERSIONS) {
      throw new IllegalArgumentException("version " + version + " is outside 0 to 9");
    }
    this.format = format;
    this.version = version;
    this.counter =
        new TickCounter(
            new TickCounter.Ticks(
                OrderNumberFormat.EPOCH,
                TICK_MILLIS,
                ChronoUnit.SECONDS.between(OrderNumberFormat.EPOCH, OrderNumberFormat.LAST),
                OrderNumberFormat.SEQUENCES,
                OrderNumberFormat.NODES),
            format.buckets(),
            lease,
            clock);
  }

  /** Limits and errors are those of {@link GeneIdGenerator#next}. */
  public String next(BucketId gene) {
    if (gene.value() >= format.buckets()) {
      throw new IllegalArgumentException(
          "bucket " + gene + " is outside 0 to " + (format.buckets() - 1));
    }
    long number = counter.next(gene.value());
    return format.text(
        new OrderNumber(
            version,
            OrderNumberFormat.EPOCH.plusSeconds(counter.tick(number)),
            gene,
            counter.node(number),
            counter.sequence(number)));
  }

  /** See {@link GeneIdGenerator#usedUntilMillis}. */
  public long usedUntilMillis() {
    return counter.usedUntilMillis();
  }
}
