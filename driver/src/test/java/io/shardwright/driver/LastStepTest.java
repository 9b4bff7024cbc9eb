package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements whose last step one shard does for all give what one database gives. */
class LastStepTest extends FourShards {
  private static final String INSERT =
      "INSERT INTO samples (k, id, i2, i4, i8, n, f4, f8, b, t, v, d, tm, tz, ts, tstz, u, raw, j)"
          + " VALUES (?, ?, 3, 5, 9223372036854775807, 1.50, 1.25, 'NaN', true, ?, 'v',"
          + " '2020-01-02', '10:00', '10:00+02', '2020-01-02 03:04:05.678901', '2020-01-02"
          + " 03:04:05.678901+00', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x00ff'::bytea,"
          + " '{\"a\": [1, null]}')";

  private void load() throws SQLException {
    List<String> texts =
        new ArrayList<>(
            List.of("a", "B", "\u00e4", "\"q\"", "{x,y}", "back\\slash", "NULL", "", "'"));
    texts.add(null);
    for (int i = 0; i < 40; i++) {
      shards.both(
          INSERT
              .replace("k, id", "bucket_id, k, id")
              .replace("(?, ?", "(" + shards.samplesBucket(i) + ", ?, ?"),
          (long) i,
          (long) i,
          texts.get(i % texts.size()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT DISTINCT i2, i4, i8, n, f4, f8, b, v, d, tm, tz, ts, tstz, u, raw, j FROM samples",
        "SELECT DISTINCT t FROM samples ORDER BY t NULLS FIRST",
        "SELECT t, count(*) FROM samples GROUP BY t HAVING count(*) > 3 ORDER BY count(*) DESC, t",
        "SELECT string_agg(t, '|' ORDER BY id), array_agg(i4 ORDER BY id) FROM samples",
        "SELECT sum(i8), sum(i4), sum(i2), avg(i8), avg(n), avg(i4) + 1, count(DISTINCT t) FROM"
            + " samples",
        "SELECT avg(f8), sum(n) * 2 AS twice, max(d) - min(d) AS span FROM samples WHERE id < 0",
        "SELECT id, lag(t) OVER (ORDER BY id) FROM samples ORDER BY id LIMIT 7 OFFSET 3",
        "SELECT j FROM samples ORDER BY j, id LIMIT 3",
        "SELECT count(*) FILTER (WHERE t IS NULL) AS nulls, bool_and(b) FROM samples",
        "SELECT DISTINCT ts::date AS day FROM samples",
      })
  void lastStep_anyType_isAsOnOneDatabase(String sql) throws SQLException {
    load();
    try (Connection logical = shards.connect();
        Connection plain = shards.plain()) {
      assertThat(answer(logical, sql)).isEqualTo(answer(plain, sql));
    }
    shards.assertIdle();
  }

  static List<String> answer(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      ResultSetMetaData columns = rows.getMetaData();
      List<String> answer = new ArrayList<>();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        answer.add(
            columns.getColumnLabel(i)
                + " "
                + columns.getColumnTypeName(i)
                + " "
                + columns.getPrecision(i)
                + " "
                + columns.getScale(i));
      }
      answer.addAll(TestingShards.rows(rows));
      return answer;
    }
  }

  @Test
  void lastStep_inATransaction_seesItsOwnWrites() throws SQLException {
    load();
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      TestingShards.update(connection, "UPDATE samples SET t = 'own' WHERE k = 5");
      assertThat(
              TestingShards.rows(
                  connection, "SELECT t FROM samples GROUP BY t HAVING t = ?", "own"))
          .containsExactly("own");
      connection.rollback();
    }
    shards.assertIdle();
  }

  @Test
  void lastStep_beyondItsBound_isRefusedAndFreesEverything() throws SQLException {
    for (int shard = 0; shard < 4; shard++) {
      shards.onShard(
          shard,
          "INSERT INTO samples (bucket_id, k, id) SELECT "
              + shard * 16
              + ", 0, g FROM generate_series(1, "
              + (CollectedRows.MAX_ROWS / 4 + 1)
              + ") g");
    }

    assertRefused(
        ErrorCode.MERGE_TOO_LARGE,
        () -> shards.rows("SELECT id, row_number() OVER (ORDER BY id) FROM samples"));
    shards.assertIdle();
  }

  @Test
  void lastStep_ofArrays_isRefused() throws SQLException {
    load();
    assertRefused(
        ErrorCode.MERGE_UNSUPPORTED, () -> shards.rows("SELECT DISTINCT arr FROM samples"));
    shards.assertIdle();
  }
}
