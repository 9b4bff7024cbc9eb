package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
  private static final String HOME = "shardwright.home";

  @TempDir private Path directory;

  @BeforeAll
  static void setHome() {
    System.setProperty(HOME, "..");
  }

  @AfterAll
  static void clearHome() {
    System.clearProperty(HOME);
  }

  @Test
  void demo_kept_reportsChecksAndLeavesServersUntilStopped() throws IOException {
    Path json = directory.resolve("report.json");
    Shell.Run run =
        Shell.run("demo", "--rows", "60", "--shards", "2", "--keep", "--json", json.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.err().lines()).first().isEqualTo("starting 2 PostgreSQL servers");
    assertThat(run.err()).doesNotContain("\r").doesNotContain("ERROR").doesNotContain("INFO");
    assertThat(run.out())
        .contains("access path", "p50 us", "p99 us", "rows per shard", "max/mean")
        .contains("refused, 0 shards touched: DELETE FROM orders")
        .doesNotContain("FAIL ");
    assertThat(run.lines())
        .last()
        .asString()
        .matches("ok: all \\d+ checks passed; .* s in all: .*");
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.at("/load/orders").asInt()).isEqualTo(60);

    String directoryOfDemo = argument(run.lines(), "./shardwright demo --stop ");
    String file = Path.of(directoryOfDemo, "shardwright.yaml").toString();
    Shell.Run rows = Shell.run("sql", "--json", "-c", file, "SELECT COUNT(*) FROM countries");
    assertThat(rows.json().at("/results/0/rows/0/0").asText()).isEqualTo("38");

    Shell.Run stopped = Shell.run("demo", "--stop", directoryOfDemo);
    assertThat(stopped.exit()).isZero();
    assertThat(stopped.lines())
        .containsExactly(
            "s3: stopped, data deleted",
            "s2: stopped, data deleted",
            "s1: stopped, data deleted",
            "s0: stopped, data deleted");
    assertThat(Path.of(directoryOfDemo)).doesNotExist();
    assertThat(Shell.run("demo", "--stop", directoryOfDemo).exit()).isEqualTo(2);
  }

  private static String argument(List<String> lines, String command) {
    return lines.stream()
        .map(String::strip)
        .filter(line -> line.startsWith(command))
        .findFirst()
        .orElseThrow()
        .substring(command.length());
  }

  @Test
  void demo_badOptions_startNothing() {
    for (String option : List.of("--rows=0", "--rows=25901", "--shards=0", "--shards=17")) {
      Shell.Run run = Shell.run("demo", option);
      assertThat(run.exit()).as(option).isEqualTo(2);
      assertThat(run.err()).startsWith("error: SW603: ").contains(" 1 to ").hasLineCount(1);
    }
    assertThat(Shell.run("demo", "--rows=many").exit()).isEqualTo(2);
    assertThat(Shell.run("demo", "--json").exit()).isEqualTo(2);
  }

  @Test
  void demo_reportThatCannotBeWritten_isSaidBeforeTheWork() {
    Path missing = directory.resolve("no such directory").resolve("report.json");
    Shell.Run run = Shell.run("demo", "--json", missing.toString());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("cannot be written to").hasLineCount(1);
  }

  @Test
  void demo_withoutItsData_saysWhereItLooked_inTheReportToo() throws IOException {
    System.setProperty(HOME, directory.toString());
    try {
      Path json = directory.resolve("report.json");
      Shell.Run run = Shell.run("demo", "--json", json.toString());
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err()).contains(directory.resolve("examples").toString());
      assertThat(new ObjectMapper().readTree(json.toFile()).at("/error/code").asText())
          .isEqualTo("SW603");
    } finally {
      setHome();
    }
  }

  @Test
  void stop_directoryOfSomethingElse_touchesNothing() throws IOException {
    Files.writeString(directory.resolve("shardwright.yaml"), "version: 1\n");
    Shell.Run run = Shell.run("demo", "--stop", directory.toString());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("is not the directory of a demo");
    assertThat(directory.resolve("shardwright.yaml")).exists();
  }
}
