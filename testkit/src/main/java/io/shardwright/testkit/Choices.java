package io.shardwright.testkit;

import java.util.Arrays;
import java.util.Random;

/**
 * The numbers that a {@link Gen} draws, recorded: the same numbers make the same case again, and
 * smaller numbers a simpler one. That is how cases shrink without a shrinker per type.
 */
public final class Choices {
  /** A generator that draws more than this does not end. */
  private static final int DRAWS_MAX = 1_000_000;

  private final Random random;
  private final long[] given;
  private long[] drawn = new long[16];
  private int count;

  private Choices(Random random, long[] given) {
    this.random = random;
    this.given = given;
  }

  static Choices ofSeed(long seed) {
    // Random's first numbers of neighbouring seeds resemble each other; a multiplied seed's do not.
    return new Choices(new Random(seed * 0x9E3779B97F4A7C15L), new long[0]);
  }

  /** Replays {@code given}; when these are used up, every further draw is the simplest, 0. */
  static Choices replay(long[] given) {
    return new Choices(null, given);
  }

  /**
   * @param bound above 0
   * @return 0 to bound - 1; 0 is the simplest
   */
  public long below(long bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound " + bound);
    }
    return record(Math.floorMod(next(), bound));
  }

  /** Any 64 bits. */
  public long bits() {
    return record(next());
  }

  long[] drawn() {
    return Arrays.copyOf(drawn, count);
  }

  private long next() {
    if (count < given.length) {
      return given[count];
    }
    return random == null ? 0 : random.nextLong();
  }

  private long record(long value) {
    if (count == DRAWS_MAX) {
      throw new IllegalStateException("a generator drew " + DRAWS_MAX + " numbers: it is endless");
    }
    if (count == drawn.length) {
      drawn = Arrays.copyOf(drawn, 2 * count);
    }
    drawn[count++] = value;
    return value;
  }
}
