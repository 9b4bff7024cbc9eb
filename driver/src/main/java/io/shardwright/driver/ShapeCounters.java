package io.shardwright.driver;

import io.shardwright.errors.ErrorCategory;
import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route;
import io.shardwright.sql.ScatterReason;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What became of the statements of one shape. A statement on one shard costs one addition and no
 * memory. Thread-safe.
 */
final class ShapeCounters {
  /** For what is no statement of the caller's. */
  static final ShapeCounters UNCOUNTED = new ShapeCounters("(uncounted)");

  private static final long LOG_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String shape;
  private final LongAdder single = new LongAdder();
  private final LongAdder multi = new LongAdder();
  private final Map<ScatterReason, LongAdder> scatter = new EnumMap<>(ScatterReason.class);
  private final LongAdder anyShard = new LongAdder();
  private final LongAdder everyShard = new LongAdder();
  private final Map<String, LongAdder> lists = new ConcurrentHashMap<>();
  private final Map<ErrorCode, LongAdder> refused = new ConcurrentHashMap<>();
  private final LongAdder failed = new LongAdder();
  private final LongAdder partial = new LongAdder();
  private final LongAdder rowsMerged = new LongAdder();
  private final LongAdder rowsDiscarded = new LongAdder();
  private final AtomicInteger shardsMax = new AtomicInteger();
  private final AtomicLong loggedNanos = new AtomicLong();

  /** Physical statements beyond one for each logical statement; below 0 when fewer were sent. */
  private final LongAdder extraStatements = new LongAdder();

  ShapeCounters(String shape) {
    this.shape = shape;
    for (ScatterReason reason : ScatterReason.values()) {
      scatter.put(reason, new LongAdder());
    }
  }

  /**
   * @param route null when it was refused before one was found
   * @param failure null on success
   */
  void executed(Plan plan, Route route, int physicalStatements, SQLException failure) {
    if (failure != null) {
      if (physicalStatements == 0
          && failure instanceof ShardwrightError error
          && error.code().category() == ErrorCategory.USER) {
        refused(error.code());
        return;
      }
      failed.increment();
    }
    if (route != null) {
      routed(plan, route).increment();
      if (route.list().isPresent()) {
        lists.computeIfAbsent(route.list().get().index(), index -> new LongAdder()).increment();
      }
      if (physicalStatements != 1) {
        extraStatements.add(physicalStatements - 1L);
      }
      touched(physicalStatements == 0 ? 0 : Math.max(1, shards(route)));
    }
  }

  private LongAdder routed(Plan plan, Route route) {
    return switch (route.target()) {
      case ANY_SHARD, FIRST_SHARD -> anyShard;
      case EVERY_SHARD -> everyShard;
      case SHARDS ->
          route.statements().size() == 1
              ? single
              : route.list().isPresent() ? multi : several(plan);
      case GATHERED -> several(plan);
    };
  }

  private LongAdder several(Plan plan) {
    return plan.scatterReason().map(scatter::get).orElse(multi);
  }

  private static int shards(Route route) {
    return route.target() == Route.Target.GATHERED
        ? route.shards().size()
        : route.statements().size();
  }

  private void touched(int shards) {
    if (shards > shardsMax.get()) {
      shardsMax.accumulateAndGet(shards, Math::max);
    }
  }

  void refused(ErrorCode code) {
    refused.computeIfAbsent(code, c -> new LongAdder()).increment();
  }

  /** An answer of some shards was given for that of all. */
  void partial() {
    partial.increment();
  }

  /**
   * @param read rows that the shards sent for one answer
   * @param discarded those of them that the caller did not get
   */
  void merged(long read, long discarded) {
    rowsMerged.add(read);
    rowsDiscarded.add(Math.max(0, discarded));
  }

  /** True once a minute, so that a shape that is warned of does not fill the log. */
  boolean logDue() {
    long last = loggedNanos.get();
    long now = System.nanoTime();
    return (last == 0 || now - last > LOG_PAUSE_NANOS) && loggedNanos.compareAndSet(last, now);
  }

  String shape() {
    return shape;
  }

  StatementStatistics.Shape snapshot() {
    Map<ScatterReason, Long> reasons = new EnumMap<>(ScatterReason.class);
    scatter.forEach((reason, count) -> put(reasons, reason, count));
    Map<String, Long> indexes = new TreeMap<>();
    lists.forEach((index, count) -> put(indexes, index, count));
    Map<ErrorCode, Long> codes = new EnumMap<>(ErrorCode.class);
    refused.forEach((code, count) -> put(codes, code, count));
    long routed = single.sum() + multi.sum() + anyShard.sum() + everyShard.sum();
    routed += reasons.values().stream().mapToLong(Long::longValue).sum();
    return new StatementStatistics.Shape(
        shape,
        single.sum(),
        multi.sum(),
        reasons,
        anyShard.sum(),
        everyShard.sum(),
        indexes,
        codes,
        failed.sum(),
        partial.sum(),
        Math.max(0, routed + extraStatements.sum()),
        rowsMerged.sum(),
        rowsDiscarded.sum(),
        shardsMax.get());
  }

  private static <K> void put(Map<K, Long> map, K key, LongAdder count) {
    if (count.sum() > 0) {
      map.put(key, count.sum());
    }
  }
}
