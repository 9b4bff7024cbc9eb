package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The counters of all shapes, bounded, and the threshold above which a fan-out is warned of. */
final class Statistics {
  private static final Logger LOG = LoggerFactory.getLogger(Statistics.class);

  private final ConcurrentHashMap<String, ShapeCounters> shapes = new ConcurrentHashMap<>();
  private final ShapeCounters other = new ShapeCounters(StatementStatistics.OTHER);
  private final MoveCounters moves = new MoveCounters();
  private final int warnShards;

  /**
   * @param warnShards empty: never
   */
  Statistics(OptionalInt warnShards) {
    this.warnShards = warnShards.orElse(Integer.MAX_VALUE);
  }

  MoveCounters moves() {
    return moves;
  }

  ShapeCounters of(String shape) {
    ShapeCounters counters = shapes.get(shape);
    if (counters != null) {
      return counters;
    }
    synchronized (shapes) {
      return shapes.size() < StatementStatistics.MAX_SHAPES
          ? shapes.computeIfAbsent(shape, ShapeCounters::new)
          : other;
    }
  }

  /**
   * Logged once a minute and shape.
   *
   * @return null when so many shards are within the threshold
   */
  SQLWarning manyShards(int shards, ShapeCounters counters, String reason) {
    if (shards <= warnShards) {
      return null;
    }
    String what = "a statement went to " + shards + " shards, more than warn_shards: " + warnShards;
    if (counters.logDue()) {
      LOG.warn("{} ({}); its shape: {}", what, reason, counters.shape());
    }
    return SqlErrors.warning(
        ErrorCode.MANY_SHARDS, what + " (" + reason + "); add the route key, or raise warn_shards");
  }

  StatementStatistics snapshot() {
    List<StatementStatistics.Shape> all = new ArrayList<>();
    shapes.values().forEach(counters -> all.add(counters.snapshot()));
    StatementStatistics.Shape rest = other.snapshot();
    if (rest.statements() > 0 || !rest.refused().isEmpty()) {
      all.add(rest);
    }
    all.sort(
        Comparator.comparingLong(StatementStatistics.Shape::physicalStatements)
            .reversed()
            .thenComparing(StatementStatistics.Shape::shape));
    return new StatementStatistics(all);
  }
}
