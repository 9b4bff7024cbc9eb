package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

class MariaDbIssuedIdTest extends IssuedIdContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }

  @Test
  void assignments() throws SQLException {
    shards.update("INSERT INTO orders SET tenant_id = ?, buyer_id = 2, status = 'a'", 1);
    shards.update(
        "INSERT INTO orders SET tenant_id = 1, order_id = DEFAULT, buyer_id = 3, status = ?", "b");
    List<String> rows =
        shards.rows(
            "SELECT status FROM orders WHERE order_id > 0 AND tenant_id = 1 ORDER BY status LIMIT 9");
    assertThat(rows).containsExactly("a", "b");
  }

  @Test
  void keysThatCannotBeTold_areRefused() throws SQLException {
    String insert = "INSERT IGNORE INTO orders (tenant_id, buyer_id, status) VALUES (1, 1, 'a')";
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeUpdate(insert, Statement.RETURN_GENERATED_KEYS))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("SW212")
          .hasMessageContaining("order_id");
      assertThatThrownBy(
              () ->
                  statement.executeUpdate(
                      insert.replace(" IGNORE", ""), new String[] {"order_id", "status"}))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("SW212")
          .hasMessageContaining("status");
      assertThat(statement.executeUpdate(insert)).isEqualTo(1);
    }
  }
}
