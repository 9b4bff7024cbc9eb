package io.shardwright.catalog;

import io.shardwright.config.Configuration.Endpoint;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;

/**
 * How to open plain connections, outside any pool, that cannot hang for ever.
 *
 * @param connect to reach the server, at least 1 s
 * @param statement the server ends a statement after this; zero: never
 * @param socket without a byte from the server the connection is given up; above {@code statement}
 */
public record DatabaseLogin(Duration connect, Duration statement, Duration socket) {
  /** For statements that read or write a few rows. */
  public static final DatabaseLogin SHORT =
      new DatabaseLogin(Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofSeconds(15));

  /** In autocommit. Blocks up to the timeouts. */
  public Connection open(Endpoint endpoint) throws SQLException {
    Database database = Database.of(endpoint.product());
    Properties properties = new Properties();
    properties.setProperty("user", endpoint.user());
    if (!endpoint.password().isEmpty()) {
      properties.setProperty("password", endpoint.password());
    }
    database.setTimeouts(properties, this);
    Connection connection = connect(endpoint, properties);
    try (Statement set = connection.createStatement()) {
      database.limitStatements(set, statement);
    } catch (SQLException e) {
      try {
        connection.close();
      } catch (SQLException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
    return connection;
  }

  private static Connection connect(Endpoint endpoint, Properties properties) throws SQLException {
    try {
      return DriverManager.getConnection(endpoint.url(), properties);
    } catch (SQLException e) {
      String message = String.valueOf(e.getMessage());
      if (!message.contains(endpoint.url())) {
        throw e;
      }
      // "Unable to parse URL" and the url, whose parameters may be secrets; so it is not chained.
      throw new SQLException(
          message.replace(endpoint.url(), endpoint.toString()), e.getSQLState(), e.getErrorCode());
    }
  }
}
