package io.shardwright.examples.orders;

import static io.shardwright.examples.orders.OrderService.utc;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads orders. Pages are newest first and continue after a cursor. Thread-safe. */
public final class OrderQueries {
  static final String SUMMARY_COLUMNS =
      "order_id, tenant_id, buyer_id, status, amount_cent, line_count, created_at, version";

  private final DataSource database;

  public OrderQueries(DataSource database) {
    this.database = database;
  }

  /** The last row of a page. Order ids break ties of equal times. */
  public record Cursor(Instant createdAt, long orderId) {}

  public record Summary(
      OrderService.OrderKey key,
      OrderStatus status,
      long amountCent,
      int lineCount,
      Instant createdAt,
      int version) {
    Cursor cursor() {
      return new Cursor(createdAt, key.orderId());
    }
  }

  public record Item(int lineNo, NewOrder.Line line) {}

  public record Order(Summary summary, List<Item> items) {}

  public record StatusTotal(OrderStatus status, long orders, BigDecimal amountCent) {}

  /** One shard: the route key is given. */
  public List<Summary> ofBuyer(long tenantId, long buyerId, Optional<Cursor> after, int limit)
      throws SQLException {
    String sql =
        "SELECT "
            + SUMMARY_COLUMNS
            + " FROM orders WHERE tenant_id = ? AND buyer_id = ?"
            + (after.isPresent() ? " AND (created_at, order_id) < (?, ?)" : "")
            + " ORDER BY created_at DESC, order_id DESC LIMIT ?";
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setLong(1, tenantId);
      select.setLong(2, buyerId);
      return page(select, 3, after, limit);
    }
  }

  /**
   * All shards, merged.
   *
   * @param from inclusive
   * @param to exclusive
   */
  public List<Summary> placedBetween(Instant from, Instant to, Optional<Cursor> after, int limit)
      throws SQLException {
    String sql =
        "SELECT "
            + SUMMARY_COLUMNS
            + " FROM orders WHERE created_at >= ? AND created_at < ?"
            + (after.isPresent() ? " AND (created_at, order_id) < (?, ?)" : "")
            + " ORDER BY created_at DESC, order_id DESC LIMIT ?";
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setObject(1, utc(from));
      select.setObject(2, utc(to));
      return page(select, 3, after, limit);
    }
  }

  /** One shard: the bucket is in the id. Empty when there is no such order. */
  public Optional<Order> byId(long orderId) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement order =
            connection.prepareStatement(
                "SELECT " + SUMMARY_COLUMNS + " FROM orders WHERE order_id = ?");
        PreparedStatement items =
            connection.prepareStatement(
                "SELECT line_no, stock_code, description, quantity, unit_price FROM order_items"
                    + " WHERE order_id = ? ORDER BY line_no")) {
      order.setLong(1, orderId);
      List<Summary> found = summaries(order);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      items.setLong(1, orderId);
      List<Item> lines = new ArrayList<>();
      try (ResultSet row = items.executeQuery()) {
        while (row.next()) {
          NewOrder.Line line =
              new NewOrder.Line(
                  row.getString(2), row.getString(3), row.getInt(4), row.getBigDecimal(5));
          lines.add(new Item(row.getInt(1), line));
        }
      }
      return Optional.of(new Order(found.get(0), lines));
    }
  }

  /** All shards, partial sums combined. In the order of the stored status. */
  public List<StatusTotal> totalsByStatus() throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT status, COUNT(*), SUM(amount_cent) FROM orders"
                    + " GROUP BY status ORDER BY status");
        ResultSet row = select.executeQuery()) {
      List<StatusTotal> totals = new ArrayList<>();
      while (row.next()) {
        totals.add(
            new StatusTotal(
                OrderStatus.ofStored(row.getString(1)), row.getLong(2), row.getBigDecimal(3)));
      }
      return totals;
    }
  }

  private static List<Summary> page(
      PreparedStatement select, int next, Optional<Cursor> after, int limit) throws SQLException {
    int parameter = next;
    if (after.isPresent()) {
      select.setObject(parameter++, utc(after.get().createdAt()));
      select.setLong(parameter++, after.get().orderId());
    }
    select.setInt(parameter, limit);
    return summaries(select);
  }

  private static List<Summary> summaries(PreparedStatement select) throws SQLException {
    List<Summary> summaries = new ArrayList<>();
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        summaries.add(
            new Summary(
                new OrderService.OrderKey(row.getLong(2), row.getLong(3), row.getLong(1)),
                OrderStatus.ofStored(row.getString(4)),
                row.getLong(5),
                row.getInt(6),
                row.getObject(7, OffsetDateTime.class).toInstant(),
                row.getInt(8)));
      }
    }
    return summaries;
  }
}
