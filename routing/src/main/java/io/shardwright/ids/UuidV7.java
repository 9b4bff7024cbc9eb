package io.shardwright.ids;

import io.shardwright.errors.ShardwrightException;
import java.time.Instant;
import java.util.UUID;

/**
 * A UUID of version 7 (RFC 9562) taken apart.
 *
 * @param counter the 12 bits after the version: of {@link UuidV7Generator} the number within the
 *     millisecond, of other generators any bits
 */
public record UuidV7(UUID value, Instant createdAt, int counter) {
  static final int COUNTER_BITS = 12;
  private static final int VERSION = 7;
  private static final int VARIANT = 2;
  private static final int TIME_SHIFT = 16;

  /**
   * @throws ShardwrightException SW305 when it is of another version or variant
   */
  public static UuidV7 decode(UUID uuid) {
    if (uuid.version() != VERSION || uuid.variant() != VARIANT) {
      throw GeneId.malformed(
          uuid.toString(),
          "is a UUID of version "
              + uuid.version()
              + " and variant "
              + uuid.variant()
              + ", not of version 7 and variant 2");
    }
    return new UuidV7(
        uuid,
        Instant.ofEpochMilli(uuid.getMostSignificantBits() >>> TIME_SHIFT),
        (int) uuid.getMostSignificantBits() & ((1 << COUNTER_BITS) - 1));
  }

  /**
   * The 36 characters of the standard form, in lower case.
   *
   * @throws ShardwrightException SW305 for any other text, version or variant
   */
  public static UuidV7 parse(String text) {
    UUID uuid;
    try {
      uuid = UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw GeneId.malformed(text, "is no UUID");
    }
    // UUID.fromString takes short and upper-case forms too.
    if (!uuid.toString().equals(text)) {
      throw GeneId.malformed(text, "is no UUID in the standard form; write " + uuid);
    }
    return decode(uuid);
  }

  static UUID compose(long millis, int counter, long random) {
    return new UUID(
        millis << TIME_SHIFT | (long) VERSION << COUNTER_BITS | counter,
        (long) VARIANT << 62 | (random >>> 2));
  }
}
