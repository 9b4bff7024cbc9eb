package io.shardwright.examples.frameworks;

import io.shardwright.examples.frameworks.Order.Draft;
import io.shardwright.examples.frameworks.Order.Item;
import io.shardwright.examples.orders.OrderIds;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.executor.BatchResult;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;

/** MyBatis with annotated mappers and its own transactions. */
final class MyBatisOrders implements OrderStore {
  private final SqlSessionFactory sessions;
  private final OrderIds ids;

  /** Constructor arguments are matched by position. */
  interface OrderMapper {
    String COLUMNS =
        "SELECT order_id, tenant_id, buyer_id, client_key, status, amount_cent, version, created_at"
            + " FROM orders ";

    @Insert(
        "INSERT INTO orders (order_id, tenant_id, buyer_id, seller_id, client_key, buyer_name,"
            + " status, amount_cent, line_count, created_at, updated_at, version) VALUES"
            + " (#{orderId}, #{tenantId}, #{buyerId}, 1, #{clientKey}, 'Buyer', #{status},"
            + " #{amountCent}, 0, #{createdAt}, #{createdAt}, #{version})")
    int insert(Order order);

    @Insert(
        "INSERT INTO order_items (order_id, tenant_id, buyer_id, line_no, stock_code, description,"
            + " quantity, unit_price, amount) VALUES (#{order.orderId}, #{order.tenantId},"
            + " #{order.buyerId}, #{item.lineNo}, #{item.stockCode}, 'An item', #{item.quantity},"
            + " #{item.unitPrice}, 0)")
    int insertItem(@Param("order") Order order, @Param("item") Item item);

    @Update(
        "UPDATE orders SET status = #{status}, version = version + 1 WHERE tenant_id ="
            + " #{order.tenantId} AND buyer_id = #{order.buyerId} AND order_id = #{order.orderId}"
            + " AND version = #{order.version}")
    int changeStatus(@Param("order") Order order, @Param("status") String status);

    @Select(COLUMNS + "WHERE order_id = #{orderId}")
    Order byId(long orderId);

    @Select(
        COLUMNS
            + "WHERE tenant_id = #{tenantId} AND buyer_id = #{buyerId}"
            + " ORDER BY created_at DESC, order_id DESC")
    List<Order> ofBuyer(@Param("tenantId") long tenantId, @Param("buyerId") long buyerId);

    @Select(
        "SELECT line_no, stock_code, quantity, unit_price FROM order_items"
            + " WHERE order_id = #{orderId} ORDER BY line_no")
    List<Item> items(long orderId);

    @Select({
      "<script>",
      COLUMNS,
      "WHERE tenant_id = #{tenantId}",
      "<if test='last != null'>AND (created_at, order_id) &lt; (#{last.createdAt},"
          + " #{last.orderId})</if>",
      "ORDER BY created_at DESC, order_id DESC LIMIT #{size}",
      "</script>"
    })
    List<Order> page(
        @Param("tenantId") long tenantId, @Param("last") Order last, @Param("size") int size);

    @Select("SELECT SUM(amount_cent) FROM orders WHERE tenant_id = #{tenantId}")
    long totalCent(long tenantId);
  }

  MyBatisOrders(DataSource database, OrderIds ids) {
    Configuration configuration =
        new Configuration(new Environment("orders", new JdbcTransactionFactory(), database));
    configuration.getTypeHandlerRegistry().register(Instant.class, new InstantHandler());
    configuration.setArgNameBasedConstructorAutoMapping(false);
    configuration.addMapper(OrderMapper.class);
    this.sessions = new SqlSessionFactoryBuilder().build(configuration);
    this.ids = ids;
  }

  @Override
  public Order place(Draft draft, List<Item> items) {
    try (SqlSession session = sessions.openSession(ExecutorType.BATCH)) {
      OrderMapper mapper = session.getMapper(OrderMapper.class);
      Order order = order(draft);
      mapper.insert(order);
      items.forEach(item -> mapper.insertItem(order, item));
      session.commit();
      return order;
    }
  }

  @Override
  public void placeTogether(List<Draft> drafts) {
    try (SqlSession session = sessions.openSession()) {
      drafts.forEach(draft -> session.getMapper(OrderMapper.class).insert(order(draft)));
      session.commit();
    }
  }

  @Override
  public void placeBatch(List<Draft> drafts) {
    // Autocommit: the batch is split by shard.
    try (SqlSession session = sessions.openSession(ExecutorType.BATCH, true)) {
      drafts.forEach(draft -> session.getMapper(OrderMapper.class).insert(order(draft)));
      List<BatchResult> results = session.flushStatements();
      if (results.stream().mapToInt(result -> result.getUpdateCounts().length).sum()
          != drafts.size()) {
        throw new IllegalStateException("counts of " + results);
      }
    }
  }

  private Order order(Draft draft) {
    return draft.placed(ids.next(draft.tenantId(), draft.buyerId()));
  }

  @Override
  public List<Order> ofBuyer(long tenantId, long buyerId) {
    try (SqlSession session = sessions.openSession()) {
      return session.getMapper(OrderMapper.class).ofBuyer(tenantId, buyerId);
    }
  }

  @Override
  public List<Item> items(Order order) {
    try (SqlSession session = sessions.openSession()) {
      return session.getMapper(OrderMapper.class).items(order.orderId());
    }
  }

  @Override
  public Order changeStatus(Order seen, String status) {
    try (SqlSession session = sessions.openSession()) {
      OrderMapper mapper = session.getMapper(OrderMapper.class);
      if (mapper.changeStatus(seen, status) == 0) {
        throw new StaleOrderException(null);
      }
      Order changed = mapper.byId(seen.orderId());
      session.commit();
      return changed;
    }
  }

  @Override
  public List<Order> page(long tenantId, Order last, int size) {
    try (SqlSession session = sessions.openSession()) {
      return session.getMapper(OrderMapper.class).page(tenantId, last, size);
    }
  }

  @Override
  public long totalCent(long tenantId) {
    try (SqlSession session = sessions.openSession()) {
      return session.getMapper(OrderMapper.class).totalCent(tenantId);
    }
  }
}
