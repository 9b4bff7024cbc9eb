package io.shardwright.driver;

import io.shardwright.sql.Plan;
import io.shardwright.sql.Planner;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Plans by statement text, for one schema.
 *
 * <p>Problem: reads must cost one hash look-up, and texts with literals must not push out those
 * that return. Idea: second chance (clock). A hit marks its entry; when the cache is full the
 * oldest entry goes, unless it was marked since its last turn. Invariant: at most {@code max}
 * entries. A look-up takes no lock and allocates nothing; an insertion is O(1) amortised.
 * Thread-safe.
 */
final class PlanCache {
  /** Plans kept; each is some kilobytes. */
  static final int MAX_PLANS = 2_048;

  /** Longer texts are planned each time: they are generated and seldom return. */
  static final int MAX_TEXT_CHARS = 16_384;

  private final Planner planner;
  private final Statistics statistics;
  private final int max;
  private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
  private final ArrayDeque<Entry> clock = new ArrayDeque<>();

  private static final class Entry {
    private final Planned planned;
    private volatile boolean used;

    Entry(Planned planned) {
      this.planned = planned;
    }
  }

  PlanCache(Planner planner, Statistics statistics, int max) {
    this.planner = planner;
    this.statistics = statistics;
    this.max = max;
  }

  /**
   * @throws io.shardwright.errors.ShardwrightException 2xx: the statement is refused
   */
  /** For a text that will not come again. */
  Plan planOnce(String sql) {
    return planner.plan(sql);
  }

  Planned plan(String sql) {
    Entry entry = entries.get(sql);
    if (entry != null) {
      if (!entry.used) {
        entry.used = true;
      }
      return entry.planned;
    }
    Plan plan = planner.plan(sql);
    Planned planned = new Planned(plan, counters(sql));
    if (sql.length() <= MAX_TEXT_CHARS) {
      add(sql, new Entry(planned));
    }
    return planned;
  }

  /** Where executions of this text are counted. */
  ShapeCounters counters(String sql) {
    return statistics.of(planner.shape(sql));
  }

  int size() {
    return entries.size();
  }

  private void add(String sql, Entry entry) {
    synchronized (clock) {
      if (entries.putIfAbsent(sql, entry) != null) {
        return;
      }
      while (clock.size() >= max) {
        Entry oldest = clock.removeFirst();
        if (oldest.used) {
          oldest.used = false;
          clock.addLast(oldest);
        } else {
          entries.remove(oldest.planned.plan().sql());
        }
      }
      clock.addLast(entry);
    }
  }
}
