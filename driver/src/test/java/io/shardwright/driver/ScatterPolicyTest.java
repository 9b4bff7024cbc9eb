package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements without a route key, by default and as configuration, connection and hints decide. */
class ScatterPolicyTest extends FourShards {
  private static final TestingShards strict =
      TestingShards.open(2, "{max: 2, timeout: 1s}", "scatter: {writes: allow}\n");

  @AfterAll
  static void closeStrict() {
    strict.close();
  }

  private Connection connect(String... settings) throws SQLException {
    Connection connection = shards.connect();
    for (int i = 0; i < settings.length; i += 2) {
      connection.unwrap(ShardwrightSession.class).set(settings[i], settings[i + 1]);
    }
    return connection;
  }

  private void insert() throws SQLException {
    for (int k = 0; k < 20; k++) {
      shards.update("INSERT INTO samples (k, id, i4) VALUES (?, ?, ?)", k, k, k % 3);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT id FROM samples ORDER BY id LIMIT 2 | 0,1",
        "SELECT count(*) FROM samples WHERE i4 = 1 | 7",
        "SELECT i4::text FROM samples GROUP BY i4 ORDER BY count(*), i4 DESC LIMIT 1 | 2",
        "SELECT DISTINCT i4 FROM samples ORDER BY i4 | 0,1,2",
        "SELECT id FROM samples WHERE k = 5 | 5",
      })
  void bounded_boundedForms_answer(String sql, String rows) throws SQLException {
    insert();
    try (Connection connection = connect("scatter", "bounded")) {
      assertThat(TestingShards.rows(connection, sql)).isEqualTo(List.of(rows.split(",")));
    }
  }

  @Test
  void bounded_unbounded_isRefusedUnlessTheCallerBoundsOrStreams() throws SQLException {
    insert();
    try (Connection connection = connect("scatter", "bounded");
        Statement statement = connection.createStatement()) {
      String sql = "SELECT id FROM samples";
      assertThatThrownBy(() -> statement.executeQuery(sql))
          .hasMessage(
              "SW205: SELECT on samples would go to every shard (scatter: no condition on the route"
                  + " key (k) of samples), and the policy bounded (connection) wants its rows to be"
                  + " bounded; nothing was sent; add the key or a gene id to the WHERE clause, or"
                  + " LIMIT, setMaxRows, or setFetchSize to stream the rows, or permit this"
                  + " statement with the comment /* shardwright: scatter=allow */");
      statement.setMaxRows(5);
      assertThat(TestingShards.rows(statement.executeQuery(sql))).hasSize(5);
      statement.setMaxRows(0);
      statement.setFetchSize(3);
      assertThat(TestingShards.rows(statement.executeQuery(sql))).hasSize(20);
      statement.setFetchSize(0);
      assertThat(
              TestingShards.rows(statement.executeQuery(sql + " /* shardwright: scatter=allow */")))
          .hasSize(20);
      assertRefused(ErrorCode.ROUTE_KEY_MISSING, () -> statement.executeQuery(sql));
    }
  }

  @Test
  void bounded_lookUpOfOneRow_isRefused() throws SQLException {
    try (Connection connection = connect("scatter", "bounded")) {
      assertThatThrownBy(
              () -> TestingShards.rows(connection, "SELECT t FROM samples WHERE id = 5 LIMIT 1"))
          .hasMessageStartingWith("SW205")
          .hasMessageContaining("forbids to look for single rows (by id) on all of them");
      String hinted = "SELECT id FROM samples WHERE id = 5 /* shardwright: scatter=allow */";
      assertThat(TestingShards.rows(connection, hinted)).isEmpty();
    }
  }

  @Test
  void default_isBoundedAndOfTheConfiguration() {
    assertThatThrownBy(() -> strict.rows("SELECT id FROM samples"))
        .hasMessageStartingWith("SW205")
        .hasMessageContaining("policy bounded (default)");
    assertThatThrownBy(
            () -> strict.rows("SELECT count(*) FROM samples /* shardwright: scatter=refuse */"))
        .hasMessageContaining("policy refuse (hint)");
    assertThat(strict.source().explain("SELECT id FROM samples LIMIT 5", List.of()).reason())
        .endsWith("; policy bounded (default), bounded by LIMIT");
    assertThat(strict.source().explain("DELETE FROM samples", List.of()).reason())
        .endsWith("; policy allow (scatter.writes)");
  }

  // Writes

  @Test
  void write_withoutKey_runsOnEveryShardWhenPermitted() throws SQLException {
    insert();
    String sql = "UPDATE samples SET t = 'x' WHERE i4 = 1";
    try (Connection connection = connect("scatter", "allow")) {
      assertRefused(ErrorCode.ROUTE_KEY_MISSING, () -> TestingShards.update(connection, sql));
      assertThat(TestingShards.update(connection, sql + " /* shardwright: scatter=allow */"))
          .isEqualTo(7);
      assertThat(TestingShards.rows(connection, "SELECT count(*) FROM samples WHERE t = 'x'"))
          .containsExactly("7");
      connection.unwrap(ShardwrightSession.class).set("scatter_writes", "allow");
      assertThat(TestingShards.update(connection, "DELETE FROM samples WHERE i4 = 2")).isEqualTo(6);
      connection.unwrap(ShardwrightSession.class).set("scatter_writes", null);
      assertRefused(
          ErrorCode.ROUTE_KEY_MISSING,
          () -> TestingShards.update(connection, "DELETE FROM samples"));
      try (Statement batch = connection.createStatement()) {
        batch.addBatch("DELETE FROM samples WHERE i4 = 0");
        assertRefused(ErrorCode.ROUTE_KEY_MISSING, batch::executeBatch);
      }
      assertThat(TestingShards.rows(connection, "SELECT count(*) FROM samples"))
          .containsExactly("14");
    }
  }

