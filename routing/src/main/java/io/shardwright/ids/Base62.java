package io.shardwright.ids;

import io.shardwright.errors.ShardwrightException;

/**
 * Short codes: numbers from 0 to 2^63-1 in the digits 0-9A-Za-z, most significant first. Each
 * number has exactly one text. It hides nothing: who wants to hide ids takes {@link PublicIds}.
 */
public final class Base62 {
  private Base62() {}

  /**
   * @param value not negative
   */
  public static String encode(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("number " + value + " is negative");
    }
    return Radix.BASE62.format(value);
  }

  /**
   * @throws ShardwrightException SW305 for every text that {@link #encode} does not make: empty, a
   *     leading zero, another character, beyond 2^63-1
   */
  public static long decode(String text) {
    return Radix.BASE62
        .parse(text)
        .orElseThrow(
            () ->
                GeneId.malformed(
                    text,
                    "is no Base62 number up to "
                        + encode(Long.MAX_VALUE)
                        + " (digits 0-9A-Za-z, upper and lower case differ, no leading zero)"));
  }
}
