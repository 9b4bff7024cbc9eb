package io.shardwright.ids;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A gene id taken apart.
 *
 * @param version generation of the group, 0 to 3
 * @param createdAt the tick, in milliseconds
 * @param gene the bucket of the row, never a shard
 */
public record GeneId(
    long value, int version, Instant createdAt, BucketId gene, int node, int sequence) {

  /** How far the time inside an id may be ahead of the reader's clock: reserve and skew. */
  public static final Duration AHEAD_MAX = Duration.ofMinutes(5);

  /**
   * Says what any non-negative number means as a gene id; {@link #parse} is the strict one.
   *
   * @throws ShardwrightException SW305 when {@code id} is negative
   */
  public static GeneId decode(long id, GeneIdLayout layout) {
    if (id < 0) {
      throw malformed(Long.toString(id), "is negative; gene ids use 63 bits and sign 0");
    }
    int afterTime = layout.geneBits() + layout.geneShift();
    long tick = (id >>> afterTime) & layout.tickMax();
    return new GeneId(
        id,
        (int) (id >>> (afterTime + layout.timeBits())),
        GeneIdLayout.EPOCH.plusMillis(tick),
        layout.gene(id),
        (int) (id >>> layout.sequenceBits()) & (layout.nodes() - 1),
        (int) id & (layout.idsPerGeneNodeAndTick() - 1));
  }

  /**
   * An id that a generator of this group can have issued by now.
   *
   * @param version the group's generation
   * @throws ShardwrightException SW305 when it is negative, of another generation, of tick 0 or of
   *     a time more than {@link #AHEAD_MAX} ahead of the clock
   */
  public static GeneId parse(long id, GeneIdLayout layout, int version, InstantSource clock) {
    GeneId decoded = decode(id, layout);
    if (decoded.version != version) {
      throw malformed(
          decoded.text(),
          "is of generation " + decoded.version + ", the group's generation is " + version);
    }
    if (!decoded.createdAt.isAfter(GeneIdLayout.EPOCH)) {
      throw malformed(decoded.text(), "has tick 0, which is never issued");
    }
    checkNotAhead(decoded.text(), decoded.createdAt, clock);
    return decoded;
  }

  /**
   * The form for JSON and JavaScript, whose numbers end at 2^53: decimal digits, no sign, no
   * leading zero.
   *
   * @throws ShardwrightException SW305 also for any other text
   */
  public static GeneId parse(String text, GeneIdLayout layout, int version, InstantSource clock) {
    return parse(number(text), layout, version, clock);
  }

  /** One text per number: {@code 0} or digits without leading zero, up to 2^63-1. */
  static long number(String text) {
    return Radix.DECIMAL
        .parse(text)
        .orElseThrow(
            () ->
                malformed(
                    text,
                    "is no whole number from 0 to "
                        + Long.MAX_VALUE
                        + " in plain digits without leading zeros"));
  }

  /** See {@link #parse(String, GeneIdLayout, int, InstantSource)}. */
  public String text() {
    return Long.toString(value);
  }

  static void checkNotAhead(String id, Instant createdAt, InstantSource clock) {
    if (createdAt.isAfter(clock.instant().plus(AHEAD_MAX))) {
      throw malformed(id, "was made at " + createdAt + ", but the clock reads " + clock.instant());
    }
  }

  static ShardwrightException malformed(String id, String why) {
    String shown = id.length() > 80 ? id.substring(0, 80) + "..." : id;
    return new ShardwrightException(ErrorCode.ID_MALFORMED, "id '" + shown + "' " + why);
  }
}
