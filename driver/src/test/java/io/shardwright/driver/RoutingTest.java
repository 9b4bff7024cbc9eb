package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RoutingTest {
  private static TestingShards shards;

  @BeforeAll
  static void open() {
    shards = TestingShards.open(4);
  }

  @AfterAll
  static void close() {
    shards.close();
  }

  @AfterEach
  void idle() {
    shards.assertIdle();
    shards.clear();
  }

  @Test
  void insertAndSelect_byKey_useOneShard() throws SQLException {
    for (int buyer = 0; buyer < 20; buyer++) {
      assertThat(
              shards.update("INSERT INTO samples (k, id, t) VALUES (?, ?, ?)", buyer, buyer, "x"))
          .isEqualTo(1);
    }
    List<StatementTrace> traces = new ArrayList<>();
    StatementListener listener = traces::add;
    shards.source().addListener(listener);
    try {
      assertThat(shards.rows("SELECT k, t FROM samples WHERE k = ?", 7)).containsExactly("7|x");
    } finally {
      shards.source().removeListener(listener);
    }
    assertThat(traces).hasSize(1);
    assertThat(traces.get(0).shards()).hasSize(1);
    assertThat(traces.get(0).buckets()).hasSize(1);
    assertThat(traces.get(0).physicalStatements()).isEqualTo(1);
  }

  @Test
  void scatter_orderedWithLimit_mergesShards() throws SQLException {
    for (int k = 0; k < 50; k++) {
      shards.both("INSERT INTO samples (k, id, t) VALUES (?, ?, ?)", k, k, "t" + k % 7);
    }
    String sql = "SELECT t, k FROM samples ORDER BY t DESC, k LIMIT 10 OFFSET 3";
    assertThat(shards.rows(sql)).isEqualTo(shards.plainRows(sql));
    String groups =
        "SELECT t, count(*), avg(k), min(k), max(k), sum(k) FROM samples GROUP BY t ORDER BY 2 DESC, 1";
    assertThat(shards.rows(groups)).isEqualTo(shards.plainRows(groups));
  }

  @Test
  void statement_withLiterals_isRoutedToo() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO samples (k, id, t) VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c')");
      assertThat(statement.getUpdateCount()).isEqualTo(3);
      try (ResultSet rows =
          statement.executeQuery("SELECT t FROM samples WHERE k IN (1, 3) ORDER BY k")) {
        assertThat(TestingShards.rows(rows)).containsExactly("a", "c");
      }
    }
  }

  @Test
  void generatedKeys_ofMultiRowInsert_comeInValuesOrder() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO items (tenant_id, buyer_id, order_id, sku) VALUES (1, 1, 1024, 'a'), (1, 2, 2048, 'b'), (2, 3, 3072, 'c'), (3, 4, 4096, 'd')",
                new String[] {"sku"})) {
      assertThat(insert.getParameterMetaData().getParameterCount()).isZero();
    }
  }
}
