package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardwright.advisor.review.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options, files and failures of the command. */
class ReviewCommandTest {
  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static JsonNode rule(Path json, String id) throws IOException {
    for (JsonNode rule : new ObjectMapper().readTree(Files.readString(json)).get("rules")) {
      if (rule.get("rule").asText().equals(id)) {
        return rule;
      }
    }
    throw new AssertionError("no rule " + id);
  }

  @Test
  void review_offline_asksNoDatabaseAndSaysSo() throws IOException {
    TestingShards shards = TestingShards.empty(directory, 2);
    Path file = Path.of(shards.file());
    Files.writeString(
        file, Files.readString(file).replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:1"));

    Shell.Run run = Shell.run("review", "--offline", "--fail-on", "error", "-c", shards.file());

    assertThat(run.exit()).as(run.out() + run.err()).isZero();
    assertThat(run.lines().get(0))
        .isEqualTo("offline: no database was asked, so what only databases show is unknown");
    assertThat(run.out()).contains("- the databases were not asked", "-> run the review without");
    assertThat(Shell.run("review", "--offline", "--fail-on", "unknown", "-c", shards.file()).exit())
        .isEqualTo(ExitCode.PROBLEMS_FOUND.number());
  }

  @Test
  void review_beforeApply_makesNothing() {
    TestingShards shards = TestingShards.empty(directory, 2);

    Shell.Run run = Shell.run("review", "-c", shards.file());

    assertThat(run.exit()).isEqualTo(ExitCode.CONFIGURATION.number());
    assertThat(run.out()).contains("NOT READ: ", "SW104", "run shardwright apply -c FILE");
    assertThat(Shell.run("sql", "-c", shards.file(), "SELECT 1").err()).contains("SW104");
  }

  @Test
  void review_shardDown_tellsTheRestAndExitsWithFive() throws IOException {
    TestingShards shards = TestingShards.ready(directory, 2);
    Path file = Path.of(shards.file());
    Files.writeString(
        file, Files.readString(file).replaceFirst("(s1: .*)127\\.0\\.0\\.1:\\d+", "$1127.0.0.1:1"));

    Path json = directory.resolve("review.json");
    Shell.Run run = Shell.run("review", "-c", shards.file(), "--json", json.toString());

    assertThat(run.exit()).as(run.out()).isEqualTo(ExitCode.FAILED.number());
    assertThat(run.lines().get(0)).isEqualTo("read: 1 of 2 shards, the catalog");
    assertThat(run.out()).contains("NOT READ: SW401: shard s1 at ");
    assertThat(rule(json, "D12").get("status").asText()).isEqualTo("unknown");
    assertThat(rule(json, "D12").get("evidence").toString()).contains("not read: shards s1");
    assertThat(rule(json, "D06").get("evidence").toString()).doesNotContain("not read");
  }

  @Test
  void review_catalogDown_tellsTheRestAndExitsWithFive() throws IOException {
    TestingShards shards = TestingShards.ready(directory, 1);
    Path file = Path.of(shards.file());
    Files.writeString(
        file,
        Files.readString(file).replaceFirst("(catalog: .*)127\\.0\\.0\\.1:\\d+", "$1127.0.0.1:1"));

    Shell.Run run = Shell.run("review", "-c", shards.file());

    assertThat(run.exit()).isEqualTo(ExitCode.FAILED.number());
    assertThat(run.out())
        .contains("read: 1 of 1 shards, not the catalog", "NOT READ: catalog: SW411")
        .contains("- the catalog was not read");
  }

  @Test
  void review_wrongPassword_isNotPrinted() throws IOException {
    TestingShards shards = TestingShards.ready(directory, 1);
    Path file = Path.of(shards.file());
    Files.writeString(file, Files.readString(file).replace("app-password", "not-the-password"));

    Shell.Run run = Shell.run("review", "-c", shards.file());

    assertThat(run.exit()).isEqualTo(ExitCode.CONFIGURATION.number());
    assertThat(run.out()).contains("SW412").doesNotContain("not-the-password");
  }

  @Test
  void review_misplacedRows_areFound() throws IOException, SQLException {
    TestingShards shards = TestingShards.ready(directory, 2);
    shards.execute(
        0,
        "UPDATE shardwright_bucket SET state = 'open' WHERE bucket = 1023;"
            + "INSERT INTO orders (bucket_id, order_id, tenant_id, buyer_id) VALUES (1023, 9, 9, 9)");
    Path json = directory.resolve("review.json");

    Shell.Run run =
        Shell.run("review", "-c", shards.file(), "--fail-on", "error", "--json", json.toString());

    assertThat(run.exit()).isEqualTo(ExitCode.PROBLEMS_FOUND.number());
    assertThat(rule(json, "D07").get("status").asText()).isEqualTo("violated");
    assertThat(rule(json, "D07").get("evidence").toString()).contains("table orders has rows");
  }

  @Test
  void review_indexes_areLookedAt() throws IOException {
    TestingShards shards =
        TestingShards.ready(directory, 2, "{by_note: {columns: [note], unique: true}}");
    Path json = directory.resolve("review.json");
    String[] review = {"review", "-c", shards.file(), "--json", json.toString()};

    Shell.run(review);
    assertThat(rule(json, "K2").get("evidence").toString())
        .contains("index orders.by_note is declared and answers no statement");
    assertThat(Shell.run("index", "create", "by_note", "-c", shards.file()).exit()).isZero();
    Shell.run(review);
    assertThat(rule(json, "D11").get("status").asText()).isEqualTo("evidence");
    assertThat(rule(json, "L5").get("evidence").toString())
        .contains("index orders.by_note was never compared on schedule");
  }

  @Test
  void review_logs_tellWhichWayStatementsGo() throws IOException {
    TestingShards shards = TestingShards.ready(directory, 2);
    StringBuilder statements = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      statements.append(
          "SELECT * FROM orders WHERE tenant_id = 1 AND buyer_id = %d;\n".formatted(i));
      statements.append("SELECT * FROM orders WHERE note = 'n%d';\n".formatted(i));
    }
    statements.append("SELECT * FROM orders ORDER BY created_at LIMIT 20 OFFSET 10000;\n");
    Path log = write("app.sql", statements.toString());
    Path json = directory.resolve("review.json");

    Shell.Run run =
        Shell.run(
            "review", "-c", shards.file(), "--logs", log.toString(), "--json", json.toString());

    assertThat(run.exit()).isEqualTo(ExitCode.PROBLEMS_FOUND.number());
    assertThat(run.out())
        .contains("app.sql: 601 statements", "601 statements on sharded tables in the logs");
    assertThat(rule(json, "K2").get("severity").asText()).isEqualTo("error");
    assertThat(rule(json, "K2").get("evidence").toString())
        .contains("49.9% have the key", "50.1% go to all shards: SELECT * FROM orders WHERE note");
    assertThat(rule(json, "K2").get("actions").toString()).contains("lookup index on [note]");
    assertThat(rule(json, "P05").get("status").asText()).isEqualTo("violated");
    assertThat(rule(json, "P06").get("evidence").toString()).contains("skip rows by OFFSET");
  }

