package io.shardwright.catalog;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;

/** A connection that tells which statements are executed on it. */
final class CountedStatements {
  private CountedStatements() {}

  private interface Seen {
    Object of(String method, Object[] arguments, Object result);
  }

  static Connection of(Connection connection, List<String> executed) {
    return proxy(
        Connection.class,
        connection,
        (method, arguments, result) ->
            result instanceof Statement made
                ? statement(made, arguments == null ? "" : arguments[0].toString(), executed)
                : result);
  }

  private static Statement statement(Statement real, String prepared, List<String> executed) {
    return proxy(
        real instanceof PreparedStatement ? PreparedStatement.class : Statement.class,
        real,
        (method, arguments, result) -> {
          if (method.startsWith("execute")) {
            executed.add(arguments == null ? prepared : arguments[0].toString());
          }
          return result;
        });
  }

  private static <T> T proxy(Class<? extends T> type, T real, Seen seen) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return seen.of(method.getName(), arguments, method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
