package io.shardwright.bench;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * One prepared point SELECT from the connection's loan to its return, in both ways. Also what a
 * test counts.
 */
final class PointSelect {
  private PointSelect() {}

  static BigDecimal shardwright(DataSource source, Workload.OrderKey key) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement(Workload.POINT_SELECT)) {
      statement.setLong(1, key.tenantId());
      statement.setLong(2, key.buyerId());
      statement.setLong(3, key.orderId());
      return total(statement);
    }
  }

  static BigDecimal handRouted(HandRouter router, Workload.OrderKey key) throws SQLException {
    int bucket = HandRouter.bucket(key.tenantId(), key.buyerId());
    try (Connection connection = router.connection(bucket);
        PreparedStatement statement = connection.prepareStatement(Workload.POINT_SELECT_ON_SHARD)) {
      statement.setLong(1, key.tenantId());
      statement.setLong(2, key.buyerId());
      statement.setLong(3, key.orderId());
      statement.setLong(4, bucket);
      return total(statement);
    }
  }

  /** The same with the values written into the text of a plain statement. */
  static BigDecimal shardwrightText(DataSource source, String text) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(text)) {
      return total(rows);
    }
  }

  static BigDecimal handRoutedText(HandRouter router, Workload.OrderKey key, String text)
      throws SQLException {
    int bucket = HandRouter.bucket(key.tenantId(), key.buyerId());
    try (Connection connection = router.connection(bucket);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(text + " AND bucket_id = " + bucket)) {
      return total(rows);
    }
  }

  /**
   * @param column what the last column is called, so that texts can be as many as names
   */
  static String text(Workload.OrderKey key, String column) {
    return "SELECT order_id, status, total_amount AS "
        + column
        + " FROM orders WHERE tenant_id = "
        + key.tenantId()
        + " AND buyer_id = "
        + key.buyerId()
        + " AND order_id = "
        + key.orderId();
  }

  private static BigDecimal total(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      return total(rows);
    }
  }

  private static BigDecimal total(ResultSet rows) throws SQLException {
    if (!rows.next()) {
      throw new SQLException("the order is not there");
    }
    BigDecimal total = rows.getBigDecimal(3);
    return rows.getLong(1) < 0 || rows.getString(2).isEmpty() ? null : total;
  }
}
