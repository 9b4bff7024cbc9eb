package io.shardwright.query;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What tells one query from another, whatever its page: the first 8 bytes of SHA-256 of its parts,
 * each preceded by its length in bytes and a colon. Part of stored cursors: what is added, and in
 * which order, never changes within a format. Not thread-safe.
 */
final class Fingerprint {
  private static final int HEX_BYTES = 16;

  private final StringBuilder parts = new StringBuilder();

  /**
   * @param part null is another one than any text
   */
  Fingerprint add(Object part) {
    String text = part == null ? "" : part.toString();
    parts
        .append(part == null ? -1 : text.getBytes(StandardCharsets.UTF_8).length)
        .append(':')
        .append(text);
    return this;
  }

  long value() {
    return ByteBuffer.wrap(hash()).getLong();
  }

  /** 16 bytes of it, in hex. */
  String hex() {
    return Sha256.hex(Arrays.copyOf(hash(), HEX_BYTES));
  }

  private byte[] hash() {
    return Sha256.digest().digest(parts.toString().getBytes(StandardCharsets.UTF_8));
  }
}
