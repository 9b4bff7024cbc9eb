package io.shardwright.advisor.advice;

import java.util.Optional;

/**
 * One of the ways in which such data is commonly sharded, on this workload.
 *
 * @param key its columns; empty when the workload has none of this kind
 * @param covered weighted share that the key itself leads to its shards
 * @param cured weighted share that one read more leads there
 * @param load shard statements for one weighted execution, as of {@link KeyScore#load}; with a
 *     projection one more for each write
 * @param maxToMean the fullest shard over the mean, by rows or else by traffic
 * @param locality transactions that keep to one key, of all; empty when the log has none
 * @param judgement in a sentence
 */
public record Scheme(
    Kind kind,
    Optional<String> key,
    double covered,
    double cured,
    double load,
    Optional<Double> maxToMean,
    Optional<Double> locality,
    String judgement) {
  /** The four that are compared. */
  public enum Kind {
    BY_OWNER("by whose row it is"),
    BY_ID("by the row's own number"),
    BY_TIME("by time"),
    BY_OWNER_WITH_PROJECTION("by whose row it is, and a projection for everybody else");

    private final String meaning;

    Kind(String meaning) {
      this.meaning = meaning;
    }

    public String meaning() {
      return meaning;
    }
  }
}
