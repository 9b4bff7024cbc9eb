package io.shardwright.driver;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/**
 * Metadata of one shard, which has the tables of all, with the url, driver and limits of the
 * logical connection. A reflective proxy: 180 methods that are called rarely.
 */
final class ShardMetaData implements InvocationHandler {
  private static final Map<String, Object> OWN =
      Map.of(
          "getDriverName",
          "Shardwright",
          "getDriverVersion",
          ShardwrightDriver.VERSION,
          "getDriverMajorVersion",
          ShardwrightDriver.MAJOR_VERSION,
          "getDriverMinorVersion",
          ShardwrightDriver.MINOR_VERSION,
          "supportsResultSetConcurrency",
          false,
          "supportsMultipleOpenResults",
          false,
          "supportsPositionedUpdate",
          false,
          "supportsPositionedDelete",
          false,
          "getResultSetHoldability",
          ResultSet.CLOSE_CURSORS_AT_COMMIT,
          "dataDefinitionIgnoredInTransactions",
          false);

  private final ShardwrightConnection connection;

  private ShardMetaData(ShardwrightConnection connection) {
    this.connection = connection;
  }

  static DatabaseMetaData of(ShardwrightConnection connection) {
    return (DatabaseMetaData)
        Proxy.newProxyInstance(
            ShardMetaData.class.getClassLoader(),
            new Class<?>[] {DatabaseMetaData.class},
            new ShardMetaData(connection));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "getConnection" -> connection;
      case "getURL" -> ShardwrightDriver.URL_PREFIX + connection.cluster().name();
      case "isReadOnly" -> connection.isReadOnly();
      case "supportsResultSetHoldability" -> arguments[0].equals(ResultSet.CLOSE_CURSORS_AT_COMMIT);
      case "supportsResultSetConcurrency" ->
          arguments[1].equals(ResultSet.CONCUR_READ_ONLY) && (boolean) ofShard(method, arguments);
      case "isWrapperFor" -> ((Class<?>) arguments[0]).isInstance(proxy);
      case "unwrap" -> unwrap(proxy, (Class<?>) arguments[0]);
      case "toString" -> "metadata of " + connection.cluster().name();
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> proxy == arguments[0];
      default -> {
        Object own = OWN.get(method.getName());
        yield own != null ? own : ofShard(method, arguments);
      }
    };
  }

  private static Object unwrap(Object proxy, Class<?> type) throws SQLException {
    if (type.isInstance(proxy)) {
      return proxy;
    }
    throw SqlErrors.unsupported(
        "unwrapping metadata to " + type.getName(), "use java.sql.DatabaseMetaData");
  }

  /** Rows keep their lease until they are closed. */
  private Object ofShard(Method method, Object[] arguments) throws Throwable {
    ShardCall call = connection.firstShard();
    boolean kept = false;
    try {
      Object answer = method.invoke(call.lease().connection().getMetaData(), arguments);
      if (answer instanceof ResultSet rows) {
        ShardwrightStatement owner = (ShardwrightStatement) connection.createStatement();
        owner.closeOnCompletion();
        ResultSet result = new ShardResultSet(owner, call.answered(rows));
        owner.answerRows(result);
        kept = true;
        return result;
      }
      return answer;
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof SQLException cause
          ? SqlErrors.on(call.shard(), cause)
          : e.getCause();
    } finally {
      if (!kept) {
        call.close();
      }
    }
  }
}
