package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.driver.StatementStatistics.Shape;
import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.ScatterReason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every text here is of a shape of its own, so that counters start from zero. */
class StatementStatisticsTest {
  private static TestingShards shards;

  @BeforeAll
  static void open() {
    shards = TestingShards.open(4, "{max: 4, timeout: 1s}", "warn_shards: 2\n");
  }

  @AfterAll
  static void close() {
    shards.close();
  }

  @AfterEach
  void everythingWasGivenBack() {
    shards.assertIdle();
    shards.clear();
  }

  private static Shape shape(String text) {
    return shards.source().statistics().shapes().stream()
        .filter(shape -> shape.shape().equals(text))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void oneShard_isCountedAsSingle() throws SQLException {
    for (int i = 0; i < 3; i++) {
      shards.rows("SELECT id AS single FROM samples WHERE k = ?", shards.keyOn(i, 0));
    }
    Shape shape = shape("SELECT id AS single FROM samples WHERE k = ?");
    assertThat(shape.single()).isEqualTo(3);
    assertThat(shape.statements()).isEqualTo(3);
    assertThat(shape.physicalStatements()).isEqualTo(3);
    assertThat(shape.shardsMax()).isEqualTo(1);
    assertThat(shape.rowsMerged()).isZero();
  }

  @Test
  void literals_areNoShapesOfTheirOwn() throws SQLException {
    for (int i = 0; i < 5; i++) {
      shards.rows(
          "SELECT id AS literal FROM samples WHERE k = " + i + " AND t = 'secret" + i + "'");
    }
    assertThat(shape("SELECT id AS literal FROM samples WHERE k = ? AND t = ?").single())
        .isEqualTo(5);
    assertThat(shards.source().statistics().toString()).doesNotContain("secret");
  }

  @Test
  void severalKeys_areCountedAsMulti() throws SQLException {
    shards.rows(
        "SELECT id AS multi FROM samples WHERE k IN (?, ?)",
        shards.keyOn(0, 0),
        shards.keyOn(1, 0));
    shards.rows(
        "SELECT id AS multi FROM samples WHERE k IN (?, ?)",
        shards.keyOn(2, 0),
        shards.keyOn(2, 0));
    Shape shape = shape("SELECT id AS multi FROM samples WHERE k IN (?, ...)");
    assertThat(shape.multi()).isEqualTo(1);
    assertThat(shape.single()).isEqualTo(1);
    assertThat(shape.physicalStatements()).isEqualTo(3);
    assertThat(shape.shardsMax()).isEqualTo(2);
  }

  @Test
  void scatter_isCountedWithItsReason() throws SQLException {
    shards.rows("SELECT id AS wide FROM samples");
    shards.rows("SELECT id AS wide FROM samples WHERE k = ? OR id = ?", 1, 2);
    Shape without = shape("SELECT id AS wide FROM samples");
    assertThat(without.scatter()).containsOnly(Map.entry(ScatterReason.NO_KEY, 1L));
    assertThat(without.physicalStatements()).isEqualTo(4);
    assertThat(shape("SELECT id AS wide FROM samples WHERE k = ? OR id = ?").scatter())
        .containsOnlyKeys(ScatterReason.OR_WITHOUT_KEY);
  }

  @Test
  void refusals_areCountedByCode() {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> shards.update("DELETE FROM samples WHERE id = 17"))
          .hasMessageContaining("SW205");
    }
    assertThatThrownBy(
            () -> shards.update("INSERT INTO samples (k, id, i8) VALUES (?, 1, 2)", (Object) null))
        .hasMessageContaining("SW301");
    assertThat(shape("DELETE FROM samples WHERE id = ?").refused())
        .containsOnly(Map.entry(ErrorCode.ROUTE_KEY_MISSING, 2L));
    Shape nullKey = shape("INSERT INTO samples (k, id, i8) VALUES (?, ...)");
    assertThat(nullKey.refused()).containsOnlyKeys(ErrorCode.ROUTE_KEY_NULL);
    assertThat(nullKey.statements()).isZero();
    assertThat(nullKey.physicalStatements()).isZero();
  }

  @Test
  void databaseErrors_areCountedAsFailed() {
    assertThatThrownBy(
            () ->
                shards.rows(
                    "SELECT id / 0 AS failing, 1 / (id - id) FROM samples WHERE k = 1 AND 1 / 0 = 1"))
        .isInstanceOf(SQLException.class);
    Shape shape =
        shape("SELECT id / ? AS failing, ? / (id - id) FROM samples WHERE k = ? AND ? / ? = ?");
    assertThat(shape.failed()).isEqualTo(1);
    assertThat(shape.single()).isEqualTo(1);
    assertThat(shape.refused()).isEmpty();
  }

  @Test
  void referenceTables_areCountedApart() throws SQLException {
    shards.rows("SELECT code AS reference FROM countries");
    shards.update("INSERT INTO countries (code, name) VALUES ('xx', 'Somewhere')");
    assertThat(shape("SELECT code AS reference FROM countries").anyShard()).isEqualTo(1);
    Shape write = shape("INSERT INTO countries (code, name) VALUES (?, ...)");
    assertThat(write.everyShard()).isEqualTo(1);
    assertThat(write.physicalStatements()).isEqualTo(4);
  }

  @Test
  void limitAndOffset_discardRows() throws SQLException {
    insert(40);
    assertThat(shards.rows("SELECT id AS page FROM samples ORDER BY id LIMIT 5 OFFSET 2"))
        .containsExactly("2", "3", "4", "5", "6");
    Shape shape = shape("SELECT id AS page FROM samples ORDER BY id LIMIT ? OFFSET ?");
    assertThat(shape.rowsMerged()).as("seven of each of four shards").isEqualTo(28);
    assertThat(shape.rowsDiscarded()).isEqualTo(23);
  }

  @Test
  void wholeMerge_discardsNothing() throws SQLException {
    insert(40);
    assertThat(shards.rows("SELECT id AS all_rows FROM samples ORDER BY id")).hasSize(40);
    assertThat(shards.rows("SELECT count(*) AS groups FROM samples")).containsExactly("40");
    Shape shape = shape("SELECT id AS all_rows FROM samples ORDER BY id");
    assertThat(shape.rowsMerged()).isEqualTo(40);
    assertThat(shape.rowsDiscarded()).isZero();
    Shape count = shape("SELECT count(*) AS groups FROM samples");
    assertThat(count.rowsMerged()).isEqualTo(4);
    assertThat(count.rowsDiscarded()).isZero();
  }

  @Test
  void lastStep_discardsWhatItUsesUp() throws SQLException {
    insert(40);
    assertThat(shards.rows("SELECT i4 AS having FROM samples GROUP BY i4 HAVING count(*) > 1000"))
        .isEmpty();
    Shape shape = shape("SELECT i4 AS having FROM samples GROUP BY i4 HAVING count(*) > ?");
    assertThat(shape.rowsMerged()).isEqualTo(4);
    assertThat(shape.rowsDiscarded()).isEqualTo(4);
    assertThat(shape.physicalStatements()).as("and the last step").isEqualTo(5);
  }

  @Test
  void batch_isCountedPerEntry() throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO samples (k, id, i2) VALUES (?, ?, 7)")) {
      for (int i = 0; i < 6; i++) {
        insert.setLong(1, i);
        insert.setLong(2, i);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    assertThat(shape("INSERT INTO samples (k, id, i2) VALUES (?, ...)").single()).isEqualTo(6);
  }

  @Test
  void total_addsShapes() throws SQLException {
    Shape before = shards.source().statistics().total();
    shards.rows("SELECT id AS total_a FROM samples WHERE k = 1");
    shards.rows("SELECT id AS total_b FROM samples");
    Shape after = shards.source().statistics().total();
    assertThat(after.single() - before.single()).isEqualTo(1);
    assertThat(after.scatters() - before.scatters()).isEqualTo(1);
    assertThat(after.physicalStatements() - before.physicalStatements()).isEqualTo(5);
  }

  @Test
  void shapes_areBounded() {
    Statistics statistics = new Statistics(OptionalInt.empty());
    for (int i = 0; i < StatementStatistics.MAX_SHAPES + 5; i++) {
      statistics.of("shape " + i).refused(ErrorCode.TABLE_UNKNOWN);
    }
    StatementStatistics snapshot = statistics.snapshot();
    assertThat(snapshot.shapes()).hasSize(StatementStatistics.MAX_SHAPES + 1);
    assertThat(snapshot.total().refused())
        .containsEntry(ErrorCode.TABLE_UNKNOWN, StatementStatistics.MAX_SHAPES + 5L);
    assertThat(snapshot.shapes())
        .anySatisfy(
            shape -> {
              assertThat(shape.shape()).isEqualTo(StatementStatistics.OTHER);
              assertThat(shape.refused()).containsEntry(ErrorCode.TABLE_UNKNOWN, 5L);
            });
  }

  @Test
  void moreShardsThanTheThreshold_areWarnedOf() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT id AS warned FROM samples").close();
      SQLWarning warning = statement.getWarnings();
      assertThat(warning.getMessage())
          .contains(
              "SW701: a statement went to 4 shards, more than warn_shards: 2",
              "no condition on the route key");
      assertThat(warning.getSQLState()).isEqualTo("01W01");
      assertThat(warning.getErrorCode()).isEqualTo(701);
      statement.executeQuery("SELECT id FROM samples WHERE k = 1").close();
      assertThat((Object) statement.getWarnings()).isNull();
    }
  }

  @Test
  void shardsWithinTheThreshold_areNotWarnedOf() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      statement
          .executeQuery(
              "SELECT id FROM samples WHERE k IN ("
                  + shards.keyOn(0, 0)
                  + ", "
                  + shards.keyOn(3, 0)
                  + ")")
          .close();
      assertThat((Object) statement.getWarnings()).isNull();
      statement.executeUpdate("UPDATE countries SET name = 'x'");
      assertThat((Object) statement.getWarnings())
          .as("reference tables are on every shard")
          .isNull();
    }
  }

  @Test
  void logDue_isOnceAMinuteAndShape() {
    ShapeCounters counters = new ShapeCounters("x");
    assertThat(counters.logDue()).isTrue();
    assertThat(counters.logDue()).isFalse();
    assertThat(new ShapeCounters("y").logDue()).isTrue();
  }

  @Test
  void halfReadResult_countsWhatWasRead() throws SQLException {
    insert(40);
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id AS half FROM samples")) {
      List<Long> seen = new ArrayList<>();
      while (seen.size() < 10 && rows.next()) {
        seen.add(rows.getLong(1));
      }
      assertThat(seen).hasSize(10);
    }
    assertThat(shape("SELECT id AS half FROM samples").rowsMerged()).isEqualTo(10);
  }

  private static void insert(int rows) throws SQLException {
    try (Connection connection = shards.connect();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO samples (k, id, i4) VALUES (?, ?, 1)")) {
      for (int shard = 0; shard < 4; shard++) {
        for (int i = 0; i < rows / 4; i++) {
          insert.setLong(1, shards.keyOn(shard, 0));
          insert.setLong(2, i * 4L + shard);
          insert.addBatch();
        }
      }
      insert.executeBatch();
    }
  }
}
