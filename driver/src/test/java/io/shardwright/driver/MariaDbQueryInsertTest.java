package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MariaDbQueryInsertTest extends QueryInsertTest {
  private static final String COLUMNS =
      "k, id, i2, i4, i8, n, f8, b, t, v, d, tm, ts, tstz, u, raw, j";

  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }

  private void load() throws SQLException {
    for (int i = 0; i < 12; i++) {
      shards.both(
          "INSERT INTO samples (bucket_id, "
              + COLUMNS
              + ") VALUES (?, ?, ?, 7, -8, 9223372036854775807, 2.5, ?, 100, 'it''s \\\\', ' b ',"
              + " '0000-00-00', '-100:00:00.5', '2024-02-03 04:05:06.789', '2024-02-03 04:05:06.7',"
              + " 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', x'00ff27', '{\"a\": 1}')",
          shards.samplesBucket(i),
          i,
          i,
          i == 0 ? null : i * 0.5);
    }
  }

  /** Numbers round by their kind, dates become numbers, and texts what they look like. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO samples ("
            + COLUMNS
            + ") SELECT k, id + 100, "
            + "i2, i4, i8, n, f8, b, t, v, d,"
            + " tm, ts, tstz, u, raw, j FROM samples",
        "INSERT INTO samples (k, id, i4, i8, t, v) SELECT k, id + 100, f8, n, f8, n FROM samples",
        "INSERT INTO samples (k, id, i8, n, t, v) SELECT k, id + 100, ts, tstz, tstz, tm FROM"
            + " samples",
        "INSERT INTO samples (k, id, raw, t, d) SELECT k, id + 100, t, u, ts FROM samples",
        "INSERT INTO samples (k, id, t) SELECT k, id + 100, NULL FROM samples",
        "INSERT INTO samples (k, id, t) SELECT '3', id + 100, year(ts) FROM samples",
        "INSERT IGNORE INTO samples (k, id, i2) SELECT k, id + 100, i8 FROM samples",
        "REPLACE INTO samples (k, id, t) SELECT k, id, 'again' FROM samples WHERE id > 5",
      })
  void types_ofTheQuery_decideWhatIsStored(String sql) throws SQLException {
    load();
    String all = "SELECT " + COLUMNS + " FROM samples ORDER BY id";
    try (Connection logical = shards.connect();
        Connection plain = shards.plain()) {
      TestingShards.update(plain, "UPDATE samples SET bucket_id = 0");

      assertThat(TestingShards.update(logical, sql)).isEqualTo(TestingShards.update(plain, sql));
      assertThat(TestingShards.rows(logical, all)).isEqualTo(TestingShards.rows(plain, all));
    }
  }

  @Test
  void returning_ofNoRows_hasTheColumns() throws SQLException {
    assertThat(
            shards.rows(
                "INSERT INTO samples (k, id, t) SELECT k, id, t FROM samples RETURNING id,"
                    + " upper(t)"))
        .isEmpty();
  }

  @Test
  void float_isRefusedSinceItsTextIsRounded() throws SQLException {
    load();

    assertRefused(
        ErrorCode.MERGE_UNSUPPORTED,
        () -> shards.update("INSERT INTO samples (k, id, f4) SELECT k, id + 100, f4 FROM samples"));
  }
}
