package io.shardwright.advisor.simulate;

import java.util.Arrays;
import java.util.List;

/**
 * Rows of each shard under one layout.
 *
 * @param layout {@code map} (hash to bucket, bucket to shard by the first map), {@code modulo}
 *     (hash modulo shards) or {@code ring}
 * @param hash as it is written on the command line
 * @param rows by shard, in the order of the shards
 */
public record Spread(String layout, String hash, List<Long> rows) {
  /**
   * Beyond this difference of the fullest and the emptiest shard, relative to the mean, it is
   * uneven.
   */
  public static final double EVEN_MAX = 0.10;

  public Spread {
    rows = List.copyOf(rows);
  }

  static Spread of(String layout, String hash, long[] rows) {
    return new Spread(layout, hash, Arrays.stream(rows).boxed().toList());
  }

  public long sum() {
    return rows.stream().mapToLong(Long::longValue).sum();
  }

  public double mean() {
    return (double) sum() / rows.size();
  }

  public long max() {
    return rows.stream().mapToLong(Long::longValue).max().orElseThrow();
  }

  public long min() {
    return rows.stream().mapToLong(Long::longValue).min().orElseThrow();
  }

  public double maxToMean() {
    return max() / mean();
  }

  /** Standard deviation of all shards over the mean. */
  public double variation() {
    double mean = mean();
    double squares = rows.stream().mapToDouble(r -> (r - mean) * (r - mean)).sum();
    return Math.sqrt(squares / rows.size()) / mean;
  }

  /** Fullest minus emptiest shard, over the mean. */
  public double difference() {
    return (max() - min()) / mean();
  }

  public boolean isEven() {
    return difference() <= EVEN_MAX;
  }
}
