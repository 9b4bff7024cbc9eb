package io.shardwright.examples.migrations;

import java.sql.Connection;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.internal.jdbc.JdbcConnectionFactory;
import org.flywaydb.core.internal.jdbc.StatementInterceptor;
import org.flywaydb.database.postgresql.PostgreSQLConnection;
import org.flywaydb.database.postgresql.PostgreSQLDatabase;

/**
 * A migration runs statement by statement, in autocommit mode. One that fails leaves what it has
 * done so far and is recorded as failed, as on databases without transactional schema changes.
 */
final class FlywayDatabase extends PostgreSQLDatabase {
  private final JdbcConnectionFactory connections;

  FlywayDatabase(
      Configuration configuration,
      JdbcConnectionFactory connections,
      StatementInterceptor interceptor) {
    super(configuration, connections, interceptor);
    this.connections = connections;
  }

  /** One more connection. */
  Connection open() {
    return connections.openConnection();
  }

  @Override
  protected PostgreSQLConnection doGetConnection(Connection connection) {
    return new FlywayConnection(this, connection);
  }

  @Override
  public boolean supportsDdlTransactions() {
    return false;
  }

  @Override
  public boolean supportsMultiStatementTransactions() {
    return false;
  }

  @Override
  public boolean useSingleConnection() {
    return false;
  }
}
