package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class IssuedIdTest extends IssuedIdContract {
  @Test
  void withKeysOfTheDatabase() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO orders (tenant_id, buyer_id, status) VALUES (1, 1, 'a')",
          new String[] {"order_id", "status"});
      try (ResultSet keys = statement.getGeneratedKeys()) {
        assertThat(TestingShards.rows(keys))
            .isEqualTo(
                shards.rows("SELECT order_id, status FROM orders WHERE buyer_id = 1 LIMIT 9"));
      }
    }
  }
}
