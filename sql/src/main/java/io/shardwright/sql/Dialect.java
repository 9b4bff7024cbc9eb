package io.shardwright.sql;

/**
 * What the databases do differently, as far as the planner must know. Part of the {@link Schema}.
 * Immutable.
 */
public abstract sealed class Dialect permits PostgreSqlDialect, MariaDbDialect {
  private final FunctionNames functions;
  private final ValueForms values;

  Dialect(FunctionNames functions, ValueForms values) {
    this.functions = functions;
    this.values = values;
  }

  /** PostgreSQL 17. */
  public static Dialect postgreSql() {
    return PostgreSqlDialect.INSTANCE;
  }

  /**
   * MariaDB 11.4.
   *
   * @param database the name of the database that the shards' urls lead to, which may qualify a
   *     table
   */
  public static Dialect mariaDb(String database) {
    return new MariaDbDialect(database);
  }

  /** A scanner of one text by the database's lexical rules. */
  abstract Lexer lexer(String sql);

  /** The name of a column, alias or function as it is compared: unquoted, folded. */
  abstract String fold(String identifier);

  /** The same of a table or of what qualifies one. */
  abstract String foldTable(String identifier);

  /** True for the folded qualifier that names the place where the tables are. */
  abstract boolean isHome(String qualifier);

  /** An output label as an identifier that every context takes. */
  abstract String quote(String label);

  /** True when NULLs come first where ORDER BY does not say. */
  abstract boolean nullsFirst(boolean descending);

  FunctionNames functions() {
    return functions;
  }

  ValueForms values() {
    return values;
  }
}
