package io.shardwright.examples.migrations;

import java.sql.Connection;
import java.sql.SQLException;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.internal.database.base.Database;
import org.flywaydb.core.internal.jdbc.JdbcConnectionFactory;
import org.flywaydb.core.internal.jdbc.StatementInterceptor;
import org.flywaydb.database.postgresql.PostgreSQLDatabaseType;

/**
 * Flyway on {@code jdbc:shardwright:}, by url or data source. Registered in {@code
 * META-INF/services/org.flywaydb.core.extensibility.Plugin}.
 */
public final class FlywayDatabaseType extends PostgreSQLDatabaseType {
  /** Before PostgreSQL, which would take the connection for its own by the product's name. */
  private static final int PRIORITY = 10;

  @Override
  public String getName() {
    return "Shardwright";
  }

  @Override
  public int getPriority() {
    return PRIORITY;
  }

  @Override
  public boolean handlesJDBCUrl(String url) {
    return url.startsWith("jdbc:shardwright:");
  }

  @Override
  public String getDriverClass(String url, ClassLoader classLoader) {
    return "io.shardwright.driver.ShardwrightDriver";
  }

  @Override
  public boolean handlesDatabaseProductNameAndVersion(
      String product, String version, Connection connection) {
    try {
      return handlesJDBCUrl(connection.getMetaData().getURL());
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public Database<?> createDatabase(
      Configuration configuration,
      JdbcConnectionFactory connections,
      StatementInterceptor interceptor) {
    return new FlywayDatabase(configuration, connections, interceptor);
  }
}
