package io.shardwright.sql;

/** Builds the plan of one statement. */
final class PlanBuilder {
  private final Schema schema;
  private final String sql;

  PlanBuilder(Schema schema, String sql) {
    this.schema = schema;
    this.sql = sql;
  }

  Plan build() {
    if (schema.tables().isEmpty()) {
      throw new IllegalStateException(sql);
    }
    return null;
  }
}
