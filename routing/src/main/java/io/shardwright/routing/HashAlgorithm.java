package io.shardwright.routing;

import net.openhft.hashing.LongHashFunction;

/** The hash of a table group, part of its persisted contract. */
public enum HashAlgorithm {
  /** XXH64 with seed 0 (https://xxhash.com, specification 0.2.0). */
  XXH64 {
    @Override
    long hash(byte[] canonical) {
      return FUNCTION.hashBytes(canonical);
    }

    @Override
    long hashInt64(long value) {
      // hashLong reads little-endian; the contract is big-endian.
      return FUNCTION.hashLong(Long.reverseBytes(value));
    }
  };

  private static final LongHashFunction FUNCTION = LongHashFunction.xx();

  abstract long hash(byte[] canonical);

  /** The same as {@link #hash} of the value's 8 big-endian bytes, without the array. */
  abstract long hashInt64(long value);
}
