package io.shardwright.advisor.advice;

import io.shardwright.advisor.logs.LogFile;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the advisor says.
 *
 * @param groups the most used first
 * @param references tables that are read beside others only: copies on every shard
 * @param warnings what the answer rests on, and what is not known
 */
public record Advice(
    List<LogFile> files,
    Workload workload,
    AdviceSettings settings,
    List<Group> groups,
    Set<String> references,
    List<String> warnings,
    Optional<String> configuration) {
  public Advice {
    files = List.copyOf(files);
    groups = List.copyOf(groups);
    warnings = List.copyOf(warnings);
  }

  /** Whether to shard a group. */
  public enum Verdict {
    /** By this key; the capacity figures ask for it. */
    SHARD,
    /** The key is known, the need is not: capacity figures are missing. */
    SHARD_WHEN_NEEDED,
    DO_NOT_SHARD_YET,
    /** Too few executions to judge by. */
    TOO_LITTLE,
    /** None of the candidates will do. */
    NO_KEY
  }

  /**
   * One table group.
   *
   * @param tables those that the key is for; others of the group became a group of their own
   * @param reasons of the verdict, with their evidence
   * @param next what to do instead or first
   * @param scores the recommended key first unless the verdict is NO_KEY
   * @param notes about the group
   */
  public record Group(
      Set<String> tables,
      double share,
      Verdict verdict,
      List<String> reasons,
      List<String> next,
      List<KeyScore> scores,
      List<String> notes) {
    public Group {
      reasons = List.copyOf(reasons);
      next = List.copyOf(next);
      scores = List.copyOf(scores);
      notes = List.copyOf(notes);
    }

    /** True when nothing tells how the best key spreads: counts of its keys may refuse it. */
    public boolean isProvisional() {
      return best().map(score -> !score.isSpreadKnown()).orElse(false);
    }

    /** The best key, also when the group should not be sharded yet. */
    public Optional<KeyScore> best() {
      return scores.stream().findFirst().filter(score -> score.refused().isEmpty());
    }
  }
}
