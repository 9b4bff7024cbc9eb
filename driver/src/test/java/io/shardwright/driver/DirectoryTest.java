package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.DriverLease;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import io.shardwright.schema.ShardInspector;
import io.shardwright.schema.ShardSchema;
import io.shardwright.testkit.TestingClock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DirectoryTest extends DirectoryContract {
  DirectoryTest() {
    super(TestingDatabase.POSTGRESQL);
  }

  /** Another thread may have read the schema by the state of before. */
  @Test
  void databaseOfAnOlderState_doesNotReplaceThatOfANewer() throws SQLException {
    Cluster cluster = shards.source().cluster();
    LogicalDatabase now = cluster.database();
    CatalogState state = cluster.catalogMaps().state();
    CatalogState older =
        new CatalogState(
            state.clusterId(),
            state.version() - 1,
            state.maps(),
            Map.of(),
            state.indexes(),
            state.announced());
    Endpoint s0 = shards.configuration("direct").shards().get(new ShardId("s0")).endpoint();
    try (Connection shard = DriverManager.getConnection(s0.url(), s0.user(), s0.password())) {
      ShardSchema schema =
          ShardInspector.inspect(shard, LogicalDatabase.tableNames(shards.configuration()));
      LogicalDatabase late =
          LogicalDatabase.of(shards.configuration(), older, schema, cluster.statistics());
      assertThat(cluster.use(late)).isFalse();
    }
    assertThat(cluster.database()).isSameAs(now);
    cluster.refresh();
    assertThat(cluster.database().reserved()).isEqualTo(now.reserved());
  }

  /** Its file says less, and it cannot be told. */
  @Test
  void processWithoutCatalog_doesNotMissRowsOfAGiantThatItNeverHeardOf() throws SQLException {
    TestingClock clock = new TestingClock(Instant.now());
    DriverLease lease = new DriverLease(clock, () -> clock.instant().toEpochMilli() * 1_000_000L);
    String select = "SELECT id FROM samples WHERE k = ?";
    try (ShardwrightDataSource asleep =
            new ShardwrightDataSource(new Cluster("asleep", shards::configuration, lease));
        Connection connection = asleep.getConnection();
        PreparedStatement prepared = connection.prepareStatement(select)) {
      assertThat(TestingShards.rows(connection, select, 701L)).isEmpty();
      shards.catalogProxy().refuse();
      shards.catalogProxy().cut();
      try {
        clock.step(Duration.ofSeconds(11));
        assertThat(TestingShards.rows(connection, select, 701L)).isEmpty();
        Configuration grown =
            ConfigurationReader.parse(
                "test.yaml",
                shards
                    .yaml(List.of())
                    .replace(
                        "{key: [700], buckets: 64}",
                        "{key: [700], buckets: 64}, {key: [701], buckets: 65}"),
                Map.of());
        // The source's own process cannot be told either: its lease has to lapse first.
        ApplyReport report = Apply.run(grown, Apply.Options.DEFAULT);
        assertThat(report.problems()).isEmpty();
        try (ShardwrightDataSource other = Shardwright.open(grown);
            Connection writer = other.getConnection()) {
          TestingShards.update(writer, "INSERT INTO samples (k, id) VALUES (701, 7)");
        }
        prepared.setLong(1, 701);
        for (Question question :
            List.<Question>of(
                () -> TestingShards.rows(prepared.executeQuery()),
                () -> TestingShards.rows(connection, select, 701L),
                () ->
                    List.of(
                        ""
                            + TestingShards.update(
                                connection, "UPDATE samples SET i4 = 1 WHERE k = 701")))) {
          assertThatThrownBy(question::ask).hasMessageContaining("SW001");
        }
      } finally {
        shards.catalogProxy().heal();
      }
      asleep.refreshMaps();
      shards.source().refreshMaps();
      assertThat(TestingShards.rows(connection, select, 701L)).containsExactly("7");
      prepared.setLong(1, 701);
      assertThat(TestingShards.rows(prepared.executeQuery())).containsExactly("7");
    }
  }

  private interface Question {
    List<String> ask() throws SQLException;
  }
}
