package io.shardwright.ids;

import io.shardwright.errors.ShardwrightException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Ids as the public may see them: neither volume nor time, bucket or node shows.
 *
 * <p>Problem: an id tells when it was made and where its row lives, and two of them how many were
 * made in between. Idea: a keyed permutation of 64 bits, a balanced Feistel network of {@link
 * #ROUNDS} rounds over two halves of 32 bits, whose round function is the first 4 bytes of
 * HMAC-SHA-256 over a label, the round and a half. The text is one Base62 digit that names the key
 * and 11 Base62 digits, so all texts have the same length and old ones are read after the key was
 * changed. Contract version 1 (docs/ids.md, docs/vectors/public-id-v1.tsv).
 *
 * <p>What it is not: it is not authenticated. Half of all well-formed texts are refused because no
 * id has its sign bit set, the others are ids that may or may not exist. Equal ids have equal
 * texts. Who has the key sees through all texts made with it. A permutation of 64 bits is told from
 * a random one after some 2^32 pairs.
 *
 * <p>Thread-safe. Some ten microseconds each way.
 */
public final class PublicIds {
  /** Bytes of a key, at least. */
  public static final int KEY_BYTES_MIN = 16;

  /** Key versions are one Base62 digit. */
  public static final int KEY_VERSION_MAX = 61;

  public static final int TEXT_CHARS = 12;

  private static final int ROUNDS = 10;
  private static final byte[] LABEL = "shardwright-public-id-1".getBytes(StandardCharsets.US_ASCII);
  private static final String ALGORITHM = "HmacSHA256";

  private final Map<Integer, SecretKeySpec> keys = new TreeMap<>();
  private final int current;

  /**
   * @param id not negative
   */
  public record PublicId(int keyVersion, long id) {}

  /**
   * @param keys by version, 0 to {@link #KEY_VERSION_MAX}; a version never gets another key
   * @param current of the key that makes new texts
   */
  public PublicIds(Map<Integer, byte[]> keys, int current) {
    keys.forEach(
        (version, key) -> {
          if (version < 0 || version > KEY_VERSION_MAX) {
            throw new IllegalArgumentException(
                "key version " + version + " is outside 0 to " + KEY_VERSION_MAX);
          }
          if (key.length < KEY_BYTES_MIN) {
            throw new IllegalArgumentException(
                "the key of version "
                    + version
                    + " has "
                    + key.length
                    + " bytes; use at least "
                    + KEY_BYTES_MIN
                    + " random ones");
          }
          this.keys.put(version, new SecretKeySpec(key, ALGORITHM));
        });
    if (!this.keys.containsKey(current)) {
      throw new IllegalArgumentException("there is no key of the current version " + current);
    }
    this.current = current;
  }

  /**
   * @param id not negative
   */
  public String encode(long id) {
    if (id < 0) {
      throw new IllegalArgumentException("id " + id + " is negative");
    }
    return Radix.BASE62.format(current)
        + Radix.BASE62.format(permuted(keys.get(current), id), TEXT_CHARS - 1);
  }

  /**
   * @throws ShardwrightException SW305 when the text is not 12 Base62 digits, its key is unknown,
   *     or it was not made by {@link #encode}
   */
  public PublicId decode(String text) {
    OptionalLong version =
        text.length() == TEXT_CHARS
            ? Radix.BASE62.parse(text.subSequence(0, 1))
            : OptionalLong.empty();
    OptionalLong permuted =
        version.isPresent() ? Radix.BASE62.parseUnsigned(text.substring(1)) : OptionalLong.empty();
    if (permuted.isEmpty()) {
      throw GeneId.malformed(text, "is no public id: these have 12 digits of 0-9A-Za-z");
    }
    int keyVersion = (int) version.getAsLong();
    SecretKeySpec key = keys.get(keyVersion);
    if (key == null) {
      throw GeneId.malformed(
          text, "names key version " + keyVersion + ", the known ones are " + keys.keySet());
    }
    long id = restored(key, permuted.getAsLong());
    if (id < 0) {
      throw GeneId.malformed(text, "was not made with key version " + keyVersion);
    }
    return new PublicId(keyVersion, id);
  }

  private static long permuted(SecretKeySpec key, long value) {
    Mac mac = mac(key);
    int left = (int) (value >>> Integer.SIZE);
    int right = (int) value;
    for (int round = 0; round < ROUNDS; round++) {
      int mixed = left ^ mix(mac, round, right);
      left = right;
      right = mixed;
    }
    return join(left, right);
  }

  private static long restored(SecretKeySpec key, long value) {
    Mac mac = mac(key);
    int left = (int) (value >>> Integer.SIZE);
    int right = (int) value;
    for (int round = ROUNDS - 1; round >= 0; round--) {
      int mixed = right ^ mix(mac, round, left);
      right = left;
      left = mixed;
    }
    return join(left, right);
  }

  private static long join(int left, int right) {
    return (long) left << Integer.SIZE | Integer.toUnsignedLong(right);
  }

  private static int mix(Mac mac, int round, int half) {
    mac.update(LABEL);
    mac.update((byte) round);
    return ByteBuffer.wrap(mac.doFinal(ByteBuffer.allocate(Integer.BYTES).putInt(half).array()))
        .getInt();
  }

  private static Mac mac(SecretKeySpec key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException("the key cannot be used with " + ALGORITHM, e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
