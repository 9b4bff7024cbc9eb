package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The merge of all shards is what one database with the same rows answers. */
class MergeLawsTest {
  private static final TestingShards shards = TestingShards.open(4);
  private static final int ROWS = 300;
  private static final long SEED = 20_260_101;

  /** Few distinct values per column, so that there are ties; a third is NULL. */
  private static final String[][] VALUES = {
    {"i2", "-32768", "0", "7", "32767"},
    {"i4", "-2147483648", "-1", "0", "42", "2147483647"},
    {"i8", "-9000000000000000000", "-5", "0", "5", "9000000000000000000"},
    {
      "n",
      "-1e30",
      "-0.00",
      "0",
      "1.0",
      "1.00",
      "1.5",
      "123456789012345678901234567890.5",
      "'NaN'",
      "'Infinity'",
      "'-Infinity'"
    },
    {"f4", "-1.5", "'-0'", "0", "0.1", "1e30", "'NaN'", "'Infinity'"},
    {"f8", "-1e300", "'-0'", "0", "0.1", "2.5", "'NaN'", "'Infinity'", "'-Infinity'"},
    {"b", "true", "false"},
    {"t", "''", "'A'", "'a'", "'b'", "'Ä'", "'ab'", "'\uFFFD'", "'\uD83D\uDE00'", "'z '"},
    {"v", "'x'", "'Y'", "'10'", "'9'", "'\uE000'", "'\uD83D\uDE00'"},
    {"d", "'2020-02-29'", "'1969-12-31'", "'0044-03-15 BC'", "'infinity'", "'-infinity'"},
    {"tm", "'00:00'", "'12:00:00.000001'", "'12:00'", "'23:59:59.999999'"},
    {"tz", "'12:00+02'", "'10:00+00'", "'11:00+01'", "'09:00-02'", "'23:00+14'"},
    {"ts", "'2020-01-01 00:00:00.000001'", "'2020-01-01'", "'1900-05-05 05:05'", "'infinity'"},
    {
      "tstz",
      "'2020-01-01 00:00+00'",
      "'2020-01-01 01:00+01'",
      "'2020-06-01 12:34:56.789012+00'",
      "'-infinity'"
    },
    {
      "u",
      "'00000000-0000-0000-0000-000000000001'",
      "'80000000-0000-0000-0000-000000000000'",
      "'7fffffff-ffff-ffff-ffff-ffffffffffff'",
      "'80000000-0000-0000-8000-000000000000'"
    },
    {"raw", "'\\x'", "'\\x00'", "'\\x7f'", "'\\x80'", "'\\x7fff'", "'\\xff'"},
  };

  @BeforeAll
  static void fill() throws SQLException {
    Random random = new Random(SEED);
    for (int row = 0; row < ROWS; row++) {
      StringBuilder columns = new StringBuilder("k, id");
      StringBuilder values = new StringBuilder(random.nextInt(60) + ", " + row);
      for (String[] column : VALUES) {
        columns.append(", ").append(column[0]);
        String value = column[1 + random.nextInt(column.length - 1)];
        values.append(", ").append(random.nextInt(3) == 0 ? "NULL" : value);
      }
      shards.both("INSERT INTO samples (" + columns + ") VALUES (" + values + ")");
    }
  }

  @AfterAll
  static void close() {
    shards.assertIdle();
    shards.close();
  }

