package io.shardwright.sql;

import io.shardwright.errors.ShardwrightException;

/** Turns a statement text into a {@link Plan}. Thread-safe; keeps nothing. */
public final class Planner {
  private static final String UNREADABLE = "(unreadable)";

  private final Schema schema;

  public Planner(Schema schema) {
    this.schema = schema;
  }

  /**
   * Analyses one statement.
   *
   * @throws io.shardwright.errors.ShardwrightException 2xx codes: why the statement is refused
   */
  public Plan plan(String sql) {
    return new PlanBuilder(schema, sql).build();
  }

  /**
   * A statement without the literals that stand for values only.
   *
   * @return null when the text has none, or has to be planned as it is
   */
  public LiftedText lift(String sql) {
    try {
      return LiftedText.of(SqlTokens.of(schema.dialect(), sql));
    } catch (ShardwrightException e) {
      return null;
    }
  }

  /** For the plans of one shape. */
  public LiftedPlan.Splitter splitter() {
    return new LiftedPlan.Splitter(schema.dialect());
  }

  /**
   * A statement without its values, for counting: executions that differ in literals have one
   * shape. A text that is no statement has the shape {@code (unreadable)}.
   */
  public String shape(String sql) {
    try {
      return ShapeText.of(SqlTokens.of(schema.dialect(), sql));
    } catch (ShardwrightException e) {
      return UNREADABLE;
    }
  }
}
