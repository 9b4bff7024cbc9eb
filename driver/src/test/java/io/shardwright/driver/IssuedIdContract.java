package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Route;
import io.shardwright.sql.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** INSERTs that leave order_id, the gene id of orders, to the driver. */
abstract class IssuedIdContract extends FourShards {
  private static final String INSERT =
      "INSERT INTO orders (tenant_id, buyer_id, status) VALUES (?, ?, ?)";
  private static final int THREADS = 4;
  private static final int ROWS_PER_THREAD = 100;

  private static List<Long> keys(Statement statement) throws SQLException {
    List<Long> ids = new ArrayList<>();
    try (ResultSet keys = statement.getGeneratedKeys()) {
      while (keys.next()) {
        ids.add(keys.getLong("order_id"));
      }
    }
    return ids;
  }

  /** Of the rows, ascending by status; each has the gene of its key. */
  private List<Long> stored() throws SQLException {
    Schema.Sharding sharding =
        shards.source().schema().table("orders").orElseThrow().sharding().orElseThrow();
    List<Long> ids = new ArrayList<>();
    for (String row :
        shards.rows(
            "SELECT order_id, tenant_id, buyer_id FROM orders ORDER BY status LIMIT 1000")) {
      String[] values = row.split("\\|", 3);
      long id = Long.parseLong(values[0]);
      List<Object> key = List.of(Integer.valueOf(values[1]), Long.valueOf(values[2]));
      assertThat(sharding.id().orElseThrow().bucket(id))
          .isEqualTo(sharding.bucketOf(key).orElseThrow());
      ids.add(id);
    }
    return ids;
  }

