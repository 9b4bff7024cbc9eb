package io.shardwright.routing;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Route key to bucket: canonical bytes, hash, unsigned modulo. Contract version 1
 * (docs/routing-contract.md): a one-column key is its bytes alone; in tuples each component is
 * preceded by its length in bytes, 4 bytes big-endian.
 *
 * @param types the key columns' types, in key order; 1 to 8
 * @param buckets V, 1 to 65536, fixed for the life of the group
 */
public record BucketFunction(List<KeyType> types, HashAlgorithm algorithm, int buckets) {
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
    return hash.isPresent() ? Optional.of(bucketOfHash(hash.getAsLong())) : Optional.empty();
  }

  /** The same before the modulo: all 64 bits. */
  public OptionalLong hash(List<?> values) {
    if (values.size() != types.size()) {
      throw new IllegalArgumentException(types.size() + " key values expected: " + values.size());
    }
    return types.size() == 1 ? hashOfColumn(values.get(0)) : hashOfTuple(values);
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

  private BucketId bucketOfHash(long hash) {
    return new BucketId((int) Long.remainderUnsigned(hash, buckets));
  }
}
