package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.EmbeddedPostgresServer;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoadtestCommandTest extends LoadtestCommandContract {
  private static final EmbeddedPostgresServer SERVER = EmbeddedPostgresServer.shared();
  private static final long PATIENCE_SECONDS = 60;

  @Override
  String createDatabase() {
    return SERVER.createDatabase("loadtest");
  }

  @Override
  String user() {
    return SERVER.user();
  }

  @Override
  String password() {
    return SERVER.password();
  }

  @Override
  String databasesQuery() {
    return "SELECT datname FROM pg_database ORDER BY 1";
  }

  @Override
  List<String> weakUser(String name) {
    return List.of("CREATE ROLE " + name + " LOGIN PASSWORD 'weak'");
  }

  @Override
  String grant(String user) {
    return "ALTER ROLE \"" + user + "\" CREATEDB";
  }

  @Test
  void loadtest_mistakes_areToldAtOnce() throws Exception {
    Path file = directory.resolve("one.yaml");
    Files.writeString(
        file,
        """
        version: 1
        shards: {s0: {url: "jdbc:postgresql://a:1,b:2/db", user: app}}
        groups: {orders: {key: [buyer_id], buckets: 64, tables: {orders: {}}}}
        """);
    Shell.Run run =
        Shell.run(
            "loadtest",
            "-c",
            file.toString(),
            "--scenario",
            "missing-key,nothing,burst,nowhere",
            "--rows",
            "1",
            "--seconds",
            "0",
            "--rate",
            "100000");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .contains(
            "'nothing'",
            "'nowhere'",
            "month-boundary",
            "--rows is 1; give 1000 to 2000000",
            "--seconds is 0",
            "--rate is 100000",
            "the file has one shard",
            "shards.s0.url does not name one host");
  }

  @Test
  void loadtest_thatIsStopped_dropsItsDatabases() throws Exception {
    Process loadtest =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "loadtest",
                "-c",
                file(),
                "--scenario",
                "missing-key",
                "--rows",
                "1000",
                "--seconds",
                "600")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader err = loadtest.errorReader(StandardCharsets.UTF_8)) {
      String line = err.readLine();
      while (line != null && !line.startsWith("missing-key: ")) {
        line = err.readLine();
      }
      assertThat(line).isNotNull();
      assertThat(databases()).anyMatch(name -> name.startsWith("shardwright_loadtest_"));
      loadtest.toHandle().destroy();
      assertThat(err.lines()).noneMatch(said -> said.contains("left behind"));
      assertThat(loadtest.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      loadtest.destroyForcibly();
    }
    assertThat(databases()).isEqualTo(before());
  }
}
