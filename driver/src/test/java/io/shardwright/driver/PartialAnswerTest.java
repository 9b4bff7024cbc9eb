package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each shard has two rows; shard s1 is the one that fails. */
class PartialAnswerTest {
  private static final String ALLOW = "/* shardwright: partial=allow */ ";
  private static final ShardId S1 = new ShardId("s1");

  private static final TestingShards shards = TestingShards.open(3);

  @BeforeEach
  void fill() throws SQLException {
    for (int shard = 0; shard < 3; shard++) {
      for (int i = 0; i < 2; i++) {
        shards.update(
            "INSERT INTO samples (k, id, i4) VALUES (?, ?, ?)",
            shards.keyOn(shard, 0),
            shard * 10 + i,
            shard);
      }
    }
  }

  @AfterEach
  void everythingWasGivenBack() {
    shards.assertIdle();
    for (int shard = 0; shard < 3; shard++) {
      shards.proxy(shard).heal();
      shards.awaitReachable(shard);
    }
    shards.clear();
  }

  @AfterAll
  static void close() {
    shards.close();
  }

  private void takeDown() {
    shards.proxy(1).refuse();
    shards.proxy(1).cut();
  }

  @Test
  void shardDown_answersWithTheRowsOfTheOthers() throws SQLException {
    takeDown();
    for (String sql :
        List.of(
            "SELECT id FROM samples",
            "SELECT id FROM samples ORDER BY id",
            "SELECT id FROM samples ORDER BY id LIMIT 10")) {
      assertPartial(sql, "0", "1", "20", "21");
    }
  }

  @Test
  void shardDown_aggregatesAreThoseOfTheOthers() throws SQLException {
    takeDown();
    assertPartial("SELECT count(*), max(id) FROM samples", "4|21");
    assertPartial("SELECT i4, count(*) FROM samples GROUP BY i4 ORDER BY i4", "0|2", "2|2");
  }

  @Test
  void shardDown_lastStepIsMadeOfTheOthers() throws SQLException {
    takeDown();
    assertPartial("SELECT i4 FROM samples GROUP BY i4 HAVING count(*) > 1 ORDER BY 1", "0", "2");
    shards.proxy(1).heal();
    shards.awaitReachable(1);
    shards.proxy(0).refuse();
    shards.proxy(0).cut();
    assertThat(shards.rows(ALLOW + "SELECT DISTINCT i4 FROM samples ORDER BY 1"))
        .as("the last step runs on the first shard that answers")
        .containsExactly("1", "2");
  }

  @Test
  void severalKeys_areAnsweredForThoseReachable() throws SQLException {
    takeDown();
    assertPartial(
        "SELECT id FROM samples WHERE k IN ("
            + shards.keyOn(0, 0)
            + ", "
            + shards.keyOn(1, 0)
            + ") ORDER BY id",
        "0",
        "1");
  }

  @Test
  void settingOfTheConnection_allowsItUnlessAHintSaysOtherwise() throws SQLException {
    takeDown();
    String count = "SELECT count(*) FROM samples";
    try (Connection connection = shards.connect()) {
      connection.unwrap(ShardwrightSession.class).set("partial", "allow");
      assertThat(TestingShards.rows(connection, count)).containsExactly("4");
      String refuse = "/* shardwright: partial=refuse */ ";
      assertThatThrownBy(() -> TestingShards.rows(connection, refuse + count))
          .hasMessageStartingWith("SW401: ");
      connection.unwrap(ShardwrightSession.class).set("partial", null);
      assertThatThrownBy(() -> TestingShards.rows(connection, count))
          .hasMessageStartingWith("SW401: ");
    }
  }