  @Test
  void write_withoutKey_thatFailsOnOneShard_appliesNothing() throws SQLException {
    long key = shards.keyOn(3, 0);
    insert();
    shards.update("INSERT INTO samples (k, id, i4) VALUES (?, 99, 0)", key);
    assertThatThrownBy(
            () ->
                shards.update(
                    "UPDATE samples SET i4 = 1 / (99 - id) /* shardwright: scatter=allow */"))
        .hasMessageContaining("division by zero");
    assertThat(shards.rows("SELECT sum(i4) FROM samples")).containsExactly("19");
  }

  // max_rows

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT id FROM samples",
        "SELECT id FROM samples ORDER BY id",
        "SELECT i4 FROM samples GROUP BY i4, id",
        "SELECT id FROM samples WHERE k IN (0, 1, 2, 3, 4, 5)",
        "SELECT DISTINCT id + 1 FROM samples",
        "SELECT k FROM samples WHERE k = 0 UNION ALL SELECT k FROM samples WHERE k = 0 UNION ALL"
            + " SELECT k FROM samples WHERE k = 0 UNION ALL SELECT k FROM samples WHERE k = 0",
      })
  void maxRows_moreRows_isAnErrorAndNoCut(String sql) throws SQLException {
    insert();
    assertThatThrownBy(() -> shards.rows(sql + " /* shardwright: max_rows=3 */"))
        .hasMessageStartingWith("SW417: the result has more than the 3 rows that max_rows allows");
    int rows = shards.rows(sql).size();
    assertThat(shards.rows(sql + " /* shardwright: max_rows=" + rows + " */")).hasSize(rows);
    try (Connection connection = connect("max_rows", "3")) {
      assertThatThrownBy(() -> TestingShards.rows(connection, sql)).hasMessageStartingWith("SW417");
      assertThat(TestingShards.rows(connection, sql + " /* shardwright: max_rows=" + rows + " */"))
          .hasSize(rows);
    }
  }

  // timeout

  @ParameterizedTest
  @CsvSource({
    "SELECT pg_sleep(20) FROM samples WHERE k = 1",
    "SELECT id FROM samples WHERE pg_sleep(20) IS NULL",
    "UPDATE samples SET t = pg_sleep(20)::text WHERE k = 1",
    "UPDATE samples SET t = pg_sleep(20)::text WHERE k IN (1 2 3 4 5)",
  })
  void timeout_ofAHint_endsTheStatement(String text) throws SQLException {
    insert();
    String sql = text.replace("1 2 3 4 5", "1, 2, 3, 4, 5");
    long start = System.nanoTime();
    assertRefused(
        ErrorCode.SCATTER_TIMEOUT,
        () -> execute(shards.connect(), sql + " /* shardwright: timeout=300ms */"));
    assertThat(System.nanoTime() - start).isBetween(300_000_000L, 15_000_000_000L);
    assertThatThrownBy(() -> execute(connect("timeout", "100ms"), sql))
        .hasMessageStartingWith(
            "SW406: the statement did not end within its timeout of 100 ms (con");
    assertThat(shards.rows("SELECT count(*) FROM samples WHERE t IS NOT NULL"))
        .containsExactly("0");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (connection;
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void timeout_thatIsNotReached_changesNothing() throws SQLException {
    insert();
    try (Connection connection = connect("timeout", "1m")) {
      assertThat(TestingShards.rows(connection, "SELECT id FROM samples")).hasSize(20);
      assertThat(TestingShards.update(connection, "DELETE FROM samples WHERE k = 1")).isEqualTo(1);
    }
  }

  // Settings

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scatter=all | scatter has the value 'all'; write one of refuse, bounded, allow",
        "scatter_writes=bounded | write one of refuse, allow",
        "timeout=5 | write a number above 0 with its unit",
        "max_rows=0 | write a whole number from 1 on",
        "transaction=xa | write one of single, multi",
        "scater=allow | scater is unknown; the settings are freshness, lock_timeout, max_rows, partial, sc",
        "scatter | 'scatter' in the url is no name=value",
      })
  void url_badSetting_isRefused(String setting, String message) {
    assertThatThrownBy(() -> DriverManager.getConnection("jdbc:shardwright:x.yaml?" + setting))
        .hasMessageStartingWith("SW106: ")
        .hasMessageContaining(message);
  }

  @Test
  void url_settings_holdForItsConnectionsOnly(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("shardwright.yaml"), shards.yaml());
    String url = "jdbc:shardwright:" + file;
    try (Connection strictOne =
            DriverManager.getConnection(url + "?scatter=refuse&timeout=2s&transaction=single");
        Connection other = DriverManager.getConnection(url)) {
      assertThatThrownBy(() -> TestingShards.rows(strictOne, "SELECT count(*) FROM samples"))
          .hasMessageContaining("policy refuse (connection)");
      assertThat(TestingShards.rows(other, "SELECT count(*) FROM samples")).containsExactly("0");
    }
  }

  @Test
  void scrollable_withMaxRows_isRefused() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
      assertRefused(
          ErrorCode.JDBC_FEATURE_UNSUPPORTED,
          () ->
              statement.executeQuery(
                  "SELECT id FROM samples WHERE k = 1 /* shardwright: max_rows=1 */"));
    }
  }
}
