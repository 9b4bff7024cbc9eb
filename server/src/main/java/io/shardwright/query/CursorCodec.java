package io.shardwright.query;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Cursors as text, which callers keep and give back: format 1, pinned by
 * docs/vectors/cursor-v1.tsv.
 *
 * <p>Base64 (of URLs, without padding) of: format (1 byte), flags (1 byte; 1: shards were missing),
 * fingerprint (8 bytes), map version (8 bytes), number of values (1 byte), for each value its
 * length in bytes (4 bytes; -1: NULL) and its UTF-8, then the first 16 bytes of HMAC-SHA-256 of all
 * that. Numbers are big-endian. Signed, not secret. Thread-safe.
 */
final class CursorCodec {
  private static final int FORMAT = 1;
  private static final int LACKING = 1;
  private static final int SIGNATURE_BYTES = 16;
  private static final String ALGORITHM = "HmacSHA256";

  private final List<SecretKeySpec> keys;

  /**
   * @param keys the first one signs, all are believed; at least one
   */
  CursorCodec(List<byte[]> keys) {
    this.keys = keys.stream().map(key -> new SecretKeySpec(key, ALGORITHM)).toList();
  }

  String encode(Cursor cursor) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeByte(cursor.lacking() ? LACKING : 0);
      out.writeLong(cursor.fingerprint());
      out.writeLong(cursor.mapVersion());
      out.writeByte(cursor.values().size());
      for (String value : cursor.values()) {
        byte[] text = value == null ? new byte[0] : value.getBytes(StandardCharsets.UTF_8);
        out.writeInt(value == null ? -1 : text.length);
        out.write(text);
      }
      out.write(signature(keys.get(0), bytes.toByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  /**
   * @param fingerprint of the query that it comes with
   * @throws ShardwrightException SW802 when it is no cursor of this query
   */
  Cursor decode(String text, long fingerprint) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw refused("is no text that the gateway gave out", "");
    }
    if (bytes.length == 0) {
      throw refused("is empty", "");
    }
    if (bytes[0] != FORMAT) {
      throw refused(
          "has format " + bytes[0] + ", and this release reads format " + FORMAT,
          "it was made by another release");
    }
    int end = bytes.length - SIGNATURE_BYTES;
    if (end <= 0
        || !isSigned(Arrays.copyOf(bytes, end), Arrays.copyOfRange(bytes, end, bytes.length))) {
      throw refused(
          "was not signed by this gateway", "it was changed on its way, or query.cursor_keys was");
    }
    Cursor cursor = content(bytes, end);
    if (cursor.fingerprint() != fingerprint) {
      throw refused(
          "is of another query",
          "table, time, where and order have to be those of the first page; select and limit may"
              + " differ");
    }
    return cursor;
  }

  private static Cursor content(byte[] bytes, int end) {
    try (DataInputStream in =
        new DataInputStream(new java.io.ByteArrayInputStream(bytes, 1, end - 1))) {
      boolean lacking = in.readByte() == LACKING;
      long fingerprint = in.readLong();
      long mapVersion = in.readLong();
      int count = in.readUnsignedByte();
      List<String> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int length = in.readInt();
        values.add(length < 0 ? null : new String(in.readNBytes(length), StandardCharsets.UTF_8));
      }
      return new Cursor(fingerprint, mapVersion, lacking, values);
    } catch (IOException e) {
      throw new ShardwrightException(
          ErrorCode.INVARIANT_BROKEN, "a signed cursor has no content", e);
    }
  }

  private static ShardwrightException refused(String what, String why) {
    return new ShardwrightException(
        ErrorCode.CURSOR_INVALID,
        "the cursor "
            + what
            + (why.isEmpty() ? "" : ": " + why)
            + "; give nextCursor of the page before as it is, or leave cursor out for the first page");
  }

  private boolean isSigned(byte[] content, byte[] given) {
    boolean signed = false;
    for (SecretKeySpec key : keys) {
      signed |= MessageDigest.isEqual(signature(key, content), given);
    }
    return signed;
  }

  private static byte[] signature(SecretKeySpec key, byte[] content) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return Arrays.copyOf(mac.doFinal(content), SIGNATURE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
