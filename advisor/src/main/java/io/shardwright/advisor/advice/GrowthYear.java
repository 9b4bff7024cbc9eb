package io.shardwright.advisor.advice;

import io.shardwright.advisor.simulate.Growth;
import java.util.ArrayList;
import java.util.List;

/**
 * Shards after so many years, and what moves to get there from the year before.
 *
 * @param year 0: now
 * @param movedBuckets of V, by the bucket map
 * @param movedShare the same as a part of V
 * @param moduloShare the part of all keys that would move under hash modulo shards
 */
public record GrowthYear(
    int year, int shards, int movedBuckets, double movedShare, double moduloShare) {
  static final int YEARS = 3;

  /**
   * Now and three years on. Without capacity figures the judged shards are taken to be full now and
   * to grow as is assumed when nothing is told.
   */
  static List<GrowthYear> plan(AdviceSettings settings) {
    List<GrowthYear> plan = new ArrayList<>();
    int before = settings.judgedShards();
    plan.add(new GrowthYear(0, before, 0, 0, 0));
    for (int year = 1; year <= YEARS; year++) {
      int asked = asked(settings, year);
      int shards = Math.min(settings.buckets(), Math.max(before, asked));
      int moved = Growth.movedBuckets(settings.buckets(), before, shards);
      plan.add(
          new GrowthYear(
              year,
              shards,
              moved,
              (double) moved / settings.buckets(),
              Growth.moduloShare(before, shards)));
      before = shards;
    }
    return plan;
  }

  private static int asked(AdviceSettings settings, int year) {
    return settings
        .capacity()
        .shardsAfter(year)
        .orElseGet(
            () ->
                (int)
                    Math.ceil(
                        settings.judgedShards()
                            * Math.pow(1 + AdviceSettings.GROWTH_DEFAULT, year)));
  }
}
