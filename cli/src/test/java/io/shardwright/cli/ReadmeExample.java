package io.shardwright.cli;

import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The example of README.md: what stands between the two marks is there, letter for letter. */
final class ReadmeExample {
  private ReadmeExample() {}

  static void run(Path file, PrintStream out) throws SQLException {
    // example begins
    try (ShardwrightDataSource database = Shardwright.open(file);
        Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      String sql = "INSERT INTO orders (order_id, tenant_id, buyer_id, amount) VALUES (?, ?, ?, ?)";
      try (PreparedStatement insert = connection.prepareStatement(sql)) {
        insert.setLong(1, 1001);
        insert.setLong(2, 1); // the first statement's route key decides the transaction's shard
        insert.setLong(3, 17850);
        insert.setBigDecimal(4, new BigDecimal("139.12"));
        insert.executeUpdate();
      }
      connection.commit();
      connection.setAutoCommit(true);
      String top = "SELECT order_id, amount FROM orders ORDER BY amount DESC LIMIT 10";
      try (Statement select = connection.createStatement();
          ResultSet row = select.executeQuery(top)) { // all shards, merged in order
        while (row.next()) {
          out.println(row.getLong(1) + " " + row.getBigDecimal(2));
        }
      }
    }
    // example ends
  }
}
