package io.shardwright.examples.orders;

import static io.shardwright.examples.orders.OrderService.setKey;
import static io.shardwright.examples.orders.OrderService.utc;

import io.shardwright.examples.orders.NewOrder.StatusEvent;
import io.shardwright.examples.orders.OrderService.OrderKey;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The rows of one order, inserted within the caller's transaction. No statement names bucket_id:
 * Shardwright fills it in.
 */
final class OrderRows {
  private static final Set<String> POSTAGE = Set.of("POST", "DOT", "C2");
  private static final Set<String> DISCOUNT = Set.of("D");

  private final Connection connection;
  private final OrderKey key;
  private final Instant now;

  OrderRows(Connection connection, OrderKey key, Instant now) {
    this.connection = connection;
    this.key = key;
    this.now = now;
  }

  /** False: the client key is taken. Waits for a rival that has not committed yet. */
  boolean insertOrder(NewOrder order) throws SQLException {
    Instant paidAt = order.reached(OrderStatus.PAID).orElse(null);
    Instant settledAt = paidAt == null ? null : OrderService.settledAt(paidAt);
    List<StatusEvent> history = order.history();
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO orders (tenant_id, buyer_id, order_id, seller_id, client_key, buyer_name,"
                + " status, amount_cent, line_count, created_at, paid_at, settled_at, updated_at,"
                + " version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + " ON CONFLICT (bucket_id, tenant_id, buyer_id, client_key) DO NOTHING")) {
      setKey(insert, 1, key);
      insert.setLong(4, order.sellerId());
      insert.setString(5, order.clientKey());
      insert.setString(6, order.buyer().name());
      insert.setString(7, order.status().stored());
      insert.setLong(8, order.amountCent());
      insert.setInt(9, order.lines().size());
      insert.setObject(10, utc(order.createdAt()));
      insert.setObject(11, utc(paidAt));
      insert.setObject(12, utc(settledAt));
      insert.setObject(13, utc(history.get(history.size() - 1).at()));
      insert.setInt(14, history.size());
      return insert.executeUpdate() == 1;
    }
  }

  void insertDetails(NewOrder order) throws SQLException {
    insertItems(order.lines());
    insertAddress(order);
    insertAmounts(order);
    if (order.amountCent() > 0) {
      insertPayment(order);
      insertFulfilment(order);
    }
    insertStatuses(1, order.history());
  }

  private void insertItems(List<NewOrder.Line> lines) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO order_items (tenant_id, buyer_id, order_id, line_no, stock_code,"
                + " description, quantity, unit_price, amount) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (int i = 0; i < lines.size(); i++) {
        NewOrder.Line line = lines.get(i);
        setKey(insert, 1, key);
        insert.setInt(4, i + 1);
        insert.setString(5, line.stockCode());
        insert.setString(6, line.description());
        insert.setInt(7, line.quantity());
        insert.setBigDecimal(8, line.unitPrice());
        insert.setBigDecimal(9, line.amount());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private void insertAddress(NewOrder order) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO order_addresses (tenant_id, customer_id, order_id, recipient, country_id,"
                + " country_name) VALUES (?, ?, ?, ?, ?, ?)")) {
      setKey(insert, 1, key);
      insert.setString(4, order.buyer().name());
      insert.setInt(5, order.address().countryId());
      insert.setString(6, order.address().country());
      insert.executeUpdate();
    }
  }

  private void insertAmounts(NewOrder order) throws SQLException {
    long postage = cents(order, line -> POSTAGE.contains(line.stockCode()));
    long discount = cents(order, line -> DISCOUNT.contains(line.stockCode()));
    long total = order.amountCent();
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO order_amounts (tenant_id, buyer_id, order_id, goods_cent, postage_cent,"
                + " discount_cent, total_cent) VALUES (?, ?, ?, ?, ?, ?, ?)")) {
      setKey(insert, 1, key);
      // The total is rounded once; goods take what the other parts leave.
      insert.setLong(4, total - postage - discount);
      insert.setLong(5, postage);
      insert.setLong(6, discount);
      insert.setLong(7, total);
      insert.executeUpdate();
    }
  }

  private static long cents(NewOrder order, Predicate<NewOrder.Line> which) {
    return NewOrder.cents(
        order.lines().stream()
            .filter(which)
            .map(NewOrder.Line::amount)
            .reduce(BigDecimal.ZERO, BigDecimal::add));
  }

  private void insertPayment(NewOrder order) throws SQLException {
    Instant paidAt = order.reached(OrderStatus.PAID).orElse(null);
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO payment_intents (tenant_id, buyer_id, order_id, attempt, status,"
                + " amount_cent, created_at, paid_at, settled_at, updated_at)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      setKey(insert, 1, key);
      insert.setInt(4, 1);
      insert.setString(5, paidAt == null ? "open" : "paid");
      insert.setLong(6, order.amountCent());
      insert.setObject(7, utc(order.createdAt()));
      insert.setObject(8, utc(paidAt));
      insert.setObject(9, utc(paidAt == null ? null : OrderService.settledAt(paidAt)));
      insert.setObject(10, utc(paidAt == null ? order.createdAt() : paidAt));
      insert.executeUpdate();
    }
  }

  private void insertFulfilment(NewOrder order) throws SQLException {
    Instant shipped = order.reached(OrderStatus.SHIPPED).orElse(null);
    Instant delivered = order.reached(OrderStatus.DELIVERED).orElse(null);
    Instant updated = delivered != null ? delivered : shipped != null ? shipped : order.createdAt();
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO fulfilments (tenant_id, buyer_id, order_id, parcel_no, status, shipped_at,"
                + " delivered_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")) {
      setKey(insert, 1, key);
      insert.setInt(4, 1);
      insert.setString(5, delivered != null ? "delivered" : shipped != null ? "shipped" : "open");
      insert.setObject(6, utc(shipped));
      insert.setObject(7, utc(delivered));
      insert.setObject(8, utc(updated));
      insert.executeUpdate();
    }
  }

  void insertStatus(int version, StatusEvent event) throws SQLException {
    insertStatuses(version, List.of(event));
  }

  private void insertStatuses(int firstVersion, List<StatusEvent> events) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO order_status_history (tenant_id, buyer_id, order_id, version, status,"
                + " reason, event_time, recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (int i = 0; i < events.size(); i++) {
        StatusEvent event = events.get(i);
        setKey(insert, 1, key);
        insert.setInt(4, firstVersion + i);
        insert.setString(5, event.status().stored());
        insert.setString(6, event.reason());
        insert.setObject(7, utc(event.at()));
        insert.setObject(8, utc(now));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /** This order is the credit note. */
  void insertRefund(long orderId, int version, NewOrder.Refund refund, Instant at)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO refunds (tenant_id, buyer_id, credit_order_id, order_id, version,"
                + " amount_cent, event_time) VALUES (?, ?, ?, ?, ?, ?, ?)")) {
      setKey(insert, 1, key);
      insert.setLong(4, orderId);
      insert.setInt(5, version);
      insert.setLong(6, refund.amountCent());
      insert.setObject(7, utc(at));
      insert.executeUpdate();
    }
  }

  void addRefunded(long amountCent) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE order_amounts SET refunded_cent = refunded_cent + ?"
                + " WHERE tenant_id = ? AND buyer_id = ? AND order_id = ?")) {
      update.setLong(1, amountCent);
      setKey(update, 2, key);
      update.executeUpdate();
    }
  }
}
