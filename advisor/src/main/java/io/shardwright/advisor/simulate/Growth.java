package io.shardwright.advisor.simulate;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * What moves when shards are added, under one layout.
 *
 * @param after rows by shard afterwards
 * @param movedRows rows whose shard changes
 * @param movedBuckets buckets whose shard changes; 0 where the layout has none
 */
public record Growth(Spread after, long movedRows, int movedBuckets) {
  public double movedShare() {
    return (double) movedRows / after.sum();
  }

  /** The least that any layout can move: what the new shards own in the end. */
  public static double leastShare(int shards, int grownTo) {
    return (double) (grownTo - shards) / grownTo;
  }

  /** Buckets that change their shard when {@code shards} even shards grow to {@code grownTo}. */
  public static int movedBuckets(int buckets, int shards, int grownTo) {
    int[] owners = new int[buckets];
    for (int bucket = 0; bucket < buckets; bucket++) {
      owners[bucket] = (int) ((long) bucket * shards / buckets);
    }
    int[] after = fewestMoves(owners, grownTo);
    int moved = 0;
    for (int bucket = 0; bucket < buckets; bucket++) {
      moved += after[bucket] == owners[bucket] ? 0 : 1;
    }
    return moved;
  }

  /** The part of even hashes whose remainder changes: those below both in each common multiple. */
  public static double moduloShare(int shards, int grownTo) {
    long multiple =
        (long) shards
            / BigInteger.valueOf(shards).gcd(BigInteger.valueOf(grownTo)).intValue()
            * grownTo;
    return 1 - (double) Math.min(shards, grownTo) / multiple;
  }

  /**
   * Owners of buckets after the fewest moves that give all shards the same number of buckets, give
   * or take one: each old shard keeps its first ones.
   *
   * @param owners shard of each bucket before
   */
  static int[] fewestMoves(int[] owners, int grownTo) {
    int buckets = owners.length;
    int[] owned = new int[grownTo];
    for (int owner : owners) {
      owned[owner]++;
    }
    int[] target = new int[grownTo];
    Arrays.fill(target, buckets / grownTo);
    int left = buckets % grownTo;
    // Those that own most keep the odd bucket: it need not move.
    for (int shard = 0; shard < grownTo && left > 0; shard++) {
      if (owned[shard] > target[shard]) {
        target[shard]++;
        left--;
      }
    }
    for (int shard = grownTo - 1; left > 0; shard--, left--) {
      target[shard]++;
    }
    int[] result = owners.clone();
    int[] kept = new int[grownTo];
    int receiver = 0;
    for (int bucket = 0; bucket < buckets; bucket++) {
      int owner = owners[bucket];
      if (kept[owner] < target[owner]) {
        kept[owner]++;
      } else {
        result[bucket] = -1;
      }
    }
    for (int bucket = 0; bucket < buckets; bucket++) {
      if (result[bucket] < 0) {
        while (kept[receiver] >= target[receiver]) {
          receiver++;
        }
        result[bucket] = receiver;
        kept[receiver]++;
      }
    }
    return result;
  }
}