  private List<Long> insertedBy(String sql) throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql, Statement.RETURN_GENERATED_KEYS);
      return keys(statement);
    }
  }

  @Test
  void oneRow_preparedAndRepeated_getsANewIdEachTime() throws SQLException {
    List<Long> given = new ArrayList<>();
    try (Connection connection = shards.connect();
        PreparedStatement insert = connection.prepareStatement(INSERT, new String[] {"order_id"})) {
      for (int i = 0; i < 3; i++) {
        insert.setInt(1, 7);
        insert.setLong(2, 42);
        insert.setString(3, "s" + i);
        assertThat(insert.executeUpdate()).isEqualTo(1);
        given.addAll(keys(insert));
      }
    }
    assertThat(given).hasSize(3).isSorted().doesNotHaveDuplicates().isEqualTo(stored());
    assertThat(shards.rows("SELECT status FROM orders WHERE order_id = ?", given.get(1)))
        .containsExactly("s1");
  }

  @Test
  void anIssuedIdCostsNoStatement() throws SQLException {
    shards.update(INSERT, 1, 1, "first");
    List<StatementTrace> traces = new ArrayList<>();
    StatementListener listener = traces::add;
    shards.source().addListener(listener);
    try {
      shards.update(INSERT, 1, 1, "second");
    } finally {
      shards.source().removeListener(listener);
    }
    assertThat(traces).extracting(StatementTrace::physicalStatements).containsExactly(1);
  }

  @Test
  void texts_namedAndDefault() throws SQLException {
    List<Long> given =
        insertedBy("INSERT INTO orders (tenant_id, buyer_id, status) VALUES (1, 2, 'a?')");
    given.addAll(
        insertedBy(
            "INSERT INTO orders (tenant_id, order_id, buyer_id, status)"
                + " VALUES (1, DEFAULT, 3, 'b')"));
    assertThat(given).hasSize(2).isEqualTo(stored());
  }

  @Test
  void severalRows_keysComeInTheirOrder() throws SQLException {
    StringBuilder sql =
        new StringBuilder("INSERT INTO orders (tenant_id, buyer_id, status) VALUES ");
    for (int i = 0; i < 20; i++) {
      sql.append(i == 0 ? "" : ", ")
          .append("(1, ")
          .append(i)
          .append(", '" + (char) ('a' + i) + "')");
    }
    List<Long> given = insertedBy(sql.toString());
    assertThat(given).hasSize(20).isEqualTo(stored());
  }

  @Test
  void severalRows_someWithTheirOwnIds() throws SQLException {
    List<Long> first =
        insertedBy("INSERT INTO orders (tenant_id, buyer_id, status) VALUES (1, 1, 'x')");
    shards.update("DELETE FROM orders WHERE order_id = ?", first.get(0));
    shards.update(
        "INSERT INTO orders (tenant_id, buyer_id, status, order_id)"
            + " VALUES (1, 1, 'a', ?), (1, 2, 'b', DEFAULT), (1, 1, 'c', DEFAULT)",
        first.get(0));
    List<Long> ids = stored();
    assertThat(ids).hasSize(3).doesNotHaveDuplicates();
    assertThat(ids.get(0)).isEqualTo(first.get(0));
  }

  @Test
  void batch_keysComeInTheOrderOfItsEntries() throws SQLException {
    List<Long> given;
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement(INSERT, Statement.RETURN_GENERATED_KEYS)) {
      for (int i = 0; i < 20; i++) {
        insert.setInt(1, 1);
        insert.setLong(2, i);
        insert.setString(3, "" + (char) ('a' + i));
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(20).containsOnly(1);
      given = keys(insert);
    }
    assertThat(given).hasSize(20).isEqualTo(stored());
  }

  @Test
  void batchOfTexts() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 5; i++) {
        statement.addBatch(
            "INSERT INTO orders (tenant_id, buyer_id, status) VALUES (1, " + i + ", 'x')");
      }
      assertThat(statement.executeBatch()).containsExactly(1, 1, 1, 1, 1);
    }
    assertThat(stored()).hasSize(5).doesNotHaveDuplicates();
  }

  @Test
  void rowsOfAQuery() throws SQLException {
    shards.update(INSERT, 1, 1, "a");
    shards.update(INSERT, 1, 2, "b");
    shards.update(
        "INSERT INTO orders (tenant_id, buyer_id, status) SELECT tenant_id, buyer_id, 'c' FROM"
            + " orders WHERE tenant_id = 1 AND buyer_id IN (1, 2)");
    assertThat(stored()).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void returning() throws SQLException {
    List<String> given =
        shards.rows(
            "INSERT INTO orders (tenant_id, buyer_id, status) VALUES (1, 1, 'a') RETURNING"
                + " order_id");
    assertThat(given).isEqualTo(stored().stream().map(String::valueOf).toList());
  }

  @Test
  void aRolledBackTransactionAndItsRepetition() throws SQLException {
    Set<Long> ids = new HashSet<>();
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement(INSERT, Statement.RETURN_GENERATED_KEYS)) {
      connection.setAutoCommit(false);
      insert.setInt(1, 1);
      insert.setLong(2, 1);
      insert.setString(3, "a");
      insert.executeUpdate();
      ids.addAll(keys(insert));
      connection.rollback();
      insert.executeUpdate();
      ids.addAll(keys(insert));
      connection.commit();
    }
    assertThat(ids).hasSize(2).containsAll(stored());
    assertThat(stored()).hasSize(1);
  }

  @Test
  void aTableWhoseIdIsAnothers_isRefused() {
    assertThatThrownBy(
            () ->
                shards.update(
                    "INSERT INTO items (tenant_id, buyer_id, sku, price) VALUES (1, 2, 'x', 3)"))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> assertThat(((ShardwrightError) e).code()).isEqualTo(ErrorCode.ID_MISSING))
        .hasMessageContaining("order_id")
        .hasMessageContaining("items");
  }

  @Test
  void withoutACatalog_isRefused() {
    String yaml = shards.yamlWithoutCatalog();
    Configuration configuration = ConfigurationReader.parse("test.yaml", yaml, Map.of());
    Route route = shards.source().explain(INSERT, List.of(1, 1L, "a"));
    try (IdIssuer issuer = new IdIssuer(configuration)) {
      assertThatThrownBy(() -> issuer.issue(route, java.util.Collections.emptySortedMap()))
          .isInstanceOf(ShardwrightException.class)
          .hasMessageContaining("SW415")
          .hasMessageContaining("order_id")
          .hasMessageContaining("catalog:");
    }
  }

  @Test
  void twoDataSourcesRepeatNoId() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (ShardwrightDataSource other = shards.openDirect()) {
      List<Future<List<Long>>> results = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        ShardwrightDataSource source = i % 2 == 0 ? shards.source() : other;
        results.add(threads.submit(inserting(source)));
      }
      List<Long> ids = new ArrayList<>();
      for (Future<List<Long>> result : results) {
        ids.addAll(result.get());
      }
      assertThat(ids).hasSize(THREADS * ROWS_PER_THREAD).doesNotHaveDuplicates();
      assertThat(stored()).containsExactlyInAnyOrderElementsOf(ids);
    } finally {
      threads.shutdown();
    }
  }

  /** All into one bucket. */
  private static Callable<List<Long>> inserting(ShardwrightDataSource source) {
    return () -> {
      List<Long> ids = new ArrayList<>();
      try (Connection connection = source.getConnection();
          PreparedStatement insert =
              connection.prepareStatement(INSERT, Statement.RETURN_GENERATED_KEYS)) {
        for (int i = 0; i < ROWS_PER_THREAD; i++) {
          insert.setInt(1, 1);
          insert.setLong(2, 1);
          insert.setString(3, "x");
          insert.executeUpdate();
          ids.addAll(keys(insert));
        }
      }
      return ids;
    };
  }
}
