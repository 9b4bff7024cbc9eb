package io.shardwright.advisor.advice;

import java.util.List;
import java.util.Locale;

/**
 * A hot key of the recommended key, and what to do with it.
 *
 * @param share of all rows or traffic
 * @param toShardMean its rows over the mean of a shard
 */
public record Isolation(HotKey key, double share, double toShardMean, String action) {
  /** A key above this part of a shard's mean makes its shard visibly fuller. */
  private static final double HOT = 0.1;

  static List<Isolation> of(KeyScore score) {
    return score
        .rows()
        .or(score::traffic)
        .filter(Evenness::isJudged)
        .map(
            evenness ->
                evenness.hottestKeys().stream()
                    .map(key -> of(key, evenness))
                    .filter(isolation -> isolation.toShardMean() >= HOT)
                    .toList())
        .orElse(List.of());
  }

  private static Isolation of(HotKey key, Evenness evenness) {
    double share = evenness.share((double) key.rows());
    double toMean = share * evenness.rows().size();
    String action =
        toMean >= 1
            ? "larger than a shard: divide it by a second column of the key, its statements then"
                + " name both"
            : "give it buckets of its own (groups.<g>.directory), so that it can be moved alone";
    return new Isolation(key, share, toMean, action);
  }

  public String written() {
    return String.format(
        Locale.ROOT,
        "%s has %.2f%% of all, %.2f of a shard's mean: %s",
        key.name(),
        share * 100,
        toShardMean,
        action);
  }
}
