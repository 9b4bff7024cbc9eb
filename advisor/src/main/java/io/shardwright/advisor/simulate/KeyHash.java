package io.shardwright.advisor.simulate;

import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.zip.CRC32;

/** From a key to 64 bits, whose unsigned remainder is the bucket or the shard. */
public enum KeyHash {
  /**
   * The route of the product: canonical bytes of the column's type, XXH64
   * (docs/routing-contract.md).
   */
  XXH64("canonical bytes, XXH64: the hash of this product") {
    @Override
    long of(Key key) {
      return key.hash();
    }
  },
  /** Of whole numbers only. */
  MODULO("the number itself") {
    @Override
    long of(Key key) {
      return key.number();
    }

    @Override
    boolean takes(KeyType type) {
      return type == KeyType.INTEGER;
    }
  },
  CRC32("CRC32 of the key's text, as CRC32() of MySQL") {
    @Override
    long of(Key key) {
      return key.crc32();
    }
  },
  JAVA("the absolute value of Java's hashCode, as HASH_MOD of ShardingSphere") {
    @Override
    long of(Key key) {
      return Math.abs((long) key.javaHash());
    }
  };

  private final String meaning;

  KeyHash(String meaning) {
    this.meaning = meaning;
  }

  /** One key in all the forms that the hashes want. Reused from key to key; not thread-safe. */
  static final class Key {
    private final KeyType type;
    private final BucketFunction function;
    private final CRC32 crc = new CRC32();
    private byte[] bytes;
    private int from;
    private int to;
    private long number;
    private String text;
    private long hash;

    Key(KeyType type) {
      this.type = type;
      this.function = new BucketFunction(List.of(type), HashAlgorithm.XXH64, 1);
    }

    /**
     * @return false when no stored row of this type can have the key
     * @throws io.shardwright.errors.ShardwrightException SW302 when it is of another type
     */
    boolean set(byte[] newBytes, int newFrom, int newTo) {
      bytes = newBytes;
      from = newFrom;
      to = newTo;
      text = null;
      if (type == KeyType.INTEGER && isShortNumber()) {
        number = parsed();
        hash = function.hashOfInteger(number);
        return true;
      }
      OptionalLong found = function.hash(List.of(text()));
      if (found.isEmpty()) {
        return false;
      }
      hash = found.getAsLong();
      if (type == KeyType.INTEGER) {
        number = (Long) type.canonical(text()).orElseThrow();
      }
      return true;
    }

    private boolean isShortNumber() {
      int first = bytes[from] == '-' ? from + 1 : from;
      if (first == to || to - first > 18) {
        return false;
      }
      for (int i = first; i < to; i++) {
        if (bytes[i] < '0' || bytes[i] > '9') {
          return false;
        }
      }
      return true;
    }

    private long parsed() {
      boolean negative = bytes[from] == '-';
      long value = 0;
      for (int i = negative ? from + 1 : from; i < to; i++) {
        value = value * 10 + (bytes[i] - '0');
      }
      return negative ? -value : value;
    }

    String text() {
      if (text == null) {
        text = KeyFile.text(bytes, from, to);
      }
      return text;
    }

    long hash() {
      return hash;
    }

    long number() {
      return number;
    }

    long crc32() {
      crc.reset();
      crc.update(bytes, from, to - from);
      return crc.getValue();
    }

    int javaHash() {
      return type == KeyType.INTEGER ? Long.hashCode(number) : text().hashCode();
    }
  }

  abstract long of(Key key);

  /** False when keys of this type have no such hash. */
  boolean takes(KeyType type) {
    return type != null;
  }

  /** For people. */
  public String meaning() {
    return meaning;
  }

  /** As it is written on the command line. */
  public String written() {
    return name().toLowerCase(Locale.ROOT);
  }
}
