package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.config.ConfigurationReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One database with logical buckets: the first step of every adoption. */
class OneShardTest {
  private static TestingShards shards;

  @BeforeAll
  static void open() {
    shards = TestingShards.open(1);
  }

  @AfterAll
  static void close() {
    shards.close();
  }

  @AfterEach
  void clear() {
    shards.assertIdle();
    shards.clear();
  }

  private static void fill() throws SQLException {
    for (int k = 0; k < 12; k++) {
      shards.both("INSERT INTO samples (k, id, t, i4) VALUES (?, ?, ?, ?)", k, k, "t" + k % 3, k);
    }
  }

  @Test
  void scatterReads_areThoseOfTheDatabase() throws SQLException {
    fill();
    for (String sql :
        new String[] {
          "SELECT id, t FROM samples ORDER BY t DESC, id LIMIT 5 OFFSET 2",
          "SELECT t, count(*), avg(i4) FROM samples GROUP BY t ORDER BY t",
          "SELECT max(t) FROM samples WHERE k IN (1, 2, 3)",
          "SELECT count(*) FROM samples"
        }) {
      assertThat(shards.rows(sql)).as(sql).isEqualTo(shards.plainRows(sql));
    }
  }

  @Test
  void transaction_takesEveryKey() throws SQLException {
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      for (int k = 0; k < 5; k++) {
        TestingShards.update(connection, "INSERT INTO samples (k, id) VALUES (?, ?)", k, k);
      }
      TestingShards.update(connection, "INSERT INTO countries VALUES ('fr', 'France')");
      assertThat(TestingShards.rows(connection, "SELECT count(*) FROM samples"))
          .containsExactly("5");
      assertThat(
              TestingShards.update(connection, "UPDATE samples SET t = 'x' WHERE k IN (1, 2, 3)"))
          .isEqualTo(3);
      connection.commit();
    }
    assertThat(shards.rows("SELECT count(*) FROM countries")).containsExactly("1");
  }

  @Test
  void batchKeysAndReturning_work() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO samples (k, id) VALUES (?, ?)", new String[] {"id"})) {
      for (int k = 0; k < 5; k++) {
        insert.setInt(1, k);
        insert.setInt(2, k + 10);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(5).containsOnly(1);
      try (ResultSet keys = insert.getGeneratedKeys()) {
        assertThat(TestingShards.rows(keys)).containsExactly("10", "11", "12", "13", "14");
      }
    }
    assertThat(shards.rows("INSERT INTO samples (k, id) VALUES (7, 1), (8, 2) RETURNING id"))
        .containsExactly("1", "2");
  }

  @Test
  void ddl_isLoggedOnTheShard() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE notes (id int)");
      statement.execute("DROP TABLE notes");
    }
    assertThat(shards.shardRows(0, "SELECT count(*) FROM shardwright_ddl")).containsExactly("2");
  }

  @Test
  void withoutACatalog_theMapIsStatic() throws SQLException {
    String yaml = shards.yamlWithoutCatalog();
    shards.onShard(0, "UPDATE shardwright_shard SET cluster_id = NULL");
    try (ShardwrightDataSource source =
            Shardwright.open(ConfigurationReader.parse("test.yaml", yaml, Map.of()));
        Connection connection = source.getConnection()) {
      assertThat(TestingShards.update(connection, "INSERT INTO samples (k, id) VALUES (1, 1)"))
          .isEqualTo(1);
      assertThat(source.bucketMap("samples").version()).isEqualTo(1);
    }
  }

  @Test
  void geneId_withoutItsCheck_doesNotRoute() {
    String sql = "SELECT sku FROM items WHERE order_id = ?";
    assertThat(shards.source().plan(sql).reason()).contains("gene of order_id");
    shards.onShard(0, "ALTER TABLE items RENAME CONSTRAINT shardwright_gene_items TO other");
    try {
      shards.source().refreshSchema();
      assertThat(shards.source().plan(sql).reason()).contains("scatter");
    } finally {
      shards.onShard(0, "ALTER TABLE items RENAME CONSTRAINT other TO shardwright_gene_items");
      shards.source().refreshSchema();
    }
  }

  @Test
  void tableThatAppears_isFoundByItself() throws SQLException {
    shards.onShard(0, "ALTER TABLE countries RENAME TO lands");
    shards.source().refreshSchema();
    shards.onShard(0, "ALTER TABLE lands RENAME TO countries");

    assertThat(shards.rows("SELECT name FROM countries")).isEmpty();
  }
}
