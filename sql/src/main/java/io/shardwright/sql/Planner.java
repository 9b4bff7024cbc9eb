package io.shardwright.sql;

/** Turns a statement text into a {@link Plan}. Thread-safe; keeps nothing. */
public final class Planner {
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
}
