package io.shardwright.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.bench.stub.StubDatabase;
import io.shardwright.bench.stub.StubDriver;
import io.shardwright.schema.ShardIdentity;
import io.shardwright.schema.ShardInspector;
import io.shardwright.schema.ShardSchema;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StubDatabaseTest {
  private static final List<String> TABLES = List.of("orders");

  private static Stand stand;
  private static Setup setup;
  private String stubUrl;

  @BeforeAll
  static void start() throws Exception {
    stand = Stand.start(Database.POSTGRESQL, Scale.TINY, Set.of(Workloads.STUB));
    setup = stand.setup(Side.RAW);
  }

  @AfterAll
  static void stop() {
    stand.close();
  }

  @BeforeEach
  void addStub() throws SQLException {
    stubUrl = StubDriver.add(realUrl(), setup.user(), setup.password());
  }

  @Test
  void startUpQueries_areAnsweredAsByTheServerBehind_alsoWhenSealed() throws Exception {
    ShardSchema expected = schema(realUrl());
    ShardIdentity identity = identity(realUrl());
    assertThat(expected.tables()).containsOnlyKeys("orders");
    assertThat(schema(stubUrl)).isEqualTo(expected);
    assertThat(identity(stubUrl)).isEqualTo(identity);

    stub().seal();

    assertThat(schema(stubUrl)).isEqualTo(expected);
    assertThat(identity(stubUrl)).isEqualTo(identity);
  }

  @Test
  void ordersOnStub_areAnsweredFromMemoryAndCounted() throws Exception {
    stub().seal();
    long before = stub().executions();
    try (Connection connection = connect(stubUrl)) {
      try (PreparedStatement select = connection.prepareStatement(Statements.POINT);
          ResultSet rows = select.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getBigDecimal(3)).isEqualTo(new BigDecimal("12.34"));
      }
      assertThat(stub().executions()).isEqualTo(before + 1);
      String insert = Statements.insert("orders", OrderTables.ORDER_COLUMNS, true);
      try (PreparedStatement statement = connection.prepareStatement(insert)) {
        assertThat(statement.executeUpdate()).isEqualTo(1);
      }
    }
    assertThat(stub().executions()).isEqualTo(before + 2);
  }

  @Test
  void otherStatements_whenSealed_fail() throws Exception {
    stub().seal();
    try (Connection connection = connect(stubUrl);
        PreparedStatement select = connection.prepareStatement("SELECT 1")) {
      assertThatThrownBy(select::executeQuery)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("nobody to ask: SELECT 1");
    }
  }

  private StubDatabase stub() {
    return StubDriver.database(stubUrl);
  }

  private static String realUrl() {
    return setup.sets().get(Workloads.STUB).get(0);
  }

  private static ShardSchema schema(String url) throws SQLException {
    try (Connection connection = connect(url)) {
      return ShardInspector.inspect(connection, TABLES);
    }
  }

  private static ShardIdentity identity(String url) throws SQLException {
    try (Connection connection = connect(url)) {
      return ShardIdentity.read(connection).orElseThrow();
    }
  }

  private static Connection connect(String url) throws SQLException {
    return DriverManager.getConnection(url, setup.user(), setup.password());
  }
}
