package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What is alike on MariaDB shards for whoever never looks behind the driver. */
class MariaDbShardsTest {
  private static final TestingShards shards = TestingShards.open(TestingDatabase.MARIADB, 4);

  @AfterAll
  static void close() {
    shards.close();
  }

  @Test
  void rows_overFourShards_areFoundByKeyAndMergedInOrder() throws SQLException {
    for (long k = 0; k < 20; k++) {
      shards.both(
          "INSERT INTO samples (k, id, t, n, f8) VALUES (?, ?, ?, ?, ?)",
          k,
          k,
          "t" + k % 3,
          k,
          k / 4.0);
    }

    for (String sql :
        List.of(
            "SELECT t FROM samples WHERE k = 7",
            "SELECT id, t FROM samples ORDER BY t DESC, id",
            "SELECT t, count(*), sum(n), avg(n), avg(i4), max(f8), sum(f8), sum(id), avg(id) FROM"
                + " samples GROUP BY t ORDER BY t",
            "SELECT id FROM samples ORDER BY i4, id LIMIT 3")) {
      assertThat(shards.rows(sql)).as(sql).isEqualTo(shards.plainRows(sql));
    }
    shards.assertIdle();
  }
}