  @Test
  void review_declarations_answerWhatNoProgramSees() throws IOException {
    TestingShards shards = TestingShards.empty(directory, 1);
    Path declared =
        write(
            "declared.yaml",
            """
            version: 1
            declarations:
            - {rule: Q16, answer: restored in May, by: Lena, when: 2026-05-04}
            - {rule: K4, answer: tried, by: Tom, when: 2020-01-01, until: 2020-12-31}
            - {rule: L2, answer: we alarm elsewhere, by: Tom, when: 2026-01-01, until: 2999-12-31, accept: true}
            """);
    Path json = directory.resolve("review.json");

    Shell.Run run =
        Shell.run(
            "review",
            "--offline",
            "-c",
            shards.file(),
            "--declarations",
            declared.toString(),
            "--json",
            json.toString());

    assertThat(run.out())
        .contains("Q16 restored in May (Lena, 2026-05-04)")
        .contains(
            "L2  we alarm elsewhere (Tom, 2026-01-01, until 2999-12-31) accepts: no statement")
        .contains("- what Tom declared ended on 2020-12-31");
    assertThat(rule(json, "Q16").get("status").asText()).isEqualTo("declared");
    assertThat(rule(json, "Q16").at("/declaration/by").asText()).isEqualTo("Lena");
    assertThat(rule(json, "K4").get("severity").asText()).isEqualTo("warning");
    assertThat(rule(json, "L2").get("severity").isNull()).isTrue();
  }

  @Test
  void review_mistakesInDeclarations_areToldAtOnce() throws IOException {
    TestingShards shards = TestingShards.empty(directory, 1);
    Path declared =
        write(
            "declared.yaml",
            """
            version: 1
            declarations:
            - {rule: Q99, answer: yes, by: Lena, when: 2026-05-04}
            - {rule: Q16, answer: restored in May}
            """);

    Shell.Run run =
        Shell.run(
            "review", "--offline", "-c", shards.file(), "--declarations", declared.toString());

    assertThat(run.exit()).isEqualTo(ExitCode.CONFIGURATION.number());
    assertThat(run.err())
        .contains("declared.yaml has 3 problems:", ":3:", "is 'Q99', which no rule is called")
        .contains(":4:", "declarations[1].by: is missing", "declarations[1].when: is missing");
  }

