package io.shardwright.examples.frameworks;

import io.shardwright.examples.frameworks.Order.Draft;
import io.shardwright.examples.frameworks.Order.Item;
import io.shardwright.examples.orders.OrderIds;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's JdbcTemplate, with Spring's transactions. */
final class JdbcTemplateOrders implements OrderStore {
  private static final String INSERT =
      "INSERT INTO orders (order_id, tenant_id, buyer_id, seller_id, client_key, buyer_name, status,"
          + " amount_cent, line_count, created_at, updated_at, version)"
          + " VALUES (?, ?, ?, 1, ?, 'Buyer', ?, ?, 0, ?, ?, ?)";
  private static final String COLUMNS =
      "SELECT order_id, tenant_id, buyer_id, client_key, status, amount_cent, version, created_at"
          + " FROM orders ";

  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;
  private final OrderIds ids;

  JdbcTemplateOrders(DataSource database, OrderIds ids) {
    this.jdbc = new JdbcTemplate(database);
    this.transaction = new TransactionTemplate(new JdbcTransactionManager(database));
    this.ids = ids;
  }

  @Override
  public Order place(Draft draft, List<Item> items) {
    return transaction.execute(
        status -> {
          Order order = insert(draft);
          jdbc.batchUpdate(
              "INSERT INTO order_items (order_id, tenant_id, buyer_id, line_no, stock_code,"
                  + " description, quantity, unit_price, amount)"
                  + " VALUES (?, ?, ?, ?, ?, 'An item', ?, ?, 0)",
              items.stream()
                  .map(
                      item ->
                          new Object[] {
                            order.orderId(),
                            order.tenantId(),
                            order.buyerId(),
                            item.lineNo(),
                            item.stockCode(),
                            item.quantity(),
                            item.unitPrice()
                          })
                  .toList());
          return order;
        });
  }

  @Override
  public void placeTogether(List<Draft> drafts) {
    transaction.executeWithoutResult(status -> drafts.forEach(this::insert));
  }

  @Override
  public void placeBatch(List<Draft> drafts) {
    jdbc.batchUpdate(
        INSERT, drafts.stream().map(draft -> parameters(draft.placed(id(draft)))).toList());
  }

  private long id(Draft draft) {
    return ids.next(draft.tenantId(), draft.buyerId());
  }

  private Order insert(Draft draft) {
    Order order = draft.placed(id(draft));
    jdbc.update(INSERT, parameters(order));
    return order;
  }

  private static Object[] parameters(Order order) {
    OffsetDateTime at = order.createdAt().atOffset(ZoneOffset.UTC);
    return new Object[] {
      order.orderId(),
      order.tenantId(),
      order.buyerId(),
      order.clientKey(),
      order.status(),
      order.amountCent(),
      at,
      at,
      order.version()
    };
  }

  @Override
  public List<Order> ofBuyer(long tenantId, long buyerId) {
    return jdbc.query(
        COLUMNS + "WHERE tenant_id = ? AND buyer_id = ? ORDER BY created_at DESC, order_id DESC",
        (row, number) -> order(row),
        tenantId,
        buyerId);
  }

  @Override
  public List<Item> items(Order order) {
    // The id alone leads to the shard, too.
    return jdbc.query(
        "SELECT line_no, stock_code, quantity, unit_price FROM order_items"
            + " WHERE order_id = ? ORDER BY line_no",
        (row, number) ->
            new Item(row.getInt(1), row.getString(2), row.getInt(3), row.getBigDecimal(4)),
        order.orderId());
  }

  @Override
  public Order changeStatus(Order seen, String status) {
    int changed =
        jdbc.update(
            "UPDATE orders SET status = ?, version = version + 1"
                + " WHERE tenant_id = ? AND buyer_id = ? AND order_id = ? AND version = ?",
            status,
            seen.tenantId(),
            seen.buyerId(),
            seen.orderId(),
            seen.version());
    if (changed == 0) {
      throw new StaleOrderException(
          new OptimisticLockingFailureException("order " + seen.orderId() + " has changed"));
    }
    return jdbc.queryForObject(
        COLUMNS + "WHERE order_id = ?", (row, number) -> order(row), seen.orderId());
  }

  @Override
  public List<Order> page(long tenantId, Order last, int size) {
    String sql = COLUMNS + "WHERE tenant_id = ?";
    List<Object> parameters = new ArrayList<>(List.of(tenantId));
    if (last != null) {
      sql += " AND (created_at, order_id) < (?, ?)";
      parameters.add(last.createdAt().atOffset(ZoneOffset.UTC));
      parameters.add(last.orderId());
    }
    parameters.add(size);
    return jdbc.query(
        sql + " ORDER BY created_at DESC, order_id DESC LIMIT ?",
        (row, number) -> order(row),
        parameters.toArray());
  }

  @Override
  public long totalCent(long tenantId) {
    return jdbc.queryForObject(
        "SELECT SUM(amount_cent) FROM orders WHERE tenant_id = ?", Long.class, tenantId);
  }

  private static Order order(ResultSet row) throws SQLException {
    return new Order(
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        row.getString(4),
        row.getString(5),
        row.getLong(6),
        row.getInt(7),
        row.getObject(8, OffsetDateTime.class).toInstant());
  }
}
