package io.shardwright.advisor.advice;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How a key spreads over shards.
 *
 * @param source of the values: the file, or which statements
 * @param rows by shard
 * @param bucketMaxToMean the fullest bucket over the mean bucket
 * @param distinct values that were told apart
 * @param beyond values that were counted and not told apart, since there were too many: taken to
 *     spread evenly, for each is new
 * @param left rows that no shard can have
 * @param hottestKeys the keys with the most rows, the most first: ten at most, one at least
 * @param promotionMaxToMean fullest shard over mean when the three hottest keys have 20 times as
 *     many rows; empty when the keys were not held
 */
public record Evenness(
    String source,
    List<Long> rows,
    double bucketMaxToMean,
    long distinct,
    long beyond,
    long left,
    List<HotKey> hottestKeys,
    Optional<Double> promotionMaxToMean) {
  static final int HOTTEST_MAX = 10;

  /** Keys of a promotion, and how much more they get. */
  static final int PROMOTED = 3;

  static final int PROMOTION = 20;

  /**
   * Fewer values for each shard than this say nothing: chance alone makes a shard a third fuller.
   */
  private static final int VALUES_PER_SHARD_MIN = 50;

  /** Fewer distinct values for each shard than this can neither spread nor grow. */
  private static final int DISTINCT_PER_SHARD_MIN = 10;

  /** From so many values on, each seen so often on average, few are few. */
  private static final int FEW_VALUES_MIN = 100;

  private static final int REPEATED_MIN = 5;

  private static final int DIGEST_CHARS = 12;

  public Evenness {
    rows = List.copyOf(rows);
    hottestKeys = List.copyOf(hottestKeys);
  }

  static Evenness of(
      String source,
      long[] rows,
      double bucketMaxToMean,
      long distinct,
      long beyond,
      long left,
      List<HotKey> hottestKeys,
      Optional<Double> promotion) {
    return new Evenness(
        source,
        Arrays.stream(rows).boxed().toList(),
        bucketMaxToMean,
        distinct,
        beyond,
        left,
        hottestKeys,
        promotion);
  }

  /** Rows of the key with the most. */
  public long hottest() {
    return hottestKeys.get(0).rows();
  }

  /** The key with the most: itself or # and a digest. */
  public String hottestKey() {
    return hottestKeys.get(0).name();
  }

  public long sum() {
    return rows.stream().mapToLong(Long::longValue).sum();
  }

  /** Of a shard, with its part of those beyond. */
  public double mean() {
    return (double) (sum() + beyond) / rows.size();
  }

  /** The fullest shard, with its part of those beyond. */
  public double fullest() {
    return max() + (double) beyond / rows.size();
  }

  public long max() {
    return rows.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  public double maxToMean() {
    return sum() == 0 ? 1 : fullest() / mean();
  }

  /** Standard deviation of the shards over their mean. */
  public double variation() {
    double mean = (double) sum() / rows.size();
    double squares = rows.stream().mapToDouble(r -> (r - mean) * (r - mean)).sum();
    return sum() == 0 ? 0 : Math.sqrt(squares / rows.size()) / mean();
  }

  /** Of the fullest and the emptiest shard, over the mean. */
  public double difference() {
    long least = rows.stream().mapToLong(Long::longValue).min().orElse(0);
    return sum() == 0 ? 0 : (max() - least) / mean();
  }

  /** Of all values, those beyond among them. */
  public double hottestShare() {
    return share((double) hottest());
  }

  double share(double values) {
    return sum() + beyond == 0 ? 0 : values / (sum() + beyond);
  }

  /** The hottest key in means of a shard. */
  public double hottestToMean() {
    return hottestShare() * rows.size();
  }

  /** False when there are too few values to judge by. */
  public boolean isJudged() {
    return sum() >= (long) VALUES_PER_SHARD_MIN * rows.size();
  }

  /** So few that more values would hardly bring others. */
  public boolean hasFewValues() {
    return distinct < (long) DISTINCT_PER_SHARD_MIN * rows.size()
        && sum() >= FEW_VALUES_MIN
        && sum() >= REPEATED_MIN * distinct;
  }

  boolean isRefused(AdviceSettings settings) {
    return hasFewValues() || veto(settings).isPresent();
  }

  /** Why a key that spreads so is refused; empty when it is not, or too little is known. */
  public Optional<String> veto(AdviceSettings settings) {
    // Three deviations below what was counted: what chance alone made hot is not refused.
    double surely = share(hottest() - 3 * Math.sqrt((double) hottest())) * rows.size();
    if (surely > settings.hottestToMean()) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "uneven by %s: the hottest key has %.1f%% of all, %.2f times a shard's mean (limit"
                  + " %.2f), and one key cannot be divided",
              source,
              hottestShare() * 100,
              hottestToMean(),
              settings.hottestToMean()));
    }
    if (isJudged() && maxToMean() > settings.maxToMean()) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "uneven by %s: the fullest of %d shards has %.2f times the mean (limit %.2f)",
              source,
              rows.size(),
              maxToMean(),
              settings.maxToMean()));
    }
    return Optional.empty();
  }

  static String digest(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return "#" + HexFormat.of().formatHex(digest).substring(0, DIGEST_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
