package io.shardwright.ids;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.GeneIdLayout;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A plain snowflake id taken apart: sign 0 | 41 bits of milliseconds since {@link
 * GeneIdLayout#EPOCH} | 10 bits node | 12 bits sequence. It names no bucket and no generation.
 */
public record SnowflakeId(long value, Instant createdAt, int node, int sequence) {
  public static final int NODES = 1 << 10;
  static final int SEQUENCES = 1 << 12;
  static final long TICK_MAX = (1L << 41) - 1;

  static final int NODE_SHIFT = 12;
  static final int TIME_SHIFT = 22;

  /**
   * @throws ShardwrightException SW305 when {@code id} is negative
   */
  public static SnowflakeId decode(long id) {
    if (id < 0) {
      throw GeneId.malformed(
          Long.toString(id), "is negative; snowflake ids use 63 bits and sign 0");
    }
    return new SnowflakeId(
        id,
        GeneIdLayout.EPOCH.plusMillis(id >>> TIME_SHIFT),
        (int) (id >>> NODE_SHIFT) & (NODES - 1),
        (int) id & (SEQUENCES - 1));
  }

  /**
   * An id that a generator can have issued by now, in plain digits.
   *
   * @throws ShardwrightException SW305 for any other text
   */
  public static SnowflakeId parse(String text, InstantSource clock) {
    SnowflakeId id = decode(GeneId.number(text));
    if (!id.createdAt.isAfter(GeneIdLayout.EPOCH)) {
      throw GeneId.malformed(text, "has tick 0, which is never issued");
    }
    GeneId.checkNotAhead(text, id.createdAt, clock);
    return id;
  }
}
