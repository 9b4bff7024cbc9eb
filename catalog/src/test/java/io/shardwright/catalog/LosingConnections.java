package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

/** Connections to the catalog of which the first one loses the answer to its commit. */
final class LosingConnections implements JdbcCatalog.ConnectionSource {
  private final Configuration configuration;
  private final Commit commit;
  private int opened;
  private int commits;
  private boolean refusing;

  /** What really happens at the server. */
  interface Commit {
    void run(Connection connection) throws SQLException;
  }

  LosingConnections(Configuration configuration, Commit commit) {
    this.configuration = configuration;
    this.commit = commit;
  }

  int commits() {
    return commits;
  }

  void refuseAfterTheFirst() {
    refusing = true;
  }

  @Override
  public Connection open() throws SQLException {
    if (opened++ > 0) {
      if (refusing) {
        throw new SQLException("refused", "08001");
      }
      return DatabaseLogin.SHORT.open(configuration.catalog().orElseThrow());
    }
    Connection real = DatabaseLogin.SHORT.open(configuration.catalog().orElseThrow());
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commit")) {
                commits++;
                commit.run(real);
                real.close();
                throw new SQLException("lost", "08006");
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
