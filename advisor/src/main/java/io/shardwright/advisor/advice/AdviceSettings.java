package io.shardwright.advisor.advice;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What people know and logs do not.
 *
 * @param weights of one execution by class
 * @param classes by what names a template: its fingerprint, {@code column.NAME} that it fixes, or
 *     {@code table.NAME}
 * @param shards for evenness when the capacity asks for fewer
 * @param maxToMean the fullest shard over the mean, beyond which a key is refused
 * @param hottestToMean the hottest key over the mean of a shard, beyond which a key is refused
 */
public record AdviceSettings(
    Map<WorkloadClass, Double> weights,
    Map<String, WorkloadClass> classes,
    Declarations declared,
    Capacity capacity,
    Optional<Integer> shards,
    int buckets,
    double maxToMean,
    double hottestToMean,
    boolean showKeys) {
  public static final int SHARDS_DEFAULT = 8;
  public static final int BUCKETS_DEFAULT = 4096;
  public static final double MAX_TO_MEAN_DEFAULT = 1.5;
  public static final double HOTTEST_TO_MEAN_DEFAULT = 0.5;

  /** A year's growth when none is told: too many shards are cheaper than too few. */
  public static final double GROWTH_DEFAULT = 0.5;

  private static final int SHARDS_MAX = 4096;
  private static final int BUCKETS_MAX = 65_536;

  public AdviceSettings {
    weights = Map.copyOf(weights);
    classes = Map.copyOf(classes);
    List<String> wrong = new ArrayList<>();
    if (buckets < 1 || buckets > BUCKETS_MAX) {
      wrong.add("buckets must be 1 to " + BUCKETS_MAX + ", not " + buckets);
    }
    if (shards.isPresent() && (shards.get() < 1 || shards.get() > Math.min(SHARDS_MAX, buckets))) {
      wrong.add(
          "shards must be 1 to " + SHARDS_MAX + " and at most the buckets, not " + shards.get());
    }
    int most = Math.min(SHARDS_MAX, buckets);
    if (wrong.isEmpty() && capacity.shards().orElse(0) > most) {
      wrong.add(
          "the capacity asks for more shards than "
              + most
              + (most == buckets ? ", the buckets" : ", the most there are")
              + ": "
              + String.join("; ", capacity.arithmetic())
              + "; check the figures, or give larger shards"
              + (most < SHARDS_MAX ? ", or more buckets" : ""));
    }
    if (!wrong.isEmpty()) {
      throw new ShardwrightException(ErrorCode.COMMAND_INVALID, String.join("; ", wrong));
    }
  }

  public static AdviceSettings defaults() {
    return new AdviceSettings(
        defaultWeights(),
        Map.of(),
        Declarations.none(),
        new Capacity(List.of()),
        Optional.empty(),
        BUCKETS_DEFAULT,
        MAX_TO_MEAN_DEFAULT,
        HOTTEST_TO_MEAN_DEFAULT,
        false);
  }

  static Map<WorkloadClass, Double> defaultWeights() {
    Map<WorkloadClass, Double> weights = new EnumMap<>(WorkloadClass.class);
    for (WorkloadClass each : WorkloadClass.values()) {
      weights.put(each, each.defaultWeight());
    }
    return weights;
  }

  /** Over which keys are spread: what the capacity asks for, at least what is set, else 8. */
  public int judgedShards() {
    int asked = capacity.shards().orElse(0);
    return Math.min(buckets, Math.max(asked, shards.orElse(asked > 1 ? asked : SHARDS_DEFAULT)));
  }
}