  @Test
  void review_mistakes_areUsageOrConfigurationErrors() throws IOException {
    TestingShards shards = TestingShards.empty(directory, 1);
    String file = shards.file();
    Path broken = write("broken.yaml", "version: 1\nshards: [\n");
    Path nonsense = write("nonsense.log", "lorem ipsum 'secret' dolor 4711\n");

    Shell.Run none = Shell.run("review");
    assertThat(none.exit()).isEqualTo(ExitCode.USAGE.number());
    assertThat(none.err()).contains("'--config=FILE'");
    Shell.Run missing = Shell.run("review", "-c", directory.resolve("none.yaml").toString());
    assertThat(missing.exit()).isEqualTo(ExitCode.CONFIGURATION.number());
    assertThat(missing.err()).contains("SW102", "does not exist");
    Shell.Run yaml = Shell.run("review", "-c", broken.toString());
    assertThat(yaml.exit()).isEqualTo(ExitCode.CONFIGURATION.number());
    assertThat(yaml.err()).contains("SW101");
    Shell.Run level = Shell.run("review", "--fail-on", "info", "-c", file);
    assertThat(level.exit()).isEqualTo(ExitCode.USAGE.number());
    assertThat(level.err()).contains("--fail-on is info; give error, warning or unknown");
    Shell.Run log = Shell.run("review", "--offline", "-c", file, "--logs", nonsense.toString());
    assertThat(log.exit()).isEqualTo(ExitCode.USAGE.number());
    assertThat(log.err())
        .contains("nonsense.log is no log that can be read", ": lorem ipsum ? dolor ?");
    Path noZone =
        write(
            "zone.log",
            "# Time: 090311  9:05:07\n# User@Host: a[a] @ h []\n# Query_time: 2  Lock_time: 1"
                + "  Rows_sent: 3  Rows_examined: 40\nSELECT 1;\n");
    Shell.Run notes = Shell.run("review", "--offline", "-c", file, "--logs", noZone.toString());
    assertThat(notes.out()).contains("note: zone.log: times without zone");
    Shell.Run noLog = Shell.run("review", "--offline", "-c", file, "--logs", "none.log");
    assertThat(noLog.exit()).isEqualTo(ExitCode.USAGE.number());
    Shell.Run noFile = Shell.run("review", "--offline", "-c", file, "--declarations", "none.yaml");
    assertThat(noFile.exit()).isEqualTo(ExitCode.CONFIGURATION.number());
    assertThat(noFile.err()).contains("declarations file none.yaml does not exist");
    String into = directory.resolve("no/such/directory.json").toString();
    Shell.Run json = Shell.run("review", "--offline", "-c", file, "--json", into);
    assertThat(json.exit()).isEqualTo(ExitCode.USAGE.number());
    assertThat(json.err()).contains("cannot be written");
  }

  @Test
  void review_rules_areListedWithoutAFile() {
    Shell.Run run = Shell.run("review", "--rules");

    assertThat(run.exit()).isZero();
    assertThat(run.lines()).contains("Twelve pitfalls", "Sixteen questions before going live");
    assertThat(run.lines().stream().filter(line -> line.matches("[PQKCDL]\\d+ .*"))).hasSize(64);
    assertThat(run.out()).contains("only people know: declare when each was rehearsed");
  }

  @Test
  void rules_areAllInTheDocumentation() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "review.md"));
    for (Rule rule : Rule.values()) {
      assertThat(page)
          .contains("| " + rule.id() + " | " + rule.text() + " |", " | " + rule.question() + " |");
    }
  }

  @Test
  void declarationsOfTheDocumentation_areRead() throws IOException {
    TestingShards shards = TestingShards.empty(directory, 1);
    String page = Files.readString(Path.of("..", "docs", "review.md"));
    int start = page.indexOf("```yaml\n") + "```yaml\n".length();
    Path declared = write("declared.yaml", page.substring(start, page.indexOf("```", start)));

    Shell.Run run =
        Shell.run(
            "review", "--offline", "-c", shards.file(), "--declarations", declared.toString());

    assertThat(run.exit()).as(run.err()).isLessThanOrEqualTo(ExitCode.PROBLEMS_FOUND.number());
    assertThat(run.err()).isEmpty();
  }
}
