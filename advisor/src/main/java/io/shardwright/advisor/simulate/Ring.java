package io.shardwright.advisor.simulate;

import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Consistent hashing: each shard owns {@value #POINTS_PER_SHARD} points of the 64-bit circle, the
 * XXH64 of {@code shard#point}; a hash belongs to the first point at or behind it, by unsigned
 * order. A shard that joins takes keys from all others and moves no key between them. Immutable.
 */
final class Ring {
  static final int POINTS_PER_SHARD = 160;

  /** Of the table by which a search begins, which has to stay in the first cache. */
  private static final int TABLE_BITS = 12;

  private final long[] points;
  private final int[] owners;

  /** For each value of the hash's first bits: the first point at or behind its start. */
  private final int[] table = new int[1 << TABLE_BITS];

  private Ring(long[] points, int[] owners) {
    this.points = points;
    this.owners = owners;
    int point = 0;
    for (int slot = 0; slot < table.length; slot++) {
      long start = (long) slot << (Long.SIZE - TABLE_BITS);
      while (point < points.length && Long.compareUnsigned(points[point], start) < 0) {
        point++;
      }
      table[slot] = point;
    }
  }

  static Ring of(int shards) {
    BucketFunction hash = new BucketFunction(List.of(KeyType.TEXT), HashAlgorithm.XXH64, 1);
    int count = shards * POINTS_PER_SHARD;
    long[] all = new long[count];
    for (int i = 0; i < count; i++) {
      String name = i / POINTS_PER_SHARD + "#" + i % POINTS_PER_SHARD;
      all[i] = hash.hash(List.of(name)).orElseThrow();
    }
    Integer[] order = IntStream.range(0, count).boxed().toArray(Integer[]::new);
    Arrays.sort(order, Comparator.comparing(i -> all[i], Long::compareUnsigned));
    long[] points = new long[count];
    int[] owners = new int[count];
    for (int i = 0; i < count; i++) {
      points[i] = all[order[i]];
      owners[i] = order[i] / POINTS_PER_SHARD;
    }
    return new Ring(points, owners);
  }

  int shardOf(long hash) {
    int i = table[(int) (hash >>> (Long.SIZE - TABLE_BITS))];
    while (i < points.length && Long.compareUnsigned(points[i], hash) < 0) {
      i++;
    }
    return owners[i == points.length ? 0 : i];
  }
}
