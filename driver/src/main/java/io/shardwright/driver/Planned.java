package io.shardwright.driver;

import io.shardwright.sql.Plan;

/**
 * A plan and where its executions are counted.
 *
 * @param reserved how many buckets the directories reserved that it was made by
 */
record Planned(Plan plan, ShapeCounters counters, int reserved) {
  /** Whether it routes by directories that have grown since; the text has to be planned again. */
  boolean isOutdated(KnownState known) {
    return reserved < known.reserved();
  }

  /** Whether it may be routed by the maps of that state. */
  boolean fits(KnownState known) {
    return reserved == known.reserved();
  }
}
