package io.shardwright.bench.compare;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** What all sides send, and how they read it. */
final class Statements {
  static final String POINT =
      "SELECT order_id, status, total_amount FROM orders WHERE buyer_id = ? AND order_id = ?";

  static final String UPDATE = "UPDATE orders SET status = ? WHERE buyer_id = ? AND order_id = ?";

  static final String DELETE = "DELETE FROM orders WHERE buyer_id = ? AND order_id = ?";

  private Statements() {}

  static String insert(String table, String columns, boolean namesBuckets) {
    int count = columns.split(",", -1).length;
    return "INSERT INTO "
        + table
        + (namesBuckets ? " (bucket_id, " : " (")
        + columns
        + ") VALUES ("
        + "?, ".repeat(namesBuckets ? count : count - 1)
        + "?)";
  }

  /** With the values written into the text. */
  static String point(long buyerId, long orderId, String column) {
    return "SELECT order_id, status, total_amount AS "
        + column
        + " FROM orders WHERE buyer_id = "
        + buyerId
        + " AND order_id = "
        + orderId;
  }

  static String buyersIn(int count) {
    return "SELECT buyer_id, name FROM buyers WHERE buyer_id IN (?" + ", ?".repeat(count - 1) + ")";
  }

  static List<Object> boxed(long[] values) {
    return LongStream.of(values).boxed().collect(Collectors.toList());
  }

  static long read(Connection connection, Read read) throws SQLException {
    if (read.inTransaction()) {
      connection.setAutoCommit(false);
    }
    long rows = 0;
    try (PreparedStatement statement = prepare(connection, read);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        read.reader().read(result);
        rows++;
      }
    }
    if (read.inTransaction()) {
      connection.commit();
      connection.setAutoCommit(true);
    }
    return rows;
  }

  static PreparedStatement prepare(Connection connection, Read read) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(read.sql());
    for (int i = 0; i < read.parameters().size(); i++) {
      Object value = read.parameters().get(i);
      if (value instanceof Long number) {
        statement.setLong(i + 1, number);
      } else {
        statement.setObject(i + 1, value);
      }
    }
    if (read.fetchSize() > 0) {
      statement.setFetchSize(read.fetchSize());
    }
    return statement;
  }
}
