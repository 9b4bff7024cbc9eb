package io.shardwright.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.EmbeddedMariaDbServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireCounterMariaDbTest {
  private static final EmbeddedMariaDbServer SERVER = EmbeddedMariaDbServer.shared();

  private WireCounter counter;
  private long statements;
  private long roundTrips;

  @BeforeEach
  void start() {
    counter = new WireCounter(Database.MARIADB, SERVER.port());
  }

  @AfterEach
  void stop() {
    counter.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"?useServerPrepStmts=false", "?useServerPrepStmts=true"})
  void statements_areOneRoundTripEachAlsoWhenTheyArePrepared(String settings) throws SQLException {
    try (Connection connection = connect(settings)) {
      prepare(connection);
      count();
      for (int i = 0; i < 10; i++) {
        select(connection, i);
      }

      assertSent(10, 10);
    }
  }

  @Test
  void transaction_itsSettingAndCommitAreNoStatements() throws SQLException {
    String url = SERVER.createDatabase("wire");
    try (Connection connection =
            connect(url.substring(url.lastIndexOf('/') + 1) + "?useServerPrepStmts=true");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE numbers (a int)");
      prepare(connection);
      count();
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO numbers VALUES (1)");
      select(connection, 2);
      connection.commit();

      assertSent(2, 4);
    }
  }

  @Test
  void streamedRows_areOneRoundTrip() throws SQLException {
    try (Connection connection = connect("");
        Statement select = connection.createStatement()) {
      select.setFetchSize(1);
      count();
      try (ResultSet rows = select.executeQuery("SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3")) {
        while (rows.next()) {
          assertThat(rows.getInt(1)).isPositive();
        }
      }

      assertSent(1, 1);
    }
  }

  @Test
  void connectionsUsed_areThoseThatSentSomething() throws SQLException {
    try (Connection first = connect("");
        Connection second = connect("")) {
      counter.forgetConnections();
      select(first, 1);

      assertThat(counter.connectionsUsed()).isEqualTo(1);
      assertThat(second.isClosed()).isFalse();
    }
  }

  /**
   * It and its first execution are sent one behind the other, with or without an answer between.
   */
  private static void prepare(Connection connection) throws SQLException {
    select(connection, 0);
  }

  private void count() {
    statements = counter.statements();
    roundTrips = counter.roundTrips();
  }

  private void assertSent(long sentStatements, long sentRoundTrips) {
    assertThat(counter.statements() - statements).isEqualTo(sentStatements);
    assertThat(counter.roundTrips() - roundTrips).isEqualTo(sentRoundTrips);
  }

  private Connection connect(String settings) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://127.0.0.1:" + counter.port() + "/" + settings,
        SERVER.user(),
        SERVER.password());
  }

  private static void select(Connection connection, int value) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement("SELECT ?")) {
      select.setInt(1, value);
      try (ResultSet rows = select.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(value);
      }
    }
  }
}
