package io.shardwright.examples.orders;

import io.shardwright.examples.orders.NewOrder.StatusEvent;
import io.shardwright.ids.GeneIdGenerator;
import io.shardwright.ids.NodeLease;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/** Orders and faults for tests. */
final class TestingOrders {
  static final BucketFunction BUCKETS =
      new BucketFunction(List.of(KeyType.INTEGER, KeyType.INTEGER), HashAlgorithm.XXH64, 4096);
  static final OrderIds IDS =
      new OrderIds(
          BUCKETS,
          new GeneIdGenerator(
              GeneIdLayout.forBuckets(4096), 0, NodeLease.fixed(1), InstantSource.system()));

  private TestingOrders() {}

  /**
   * @param lines negative: one line of that quantity
   */
  static NewOrder order(
      long buyer,
      String clientKey,
      int lines,
      List<StatusEvent> history,
      Optional<NewOrder.Refund> refund) {
    List<NewOrder.Line> list = new ArrayList<>();
    for (int i = 0; i < Math.abs(lines); i++) {
      list.add(
          new NewOrder.Line("85123A", "A " + i, Integer.signum(lines), new BigDecimal("2.55")));
    }
    return new NewOrder(
        new NewOrder.Buyer(1, buyer, "Customer " + buyer),
        7,
        clientKey,
        new NewOrder.Address(14, "France"),
        list,
        history,
        refund);
  }

  /** Connections that break at commit, before or after the server has done it. */
  static DataSource losingCommit(DataSource database, boolean afterwards) {
    return proxy(
        DataSource.class,
        database,
        "getConnection",
        connection ->
            proxy(
                Connection.class,
                (Connection) connection.call(),
                "commit",
                commit -> {
                  if (afterwards) {
                    commit.call();
                  }
                  throw new SQLException("connection lost", "08006");
                }));
  }

  private interface Interception {
    Object around(Callable<Object> call) throws Exception;
  }

  private static <T> T proxy(Class<T> type, T target, String method, Interception interception) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, called, arguments) -> {
              Callable<Object> call =
                  () -> {
                    try {
                      return called.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                      throw (Exception) e.getCause();
                    }
                  };
              return called.getName().equals(method) ? interception.around(call) : call.call();
            }));
  }
}
