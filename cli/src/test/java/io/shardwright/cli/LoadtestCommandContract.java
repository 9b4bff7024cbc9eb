package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardwright.cli.loadtest.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every scenario, tiny, on a real server; a subclass for each database. */
abstract class LoadtestCommandContract {
  @TempDir Path directory;

  private String file;

  /** Databases that are there already, so that others may use the server meanwhile. */
  private List<String> before;

  /**
   * Of a database of its own.
   *
   * @return without user and password
   */
  abstract String createDatabase();

  abstract String user();

  abstract String password();

  /** A query for the names of all databases. */
  abstract String databasesQuery();

  /** Makes a user who may not create databases, and of whom nothing is there yet. */
  abstract List<String> weakUser(String name);

  private String url;

  @BeforeEach
  void writeFile() throws Exception {
    url = createDatabase();
    file = write("shardwright.yaml", url, user(), password());
    before = databases();
  }

  private String write(String name, String second, String user, String password) throws Exception {
    String yaml =
        """
        version: 1
        shards:
          s0: {url: "%s", user: %s, password: "%s"}
          s1: {url: "%s", user: %s, password: "%s"}
        groups: {orders: {key: [buyer_id], buckets: 64, tables: {orders: {}}}}
        """
            .formatted(createDatabase(), user(), password(), second, user, password);
    Path path = directory.resolve(name);
    Files.writeString(path, yaml);
    return path.toString();
  }

  List<String> databases() throws SQLException {
    List<String> names = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url, user(), password());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(databasesQuery())) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  String file() {
    return file;
  }

  List<String> before() {
    return before;
  }

  private Shell.Run loadtest(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("loadtest", "-c", file, "--rows", "4000", "--seconds", "1"));
    arguments.addAll(List.of(more));
    return Shell.run(arguments.toArray(String[]::new));
  }

  @Test
  void loadtest_allScenarios_measuresEachAndLeavesNothing() throws Exception {
    Path json = directory.resolve("report.json");
    Path html = directory.resolve("report.html");

    Shell.Run run =
        loadtest("--scenario", "all", "--json", json.toString(), "--html", html.toString());

    assertThat(run.exit()).as("%s", run).isZero();
    assertThat(run.out()).contains("ok: ", " answers compared with what was loaded, all right");
    JsonNode report = new ObjectMapper().readTree(Files.readString(json));
    assertThat(report.path("right").asBoolean()).isTrue();
    Map<String, JsonNode> scenarios = new TreeMap<>();
    report.path("scenarios").forEach(one -> scenarios.put(one.path("scenario").asText(), one));
    assertThat(scenarios).hasSize(Scenario.values().length);
    String page = Files.readString(html);
    for (Scenario scenario : Scenario.values()) {
      JsonNode one = scenarios.get(scenario.word());
      assertThat(one.path("requests").asLong()).as(scenario.word()).isPositive();
      assertThat(one.path("compared").asLong()).as(scenario.word()).isPositive();
      assertThat(one.path("statements").path("max").asLong()).isPositive();
      assertThat(one.path("series").get(0).path("p99Ms").asDouble()).isPositive();
      assertThat(run.out()).contains(scenario.word() + ": ");
      assertThat(page).contains(scenario.word());
    }
    assertThat(scenarios.get("missing-key").path("fanOut").path("max").asInt()).isEqualTo(2);
    assertThat(scenarios.get("hot-buyer").path("fanOut").path("max").asInt()).isEqualTo(1);
    assertThat(scenarios.get("burst").path("errors").path("SW807").asLong()).isPositive();
    for (String fault : List.of("slow-shard", "shard-down")) {
      // Where the machine is busy, the time may end before any shard has answered (SW406).
      long lacking = scenarios.get(fault).path("errors").path("SW803").asLong();
      lacking += scenarios.get(fault).path("errors").path("SW406").asLong();
      for (JsonNode series : scenarios.get(fault).path("series")) {
        lacking += series.path("partial").asLong();
      }
      assertThat(lacking).as(fault).isPositive();
      assertThat(scenarios.get(fault).path("notes").get(0).path("name").asText())
          .startsWith("all shards answer again after");
    }
    assertThat(databases()).isEqualTo(before);
  }

  @Test
  void loadtest_kept_namesItsDatabases() throws Exception {
    Shell.Run run = loadtest("--scenario", "missing-key", "--keep");

    assertThat(run.exit()).as("%s", run).isZero();
    List<String> kept = new ArrayList<>(databases());
    kept.removeAll(before);
    assertThat(kept).hasSize(3).allMatch(name -> name.startsWith("shardwright_loadtest_"));
    assertThat(run.out()).contains(kept);
    try (Connection connection = DriverManager.getConnection(url, user(), password());
        Statement statement = connection.createStatement()) {
      for (String name : kept) {
        statement.execute("DROP DATABASE " + name);
      }
    }
  }

  @Test
  void loadtest_withoutTheRight_saysWhatToGrant_andLeavesNothing() throws Exception {
    String user = "weak" + Integer.toUnsignedString(url.hashCode());
    try (Connection connection = DriverManager.getConnection(url, user(), password());
        Statement statement = connection.createStatement()) {
      for (String sql : weakUser(user)) {
        statement.execute(sql);
      }
    }
    file = write("weak.yaml", url, user, "weak");
    before = databases();

    Shell.Run run = loadtest("--scenario", "missing-key");

    assertThat(run.exit()).as("%s", run).isEqualTo(3);
    assertThat(run.err())
        .contains("SW403", "shards.s1", "user " + user + " may not create databases", grant(user));
    assertThat(databases()).isEqualTo(before);
  }

  /** What the message proposes. */
  abstract String grant(String user);

  @Test
  void loadtest_unreachableServer_isNamed_andNothingIsLeft() throws Exception {
    file = write("down.yaml", url.replaceFirst(":\\d+/", ":1/"), user(), password());
    before = databases();
    Path json = directory.resolve("error.json");

    Shell.Run run = loadtest("--scenario", "all", "--json", json.toString());

    assertThat(run.exit()).as("%s", run).isEqualTo(5);
    assertThat(run.err()).contains("SW401", "shards.s1", "check that it runs");
    assertThat(Files.readString(json)).contains("\"error\"", "SW401");
    assertThat(databases()).isEqualTo(before);
  }
}
