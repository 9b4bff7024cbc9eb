package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Routes that do not come from the statement's own key: a hint, the connection's key, bucket_id.
 */
class RouteKeyTest extends FourShards {
  private static final String WITHOUT_KEY = "SELECT id FROM samples ORDER BY id";

  private void insert() throws SQLException {
    for (int k = 0; k < 300; k++) {
      shards.both("INSERT INTO samples (k, id, i4) VALUES (?, ?, ?)", k, k, k % 3);
      shards.onPlain(
          "UPDATE samples SET bucket_id = " + shards.samplesBucket(k) + " WHERE k = " + k);
    }
  }

  @Test
  void routeKey_statementsWithoutKey_meanItsBucket() throws SQLException {
    insert();
    List<String> expected =
        shards.plainRows(
            "SELECT id FROM samples WHERE bucket_id = ? ORDER BY id", shards.samplesBucket(7));
    assertThat(expected).hasSizeGreaterThan(1).contains("7");
    try (Connection connection = shards.connect()) {
      ShardwrightSession session = connection.unwrap(ShardwrightSession.class);
      session.set("scatter", "refuse");
      session.setRouteKey("samples", 7L);
      assertThat(TestingShards.rows(connection, WITHOUT_KEY)).isEqualTo(expected);
      assertThat(TestingShards.rows(connection, "SELECT id FROM samples WHERE k = 7"))
          .containsExactly("7");
      assertThat(
              TestingShards.rows(
                  connection,
                  "SELECT count(*) FROM samples a LEFT JOIN samples b ON b.i4 = a.i4 + 9"))
          .containsExactly(String.valueOf(expected.size()));
      assertRefused(
          ErrorCode.ROUTE_CONTRADICTION,
          () -> TestingShards.rows(connection, "SELECT id FROM samples WHERE k = ?", other(7)));
      assertThat(TestingShards.update(connection, "UPDATE samples SET t = 'x'"))
          .isEqualTo(expected.size());
      assertThat(
              TestingShards.rows(
                  connection,
                  "SELECT id FROM samples ORDER BY id /* shardwright: bucket="
                      + shards.samplesBucket(7)
                      + " */"))
          .isEqualTo(expected);
      assertRefused(
          ErrorCode.ROUTE_CONTRADICTION,
          () ->
              TestingShards.rows(
                  connection, WITHOUT_KEY + " /* shardwright: key=" + other(7) + " */"));
      // Other groups are none of its business.
      assertRefused(
          ErrorCode.ROUTE_KEY_MISSING,
          () -> TestingShards.rows(connection, "SELECT count(*) FROM orders"));
      assertThat(TestingShards.rows(connection, "SELECT count(*) FROM countries"))
          .containsExactly("0");
      session.clearRouteKey("samples");
      assertRefused(ErrorCode.ROUTE_KEY_MISSING, () -> TestingShards.rows(connection, WITHOUT_KEY));
    }
    assertThat(shards.rows("SELECT count(*) FROM samples WHERE t = 'x'"))
        .containsExactly(String.valueOf(expected.size()));
  }

  /** A key of another bucket. */
  private long other(long key) {
    long other = key + 1;
    while (shards.samplesBucket(other) == shards.samplesBucket(key)) {
      other++;
    }
    return other;
  }

  @Test
  void routeKey_insert_mustBeOfItsBucket() throws SQLException {
    try (Connection connection = shards.connect()) {
      connection.unwrap(ShardwrightSession.class).setRouteKey("samples", 7L);
      String sql = "INSERT INTO samples (k, id) VALUES (?, 1)";
      assertRefused(
          ErrorCode.ROUTE_CONTRADICTION, () -> TestingShards.update(connection, sql, other(7)));
      assertThat(TestingShards.update(connection, sql, 7L)).isEqualTo(1);
    }
    try (Connection next = shards.connect()) {
      assertThat(TestingShards.update(next, "INSERT INTO samples (k, id) VALUES (?, 2)", other(7)))
          .as("the key ended with its connection")
          .isEqualTo(1);
    }
  }

  @Test
  void routeKey_inATransaction_pinsIt() throws SQLException {
    insert();
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      ShardwrightSession session = connection.unwrap(ShardwrightSession.class);
      session.setRouteKey("samples", 7L);
      TestingShards.update(connection, "DELETE FROM samples WHERE i4 >= 0");
      connection.rollback();
      assertThat(TestingShards.rows(connection, WITHOUT_KEY)).contains("7").hasSizeLessThan(300);
      connection.commit();
    }
  }

  @Test
  void routeKey_thatIsNone_isRefused() throws SQLException {
    try (Connection connection = shards.connect()) {
      ShardwrightSession session = connection.unwrap(ShardwrightSession.class);
      assertThatThrownBy(() -> session.setRouteKey("sample", 1))
          .hasMessageStartingWith("SW106: there is no group sample");
      assertThatThrownBy(() -> session.setRouteKey("orders", 1))
          .hasMessageStartingWith("SW302: the route key of group orders is [tenant_id, buyer_id]");
      assertThatThrownBy(() -> session.setRouteKey("samples", "x"))
          .hasMessageStartingWith("SW302: the value for route key column k");
      assertThatThrownBy(() -> session.setRouteKey("samples", (Object) null))
          .hasMessageStartingWith("SW302: no row of group samples");
    }
  }

  @Test
  void hint_givesWhatTheConditionOnBucketIdGives() throws SQLException {
    insert();
    for (int bucket = 0; bucket < 64; bucket += 7) {
      String hint = " /* shardwright: bucket=" + bucket + ", group=samples */";
      List<String> expected =
          shards.plainRows("SELECT id FROM samples WHERE bucket_id = ? ORDER BY id", bucket);
      assertThat(shards.rows(WITHOUT_KEY + hint)).isEqualTo(expected);
      assertThat(shards.rows("SELECT id FROM samples WHERE bucket_id = ? ORDER BY id", bucket))
          .isEqualTo(expected);
      assertThat(shards.rows("SELECT count(*) FROM samples WHERE bucket_id IN (?, 99)", bucket))
          .containsExactly(String.valueOf(expected.size()));
    }
    assertThat(
            shards.rows(
                "SELECT id FROM samples WHERE bucket_id IN (3, 40) OR bucket_id = 63 ORDER BY id"))
        .isEqualTo(
            shards.plainRows("SELECT id FROM samples WHERE bucket_id IN (3, 40, 63) ORDER BY id"));
    assertThat(shards.rows("SELECT id FROM samples WHERE bucket_id = ?", 64)).isEmpty();
    assertThat(shards.rows("SELECT id FROM samples WHERE bucket_id = -1")).isEmpty();
  }

  @Test
  void hint_ofAPreparedStatement_refusesAnotherKeyWhenItIsBound() throws SQLException {
    insert();
    String sql = "SELECT id FROM samples WHERE k = ? /* shardwright: key=7 */";
    assertThat(shards.rows(sql, 7L)).containsExactly("7");
    assertRefused(ErrorCode.ROUTE_CONTRADICTION, () -> shards.rows(sql, other(7)));
  }
}
