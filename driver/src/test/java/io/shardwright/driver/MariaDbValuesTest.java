package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.ConfigurationReader;
import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that only MariaDB has, where rows of several shards come together. */
class MariaDbValuesTest {
  private static final int SHARDS = 3;

  private static final TestingShards shards = TestingShards.open(TestingDatabase.MARIADB, SHARDS);

  @BeforeAll
  static void fill() throws SQLException {
    String columns =
        "ALTER TABLE samples ADD yes tinyint(1), ADD mood enum('sad', 'fine', 'best'),"
            + " ADD tags set('a', 'b'), ADD bits bit(4), ADD y year";
    shards.onEveryShard(columns);
    shards.onPlain(columns);
    shards.source().refreshSchema();
    String insert =
        "INSERT INTO samples (k, id, yes, mood, tags, bits, y, d, ts) VALUES"
            + " (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    Object[][] rows = {
      {0, 1, "sad", "a,b", 3, 2024, "2024-02-29", "2024-01-01 00:00:00.5"},
      {1, 0, "best", "a", 9, 1999, "0000-00-00", "0000-00-00 00:00:00"},
      {2, -1, "fine", "", 0, 2155, "2024-00-00", "2024-02-00 10:00:00"},
      {3, null, null, null, null, null, null, null},
      {4, 127, "fine", "b", 9, 2024, "0000-00-00", "0000-00-00 00:00:00"},
      {5, 2, "best", "b", 3, 1901, "1000-01-01", "9999-12-31 23:59:59.999999"},
    };
    for (int row = 0; row < rows.length; row++) {
      Object[] values = new Object[rows[row].length + 1];
      values[0] = shards.keyOn(row % SHARDS, row / SHARDS);
      System.arraycopy(rows[row], 0, values, 1, rows[row].length);
      shards.both(insert, values);
    }
  }

  @AfterEach
  void everythingWasGivenBack() {
    shards.assertIdle();
  }

  @AfterAll
  static void close() {
    shards.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id, yes FROM samples ORDER BY yes, id",
        "SELECT yes, count(*) FROM samples GROUP BY yes ORDER BY yes",
        "SELECT DISTINCT yes FROM samples ORDER BY yes DESC",
        "SELECT max(yes), min(yes), sum(yes), avg(yes), count(DISTINCT yes) FROM samples",
        "SELECT id, lag(yes) OVER (ORDER BY id) AS before_it FROM samples ORDER BY id",
        "SELECT yes FROM samples UNION SELECT b FROM samples ORDER BY yes",
        "SELECT id, yes IS TRUE AS isTrue, NOT yes AS no FROM samples ORDER BY id",
        "SELECT id, y FROM samples ORDER BY y, id",
        "SELECT y, count(*) FROM samples GROUP BY y ORDER BY y",
        "SELECT id, mood, tags, bits + 0 AS bits FROM samples ORDER BY id",
        "SELECT count(mood), count(tags) FROM samples",
      })
  void valuesOfSeveralShards_areThoseOfOneDatabase(String sql) throws SQLException {
    try (Connection logical = shards.connect();
        Connection plain = shards.plain()) {
      assertThat(values(logical, sql)).isEqualTo(values(plain, sql)).isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id, d, ts FROM samples ORDER BY d, ts, id",
        "SELECT d, count(*) FROM samples GROUP BY d ORDER BY d",
        "SELECT min(d), max(d), min(ts), max(ts), count(DISTINCT d) FROM samples",
        "SELECT DISTINCT ts FROM samples ORDER BY ts",
        "SELECT id, lag(d) OVER (ORDER BY id) AS before_it FROM samples ORDER BY id",
        "SELECT d FROM samples UNION SELECT d FROM samples ORDER BY d",
        "SELECT id FROM samples WHERE d = '0000-00-00' OR ts = '0000-00-00' ORDER BY id",
      })
  void zeroDates_areThoseOfOneDatabase(String sql) throws SQLException {
    try (Connection logical = shards.connect();
        Connection plain = shards.plain()) {
      assertThat(TestingShards.rows(logical, sql))
          .isEqualTo(TestingShards.rows(plain, sql))
          .isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM samples ORDER BY mood, id",
        "SELECT mood, count(*) FROM samples GROUP BY mood",
        "SELECT DISTINCT tags FROM samples",
        "SELECT max(mood) FROM samples",
        "SELECT count(DISTINCT bits) FROM samples",
        "SELECT mood FROM samples UNION SELECT mood FROM samples",
        "SELECT id, rank() OVER (ORDER BY mood) AS place FROM samples",
      })
  void orderOfEnumSetAndBit_isNotGuessed(String sql) throws SQLException {
    TransactionTest.assertRefused(ErrorCode.MERGE_UNSUPPORTED, () -> shards.rows(sql));
    try (Connection plain = shards.plain()) {
      assertThat(TestingShards.rows(plain, sql)).isNotEmpty();
    }
  }

  /** As text and as the object that the physical driver makes of it. */
  private static List<String> values(Connection connection, String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        for (int column = 1; column <= columns; column++) {
          Object object = rows.getObject(column);
          values.add(
              rows.getMetaData().getColumnLabel(column)
                  + " "
                  + rows.getString(column)
                  + " "
                  + object
                  + " "
                  + (object == null ? "" : object.getClass().getSimpleName())
                  + " "
                  + rows.getBoolean(column));
        }
      }
    }
    return values;
  }

  // TIMESTAMP where the clock goes back: half past two comes twice on 2024-10-27.

  private static final String ZONE =
      """
      INSERT IGNORE INTO mysql.time_zone (Time_zone_id, Use_leap_seconds) VALUES (4711, 'N');
      INSERT IGNORE INTO mysql.time_zone_name (Name, Time_zone_id)
        VALUES ('Shardwright/Berlin', 4711);
      INSERT IGNORE INTO mysql.time_zone_transition_type
        (Time_zone_id, Transition_type_id, `Offset`, Is_DST, Abbreviation)
        VALUES (4711, 0, 3600, 0, 'CET'), (4711, 1, 7200, 1, 'CEST');
      INSERT IGNORE INTO mysql.time_zone_transition
        (Time_zone_id, Transition_time, Transition_type_id)
        VALUES (4711, 1711846800, 1), (4711, 1729990800, 0)
      """;

  private static ShardwrightDataSource openInBerlin() {
    shards.onPlain(ZONE);
    String yaml =
        shards
            .yaml()
            .replaceAll(
                "(?m)^( *s\\d: .url: \"[^\"]*)\"",
                "$1?sessionVariables=time_zone='Shardwright/Berlin'\"");
    return Shardwright.open(ConfigurationReader.parse("test.yaml", yaml, Map.of()));
  }

  @Test
  void timestampsOfTheRepeatedHour_areNotTakenForOne() throws SQLException {
    for (int shard = 0; shard < SHARDS; shard++) {
      shards.onShard(
          shard,
          "SET time_zone = '+00:00'; UPDATE samples SET tstz = '2024-10-27 0"
              + shard % 2
              + ":30:00'");
    }
    try (ShardwrightDataSource source = openInBerlin();
        Connection connection = source.getConnection()) {
      assertThat(TestingShards.rows(connection, "SELECT tstz FROM samples"))
          .hasSize(6)
          .allMatch(time -> time.startsWith("2024-10-27 02:30:00"));
      assertThat(
              TestingShards.rows(
                  connection,
                  "SELECT tstz, count(*) FROM samples WHERE k = ? GROUP BY tstz",
                  shards.keyOn(0, 0)))
          .hasSize(1);
      assertThat(TestingShards.rows(connection, "SELECT count(tstz), max(ts) FROM samples"))
          .hasSize(1);
      for (String sql :
          List.of(
              "SELECT tstz, count(*) FROM samples GROUP BY tstz",
              "SELECT id FROM samples ORDER BY tstz",
              "SELECT max(tstz) FROM samples",
              "SELECT count(DISTINCT tstz) FROM samples",
              "SELECT tstz FROM samples UNION SELECT tstz FROM samples",
              "INSERT INTO samples (k, id, tstz) SELECT k, id + 100, tstz FROM samples")) {
        assertThatThrownBy(() -> execute(connection, sql))
            .as(sql)
            .hasMessageStartingWith("SW208: ")
            .hasMessageContaining("time zone");
      }
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void timestamps_inAZoneWithoutSuchAnHour_areMerged() throws SQLException {
    for (int shard = 0; shard < SHARDS; shard++) {
      shards.onShard(shard, "UPDATE samples SET tstz = '2024-10-27 0" + shard % 2 + ":30:00'");
    }
    assertThat(shards.rows("SELECT tstz, count(*) FROM samples GROUP BY tstz ORDER BY tstz"))
        .containsExactly("2024-10-27 00:30:00.000000|4", "2024-10-27 01:30:00.000000|2");
  }
}
