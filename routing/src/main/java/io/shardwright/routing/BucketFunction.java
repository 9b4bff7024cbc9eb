package io.shardwright.routing;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Route key to bucket: canonical bytes, hash, unsigned modulo. Contract version 1
 * (docs/routing-contract.md): a one-column key is its bytes alone; in tuples each component is
 * preceded by its length in bytes, 4 bytes big-endian. Keys of a directory have buckets of their
 * own, among which the same hash decides.
 *
 * @param types the key columns' types, in key order; 1 to 8
 * @param buckets V, 1 to 65536, fixed for the life of the group: the hashed ones
 * @param reserved of keys of these types, with numbers from V on
 */
public record BucketFunction(
    List<KeyType> types, HashAlgorithm algorithm, int buckets, ReservedBuckets reserved) {
  /** The hashed and the reserved ones together. */
  public static final int MAX_BUCKETS = 65_536;

  public static final int MAX_COLUMNS = 8;

  public BucketFunction {
    types = List.copyOf(types);
    if (types.isEmpty() || types.size() > MAX_COLUMNS) {
      throw new IllegalArgumentException(
          "a route key has 1 to " + MAX_COLUMNS + " columns, not " + types.size());
    }
    if (buckets < 1 || buckets > MAX_BUCKETS) {
      throw new IllegalArgumentException("buckets must be 1 to " + MAX_BUCKETS + ": " + buckets);
    }
    List<Directory.Entry> entries = reserved.directory().entries();
    if (!entries.isEmpty() && entries.get(0).first() != buckets) {
      throw new IllegalArgumentException(
          "reserved buckets begin at " + buckets + ", not at " + entries.get(0).first());
    }
  }

  /** Without a directory. */
  public BucketFunction(List<KeyType> types, HashAlgorithm algorithm, int buckets) {
    this(types, algorithm, buckets, ReservedBuckets.NONE);
  }

  /** How many buckets there are, the reserved ones included: their numbers are below it. */
  public int allBuckets() {
    return buckets + reserved.directory().reserved();
  }

  /** An id may be wide enough to name buckets that there are not. */
  public boolean has(BucketId bucket) {
    return bucket.value() < allBuckets();
  }

  /**
   * @param values one per key column, in key order; null is SQL NULL
   * @return the bucket, or empty when no stored row can have this key (see {@link
   *     KeyType#canonical})
   * @throws io.shardwright.errors.ShardwrightException SW302 when a value is not of its column's
   *     type
   */
  public Optional<BucketId> bucket(List<?> values) {
    OptionalLong hash = hash(values);
    if (hash.isEmpty()) {
      return Optional.empty();
    }
    Optional<Directory.Entry> own = reserved.entryOf(values);
    return Optional.of(
        own.isPresent()
            ? bucketOfHash(hash.getAsLong(), own.get().first(), own.get().count())
            : bucketOfHash(hash.getAsLong(), 0, buckets));
  }

  /** The entry of the directory that decides the bucket of a key; empty: the hash alone does. */
  public Optional<Directory.Entry> entryOf(List<?> values) {
    return hash(values).isPresent() ? reserved.entryOf(values) : Optional.empty();
  }

  /** The same before the modulo: all 64 bits. */
  public OptionalLong hash(List<?> values) {
    if (values.size() != types.size()) {
      throw new IllegalArgumentException(types.size() + " key values expected: " + values.size());
    }
    return types.size() == 1 ? hashOfColumn(values.get(0)) : hashOfTuple(values);
  }

  /**
   * The hash of a one-column key of type {@link KeyType#INTEGER}, without boxing: for many of them.
   *
   * @throws IllegalStateException for other keys
   */
  public long hashOfInteger(long value) {
    if (types.size() != 1 || types.get(0) != KeyType.INTEGER) {
      throw new IllegalStateException("the key is no single integer: " + types);
    }
    return algorithm.hashInt64(value);
  }

  private OptionalLong hashOfColumn(Object value) {
    KeyType type = types.get(0);
    Optional<Object> canonical = type.canonical(value);
    if (canonical.isEmpty()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        type.isInt64()
            ? algorithm.hashInt64((Long) canonical.get())
            : algorithm.hash(type.bytes(canonical.get())));
  }

  private OptionalLong hashOfTuple(List<?> values) {
    return allInt64() ? hashOfInt64s(values) : hashOfMixed(values);
  }

  private boolean allInt64() {
    for (int i = 0; i < types.size(); i++) {
      if (!types.get(i).isInt64()) {
        return false;
      }
    }
    return true;
  }

  /** The usual tuple, with one array for all components. */
  private OptionalLong hashOfInt64s(List<?> values) {
    ByteBuffer tuple = ByteBuffer.allocate(types.size() * (Integer.BYTES + Long.BYTES));
    for (int i = 0; i < types.size(); i++) {
      Optional<Object> canonical = types.get(i).canonical(values.get(i));
      if (canonical.isEmpty()) {
        return OptionalLong.empty();
      }
      tuple.putInt(Long.BYTES).putLong((Long) canonical.get());
    }
    return OptionalLong.of(algorithm.hash(tuple.array()));
  }

  private OptionalLong hashOfMixed(List<?> values) {
    byte[][] components = new byte[types.size()][];
    int length = 0;
    for (int i = 0; i < components.length; i++) {
      Optional<Object> canonical = types.get(i).canonical(values.get(i));
      if (canonical.isEmpty()) {
        return OptionalLong.empty();
      }
      components[i] = types.get(i).bytes(canonical.get());
      length += Integer.BYTES + components[i].length;
    }
    ByteBuffer tuple = ByteBuffer.allocate(length);
    for (byte[] component : components) {
      tuple.putInt(component.length).put(component);
    }
    return OptionalLong.of(algorithm.hash(tuple.array()));
  }

  private static BucketId bucketOfHash(long hash, int first, int count) {
    return new BucketId(first + (int) Long.remainderUnsigned(hash, count));
  }
}
