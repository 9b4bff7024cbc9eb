package io.shardwright.driver;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.LiftedPlan;
import io.shardwright.sql.LiftedText;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Planner;

/**
 * Plans by statement text, for one schema. Thread-safe.
 *
 * <p>Problem: a program that writes values into its texts sends each text once, and would push out
 * the plans that return. Idea: such a text is planned by its shape, which has {@code ?} for its
 * literals ({@link LiftedText}); what has to be planned as it is goes to a small cache of its own.
 */
final class PlanCache {
  /** Plans kept; each is some kilobytes. */
  static final int MAX_PLANS = 2_048;

  /** Longer texts are planned each time: they are generated and seldom return. */
  static final int MAX_TEXT_CHARS = 16_384;

  private static final int MAX_TEXTS_WITH_VALUES = 256;

  private final Planner planner;
  private final int reserved;
  private final Statistics statistics;
  private final BoundedCache<Shape> shapes;
  private final BoundedCache<Planned> textsWithValues;

  /** A text, or what is left of several without their literals. */
  private static final class Shape {
    /** Null: a {@code ?} would be refused where the literals are, so they have to stay. */
    private final Planned planned;

    private final LiftedPlan.Splitter splitter;

    Shape(Planned planned, LiftedPlan.Splitter splitter) {
      this.planned = planned;
      this.splitter = splitter;
    }
  }

  /**
   * @param reserved buckets of the directories that the planner knows
   */
  PlanCache(Planner planner, int reserved, Statistics statistics, int max) {
    this.planner = planner;
    this.reserved = reserved;
    this.statistics = statistics;
    this.shapes = new BoundedCache<>(max);
    this.textsWithValues = new BoundedCache<>(Math.min(max, MAX_TEXTS_WITH_VALUES));
  }

  /**
   * @throws ShardwrightException 2xx: the statement is refused
   */
  Planned plan(String sql) {
    Shape shape = shapes.get(sql);
    if (shape != null && shape.planned != null) {
      return shape.planned;
    }
    Planned planned = planned(sql);
    if (sql.length() <= MAX_TEXT_CHARS) {
      shapes.put(sql, new Shape(planned, planner.splitter()));
    }
    return planned;
  }

  /**
   * The same for a text that is sent without parameters, as it is.
   *
   * @throws ShardwrightException 2xx: the statement is refused
   */
  Planned planWholeText(String sql) {
    return plan(planner.withoutParameters(sql));
  }

  /**
   * The same for a text whose values need not stay in it.
   *
   * @throws ShardwrightException 2xx: the statement is refused
   */
  Planned planText(String text) {
    String sql = planner.withoutParameters(text);
    if (sql.length() > MAX_TEXT_CHARS) {
      return planned(sql);
    }
    LiftedText lifted = planner.lift(sql);
    if (lifted == null) {
      return plan(sql);
    }
    Shape shape = shape(lifted.shape());
    if (shape.planned == null) {
      return planWithValues(sql);
    }
    return new Planned(
        new LiftedPlan(
            shape.planned.plan(), shape.splitter, lifted, () -> planWithValues(sql).plan()),
        shape.planned.counters(),
        reserved);
  }

  private Shape shape(String text) {
    Shape known = shapes.get(text);
    if (known != null) {
      return known;
    }
    Planned planned = null;
    try {
      planned = planned(text);
    } catch (ShardwrightException e) {
      // The text with its values may be planned all the same; else its own error is the right one.
      planned = null;
    }
    Shape shape = new Shape(planned, planner.splitter());
    shapes.put(text, shape);
    return shape;
  }

  private Planned planWithValues(String sql) {
    Planned known = textsWithValues.get(sql);
    if (known == null) {
      known = planned(sql);
      textsWithValues.put(sql, known);
    }
    return known;
  }

  /** Without keeping it. */
  Plan planOnce(String sql) {
    return planner.plan(sql);
  }

  private Planned planned(String sql) {
    return new Planned(planner.plan(sql), counters(sql), reserved);
  }

  /** Where executions of this text are counted. */
  ShapeCounters counters(String sql) {
    return statistics.of(planner.shape(sql));
  }

  /** Plans of texts without values. */
  int size() {
    return shapes.size();
  }
}