  private static void assertSame(String sql, Object... parameters) throws SQLException {
    assertThat(shards.rows(sql, parameters)).as(sql).isEqualTo(shards.plainRows(sql, parameters));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "i2", "i4", "i8", "n", "f4", "f8", "b", "t", "v", "d", "tm", "tz", "ts", "tstz", "u", "raw"
      })
  void order_byEveryType_isThatOfOneDatabase(String column) throws SQLException {
    for (String direction :
        List.of("", "DESC", "ASC NULLS FIRST", "DESC NULLS LAST", "DESC NULLS FIRST")) {
      assertSame(
          "SELECT id, " + column + " FROM samples ORDER BY " + column + " " + direction + ", id");
    }
    assertSame("SELECT id FROM samples ORDER BY " + column + " DESC, id DESC LIMIT 20 OFFSET 7");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "i2", "i4", "i8", "n", "f4", "f8", "b", "t", "v", "d", "tm", "tz", "ts", "tstz", "u", "raw"
      })
  void groups_ofEveryType_areThoseOfOneDatabase(String column) throws SQLException {
    // Only the sizes are compared: of equal values (1.0 and 1.00) any may stand for the group.
    String sql = "SELECT count(*), " + column + " FROM samples GROUP BY " + column;
    assertThat(sizes(shards.rows(sql))).isEqualTo(sizes(shards.plainRows(sql)));
  }

  private static List<String> sizes(List<String> groups) {
    return groups.stream().map(group -> group.substring(0, group.indexOf('|'))).sorted().toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"i2", "i4", "i8", "n", "f4", "f8", "t", "v", "d", "tm", "tz", "ts", "tstz"})
  void minAndMax_ofEveryType_areThoseOfOneDatabase(String column) throws SQLException {
    assertSame("SELECT min(" + column + "), max(" + column + ") FROM samples WHERE id > 50");
    assertSame("SELECT min(" + column + "), max(" + column + ") FROM samples WHERE false");
  }

  @ParameterizedTest
  @ValueSource(strings = {"i2", "i4", "n"})
  void sumsAndAverages_ofExactTypes_haveTheDigitsOfOneDatabase(String column) throws SQLException {
    String finite = column.equals("n") ? " WHERE n BETWEEN -1e29 AND 1e29" : "";
    assertSame(
        "SELECT b, sum("
            + column
            + "), avg("
            + column
            + "), count("
            + column
            + "), count(*)"
            + " FROM samples"
            + finite
            + " GROUP BY b ORDER BY b NULLS FIRST");
    assertSame("SELECT avg(" + column + "), sum(" + column + ") FROM samples");
  }

  @Test
  void sum_ofBigint_isNumeric() throws SQLException {
    assertSame("SELECT sum(i8), avg(i8) FROM samples");
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT sum(i8) s, sum(i4), count(*) FROM samples")) {
      rows.next();
      assertThat(rows.getObject("s")).isInstanceOf(java.math.BigDecimal.class);
      assertThat(rows.getObject(2)).isInstanceOf(Long.class);
      assertThat(rows.getObject(3)).isEqualTo((long) ROWS);
      assertThat(rows.getMetaData().getColumnTypeName(1)).isEqualTo("numeric");
      assertThat(rows.getMetaData().getColumnLabel(1)).isEqualTo("s");
    }
  }

  @Test
  void sumsAndAverages_ofFloats_areWithinRounding() throws SQLException {
    String sql =
        "SELECT sum(f8), avg(f8), avg(f4) FROM samples WHERE f8 BETWEEN -10 AND 10 AND f4 < 100";
    double[] ours = doubles(sql, shards.connect());
    double[] theirs = doubles(sql, shards.plain());
    for (int i = 0; i < ours.length; i++) {
      assertThat(ours[i])
          .isCloseTo(theirs[i], org.assertj.core.data.Percentage.withPercentage(1e-6));
    }
    assertSame("SELECT sum(f8), avg(f8) FROM samples");
  }

  private static double[] doubles(String sql, Connection connection) throws SQLException {
    try (connection;
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return new double[] {rows.getDouble(1), rows.getDouble(2), rows.getDouble(3)};
    }
  }

  @Test
  void aggregatesOfNoRows_areOneRow() throws SQLException {
    assertSame("SELECT count(*), sum(i4), avg(n), min(t), max(d) FROM samples WHERE id < 0");
    assertSame("SELECT t, count(*) FROM samples WHERE id < 0 GROUP BY t");
  }

  @Test
  void groups_orderedAndLimited_areThoseOfOneDatabase() throws SQLException {
    assertSame(
        "SELECT t, v, count(*), sum(i4) FROM samples GROUP BY t, v ORDER BY count(*) DESC, t, v"
            + " LIMIT 15 OFFSET 4");
    assertSame("SELECT b, max(ts) FROM samples GROUP BY b ORDER BY avg(i4) NULLS LAST, b");
  }

  @Test
  void pages_concatenate_toTheFullScan() throws SQLException {
    List<String> all = shards.plainRows("SELECT id, t FROM samples ORDER BY t, id");
    List<String> pages = new ArrayList<>();
    for (int page = 0; page * 37 < ROWS; page++) {
      pages.addAll(
          shards.rows("SELECT id, t FROM samples ORDER BY t, id LIMIT ? OFFSET ?", 37, page * 37));
    }
    assertThat(pages).isEqualTo(all);
  }

  @Test
  void rowsInAnyOrder_areAllRows() throws SQLException {
    assertThat(sorted(shards.rows("SELECT id, t, n FROM samples")))
        .isEqualTo(sorted(shards.plainRows("SELECT id, t, n FROM samples")));
    assertThat(shards.rows("SELECT id FROM samples LIMIT 11")).hasSize(11).doesNotHaveDuplicates();
    assertThat(shards.rows("SELECT id FROM samples OFFSET 290")).hasSize(10);
    assertThat(shards.rows("SELECT id FROM samples LIMIT 0")).isEmpty();
  }

  @Test
  void maxRowsAndFetchSize_holdOverAllShards() throws SQLException {
    List<String> all = shards.plainRows("SELECT id FROM samples ORDER BY id");
    try (Connection connection = shards.connect();
        PreparedStatement statement =
            connection.prepareStatement("SELECT id FROM samples ORDER BY id")) {
      statement.setMaxRows(17);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(TestingShards.rows(rows)).isEqualTo(all.subList(0, 17));
      }
      statement.setMaxRows(0);
      statement.setFetchSize(5);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(TestingShards.rows(rows)).isEqualTo(all);
      }
      statement.setMaxRows(3);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(TestingShards.rows(rows)).isEqualTo(all.subList(0, 3));
      }
    }
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      statement.setMaxRows(2);
      try (ResultSet rows =
          statement.executeQuery("SELECT t, count(*) FROM samples GROUP BY t ORDER BY t")) {
        assertThat(TestingShards.rows(rows))
            .isEqualTo(
                shards
                    .plainRows("SELECT t, count(*) FROM samples GROUP BY t ORDER BY t")
                    .subList(0, 2));
      }
    }
  }

  @Test
  void inList_asksEachShardForItsKeys() throws SQLException {
    assertSame("SELECT id FROM samples WHERE k IN (1, 2, 3, 4, 5, 99) AND i4 > 0 ORDER BY id");
    assertSame("SELECT count(*) FROM samples WHERE k = 3 OR k = 17 OR k = 25");
  }

  private static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }
}
