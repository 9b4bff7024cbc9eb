package io.shardwright.examples.migrations;

import java.sql.SQLException;
import liquibase.database.DatabaseConnection;
import liquibase.database.core.PostgresDatabase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.DatabaseException;
import liquibase.exception.UnexpectedLiquibaseException;

/**
 * Liquibase on {@code jdbc:shardwright:}. A changeset runs statement by statement, in autocommit
 * mode, as on databases without transactional schema changes: one change per changeset is the way.
 * Registered in {@code META-INF/services/liquibase.database.Database}.
 */
public final class LiquibaseDatabase extends PostgresDatabase {
  private static final String URL_PREFIX = "jdbc:shardwright:";

  @Override
  public int getPriority() {
    return super.getPriority() + 10;
  }

  @Override
  public boolean isCorrectDatabaseImplementation(DatabaseConnection connection)
      throws DatabaseException {
    return connection.getURL().startsWith(URL_PREFIX);
  }

  @Override
  public String getDefaultDriver(String url) {
    return url.startsWith(URL_PREFIX) ? "io.shardwright.driver.ShardwrightDriver" : null;
  }

  @Override
  public boolean supportsDDLInTransaction() {
    return false;
  }

  /** By JDBC; PostgreSQL's way is a call, which the driver has none of. */
  @Override
  protected String getConnectionSchemaName() {
    try {
      return ((JdbcConnection) getConnection()).getUnderlyingConnection().getSchema();
    } catch (SQLException e) {
      throw new UnexpectedLiquibaseException("the current schema cannot be read", e);
    }
  }
}
