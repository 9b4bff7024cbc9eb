package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlCommandTest {
  @TempDir private static Path directory;
  private static TestingShards shards;

  @BeforeAll
  static void start() {
    shards = TestingShards.ready(directory, 2);
  }

  @BeforeEach
  void empty() throws Exception {
    shards.execute(0, "DELETE FROM orders");
    shards.execute(1, "DELETE FROM orders");
  }

  private static Shell.Run sql(String... more) {
    return Shell.run(arguments(more));
  }

  private static String[] arguments(String... more) {
    List<String> arguments = new ArrayList<>(List.of("sql", "-c", shards.file()));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  private static void insert(int first, int count) {
    StringBuilder values = new StringBuilder();
    for (int i = first; i < first + count; i++) {
      values.append(i == first ? "" : ", ").append("(" + i + ", 1, " + i + ", 'n" + i + "')");
    }
    Shell.Run run =
        sql("INSERT INTO orders (order_id, tenant_id, buyer_id, note) VALUES " + values);
    assertThat(run.exit()).isZero();
  }

  @Test
  void insertSelectUpdateDelete_tellRowsAndShards() {
    Shell.Run insert =
        sql("INSERT INTO orders (order_id, tenant_id, buyer_id, note) VALUES (7, 1, 2, 'x')");
    assertThat(insert.exit()).isZero();
    assertThat(insert.out()).matches("\\(1 row inserted on s[01]\\)\n");
    Shell.Run select =
        sql("SELECT order_id, note FROM orders WHERE tenant_id = 1 AND buyer_id = 2");
    assertThat(select.out())
        .matches("order_id \\| note\n---------\\+-----\n       7 \\| x\n\\(1 row from s[01]\\)\n");
    assertThat(sql("UPDATE orders SET note = 'y' WHERE tenant_id = 1 AND buyer_id = 2").out())
        .startsWith("(1 row updated on ");
    assertThat(sql("DELETE FROM orders WHERE tenant_id = 1 AND buyer_id = 3").out())
        .startsWith("(0 rows deleted on ");
  }

  @Test
  void scatter_isOrderedOverAllShards() {
    insert(1, 20);
    Shell.Run run = sql("SELECT order_id FROM orders ORDER BY order_id DESC LIMIT 3");
    assertThat(run.lines())
        .containsExactly(
            "order_id", "--------", "      20", "      19", "      18", "(3 rows from s0 s1)");
  }

  @Test
  void values_arePrintedWithoutLoss() {
    String insert =
        """
        INSERT INTO orders (order_id, tenant_id, buyer_id, note, amount, paid, raw, created_at,
          seen_at, day, ratio)
        VALUES (9223372036854775807, 1, 1, E'tab\\t"q" \\u00fc', 123456789.120, true, '\\x00ff41',
          '2026-01-31 12:00:00.123456+02', '2026-01-31 12:00:00.5', 'infinity', 0.1),
          (2, 1, 2, NULL, 'NaN', NULL, '', 'infinity', NULL, '2026-02-28', 'NaN'),
          (3, 1, 3, 'NULL', 0.100, false, NULL, '-infinity', NULL, NULL, 1e300)
        """;
    assertThat(sql(insert).exit()).isZero();
    String select =
        "SELECT order_id, note, amount, paid, raw, created_at, seen_at, day, ratio FROM orders"
            + " ORDER BY buyer_id";
    JsonNode rows = sql("--json", select).json().at("/results/0/rows");
    assertThat(rows).hasSize(3);
    assertThat(rows.get(0).toString())
        .isEqualTo(
            "[\"9223372036854775807\",\"tab\\t\\\"q\\\" \u00fc\",\"123456789.120\",true,"
                + "\"\\\\x00ff41\",\"2026-01-31T10:00:00.123456Z\",\"2026-01-31 12:00:00.5\","
                + "\"infinity\",\"0.1\"]");
    assertThat(rows.get(1).toString())
        .isEqualTo("[\"2\",null,\"NaN\",null,\"\\\\x\",\"infinity\",null,\"2026-02-28\",\"NaN\"]");
    assertThat(rows.get(2).toString())
        .isEqualTo("[\"3\",\"NULL\",\"0.100\",false,null,\"-infinity\",null,null,\"1e+300\"]");
    List<String> table = sql(select).lines();
    assertThat(table.get(2)).contains(" | \"tab\\t\\\"q\\\" \u00fc\" | ").contains("| \\x00ff41 ");
    assertThat(table.get(3)).contains(" | NULL ").contains("| \\x ");
    assertThat(table.get(4)).contains(" | \"NULL\" ");
  }

  @Test
  void json_isPlainAscii_andDescribesColumnsAndRoute() {
    insert(1, 2);
    Shell.Run run =
        sql(
            "--json",
            "SELECT '\u8ba2\u5355' AS a, COUNT(*) AS n, 1 AS i FROM orders WHERE tenant_id = 1 AND buyer_id = 1");
    assertThat(run.out()).isASCII().contains("\\u8BA2\\u5355");
    JsonNode result = run.json().at("/results/0");
    assertThat(result.get("kind").asText()).isEqualTo("select");
    assertThat(result.get("columns").toString())
        .isEqualTo(
            "[{\"name\":\"a\",\"type\":\"text\"},{\"name\":\"n\",\"type\":\"int8\"},"
                + "{\"name\":\"i\",\"type\":\"int4\"}]");
    assertThat(result.get("rows").toString()).isEqualTo("[[\"\u8ba2\u5355\",\"1\",1]]");
    assertThat(result.get("rowCount").asLong()).isEqualTo(1);
    assertThat(result.get("truncated").asBoolean()).isFalse();
    assertThat(result.get("shards")).hasSize(1);
    assertThat(result.get("mapVersion").asLong()).isEqualTo(1);
    assertThat(result.get("reason").asText()).contains("route key");
    assertThat(result.get("warnings")).isEmpty();
  }

  @Test
  void parameters_areReadByTheTypeOfTheirPlace() {
    Shell.Run insert =
        sql(
            "--json",
            "INSERT INTO orders (order_id, tenant_id, buyer_id, note, amount, paid, raw, created_at)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            "-p",
            "5",
            "-p",
            "1",
            "--param",
            "-3",
            "--param=007",
            "-p",
            "12.5",
            "-p",
            "\\N",
            "-p",
            "\\x0a",
            "-p",
            "2026-01-31T12:00:00Z");
    assertThat(insert.json().at("/results/0/updateCount").asInt()).isEqualTo(1);
    JsonNode rows =
        sql(
                "--json",
                "SELECT buyer_id, note, amount, paid, raw, created_at FROM orders"
                    + " WHERE tenant_id = ? AND buyer_id = ? LIMIT ?",
                "-p",
                "1",
                "-p",
                "-3",
                "-p",
                "10")
            .json()
            .at("/results/0/rows");
    assertThat(rows.toString())
        .isEqualTo("[[\"-3\",\"007\",\"12.500\",null,\"\\\\x0a\",\"2026-01-31T12:00:00Z\"]]");
  }

  @Test
  void parameters_wrongNumber_saysHowMany() {
    String sql = "SELECT * FROM orders WHERE tenant_id = ? AND buyer_id = ?";
    assertThat(sql(sql, "-p", "1").err())
        .isEqualTo(
            "error: SW210: the statement has 2 parameters (?), --param gives 1 value;"
                + " give one --param for each ?\n");
    assertThat(sql("SELECT 1", "-p", "1").exit()).isEqualTo(4);
    assertThat(sql("SELECT 1; SELECT 2", "-p", "1").exit()).isEqualTo(2);
  }

  @Test
  void parameters_notANumber_isRefusedBeforeAnythingIsSent() {
    Shell.Run run = sql("SELECT * FROM orders WHERE tenant_id = 1 AND buyer_id = ?", "-p", "abc");
    assertThat(run.exit()).isEqualTo(4);
    assertThat(run.err()).startsWith("error: SW302: ").hasLineCount(1);
  }

  @Test
  void limit_cutsAndSaysSo() {
    insert(1, 30);
    Shell.Run run = sql("--limit", "7", "SELECT order_id FROM orders ORDER BY order_id");
    assertThat(run.lines())
        .hasSize(2 + 7 + 1)
        .last()
        .isEqualTo("(7 rows from s0 s1, and there are more: give a higher --limit, or 0 for all)");
    JsonNode json =
        sql("--limit", "7", "--json", "SELECT order_id FROM orders ORDER BY order_id").json();
    assertThat(json.at("/results/0/truncated").asBoolean()).isTrue();
    assertThat(json.at("/results/0/rowCount").asInt()).isEqualTo(7);
    assertThat(sql("--limit", "30", "SELECT order_id FROM orders").lines())
        .last()
        .isEqualTo("(30 rows from s0 s1)");
    assertThat(sql("--limit", "0", "SELECT order_id FROM orders").lines()).hasSize(33);
    assertThat(sql("--limit", "-1", "SELECT 1").exit()).isEqualTo(2);
  }

  @Test
  void hugeResult_isStreamed_andAClosedOutputEndsItQuietly() throws IOException {
    String sql = "SELECT g, repeat('x', 1000) FROM generate_series(1, 1000000) g";
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    OutputStream pipe =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            if (head.size() > 2_000_000) {
              throw new IOException("Broken pipe");
            }
            head.write(b);
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        Shell.console(new ByteArrayInputStream(new byte[0]), pipe, err, StandardCharsets.UTF_8);
    assertThat(Shell.run(console, arguments("--limit", "0", sql))).isEqualTo(141);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(Shell.run(console, arguments("--json", "--limit", "0", sql))).isEqualTo(141);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void errorOfTheDatabase_namesShardAndState() {
    insert(1, 1);
    Shell.Run run =
        sql("--json", "INSERT INTO orders (order_id, tenant_id, buyer_id) VALUES (1, 1, 1)");
    assertThat(run.exit()).isEqualTo(4);
    assertThat(run.json().at("/error/code").asText()).isEqualTo("23505");
    assertThat(run.json().at("/error/sqlState").asText()).isEqualTo("23505");
    assertThat(run.json().at("/error/category").asText()).isEqualTo("user");
    assertThat(run.json().at("/error/message").asText())
        .contains("orders_pkey")
        .contains("on shard s");
    assertThat(run.json().get("results")).isEmpty();
    assertThat(sql("SELECT no_such_column FROM orders WHERE tenant_id = 1 AND buyer_id = 1").exit())
        .isEqualTo(4);
  }

  @Test
  void timeout_endsTheStatement() {
    Shell.Run run = sql("--timeout", "1", "SELECT pg_sleep(60)");
    assertThat(run.exit()).isNotZero();
    assertThat(run.err()).startsWith("error: ").hasLineCount(1);
  }

  @Test
  void warningOfTheDatabase_isPassedOn() {
    String function =
        "CREATE FUNCTION warn(v bigint) RETURNS bigint LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE WARNING 'careful'; RETURN v; END $$";
    assertThat(sql(function).out()).isEqualTo("(CREATE FUNCTION warn done on s0 s1)\n");
    String insert = "INSERT INTO orders (order_id, tenant_id, buyer_id) VALUES (warn(1), 1, 1)";
    Shell.Run run = sql(insert);
    assertThat(run.exit()).isZero();
    assertThat(run.out()).startsWith("(1 row inserted on s");
    assertThat(run.err()).isEqualTo("warning: careful\n");
    Shell.Run json = sql("--json", insert.replace("(1), 1, 1", "(2), 1, 1"));
    assertThat(json.json().at("/results/0/warnings").toString()).isEqualTo("[\"careful\"]");
    assertThat(json.err()).isEmpty();
  }

  @Test
  void script_runsAllStatementsInOrder() throws IOException {
    Path file = directory.resolve("script.sql");
    Files.writeString(
        file,
        """
        \uFEFF-- two rows; one result
        INSERT INTO orders (order_id, tenant_id, buyer_id, note) VALUES (1, 1, 1, 'a;b');
        INSERT INTO orders (order_id, tenant_id, buyer_id, note) VALUES (2, 1, 1, $$c;d$$);

        SELECT note FROM orders WHERE tenant_id = 1 AND buyer_id = 1 ORDER BY order_id;
        """);
    Shell.Run run = sql("--file", file.toString());
    assertThat(run.exit()).isZero();
    assertThat(run.lines()).hasSize(7).contains("a;b", "c;d");
    JsonNode json = Shell.withInput("SELECT 1;\nSELECT 2", arguments("-f", "-", "--json")).json();
    assertThat(json.get("results")).hasSize(2);
    assertThat(json.at("/results/1/line").asInt()).isEqualTo(2);
  }

  @Test
  void script_failure_saysWhichStatementAndWhatStays() {
    String script =
        "INSERT INTO orders (order_id, tenant_id, buyer_id) VALUES (1, 1, 1);\n"
            + "\nDELETE FROM orders;\nSELECT 1";
    Shell.Run run = Shell.withInput(script, arguments("-f", "-"));
    assertThat(run.exit()).isEqualTo(4);
    assertThat(run.out()).startsWith("(1 row inserted");
    assertThat(run.err())
        .startsWith("error: SW205: statement 2 of 3 (line 3): ")
        .contains("1 statement before it was run and stay");
    JsonNode json =
        Shell.withInput(script.replace("(1,", "(2,"), arguments("-f", "-", "--json")).json();
    assertThat(json.get("results")).hasSize(1);
    assertThat(json.at("/error/code").asText()).isEqualTo("SW205");
    assertThat(sql("SELECT order_id FROM orders").lines()).hasSize(5);
  }

  @Test
  void script_inOneTransaction_isRolledBackWhole() {
    String script =
        "INSERT INTO orders (order_id, tenant_id, buyer_id) VALUES (1, 1, 1);"
            + "INSERT INTO orders (order_id, tenant_id, buyer_id) VALUES (1, 1, 1)";
    Shell.Run run = sql("--transaction", script);
    assertThat(run.exit()).isEqualTo(4);
    assertThat(run.err()).contains("the transaction was rolled back");
    assertThat(sql("SELECT order_id FROM orders").lines()).last().isEqualTo("(0 rows from s0 s1)");
    assertThat(sql("--transaction", script.replace("(1, 1, 1);", "(2, 1, 1);")).exit()).isZero();
    assertThat(sql("SELECT order_id FROM orders").lines()).last().isEqualTo("(2 rows from s0 s1)");
  }

  @Test
  void script_badFile_isUsage() throws IOException {
    assertThat(sql("-f", "no-such-file").err()).contains("file no-such-file does not exist");
    assertThat(sql("-f", directory.toString()).err()).contains("is a directory");
    Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, 0, 1});
    assertThat(sql("-f", binary.toString()).err()).contains("is not UTF-8 text");
    assertThat(sql("-f", binary.toString(), "SELECT 1").exit()).isEqualTo(2);
    assertThat(sql().exit()).isEqualTo(2);
    assertThat(Shell.withInput("", arguments("-f", "-")).err()).contains("the SQL is empty");
  }

  @Test
  void ddl_reachesEveryShard_andIsNotPendingAfterwards() {
    assertThat(sql("CREATE INDEX orders_by_day ON orders (day)").out())
        .isEqualTo("(CREATE INDEX orders_by_day done on s0 s1)\n");
    Shell.Run status = Shell.run("ddl", "status", "-c", shards.file());
    assertThat(status.exit()).isZero();
    assertThat(status.out()).isEqualTo("ok: every schema change is on every shard\n");
    assertThat(Shell.run("ddl", "resume", "-c", shards.file()).out())
        .isEqualTo("ok: nothing was pending\n");
    assertThat(Shell.run("ddl", "status", "--json", "-c", shards.file()).json().get("pending"))
        .isEmpty();
  }

  @Test
  void ddl_failedOnOneShard_isPendingUntilResumed() throws Exception {
    shards.execute(1, "CREATE TABLE obstacle (a integer)");
    Shell.Run failed = sql("CREATE TABLE obstacle (a integer)");
    assertThat(failed.exit()).isEqualTo(5);
    assertThat(failed.err()).contains("SW502").contains("s1");
    Shell.Run status = Shell.run("ddl", "status", "-c", shards.file());
    assertThat(status.exit()).isEqualTo(1);
    assertThat(status.out())
        .contains("| s0 ")
        .contains("| s1 ")
        .contains("CREATE TABLE obstacle")
        .contains("1 change is pending");
    JsonNode json = Shell.run("ddl", "status", "--json", "-c", shards.file()).json();
    assertThat(json.at("/pending/0/done/0").asText()).isEqualTo("s0");
    assertThat(json.at("/pending/0/missing/0").asText()).isEqualTo("s1");
    assertThat(Shell.run("ddl", "resume", "-c", shards.file()).exit()).isEqualTo(5);
    shards.execute(1, "DROP TABLE obstacle");
    Shell.Run resumed = Shell.run("ddl", "resume", "-c", shards.file());
    assertThat(resumed.exit()).isZero();
    assertThat(resumed.out()).contains("ok: 1 change finished on every shard");
    assertThat(Shell.run("ddl", "status", "-c", shards.file()).exit()).isZero();
  }
}
