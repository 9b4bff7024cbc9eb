package io.shardwright.advisor.advice;

import java.util.List;
import java.util.Optional;

/**
 * One candidate with its six scores and their arithmetic.
 *
 * @param refused why it cannot be the key, whatever it covers
 * @param frequency share of executions whose shard the key says
 * @param cost the same of the workload's cost
 * @param writes the same of writes; NaN without writes
 * @param weighted the same of executions times the weight of their class
 * @param cured weighted share that one-to-one ways lead to its shard
 * @param load shard statements for one weighted execution: 1 when covered, 2 when cured, the keys
 *     of a list as a quarter of the shards, else all shards
 * @param rows how rows spread; empty when nothing tells
 * @param traffic how conditions spread
 * @param transactions of two statements or more, with a write
 * @param local those that keep to one key
 * @param propagation whether those who write know the key
 * @param missing tables of the group that must get the key's columns
 */
public record KeyScore(
    Candidate candidate,
    Optional<String> refused,
    double frequency,
    double cost,
    double writes,
    double weighted,
    double cured,
    double load,
    Optional<Evenness> rows,
    Optional<Evenness> traffic,
    long transactions,
    long local,
    List<String> missing,
    Propagation propagation,
    List<LandingPath> paths) {
  public KeyScore {
    missing = List.copyOf(missing);
    paths = List.copyOf(paths);
  }

  /** True when rows or conditions were enough to judge how it spreads. */
  public boolean isSpreadKnown() {
    return rows.map(Evenness::isJudged).orElse(false)
        || traffic.map(Evenness::isJudged).orElse(false);
  }

  /** NaN when the log has no transactions. */
  public double locality() {
    return transactions == 0 ? Double.NaN : (double) local / transactions;
  }

  /** Weighted share that goes to many shards, or cannot be one statement. */
  public double scattered() {
    return Math.max(0, 1 - weighted - cured);
  }
}