  private void assertPartial(String sql, String... expected) throws SQLException {
    long before = shards.source().statistics().total().partial();
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(ALLOW + sql)) {
      for (SQLWarning warning : List.of(statement.getWarnings(), rows.getWarnings())) {
        assertThat(warning.getMessage())
            .startsWith("SW702: ")
            .contains(" shards answered", "missing: {s1=");
        assertThat(warning.getSQLState()).isEqualTo("01W02");
      }
      Completeness completeness = rows.unwrap(Completeness.class);
      assertThat(completeness.isComplete()).isFalse();
      assertThat(completeness.missing()).containsOnlyKeys(S1);
      assertThat(completeness.missing().get(S1)).contains("s1");
      assertThat(completeness.expected()).contains(S1);
      assertThat(completeness.answered()).doesNotContain(S1).isNotEmpty();
      assertThat(TestingShards.rows(rows)).containsExactlyInAnyOrder(expected);
      rows.clearWarnings();
      assertThat((Object) rows.getWarnings()).isNull();
    }
    assertThat(shards.source().statistics().total().partial()).isEqualTo(before + 1);
  }

  @Test
  void shardDown_withoutTheHint_fails() {
    takeDown();
    assertThatThrownBy(() -> shards.rows("SELECT id FROM samples")).hasMessageContaining("SW401");
  }

  @Test
  void shardDown_failsWhatTheShardAloneCanAnswer() {
    takeDown();
    assertThatThrownBy(
            () -> shards.rows(ALLOW + "SELECT id FROM samples WHERE k = " + shards.keyOn(1, 0)))
        .hasMessageContaining("SW401");
  }

  @Test
  void everyShardDown_fails() {
    for (int shard = 0; shard < 3; shard++) {
      shards.proxy(shard).refuse();
      shards.proxy(shard).cut();
    }
    assertThatThrownBy(() -> shards.rows(ALLOW + "SELECT id FROM samples"))
        .hasMessageContaining("SW401");
  }

  @Test
  void transaction_isNeverPartial() throws SQLException {
    takeDown();
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> TestingShards.rows(connection, ALLOW + "SELECT id FROM samples"))
          .hasMessageContaining("SW401");
      connection.rollback();
    }
  }

  @Test
  void write_isNeverPartial() throws SQLException {
    takeDown();
    assertThatThrownBy(
            () ->
                shards.update(
                    ALLOW + "UPDATE samples SET i4 = 9 WHERE k IN (?, ?)",
                    shards.keyOn(0, 0),
                    shards.keyOn(1, 0)))
        .isInstanceOf(SQLException.class);
    shards.proxy(1).heal();
    shards.awaitReachable(1);
    assertThat(shards.rows("SELECT id FROM samples WHERE i4 = 9")).isEmpty();
  }

  @Test
  void errorOfTheStatement_isNoMissingShard() {
    assertThatThrownBy(() -> shards.rows(ALLOW + "SELECT 1 / (id - 10) FROM samples"))
        .hasMessageContaining("division by zero");
  }

  @Test
  void shardThatDoesNotAnswerInTime_isMissing() throws SQLException {
    try (Connection locker = shards.shard(1);
        Statement lock = locker.createStatement()) {
      locker.setAutoCommit(false);
      lock.execute("LOCK TABLE samples IN ACCESS EXCLUSIVE MODE");
      try (Connection connection = shards.connect();
          Statement statement = connection.createStatement()) {
        statement.setQueryTimeout(1);
        try (ResultSet rows =
            statement.executeQuery(ALLOW + "SELECT id FROM samples ORDER BY id")) {
          assertThat(rows.unwrap(Completeness.class).missing()).containsOnlyKeys(S1);
          assertThat(TestingShards.rows(rows)).containsExactly("0", "1", "20", "21");
        }
        assertThatThrownBy(() -> statement.executeQuery("SELECT id FROM samples ORDER BY id"))
            .hasMessageContaining("SW406");
      }
      locker.rollback();
    }
  }

  @Test
  void shardWhoseConnectionsAreBusy_isMissing() throws SQLException {
    List<Connection> busy = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        Connection connection = shards.connect();
        busy.add(connection);
        connection.setAutoCommit(false);
        TestingShards.update(connection, "UPDATE samples SET i4 = 1 WHERE k = -1 AND k = ?", -1);
        connection.rollback();
        TestingShards.rows(
            connection,
            "SELECT 1 FROM samples WHERE k = ? FOR UPDATE SKIP LOCKED",
            shards.keyOn(1, 0));
      }
      assertThat(shards.rows(ALLOW + "SELECT count(*) FROM samples")).containsExactly("4");
      assertThatThrownBy(() -> shards.rows("SELECT count(*) FROM samples"))
          .hasMessageContaining("SW402");
    } finally {
      for (Connection connection : busy) {
        connection.close();
      }
    }
  }

  @Test
  void completeAnswers_areComplete() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "SELECT id FROM samples",
              "SELECT count(*) FROM samples",
              "SELECT i4 FROM samples GROUP BY i4 HAVING count(*) > 1")) {
        try (ResultSet rows = statement.executeQuery(ALLOW + sql)) {
          assertThat(rows.isWrapperFor(Completeness.class)).isTrue();
          Completeness completeness = rows.unwrap(Completeness.class);
          assertThat(completeness.isComplete()).isTrue();
          assertThat(completeness.answered()).hasSize(3).isEqualTo(completeness.expected());
          assertThat((Object) statement.getWarnings()).isNull();
        }
      }
      try (ResultSet rows =
          statement.executeQuery("SELECT id FROM samples WHERE k = " + shards.keyOn(1, 0))) {
        assertThat(rows.unwrap(Completeness.class).answered()).containsExactly(S1);
      }
    }
  }
}
