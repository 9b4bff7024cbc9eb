package io.shardwright.examples.orders;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Creates and changes orders. Every method is one transaction, and since all rows of an order have
 * the route key of its buyer, on one shard. Thread-safe.
 *
 * <p>{@link #create} may be repeated whatever became of the first attempt, an unknown outcome
 * included: the client key makes the second one find the first one's order. The others check the
 * version: repeated after an unknown outcome they either work or report a conflict, never apply
 * twice.
 */
public final class OrderService {
  /** Settlement follows two days after payment. */
  private static final long SETTLEMENT_SECONDS = 2 * 24 * 3600;

  private final DataSource database;
  private final OrderIds ids;
  private final InstantSource clock;

  public OrderService(DataSource database, OrderIds ids, InstantSource clock) {
    this.database = database;
    this.ids = ids;
    this.clock = clock;
  }

  /** The route key of an order and its id. */
  public record OrderKey(long tenantId, long buyerId, long orderId) {}

  /**
   * @param created false: the client key had been used before, this is that order
   */
  public record Placed(OrderKey key, boolean created) {}

  /**
   * Creates an order with all its rows, or finds the one that this client key created.
   *
   * @throws OrderConflictException the client key belongs to an order of another amount, or the
   *     order to be refunded does not exist
   */
  public Placed create(NewOrder order) throws SQLException {
    NewOrder.Buyer buyer = order.buyer();
    OrderKey key =
        new OrderKey(
            buyer.tenantId(), buyer.buyerId(), ids.next(buyer.tenantId(), buyer.buyerId()));
    return inTransaction(
        connection -> {
          OrderRows rows = new OrderRows(connection, key, clock.instant());
          if (!rows.insertOrder(order)) {
            return new Placed(existing(connection, order), false);
          }
          rows.insertDetails(order);
          if (order.refund().isPresent()) {
            refund(connection, rows, key, order);
          }
          return new Placed(key, true);
        });
  }

  /** Records a payment of the whole amount. */
  public int pay(OrderKey key, int version, Instant paidAt) throws SQLException {
    return inTransaction(
        connection -> {
          int next = advance(connection, key, version, OrderStatus.PAID, paidAt);
          new OrderRows(connection, key, clock.instant())
              .insertStatus(next, new NewOrder.StatusEvent(OrderStatus.PAID, paidAt, "payment"));
          Instant settledAt = settledAt(paidAt);
          try (PreparedStatement update =
              connection.prepareStatement(
                  "UPDATE orders SET paid_at = ?, settled_at = ?"
                      + " WHERE tenant_id = ? AND buyer_id = ? AND order_id = ?")) {
            update.setObject(1, utc(paidAt));
            update.setObject(2, utc(settledAt));
            setKey(update, 3, key);
            update.executeUpdate();
          }
          try (PreparedStatement update =
              connection.prepareStatement(
                  "UPDATE payment_intents"
                      + " SET status = 'paid', paid_at = ?, settled_at = ?, updated_at = ?"
                      + " WHERE tenant_id = ? AND buyer_id = ? AND order_id = ?")) {
            update.setObject(1, utc(paidAt));
            update.setObject(2, utc(settledAt));
            update.setObject(3, utc(clock.instant()));
            setKey(update, 4, key);
            update.executeUpdate();
          }
          return next;
        });
  }

  /**
   * Moves the order to another state.
   *
   * @param version the one that the caller has seen
   * @return the new version
   * @throws OrderConflictException the order is at another version by now, or does not exist
   */
  public int changeStatus(OrderKey key, int version, NewOrder.StatusEvent event)
      throws SQLException {
    return inTransaction(
        connection -> {
          int next = advance(connection, key, version, event.status(), event.at());
          new OrderRows(connection, key, clock.instant()).insertStatus(next, event);
          return next;
        });
  }

  private static OrderKey existing(Connection connection, NewOrder order) throws SQLException {
    NewOrder.Buyer buyer = order.buyer();
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT order_id, amount_cent FROM orders"
                + " WHERE tenant_id = ? AND buyer_id = ? AND client_key = ?")) {
      select.setLong(1, buyer.tenantId());
      select.setLong(2, buyer.buyerId());
      select.setString(3, order.clientKey());
      try (ResultSet row = select.executeQuery()) {
        if (!row.next() || row.getLong(2) != order.amountCent()) {
          throw new OrderConflictException(
              "client key " + order.clientKey() + " belongs to an order of another amount");
        }
        return new OrderKey(buyer.tenantId(), buyer.buyerId(), row.getLong(1));
      }
    }
  }

  private static int advance(
      Connection connection, OrderKey key, int version, OrderStatus next, Instant at)
      throws SQLException {
    OrderStatus current;
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT status, version FROM orders"
                + " WHERE tenant_id = ? AND buyer_id = ? AND order_id = ? FOR UPDATE")) {
      setKey(select, 1, key);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next() || row.getInt(2) != version) {
          throw new OrderConflictException(
              "order " + key.orderId() + " is not at version " + version + "; read it again");
        }
        current = OrderStatus.ofStored(row.getString(1));
      }
    }
    if (!current.allows(next)) {
      throw new OrderConflictException(
          "order " + key.orderId() + " is " + current + " and cannot become " + next);
    }
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE orders SET status = ?, version = ?, updated_at = ?"
                + " WHERE tenant_id = ? AND buyer_id = ? AND order_id = ?")) {
      update.setString(1, next.stored());
      update.setInt(2, version + 1);
      update.setObject(3, utc(at));
      setKey(update, 4, key);
      update.executeUpdate();
    }
    return version + 1;
  }

  /** The change of status that a credit note causes, on the refunded order or on its own. */
  private void refund(Connection connection, OrderRows creditRows, OrderKey credit, NewOrder order)
      throws SQLException {
    NewOrder.Refund refund = order.refund().orElseThrow();
    Optional<String> earlier = refund.clientKeyOfOrder();
    if (earlier.isEmpty()) {
      creditRows.insertRefund(credit.orderId(), order.history().size(), refund, order.createdAt());
      return;
    }
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE orders SET status = 'refunded', version = version + 1, updated_at = ?"
                + " WHERE tenant_id = ? AND buyer_id = ? AND client_key = ?"
                + " AND status IN ('paid', 'shipped', 'delivered', 'refunded')"
                + " RETURNING order_id, version")) {
      update.setObject(1, utc(order.createdAt()));
      update.setLong(2, credit.tenantId());
      update.setLong(3, credit.buyerId());
      update.setString(4, earlier.get());
      try (ResultSet row = update.executeQuery()) {
        if (!row.next()) {
          throw new OrderConflictException(
              "no order with client key " + earlier.get() + " that can be refunded");
        }
        long orderId = row.getLong(1);
        int version = row.getInt(2);
        OrderKey refunded = new OrderKey(credit.tenantId(), credit.buyerId(), orderId);
        OrderRows rows = new OrderRows(connection, refunded, clock.instant());
        rows.insertStatus(
            version,
            new NewOrder.StatusEvent(
                OrderStatus.REFUNDED, order.createdAt(), "credit note " + order.clientKey()));
        rows.addRefunded(refund.amountCent());
        creditRows.insertRefund(orderId, version, refund, order.createdAt());
      }
    }
  }

  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  private <T> T inTransaction(Work<T> work) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        try {
          connection.rollback();
        } catch (SQLException rollback) {
          e.addSuppressed(rollback);
        }
        throw e;
      }
    }
  }

  static Instant settledAt(Instant paidAt) {
    return paidAt.plusSeconds(SETTLEMENT_SECONDS);
  }

  static void setKey(PreparedStatement statement, int first, OrderKey key) throws SQLException {
    statement.setLong(first, key.tenantId());
    statement.setLong(first + 1, key.buyerId());
    statement.setLong(first + 2, key.orderId());
  }

  static OffsetDateTime utc(Instant instant) {
    return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
  }
}
