package io.shardwright.advisor.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A key of two columns, routed in the two ways that are in use: by its first column, as some
 * products do, and by a hash of both, as this one does.
 *
 * @param firstMaxToMean the fullest shard over the mean by the first column alone: the second one
 *     changes nothing
 * @param wholeMaxToMean the same by both
 * @param scattered weighted share of statements that have the first column alone: one shard by the
 *     first way, all shards by the second
 */
public record TupleArithmetic(
    String tuple,
    String first,
    Optional<Double> firstMaxToMean,
    Optional<Double> wholeMaxToMean,
    double scattered) {
  static List<TupleArithmetic> of(List<KeyScore> scores) {
    List<TupleArithmetic> list = new ArrayList<>();
    for (KeyScore score : scores) {
      if (score.candidate().columns().size() == 2) {
        KeyColumn first = score.candidate().columns().get(0);
        scores.stream()
            .filter(s -> s.candidate().columns().equals(List.of(first)))
            .findFirst()
            .ifPresent(alone -> list.add(of(score, alone)));
      }
    }
    return list;
  }

  private static TupleArithmetic of(KeyScore pair, KeyScore alone) {
    return new TupleArithmetic(
        pair.candidate().name(),
        alone.candidate().name(),
        maxToMean(alone),
        maxToMean(pair),
        Math.max(0, alone.weighted() - pair.weighted()));
  }

  private static Optional<Double> maxToMean(KeyScore score) {
    return score.rows().or(score::traffic).map(Evenness::maxToMean);
  }

  public String written() {
    return String.format(
        Locale.ROOT,
        "(%s): by %s alone the fullest shard has %s; by the hash of both %s, and the %.1f%% by"
            + " weight that have %s alone go to all shards",
        tuple,
        first,
        times(firstMaxToMean),
        times(wholeMaxToMean),
        scattered * 100,
        first);
  }

  private static String times(Optional<Double> maxToMean) {
    return maxToMean
        .map(value -> String.format(Locale.ROOT, "%.2f times the mean", value))
        .orElse("an unknown share");
  }
}
