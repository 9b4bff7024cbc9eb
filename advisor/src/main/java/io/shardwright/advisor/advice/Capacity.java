package io.shardwright.advisor.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * How many shards the figures ask for: the largest of ceil(need / (what one shard carries x the
 * part of it that is used)) over data, queries and writes.
 *
 * @param figures those that are known; none: the number of shards cannot be told
 */
public record Capacity(List<Figure> figures) {
  public Capacity {
    figures = List.copyOf(figures);
  }

  /** What a part of each shard is kept free for, as a share of what it carries. */
  public record Headroom(String what, double share) {}

  /**
   * One kind of load.
   *
   * @param name data, queries or writes
   * @param need of all today, in {@code unit}
   * @param perShard what one shard carries as measured, in the same unit
   * @param headroom kept free; together less than 1
   * @param yearlyGrowth 0.5: half as much again each year
   */
  public record Figure(
      String name,
      double need,
      double perShard,
      List<Headroom> headroom,
      double yearlyGrowth,
      String unit) {
    public Figure {
      headroom = List.copyOf(headroom);
      if (need < 0 || perShard <= 0 || utilisation(headroom) <= 0 || yearlyGrowth <= -1) {
        throw new IllegalArgumentException(name + ": need, shard and utilisation must be positive");
      }
    }

    private static double utilisation(List<Headroom> headroom) {
      return 1 - headroom.stream().mapToDouble(Headroom::share).sum();
    }

    /** The part of a shard that is planned for, above 0 up to 1. */
    public double utilisation() {
      return utilisation(headroom);
    }

    /** At least 1. */
    public int shards() {
      return shards(need, utilisation());
    }

    /** Without anything in reserve. */
    public int bareShards() {
      return shards(need, 1);
    }

    /** After so many years of growth. */
    public int shardsAfter(int years) {
      return shards(needAfter(years), utilisation());
    }

    public double needAfter(int years) {
      return need * Math.pow(1 + yearlyGrowth, years);
    }

    private int shards(double needed, double used) {
      // 1e-9: 6.000000000001 is a whole number that was divided.
      return (int) Math.max(1, Math.ceil(needed / (perShard * used) - 1e-9));
    }

    /** With its numbers. */
    public String arithmetic() {
      return String.format(
          Locale.ROOT,
          "%s: ceil(%s / (%s x %.2f)) = %d (bare: ceil(%s / %s) = %d), in %s",
          name,
          number(need),
          number(perShard),
          utilisation(),
          shards(),
          number(need),
          number(perShard),
          bareShards(),
          unit);
    }

    /** What is kept free and for what. */
    public String reserve() {
      return name
          + ": 1"
          + headroom.stream()
              .map(h -> String.format(Locale.ROOT, " - %.2f %s", h.share(), h.what()))
              .collect(Collectors.joining())
          + String.format(
              Locale.ROOT,
              " = %.2f of a shard is planned for; grows by %.0f%% a year",
              utilisation(),
              yearlyGrowth * 100);
    }

    private static String number(double value) {
      return value == Math.rint(value)
          ? String.format(Locale.ROOT, "%,.0f", value)
          : String.format(Locale.ROOT, "%,.2f", value);
    }
  }

  /** Empty without figures. */
  public Optional<Integer> shards() {
    return most(Figure::shards);
  }

  public Optional<Integer> bareShards() {
    return most(Figure::bareShards);
  }

  /** Empty without figures. */
  public Optional<Integer> shardsAfter(int years) {
    return most(figure -> figure.shardsAfter(years));
  }

  private Optional<Integer> most(ToIntFunction<Figure> shards) {
    return figures.stream().map(shards::applyAsInt).max(Integer::compare);
  }

  public List<String> arithmetic() {
    List<String> lines = new ArrayList<>();
    figures.forEach(figure -> lines.add(figure.arithmetic()));
    return lines;
  }
}
