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
  private final int max;
  private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
  private final ArrayDeque<Entry> clock = new ArrayDeque<>();

  private static final class Entry {
    private final Plan plan;
    private volatile boolean used;

    Entry(Plan plan) {
      this.plan = plan;
    }
  }

  PlanCache(Planner planner, int max) {
    this.planner = planner;
    this.max = max;
  }

  /**
   * @throws io.shardwright.errors.ShardwrightException 2xx: the statement is refused
   */
  Plan plan(String sql) {
    Entry entry = entries.get(sql);
    if (entry != null) {
      if (!entry.used) {
        entry.used = true;
      }
      return entry.plan;
    }
    Plan plan = planner.plan(sql);
    if (sql.length() <= MAX_TEXT_CHARS) {
      add(sql, new Entry(plan));
    }
    return plan;
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
          entries.remove(oldest.plan.sql());
        }
      }
      clock.addLast(entry);
    }
  }
}
