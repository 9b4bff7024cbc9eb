package io.shardwright.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.bench.stub.StubDatabase;
import io.shardwright.schema.ShardIdentity;
import io.shardwright.schema.ShardInspector;
import io.shardwright.schema.ShardSchema;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class StubDatabaseTest {
  private static final List<String> TABLES = List.of("orders");

  @Test
  void startUpQueries_areAnsweredAsByTheServerBehind_alsoWhenSealed() throws Exception {
    try (BenchShards stub = BenchShards.stub();
        BenchShards real = BenchShards.real(0)) {
      ShardSchema expected = schema(real);
      assertThat(expected.tables()).containsOnlyKeys("orders");
      assertThat(schema(stub)).isEqualTo(expected);
      assertThat(identity(stub)).isEqualTo(identity(real));

      stub.seal();

      assertThat(schema(stub)).isEqualTo(expected);
      assertThat(identity(stub)).isEqualTo(identity(real));
    }
  }

  @Test
  void ordersOnStub_areAnsweredFromMemoryAndCounted() throws Exception {
    try (BenchShards stub = BenchShards.stub();
        HandRouter byHand = stub.handRouter()) {
      stub.seal();
      Workload.OrderKey key = Workload.OrderKey.ofRow(7);
      long before = executions(stub);

      assertThat(PointSelect.handRouted(byHand, key)).isEqualTo(new BigDecimal("12.34"));
      assertThat(executions(stub)).isEqualTo(before + 1);
      try (Connection connection = connect(stub);
          PreparedStatement insert = connection.prepareStatement(Workload.INSERT)) {
        assertThat(insert.executeUpdate()).isEqualTo(1);
      }
      assertThat(executions(stub)).isEqualTo(before + 2);
    }
  }

  @Test
  void otherStatements_whenSealed_fail() throws Exception {
    try (BenchShards stub = BenchShards.stub()) {
      stub.seal();
      try (Connection connection = connect(stub);
          PreparedStatement select = connection.prepareStatement("SELECT 1")) {
        assertThatThrownBy(select::executeQuery)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("nobody to ask: SELECT 1");
      }
    }
  }

  private static ShardSchema schema(BenchShards shards) throws SQLException {
    try (Connection connection = connect(shards)) {
      return ShardInspector.inspect(connection, TABLES);
    }
  }

  private static ShardIdentity identity(BenchShards shards) throws SQLException {
    try (Connection connection = connect(shards)) {
      return ShardIdentity.read(connection).orElseThrow();
    }
  }

  private static Connection connect(BenchShards shards) throws SQLException {
    return DriverManager.getConnection(shards.urls().get(0), shards.user(), shards.password());
  }

  private static long executions(BenchShards shards) {
    return shards.stubs().stream().mapToLong(StubDatabase::executions).sum();
  }
}
