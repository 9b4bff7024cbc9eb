package io.shardwright.ids;

import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Issues UUIDs of version 7 (RFC 9562) that ascend within this process: 48 bits of milliseconds, a
 * counter of 12 bits that starts at 0 in each millisecond (section 6.2, method 1), 62 random bits.
 * Needs no node number: between processes the random bits keep them apart. Compare them as bytes or
 * text; {@link UUID#compareTo} is of signed halves, in which they ascend as well until 10889.
 *
 * <p>Thread-safe if the random generator is.
 */
public final class UuidV7Generator {
  private static final NodeLease NONE = NodeLease.fixed(0);

  private final RandomGenerator random;
  private final TickCounter counter;

  /**
   * @param random thread-safe and unpredictable, as {@link java.security.SecureRandom}
   */
  public UuidV7Generator(InstantSource clock, RandomGenerator random) {
    this.random = random;
    this.counter =
        new TickCounter(
            new TickCounter.Ticks(Instant.EPOCH, 1, (1L << 48) - 1, 1 << UuidV7.COUNTER_BITS, 1),
            1,
            NONE,
            clock);
  }

  /**
   * @throws io.shardwright.errors.ShardwrightException SW306, SW307 as {@link GeneIdGenerator#next}
   */
  public UUID next() {
    long number = counter.next(0);
    return UuidV7.compose(counter.tick(number), counter.sequence(number), random.nextLong());
  }
}
