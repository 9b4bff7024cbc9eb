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
    boolean postgres = isPostgres(endpoint);
    Properties properties = new Properties();
    properties.setProperty("user", endpoint.user());
    if (!endpoint.password().isEmpty()) {
      properties.setProperty("password", endpoint.password());
    }
    // pgjdbc counts in seconds, mariadb-java-client in milliseconds.
    properties.setProperty(
        "connectTimeout", Long.toString(postgres ? connect.toSeconds() : connect.toMillis()));
    properties.setProperty(
        "socketTimeout", Long.toString(postgres ? socket.toSeconds() : socket.toMillis()));
    if (postgres) {
      properties.setProperty("ApplicationName", "shardwright");
    }
    Connection connection = connect(endpoint, properties);
    if (postgres) {
      limitStatements(connection);
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

  public static boolean isPostgres(Endpoint endpoint) {
    return endpoint.url().startsWith("jdbc:postgresql:");
  }

  /** SQLSTATE class 28: the server was reached and refused the user or the password. */
  public static boolean isLoginFailure(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith("28");
  }

  /** The connection is of no use any more. */
  public static boolean isBroken(SQLException e) {
    String state = e.getSQLState();
    return state != null && (state.startsWith("08") || state.startsWith("57P"));
  }

  private void limitStatements(Connection connection) throws SQLException {
    try (Statement set = connection.createStatement()) {
      set.execute("SET statement_timeout = " + statement.toMillis());
    } catch (SQLException e) {
      try {
        connection.close();
      } catch (SQLException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }
}
