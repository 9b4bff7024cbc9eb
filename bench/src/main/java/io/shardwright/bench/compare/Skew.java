package io.shardwright.bench.compare;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Buyers by Zipf's law: the k-th buyer comes as often as 1 / k^0.99, which is YCSB's skew. Exact,
 * by the sums of all weights; a binary search per draw.
 */
final class Skew {
  static final double EXPONENT = 0.99;

  private static final ConcurrentHashMap<Integer, Skew> KNOWN = new ConcurrentHashMap<>();

  private final double[] sums;

  private Skew(int buyers) {
    sums = new double[buyers];
    double sum = 0;
    for (int i = 0; i < buyers; i++) {
      sum += 1 / Math.pow(i + 1, EXPONENT);
      sums[i] = sum;
    }
  }

  static Skew of(int buyers) {
    return KNOWN.computeIfAbsent(buyers, Skew::new);
  }

  long buyer(SplittableRandom random) {
    int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
    return 1L + (found < 0 ? -found - 1 : found);
  }

  /** Share of each shard, from 0 to 1. */
  double[] balance(int shards) {
    double[] shares = new double[shards];
    for (int i = 0; i < sums.length; i++) {
      double weight = sums[i] - (i == 0 ? 0 : sums[i - 1]);
      shares[OrderTables.shard(OrderTables.bucket(1L + i), shards)] += weight;
    }
    for (int shard = 0; shard < shards; shard++) {
      shares[shard] /= sums[sums.length - 1];
    }
    return shares;
  }

  /** Share of the buyer who comes most. */
  double hottest() {
    return 1 / sums[sums.length - 1];
  }
}
