package io.shardwright.cli.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.cli.loadtest.LoadTestReport.Measured;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoadTestTest {
  private static final EmbeddedPostgresServer SERVER = EmbeddedPostgresServer.shared();

  private final AtomicReference<LoadTest> test = new AtomicReference<>();

  private LoadTest test(Consumer<String> steps, Scenario... scenarios) {
    String login = ", user: %s, password: \"%s\"}\n".formatted(SERVER.user(), SERVER.password());
    String yaml =
        "version: 1\nshards:\n  s0: {url: \""
            + SERVER.createDatabase("loadtest")
            + "\""
            + login
            + "  s1: {url: \""
            + SERVER.createDatabase("loadtest")
            + "\""
            + login
            + "groups: {orders: {key: [buyer_id], buckets: 64, tables: {orders: {}}}}\n";
    LoadTestOptions options =
        new LoadTestOptions(
            ConfigurationReader.parse("test.yaml", yaml, Map.of()),
            List.of(scenarios),
            4_000,
            1,
            Duration.ofSeconds(1),
            100,
            false);
    test.set(new LoadTest(options, steps));
    return test.get();
  }

  @AfterEach
  void nothingIsLeft() throws SQLException {
    assertThat(test.get().databases()).isNotEmpty();
    List<String> names =
        test.get().databases().stream().map(name -> name.replaceAll(".*: ", "")).toList();
    assertThat(databases()).containsAll(names);
    assertThat(test.get().drop()).isEmpty();
    assertThat(test.get().drop()).isEmpty();
    assertThat(databases()).doesNotContainAnyElementsOf(names);
    assertThatThrownBy(() -> test.get().run()).hasMessageContaining("ended");
    assertThat(databases()).doesNotContainAnyElementsOf(names);
  }

  private static List<String> databases() throws SQLException {
    List<String> names = new ArrayList<>();
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT datname FROM pg_database")) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  private static Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(SERVER.url(database), SERVER.user(), SERVER.password());
  }

  /** Past Shardwright, on the first shard. */
  private void change(String sql) {
    String shard = test.get().databases().get(1).replaceAll(".*: ", "");
    try (Connection connection = connect(shard);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private LoadTestReport runAndChange(Scenario scenario, String sql) throws Exception {
    LoadTest changed =
        test(
            step -> {
              if (step.startsWith(scenario.word())) {
                change(sql);
              }
            },
            scenario);
    return changed.run();
  }

  @Test
  void run_rowsThatAreGone_areNoticed() throws Exception {
    LoadTestReport report =
        runAndChange(Scenario.MISSING_KEY, "DELETE FROM orders WHERE order_id % 3 = 0");

    Measured measured = report.scenarios().get(0);
    assertThat(report.isRight()).isFalse();
    assertThat(measured.wrongCount()).isBetween(1L, measured.compared());
    assertThat(report.wrong().get(0)).contains("missing-key: ", "should be", "the query: ");
    assertThat(report.json()).containsEntry("right", false);
  }

  @Test
  void run_pagesWithAnotherAmount_areNoticed() throws Exception {
    LoadTestReport report =
        runAndChange(
            Scenario.DEEP_PAGING,
            "UPDATE order_lines SET price_cent = price_cent + 1 WHERE line_id IN (SELECT line_id"
                + " FROM order_lines ORDER BY line_id LIMIT 5)");

    assertThat(report.isRight()).isFalse();
    assertThat(report.wrong().get(0)).startsWith("deep-paging: row ");
  }

  @Test
  void run_writesThatAreLost_areNoticed() throws Exception {
    LoadTestReport report =
        runAndChange(
            Scenario.HOT_BUYER,
            "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF NEW.order_id %"
                + " 2 = 0 THEN RETURN NULL; END IF; RETURN NEW; END';"
                + " CREATE TRIGGER a_lose BEFORE INSERT ON order_lines FOR EACH ROW EXECUTE"
                + " FUNCTION lose()");

    assertThat(report.isRight()).isFalse();
    assertThat(report.wrong().get(0)).contains("of order_lines are there", "were acknowledged");
  }

  @Test
  void run_thatFails_leavesItsDatabasesToDrop() {
    LoadTest failing =
        test(
            step -> {
              if (step.startsWith("warming up")) {
                throw new IllegalStateException("halfway");
              }
            },
            Scenario.BURST);

    assertThatThrownBy(failing::run).hasMessage("halfway");
  }

  @Test
  void stop_endsTheTrafficSoon() throws Exception {
    LoadTest stopped =
        test(
            step -> {
              if (step.startsWith("missing-key")) {
                test.get().stop();
              }
            },
            Scenario.MISSING_KEY,
            Scenario.BURST);

    LoadTestReport report = stopped.run();

    assertThat(report.scenarios()).hasSize(1);
    assertThat(report.scenarios().get(0).requests()).isZero();
  }
}
