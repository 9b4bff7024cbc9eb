package io.shardwright.advisor.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How many shards the figures ask for: the largest of ceil(need / (what one shard carries x the
 * part of it that is used)) over data, queries and writes. With utilisation 1 that is the bare
 * minimum.
 *
 * @param figures those that are known; none: the number of shards cannot be told
 */
public record Capacity(List<Figure> figures) {
  public Capacity {
    figures = List.copyOf(figures);
  }

  /**
   * One kind of load.
   *
   * @param need of all, in {@code unit}
   * @param perShard what one shard carries as measured, in the same unit
   * @param utilisation the part of it that is planned for, above 0 up to 1; the rest is for peaks,
   *     rebuilt indexes, a lost replica and buckets that move
   */
  public record Figure(String name, double need, double perShard, double utilisation, String unit) {
    public Figure {
      if (need < 0 || perShard <= 0 || utilisation <= 0 || utilisation > 1) {
        throw new IllegalArgumentException(name + ": need, shard and utilisation must be positive");
      }
    }

    /** At least 1. */
    public int shards() {
      return shards(utilisation);
    }

    /** Without anything in reserve. */
    public int bareShards() {
      return shards(1);
    }

    private int shards(double used) {
      // 1e-9: 6.000000000001 is a whole number that was divided.
      return (int) Math.max(1, Math.ceil(need / (perShard * used) - 1e-9));
    }

    /** With its numbers. */
    public String arithmetic() {
      return String.format(
          Locale.ROOT,
          "%s: ceil(%s / (%s x %.2f)) = %d (bare: ceil(%s / %s) = %d), in %s",
          name,
          number(need),
          number(perShard),
          utilisation,
          shards(),
          number(need),
          number(perShard),
          bareShards(),
          unit);
    }

    private static String number(double value) {
      return value == Math.rint(value)
          ? String.format(Locale.ROOT, "%,.0f", value)
          : String.format(Locale.ROOT, "%,.2f", value);
    }
  }

  /** Empty without figures. */
  public Optional<Integer> shards() {
    return figures.stream().map(Figure::shards).max(Integer::compare);
  }

  public Optional<Integer> bareShards() {
    return figures.stream().map(Figure::bareShards).max(Integer::compare);
  }

  public List<String> arithmetic() {
    List<String> lines = new ArrayList<>();
    figures.forEach(figure -> lines.add(figure.arithmetic()));
    return lines;
  }
}
