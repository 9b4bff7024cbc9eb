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

  /** Shards now and in the next years. */
  public List<GrowthYear> growth() {
    return GrowthYear.plan(settings);
  }

  /** What the log covers of a business cycle. */
  public BusinessCycle cycle() {
    return BusinessCycle.of(workload);
  }

  /** What has to be written down before work begins. */
  public List<DesignRecord.Point> design() {
    return DesignRecord.of(this);
  }

  /** Whether to shard a group. */
  public enum Verdict {
    /** By this key; the capacity figures ask for it. */
    SHARD,
    /** The key is known, the need is not: capacity figures are missing. */
    SHARD_WHEN_NEEDED,
    DO_NOT_SHARD_YET,
    /** The rows are a stream that is asked by time. */
    SHARD_BY_TIME_SLOTS,
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
   * @param schemes the common ways of sharding on it
   * @param timeSlots present when time is the better key
   * @param lifecycles of its tables
   */
  public record Group(
      Set<String> tables,
      double share,
      Verdict verdict,
      List<String> reasons,
      List<String> next,
      List<KeyScore> scores,
      List<String> notes,
      List<Scheme> schemes,
      Optional<TimeSlots> timeSlots,
      List<Lifecycle> lifecycles) {
    public Group {
      reasons = List.copyOf(reasons);
      next = List.copyOf(next);
      scores = List.copyOf(scores);
      notes = List.copyOf(notes);
      schemes = List.copyOf(schemes);
      lifecycles = List.copyOf(lifecycles);
    }

    /** What is recommended, in a line. */
    public String headline() {
      String key = best().map(best -> best.candidate().name()).orElse("none");
      String provisional = isProvisional() ? " (PROVISIONAL: how it spreads is not known)" : "";
      return switch (verdict) {
        case SHARD -> "SHARD by " + key + provisional;
        case SHARD_WHEN_NEEDED -> "SHARD WHEN NEEDED, by " + key + provisional;
        case SHARD_BY_TIME_SLOTS ->
            "SHARD by slots of " + timeSlots.map(TimeSlots::column).orElseThrow();
        case DO_NOT_SHARD_YET ->
            "DO NOT SHARD YET" + (key.equals("none") ? "" : " (later by " + key + ")");
        case NO_KEY -> "NO KEY will do";
        case TOO_LITTLE -> "TOO LITTLE to judge by";
      };
    }

    /** True when a key is recommended. */
    public boolean isSharded() {
      return verdict == Verdict.SHARD || verdict == Verdict.SHARD_WHEN_NEEDED;
    }

    /** Keys of the recommended key that are hot, and what to do; empty without a key. */
    public List<Isolation> isolations() {
      return best().map(Isolation::of).orElse(List.of());
    }

    /** The ways to rows without the recommended key. */
    public List<IndexCost> indexes() {
      return best().map(IndexCost::of).orElse(List.of());
    }

    /** Of the keys of two columns. */
    public List<TupleArithmetic> tuples() {
      return TupleArithmetic.of(scores);
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
