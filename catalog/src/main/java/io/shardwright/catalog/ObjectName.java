package io.shardwright.catalog;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Names of Shardwright's objects that are made of names of the user. */
public final class ObjectName {
  /** Of identifiers, in both databases. */
  public static final int MAX_BYTES = 63;

  private static final int HASH_CHARS = 9;

  private ObjectName() {}

  /** The prefix and the name; a long name is cut and ends in a hash of all of it. */
  public static String fit(String prefix, String name) {
    return fit(prefix, name, name, MAX_BYTES, false);
  }

  /**
   * @param hashed what the hash is of
   * @param always with the hash, even if the name fits
   */
  static String fit(String prefix, String name, String hashed, int maxBytes, boolean always) {
    if (!always && bytes(prefix + name) <= maxBytes) {
      return prefix + name;
    }
    CRC32 crc = new CRC32();
    crc.update(hashed.getBytes(StandardCharsets.UTF_8));
    int end = name.length();
    while (bytes(prefix + name.substring(0, end)) > maxBytes - HASH_CHARS) {
      end--;
    }
    return prefix + name.substring(0, end) + String.format("_%08x", crc.getValue());
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
