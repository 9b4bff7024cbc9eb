package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
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
   * The text for {@link #plan} of one that is sent without parameters, where {@code ?} is an
   * operator.
   *
   * @throws ShardwrightException SW210 when it stands for a value
   */
  public String withoutParameters(String sql) {
    if (sql.indexOf('?') < 0) {
      return sql;
    }
    SqlTokens tokens = SqlTokens.of(schema.dialect(), sql);
    StringBuilder text = new StringBuilder(sql);
    for (int i = tokens.size() - 1; i >= 0; i--) {
      if (tokens.get(i).kind() == SqlTokens.Kind.PARAMETER) {
        if (!schema.dialect().isQuestionOperator(tokens, i)) {
          throw new ShardwrightException(
              ErrorCode.PARAMETER_MISSING,
              "the text has a ? for a value, and a Statement sets none; use prepareStatement");
        }
        text.insert(tokens.get(i).start(), '?');
      }
    }
    return text.toString();
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
