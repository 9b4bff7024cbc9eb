package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviseCommandTest {
  @TempDir Path directory;
  private Path log;
  private Path ddl;

  @BeforeEach
  void writeFiles() throws IOException {
    StringBuilder lines = new StringBuilder();
    lines.append("/usr/sbin/mysqld, Version: 8.0.36 (MySQL). started with:\n");
    lines.append("Tcp port: 3306  Unix socket: /tmp/mysql.sock\n");
    lines.append("Time                 Id Command    Argument\n");
    for (int i = 0; i < 1_000; i++) {
      String time =
          String.format(Locale.ROOT, "2026-01-05T10:%02d:%02d.000000Z\t   ", i / 60, i % 60);
      line(lines, time, "BEGIN");
      line(
          lines,
          time,
          "INSERT INTO orders (order_id, order_no, buyer_id, shop_id) VALUES ("
              + i
              + ", 'SO"
              + (7_000_000 + i)
              + "', "
              + (i * 7919 % 5_003)
              + ", "
              + i % 3
              + ")");
      line(lines, time, "INSERT INTO order_items (order_id, sku) VALUES (" + i + ", 5)");
      line(lines, time, "COMMIT");
      line(lines, time, "SELECT * FROM orders WHERE order_no = 'SO" + (7_000_000 + i) + "'");
      line(lines, time, "SELECT * FROM orders WHERE shop_id = " + i % 3 + " LIMIT 10");
      for (int n = 0; n < 3; n++) {
        line(
            lines,
            time,
            "SELECT o.*, c.name FROM orders o JOIN countries c ON c.code = o.country WHERE"
                + " o.buyer_id = "
                + ((i + n * 31) * 7919 % 5_003)
                + " LIMIT 20");
      }
    }
    log = Files.writeString(directory.resolve("general.log"), lines);
    ddl =
        Files.writeString(
            directory.resolve("schema.sql"),
            "CREATE TABLE orders (order_id BIGINT NOT NULL PRIMARY KEY, order_no VARCHAR(32) NOT"
                + " NULL UNIQUE, buyer_id BIGINT NOT NULL, shop_id BIGINT NOT NULL, country"
                + " CHAR(2), KEY b (buyer_id), KEY s (shop_id));\n"
                + "CREATE TABLE order_items (item_id BIGINT NOT NULL PRIMARY KEY, order_id BIGINT"
                + " NOT NULL, sku BIGINT, FOREIGN KEY (order_id) REFERENCES orders (order_id));\n"
                + "CREATE TABLE countries (code CHAR(2) PRIMARY KEY, name VARCHAR(40));\n");
  }

  private static void line(StringBuilder lines, String time, String sql) {
    lines.append(time).append("9 Query\t").append(sql).append('\n');
  }

  @Test
  void advise_writesAFileThatTheConfigurationReads() throws IOException {
    Path json = directory.resolve("out.json");
    Path yaml = directory.resolve("out.yaml");

    Shell.Run run =
        Shell.run(
            "advise",
            log.toString(),
            "--ddl",
            ddl.toString(),
            "--json",
            json.toString(),
            "--yaml",
            yaml.toString());

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("SHARD WHEN NEEDED, by buyer_id", "shop_id: REFUSED", "the log covers 0 hours");
    Configuration configuration =
        ConfigurationReader.parse(
            "out.yaml",
            Files.readString(yaml),
            Map.of("CATALOG_PASSWORD", "a", "SHARD_PASSWORD", "b"));
    assertThat(configuration.shards()).hasSize(8);
    assertThat(Files.readString(yaml))
        .contains(
            "key: [buyer_id]",
            "orders: {}",
            "order_items: {}",
            "{table: orders, columns: [order_no], unique: true}",
            "reference: [countries]",
            "jdbc:mariadb:");
    JsonNode document = new ObjectMapper().readTree(Files.readString(json));
    JsonNode group = document.get("groups").get(0);
    assertThat(group.get("key").get(0).asText()).isEqualTo("buyer_id");
    assertThat(group.get("verdict").asText()).isEqualTo("shard_when_needed");
    assertThat(group.get("candidates").get(0).get("coverage_by_executions").asDouble())
        .isBetween(0.5, 0.6);
    assertThat(document.get("executions").asLong()).isEqualTo(7_000);
    assertThat(document.get("executions_without_tables").asLong()).isEqualTo(2_000);
    assertThat(document.toString()).doesNotContain("SO7000001");
  }

  @Test
  void advise_capacityAndKeySample_decide() throws IOException {
    StringBuilder rows = new StringBuilder("buyer_id,rows\n");
    for (int i = 0; i < 1_000; i++) {
      rows.append(i).append(',').append(i == 5 ? 900 : 1).append('\n');
    }
    Path keys = Files.writeString(directory.resolve("buyers.csv"), rows);
    Path workload =
        Files.writeString(
            directory.resolve("workload.txt"),
            "capacity.data = 1.8TB\ncapacity.shard_data = 300GB\nclass.column.shop_id = back_office\n");
    String[] arguments = {
      "advise", log.toString(), "--ddl", ddl.toString(), "--workload", workload.toString()
    };

    Shell.Run without = Shell.run(arguments);
    Shell.Run with = Shell.run(with(arguments, "--keys", "buyer_id=" + keys));

    assertThat(without.out()).contains("SHARD by buyer_id", "0.75)) = 8 (bare:", "= 6)");
    assertThat(with.exit()).as(with.err()).isZero();
    assertThat(with.out())
        .contains("buyer_id: REFUSED, uneven by rows of buyers.csv")
        .doesNotContain("SHARD by buyer_id");
  }

  @Test
  void advise_tellsWhatWasAssumedAndRefused() throws IOException {
    Path noZone =
        Files.writeString(
            directory.resolve("zone.log"),
            "# Time: 090311  9:05:07\n# User@Host: a[a] @ h []\n# Query_time: 2  Lock_time: 1"
                + "  Rows_sent: 3  Rows_examined: 40\nSET timestamp=99999999999999999;\n"
                + "SELECT * FROM orders WHERE buyer_id = 5;\n");
    Path unknown =
        Files.writeString(directory.resolve("unknown.log"), "lorem 'secret' ipsum 4711\n");
    Path json = directory.resolve("out.json");
    Path html = directory.resolve("out.html");

    Shell.Run run =
        Shell.run(
            "advise",
            noZone.toString(),
            unknown.toString(),
            "--json",
            json.toString(),
            "--html",
            html.toString());

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .contains(
            "note, 1 times: times without zone",
            "unknown.log was refused, line 1: ",
            ": lorem ? ipsum ?");
    JsonNode files = new ObjectMapper().readTree(Files.readString(json)).get("files");
    assertThat(files.get(0).get("notes").toString()).contains("times without zone");
    assertThat(files.get(1).get("refused").asText()).endsWith(": lorem ? ipsum ?");
    assertThat(Files.readString(html)).contains("1 times without zone");
    assertThat(run.out() + Files.readString(json) + Files.readString(html))
        .doesNotContain("secret", "4711");
  }

  @Test
  void advise_mistakes_areUsageErrors() throws IOException {
    Path nothing = Files.writeString(directory.resolve("nothing.log"), "SELECT 1;\nSELECT 2;\n");
    Path unknown = Files.writeString(directory.resolve("unknown.log"), "lorem ipsum dolor\n");

    assertThat(Shell.run("advise").exit()).isEqualTo(ExitCode.USAGE.number());
    Shell.Run empty = Shell.run("advise", nothing.toString(), unknown.toString());
    assertThat(empty.exit()).isEqualTo(ExitCode.USAGE.number());
    assertThat(empty.err())
        .contains("no statement on a table of an application was read", "unknown.log");
    Shell.Run schema = Shell.run("advise", log.toString(), "--ddl", nothing.toString());
    assertThat(schema.err()).contains("has no CREATE TABLE that can be read");
    Shell.Run shards = Shell.run("advise", log.toString(), "--shards", "0");
    assertThat(shards.err()).contains("shards must be 1 to 4096");
  }

  private static String[] with(String[] arguments, String... more) {
    String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return all;
  }

  @Test
  void advise_outputThatIsAnInput_isRefusedAndKept() throws IOException {
    String before = Files.readString(ddl);
    Path keys = Files.writeString(directory.resolve("buyers.csv"), "1,5\n");
    Path workload = Files.writeString(directory.resolve("workload"), "# none\n");
    Path other = directory.resolve("missing").resolve("..").resolve("schema.sql");
    Files.createDirectory(directory.resolve("missing"));
    for (String option : List.of("--json", "--html", "--yaml")) {
      for (Path input : List.of(log, ddl, keys, workload, other)) {
        Shell.Run run =
            Shell.run(
                "advise",
                log.toString(),
                "--ddl",
                ddl.toString(),
                "--keys",
                "buyer_id=" + keys,
                "--workload",
                workload.toString(),
                option,
                input.toString());
        assertThat(run.exit()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err())
            .contains(option + " " + input + " is a file that the command reads; name another");
      }
    }
    assertThat(Files.readString(ddl)).isEqualTo(before);
    assertThat(
            Shell.run("simulate", "--keys", keys + "", "--shards", "2", "--json", keys + "").err())
        .contains("--json " + keys + " is a file that the command reads");
  }

  @Test
  void advise_yamlOfPeople_isKept() throws IOException {
    Path yaml = Files.writeString(directory.resolve("shardwright.yaml"), "version: 1\n");
    String[] arguments = {"advise", log.toString(), "--yaml", yaml.toString()};

    Shell.Run refused = Shell.run(arguments);

    assertThat(refused.exit()).isEqualTo(ExitCode.USAGE.number());
    assertThat(refused.err())
        .contains("was not written by advise", "name another file, or remove it");
    assertThat(yaml).hasContent("version: 1");
    Files.delete(yaml);
    for (int i = 0; i < 2; i++) {
      Shell.Run run = Shell.run(arguments);
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(Files.readString(yaml)).startsWith("# Written by shardwright advise");
    }
  }

  @Test
  void advise_nameWithALineEnd_forgesNoLine() throws IOException {
    StringBuilder statements = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      statements.append("SELECT * FROM orders WHERE `a\nWARNING: drop all` = " + i + ";\n");
    }
    Path file = Files.writeString(directory.resolve("app.sql"), statements);

    Shell.Run run = Shell.run("advise", file.toString());

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains("a WARNING: drop all");
    assertThat(run.lines()).noneMatch(line -> line.startsWith("WARNING: drop all"));
  }

  @Test
  void json_ofNumbersThatAreNone_isValid() throws IOException {
    Map<String, Object> document = Json.object("a", Double.NaN, "b", Double.NEGATIVE_INFINITY);

    assertThat(new ObjectMapper().readTree(Json.text(document)))
        .isEqualTo(new ObjectMapper().readTree("{\"a\": null, \"b\": null}"));
  }
}
