package io.shardwright.driver;

import io.shardwright.catalog.BucketHeat;
import io.shardwright.catalog.CatalogHeat;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What statements did to the buckets of all groups and lookup indexes. Thread-safe. */
final class HeatCounters {
  private static final Logger LOG = LoggerFactory.getLogger(HeatCounters.class);

  private final boolean on;

  /** By the names of their maps, of which there are as many as the file has groups and indexes. */
  private final ConcurrentHashMap<String, BucketCounters> groups = new ConcurrentHashMap<>();

  private boolean failing;

  HeatCounters(boolean on) {
    this.on = on;
  }

  /**
   * @return null when nothing is counted
   */
  BucketCounters of(BucketMap map) {
    if (!on) {
      return null;
    }
    BucketCounters counters = groups.get(map.group());
    return counters != null
        ? counters
        : groups.computeIfAbsent(map.group(), group -> new BucketCounters(group, map.buckets()));
  }

  /** Since the beginning, those with traffic. */
  List<BucketHeat> all() {
    return groups.values().stream().flatMap(counters -> counters.all().stream()).toList();
  }

  /**
   * Adds what is new to the catalog; never throws. What cannot be added is tried again with the
   * next, unless it may be there: then it counts as recorded, so that nothing is there twice.
   */
  synchronized void record(CatalogHeat catalog) {
    record(catalog::add);
  }

  synchronized void record(Function<List<BucketHeat>, CatalogHeat.Outcome> catalog) {
    List<BucketHeat> due =
        groups.values().stream().flatMap(counters -> counters.due().stream()).toList();
    try {
      if (catalog.apply(due) == CatalogHeat.Outcome.RECORDED) {
        recorded(due);
      }
      failing = false;
    } catch (RuntimeException e) {
      boolean unknown =
          e instanceof ShardwrightException failure && failure.code() == ErrorCode.OUTCOME_UNKNOWN;
      if (unknown) {
        recorded(due);
      }
      if (unknown || !failing) {
        failing = true;
        LOG.warn("the traffic of {} buckets was not recorded in the catalog", due.size(), e);
      }
    }
  }

  private void recorded(List<BucketHeat> due) {
    due.forEach(heat -> groups.get(heat.group()).recorded(heat));
  }
}
