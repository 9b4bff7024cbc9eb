package io.shardwright.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WireCounterTest {
  private static final EmbeddedPostgresServer SERVER = EmbeddedPostgresServer.shared();

  private WireCounter counter;

  @BeforeEach
  void start() {
    counter = new WireCounter(Database.POSTGRESQL, SERVER.port());
  }

  @AfterEach
  void stop() {
    counter.close();
  }

  @Test
  void statementsOutsideOfTransactions_areOneRoundTripEach() throws SQLException {
    try (Connection connection = connect("")) {
      long statements = counter.statements();
      long roundTrips = counter.roundTrips();
      for (int i = 0; i < 10; i++) {
        select(connection, i);
      }

      assertThat(counter.statements() - statements).isEqualTo(10);
      assertThat(counter.roundTrips() - roundTrips).isEqualTo(10);
    }
  }

  @Test
  void transaction_itsBeginAndCommitAreNoStatements() throws SQLException {
    try (Connection connection = connect("")) {
      connection.setAutoCommit(false);
      long statements = counter.statements();
      long roundTrips = counter.roundTrips();
      for (int transaction = 0; transaction < 7; transaction++) {
        select(connection, 1);
        select(connection, 2);
        connection.commit();
      }

      assertThat(counter.statements() - statements).isEqualTo(14);
      assertThat(counter.roundTrips() - roundTrips).as("BEGIN travels along").isEqualTo(21);
    }
  }

  @Test
  void rowsByCursor_areOneStatementAndARoundTripPerFetch() throws SQLException {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(10);
      long statements = counter.statements();
      long roundTrips = counter.roundTrips();
      try (ResultSet rows = statement.executeQuery("SELECT * FROM generate_series(1, 35)")) {
        while (rows.next()) {
          assertThat(rows.getInt(1)).isPositive();
        }
      }

      assertThat(counter.statements() - statements).isEqualTo(1);
      assertThat(counter.roundTrips() - roundTrips).isEqualTo(4);
    }
  }

  @Test
  void simpleQueries_areCountedToo() throws SQLException {
    try (Connection connection = connect("?preferQueryMode=simple")) {
      long statements = counter.statements();
      long roundTrips = counter.roundTrips();
      select(connection, 1);

      assertThat(counter.statements() - statements).isEqualTo(1);
      assertThat(counter.roundTrips() - roundTrips).isEqualTo(1);
    }
  }

  @Test
  void connectionsUsed_areThoseThatSentSomething() throws SQLException {
    try (Connection first = connect("");
        Connection second = connect("");
        Connection third = connect("")) {
      counter.forgetConnections();
      select(first, 1);
      select(third, 1);
      select(third, 2);

      assertThat(counter.connectionsUsed()).isEqualTo(2);
      assertThat(second.isClosed()).isFalse();
    }
  }

  private Connection connect(String settings) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + counter.port() + "/postgres" + settings,
        SERVER.user(),
        SERVER.password());
  }

  private static void select(Connection connection, int value) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement("SELECT ?::int")) {
      select.setInt(1, value);
      try (ResultSet rows = select.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(value);
      }
    }
  }
}
