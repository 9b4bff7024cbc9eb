package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.errors.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Every setter stores through the driver what it stores in one database. */
abstract class ParametersContract extends FourShards {
  static final Calendar TOKYO = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));

  /** A call of a setter. */
  interface Set {
    void set(PreparedStatement statement, int index) throws SQLException;
  }

  record Case(String column, Set set) {}

  /** Setters and types that only this database has. */
  abstract List<Case> ownCases();

  /** The columns that {@link #ownCases()} fill, behind a comma. */
  abstract String ownColumns();

  private static byte[] bytes() {
    return new byte[] {0, 1, -1, 127};
  }

  private static final List<Case> CASES =
      List.of(
          new Case("i2", (s, i) -> s.setByte(i, (byte) 7)),
          new Case("i2", (s, i) -> s.setShort(i, (short) -7)),
          new Case("i4", (s, i) -> s.setInt(i, 42)),
          new Case("i8", (s, i) -> s.setLong(i, 1L << 40)),
          new Case("f4", (s, i) -> s.setFloat(i, 1.5f)),
          new Case("f8", (s, i) -> s.setDouble(i, 0.1)),
          new Case("n", (s, i) -> s.setBigDecimal(i, new BigDecimal("1.50"))),
          new Case("b", (s, i) -> s.setBoolean(i, true)),
          new Case("t", (s, i) -> s.setString(i, "ä😀")),
          new Case("t", (s, i) -> s.setCharacterStream(i, new StringReader("chars"))),
          new Case("t", (s, i) -> s.setCharacterStream(i, new StringReader("chars"), 3)),
          new Case("t", (s, i) -> s.setAsciiStream(i, stream("ascii"), 5)),
          new Case("raw", (s, i) -> s.setBytes(i, bytes())),
          new Case("raw", (s, i) -> s.setBinaryStream(i, new ByteArrayInputStream(bytes()))),
          new Case("raw", (s, i) -> s.setBinaryStream(i, new ByteArrayInputStream(bytes()), 2)),
          new Case("raw", (s, i) -> s.setBinaryStream(i, new ByteArrayInputStream(bytes()), 2L)),
          new Case("d", (s, i) -> s.setDate(i, Date.valueOf("2020-02-29"))),
          new Case("d", (s, i) -> s.setDate(i, Date.valueOf("2020-02-29"), TOKYO)),
          new Case("d", (s, i) -> s.setDate(i, Date.valueOf("2020-02-29"), null)),
          new Case("tm", (s, i) -> s.setTime(i, Time.valueOf("12:34:56"))),
          new Case("tm", (s, i) -> s.setTime(i, Time.valueOf("12:34:56"), TOKYO)),
          new Case("tm", (s, i) -> s.setTime(i, Time.valueOf("12:34:56"), null)),
          new Case(
              "ts", (s, i) -> s.setTimestamp(i, Timestamp.valueOf("2020-01-02 03:04:05.678901"))),
          new Case(
              "tstz", (s, i) -> s.setTimestamp(i, Timestamp.valueOf("2020-01-02 03:04:05"), TOKYO)),
          new Case(
              "ts", (s, i) -> s.setTimestamp(i, Timestamp.valueOf("2020-01-02 03:04:05"), TOKYO)),
          new Case(
              "ts",
              (s, i) -> {
                s.setTimestamp(i, Timestamp.valueOf("2020-01-02 03:04:05"), TOKYO);
                s.setTimestamp(i, Timestamp.valueOf("2020-01-02 03:04:05"), null);
              }),
          new Case("ts", (s, i) -> s.setObject(i, LocalDateTime.of(2020, 1, 2, 3, 4, 5))),
          new Case("d", (s, i) -> s.setObject(i, LocalDate.of(2020, 1, 2))),
          new Case("tm", (s, i) -> s.setObject(i, LocalTime.of(3, 4, 5))),
          new Case(
              "tstz",
              (s, i) ->
                  s.setObject(i, OffsetDateTime.of(2020, 1, 2, 3, 4, 5, 0, ZoneOffset.ofHours(5)))),
          new Case("u", (s, i) -> s.setObject(i, new UUID(1, 2))),
          new Case("i8", (s, i) -> s.setObject(i, "77", Types.BIGINT)),
          new Case("n", (s, i) -> s.setObject(i, new BigDecimal("1.239"), Types.NUMERIC, 2)),
          new Case("t", (s, i) -> s.setNull(i, Types.VARCHAR)),
          new Case("i4", (s, i) -> s.setNull(i, Types.INTEGER, "int4")));

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void everySetter_storesWhatOneDatabaseStores() throws SQLException {
    List<Case> cases = new ArrayList<>(CASES);
    cases.addAll(ownCases());
    for (int row = 0; row < cases.size(); row++) {
      Case now = cases.get(row);
      String sql = "INSERT INTO samples (k, id, " + now.column + ") VALUES (?, ?, ?)";
      for (Connection connection : List.of(shards.connect(), shards.plain())) {
        try (connection;
            PreparedStatement insert = connection.prepareStatement(sql)) {
          insert.setLong(1, row);
          insert.setLong(2, row);
          now.set.set(insert, 3);
          assertThat(insert.executeUpdate()).isEqualTo(1);
        }
      }
    }
    String all =
        "SELECT id, i2, i4, i8, n, f4, f8, b, t, raw, d, tm, ts, tstz, u"
            + ownColumns()
            + " FROM samples ORDER BY id";
    assertThat(shards.rows(all)).isEqualTo(shards.plainRows(all));
  }

  @Test
  void datesThatChangeAfterTheyWereSet_areStoredAsTheyWere() throws SQLException {
    Timestamp at = Timestamp.valueOf("2020-01-02 03:04:05");
    Calendar zone = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO samples (k, id, ts) VALUES (?, ?, ?)")) {
      insert.setLong(1, 1);
      for (int row = 1; row <= 2; row++) {
        insert.setLong(2, row);
        insert.setTimestamp(3, at);
        insert.addBatch();
        at.setTime(at.getTime() + 1000);
      }
      insert.setLong(2, 3);
      insert.setTimestamp(3, at, zone);
      zone.setTimeZone(TimeZone.getTimeZone("UTC"));
      insert.addBatch();
      insert.executeBatch();
    }
    assertThat(
            shards.rows(
                "SELECT count(*) FROM samples WHERE k = 1 AND ("
                    + "id = 1 AND ts = timestamp '2020-01-02 03:04:05'"
                    + " OR id = 2 AND ts = timestamp '2020-01-02 03:04:06'"
                    + " OR id = 3 AND ts = timestamp '2020-01-02 12:04:07')"))
        .containsExactly("3");
  }

  @Test
  void key_givenByAnySetter_findsTheSameRow() throws SQLException {
    shards.update("INSERT INTO samples (k, id) VALUES (?, 1)", 77L);
    List<Set> ways =
        List.of(
            (s, i) -> s.setInt(i, 77),
            (s, i) -> s.setLong(i, 77),
            (s, i) -> s.setShort(i, (short) 77),
            (s, i) -> s.setBigDecimal(i, new BigDecimal("77")),
            (s, i) -> s.setObject(i, 77),
            (s, i) -> s.setObject(i, "77", Types.BIGINT),
            (s, i) -> {
              s.setTimestamp(i, Timestamp.valueOf("2020-01-02 03:04:05"), TOKYO);
              s.setLong(i, 77);
            });
    try (Connection connection = shards.connect();
        PreparedStatement select =
            connection.prepareStatement("SELECT id FROM samples WHERE k = ?")) {
      for (Set way : ways) {
        select.clearParameters();
        way.set(select, 1);
        assertThat(TestingShards.rows(select.executeQuery())).containsExactly("1");
      }
    }
  }

  @Test
  void missingAndUnknownParameters_areRefused() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement select =
            connection.prepareStatement("SELECT id FROM samples WHERE k = ? AND id = ?")) {
      select.setLong(2, 1);
      assertRefused(ErrorCode.PARAMETER_MISSING, select::executeQuery);
      assertRefused(ErrorCode.PARAMETER_MISSING, () -> select.setLong(3, 1));
      assertRefused(ErrorCode.PARAMETER_MISSING, () -> select.setLong(0, 1));
      select.setLong(1, 1);
      assertThat(select.executeQuery().next()).isFalse();
      select.clearParameters();
      assertRefused(ErrorCode.PARAMETER_MISSING, select::executeQuery);
    }
  }

  @Test
  void keyThatIsNull_isNoKey() throws SQLException {
    assertRefused(
        ErrorCode.ROUTE_KEY_NULL,
        () -> shards.update("INSERT INTO samples (k, id) VALUES (NULL, 1)"));
    assertThat(shards.rows("SELECT id FROM samples WHERE k = ?", new Object[] {null})).isEmpty();
  }
}
