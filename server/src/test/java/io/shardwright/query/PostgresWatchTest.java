package io.shardwright.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresWatchTest {
  private EmbeddedPostgresServer server;
  private String url;

  @BeforeAll
  void open() {
    server =
        EmbeddedPostgresServer.start(
            EmbeddedPostgresServer.Options.fast().with("max_prepared_transactions", "4"));
    url = server.createDatabase("watch");
  }

  @AfterAll
  void close() {
    server.close();
  }

  private Configuration.Shard shard(String user) {
    String yaml =
        """
        version: 1
        shards: {s0: {url: "%s", user: %s, password: "%s"}}
        groups: {g: {key: [k], buckets: 16, tables: {t: {}}}}
        """
            .formatted(url, user, server.password());
    return ConfigurationReader.parse("f", yaml, Map.of()).shards().values().iterator().next();
  }

  private TransactionWatch watch(Instant cutOff) {
    return new PostgresWatch(shard(server.user()), cutOff);
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url, server.user(), server.password());
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** It has no id, and its now() is from before. */
  @Test
  void transactionThatWroteNothing_blocks_untilItEnds() throws SQLException {
    Instant now = watch(Instant.EPOCH).clock(InstantSource.system()).server();
    TransactionWatch after = watch(now.plusSeconds(60));
    TransactionWatch before = watch(now.minusSeconds(60));
    try (Connection reader = connect()) {
      reader.setAutoCommit(false);
      execute(reader, "SELECT now()");

      assertThat(after.blockers())
          .singleElement()
          .satisfies(
              blocker -> {
                assertThat(blocker.who()).startsWith("process ");
                assertThat(blocker.user()).contains(server.user());
                assertThat(blocker.since().orElseThrow()).isAfter(now.minusSeconds(5));
              });
      assertThat(before.blockers()).as("it began later").isEmpty();
      reader.rollback();
      assertThat(after.blockers()).isEmpty();
    }
  }

  @Test
  void preparedTransaction_blocks_whetherItWasSeenBeforeOrNot() throws SQLException {
    Instant now = watch(Instant.EPOCH).clock(InstantSource.system()).server();
    TransactionWatch seen = watch(now.plusSeconds(60));
    try (Connection writer = connect();
        Connection other = connect()) {
      writer.setAutoCommit(false);
      execute(writer, "CREATE TABLE x (i int)");
      assertThat(seen.blockers()).hasSize(1);
      execute(writer, "PREPARE TRANSACTION 'mine'");
      writer.setAutoCommit(true);

      assertThat(seen.blockers()).singleElement().asString().contains("transaction 'mine'");
      assertThat(watch(now.minusSeconds(60)).blockers())
          .as("nobody knows when it began")
          .hasSize(1);
      execute(other, "COMMIT PREPARED 'mine'");
      assertThat(seen.blockers()).isEmpty();
    }
  }

  @Test
  void sessionThatHides_blocks() throws SQLException {
    Instant now = watch(Instant.EPOCH).clock(InstantSource.system()).server();
    TransactionWatch watch = watch(now.plusSeconds(60));
    try (Connection hidden = connect()) {
      execute(hidden, "SET track_activities = off");
      hidden.setAutoCommit(false);
      execute(hidden, "SELECT 1");
      assertThat(watch.blockers()).singleElement().asString().contains("track_activities is off");

      execute(hidden, "SET track_activities = on");
      assertThat(watch.blockers())
          .as("its transaction goes on")
          .singleElement()
          .asString()
          .contains("does not tell when its transaction began");
      hidden.commit();
      assertThat(watch.blockers()).isEmpty();
    }
  }

  @Test
  void userWithoutPrivilege_isToldTheGrant() throws SQLException {
    try (Connection admin = connect()) {
      execute(admin, "CREATE ROLE plain LOGIN PASSWORD '" + server.password() + "'");
    }
    TransactionWatch watch = new PostgresWatch(shard("plain"), Instant.EPOCH);

    assertThatThrownBy(() -> watch.clock(InstantSource.system()))
        .hasMessageContaining("SW812")
        .hasMessageContaining("GRANT pg_read_all_stats TO plain");
    try (Connection admin = connect()) {
      execute(admin, "GRANT pg_read_all_stats TO plain");
    }
    assertThat(watch.clock(InstantSource.system()).server()).isAfter(Instant.EPOCH);
    assertThat(watch.position().orElseThrow()).matches("\\d+:\\d+:.*");
  }

  @Test
  void clock_tellsHowFarAServerIsBehind() {
    Instant local = Instant.parse("2026-01-01T00:00:00.050Z");
    TransactionWatch.Clock clock =
        TransactionWatch.Clock.of(local.minusSeconds(7), local, Duration.ofMillis(100));

    assertThat(clock.skew()).isEqualTo(Duration.ofSeconds(-7));
    assertThat(clock.uncertainty()).isEqualTo(Duration.ofMillis(50));
  }
}
