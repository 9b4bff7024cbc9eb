package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lists of keys, which are cut into the shards' own and filled up, find what one database finds.
 */
abstract class LongInListContract extends FourShards {
  private static final int KEYS = 150;

  @BeforeEach
  void insert() throws SQLException {
    for (int key = 0; key < KEYS; key++) {
      shards.both("INSERT INTO samples (k, id, i4) VALUES (?, ?, 0)", key, 2 * key);
      shards.both("INSERT INTO samples (k, id, i4) VALUES (?, ?, 1)", key, 2 * key + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT k, id FROM samples WHERE k IN (%s) ORDER BY k, id",
        "SELECT s.k, s.id FROM samples s WHERE (s.k) IN (%s) AND s.i4 = 1 ORDER BY k, id",
        "SELECT t.k, t.id FROM (SELECT * FROM samples) t WHERE t.k IN (%s) ORDER BY k, id",
        "SELECT a.k, b.id FROM samples a JOIN samples b ON a.k = b.k WHERE a.k IN (%s)"
            + " AND a.i4 = 0 ORDER BY 1, 2",
        "SELECT COUNT(*), SUM(i4) FROM samples WHERE k IN (%s) OR k IN (7, 8)"
      })
  void select_ofAnyNumberOfKeys_findsTheirRowsOnce(String form) throws SQLException {
    for (int count : List.of(1, 8, 9, 31, 33, 64, 67, 130, 300)) {
      String sql = form.formatted("?" + ", ?".repeat(count - 1));
      Object[] keys = keys(count);
      assertThat(shards.rows(sql, keys))
          .as("%s keys", count)
          .isEqualTo(shards.plainRows(sql, keys));
    }
  }

  @Test
  void lists_thatNoKeyEquals_findNothing() throws SQLException {
    assertThat(shards.rows("SELECT id FROM samples WHERE k IN (?, ?)", null, null)).isEmpty();
    assertThat(shards.rows("SELECT id FROM samples WHERE k IN (NULL, NULL)")).isEmpty();
    assertThat(shards.rows("SELECT id FROM samples WHERE k IN (1.5, 2.5)")).isEmpty();
    assertThat(shards.update("DELETE FROM samples WHERE k IN (NULL, ?)", 0.5)).isZero();
    assertThat(shards.rows("SELECT count(*) FROM samples"))
        .containsExactly(String.valueOf(2 * KEYS));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 70, 140})
  void change_ofAnyNumberOfKeys_changesTheirRowsOnce(int count) throws SQLException {
    String list = "?" + ", ?".repeat(count - 1);
    shards.both("UPDATE samples SET i4 = i4 + 2 WHERE k IN (" + list + ") AND i4 = 0", keys(count));
    shards.both("DELETE FROM samples WHERE i4 = 1 AND k IN (" + list + ")", keys(count));

    String all = "SELECT k, id, i4 FROM samples ORDER BY k, id";
    assertThat(shards.rows(all)).isEqualTo(shards.plainRows(all));
  }

  /** Keys with and without rows, some of them twice, one NULL. */
  private static Object[] keys(int count) {
    Object[] keys = new Object[count];
    for (int i = 0; i < count; i++) {
      keys[i] = i == 5 ? null : (Object) ((long) i * 7 % (KEYS + 40));
    }
    return keys;
  }
}
