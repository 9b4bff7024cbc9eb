package io.shardwright.bench;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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

  private static BigDecimal total(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) {
        throw new SQLException("the order is not there");
      }
      BigDecimal total = rows.getBigDecimal(3);
      return rows.getLong(1) < 0 || rows.getString(2).isEmpty() ? null : total;
    }
  }
}
