package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplyAndVerifyTest {
  @TempDir private Path directory;

  @Test
  void apply_withoutTables_reportsEachAndExitsWithOne() {
    TestingShards shards = TestingShards.empty(directory, 2);
    Shell.Run run = Shell.run("apply", "-c", shards.file());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).isEmpty();
    assertThat(run.lines())
        .contains("created  shard s1: table shardwright_shard")
        .anyMatch(line -> line.startsWith("problem  SW105: table orders does not exist"))
        .anyMatch(line -> line.startsWith("problem  SW105: table countries does not exist"))
        .last()
        .asString()
        .startsWith("not ready: ")
        .contains("3 problems");
    JsonNode json = Shell.run("apply", "-c", shards.file(), "--json").json();
    assertThat(json.get("ok").asBoolean()).isFalse();
    assertThat(json.get("created")).isEmpty();
    assertThat(json.get("existing")).isNotEmpty();
    assertThat(json.at("/problems/0/code").asText()).isEqualTo("SW105");
    assertThat(json.at("/problems/0/shards")).hasSize(2);
    assertThat(json.at("/problems/0/table").asText()).isNotEmpty();
    assertThat(json.at("/problems/0/action").asText()).contains("CREATE TABLE");
  }

  @Test
  void apply_withTables_isOkAndMayBeRepeated() {
    TestingShards shards = TestingShards.ready(directory, 2);
    Shell.Run run = Shell.run("apply", "-c", shards.file());
    assertThat(run.exit()).isZero();
    assertThat(run.lines()).last().asString().startsWith("ok: 0 created");
  }

  @Test
  void apply_relativeFile_isFound() {
    TestingShards shards = TestingShards.ready(directory, 1);
    Path relative = Path.of("").toAbsolutePath().relativize(Path.of(shards.file()));
    assertThat(Shell.run("apply", "-c", relative.toString()).exit()).isZero();
  }

  @Test
  void apply_shardDown_namesItAndExitsWithFive() throws IOException {
    TestingShards shards = TestingShards.ready(directory, 2);
    takeDown(shards, "s1:");
    Shell.Run run = Shell.run("apply", "-c", shards.file());
    assertThat(run.exit()).isEqualTo(5);
    assertThat(run.out()).contains("problem  SW401: shard s1 at jdbc:postgresql://127.0.0.1:1/");
    Shell.Run verify = Shell.run("verify", "--placement", "-c", shards.file());
    assertThat(verify.exit()).isEqualTo(5);
    assertThat(verify.out()).contains("SW401").contains("not ok: ");
  }

  /** Leads an endpoint of the file to a port where nobody listens. */
  private static void takeDown(TestingShards shards, String endpoint) throws IOException {
    Path file = Path.of(shards.file());
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      boolean down = line.strip().startsWith(endpoint);
      boolean shard = down && !endpoint.equals("catalog:");
      String other = down ? line.replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:1") : line;
      lines.add(shard ? other.replace("}", ", pool: {timeout: 300ms}}") : other);
    }
    Files.write(file, lines);
  }

  private static int buyerOn(TestingShards shards, String shard) {
    for (int buyer = 1; ; buyer++) {
      String key = "buyer_id=" + buyer;
      Shell.Run run = Shell.run("route", "-c", shards.file(), "orders", "tenant_id=1", key);
      if (run.out().contains("shard        " + shard)) {
        return buyer;
      }
    }
  }

  @Test
  void sql_shardDown_namesIt_andTheOtherShardGoesOn() throws IOException {
    TestingShards shards = TestingShards.ready(directory, 2);
    int here = buyerOn(shards, "s0");
    int there = buyerOn(shards, "s1");
    takeDown(shards, "s1:");
    Shell.Run all = Shell.run("sql", "--json", "-c", shards.file(), "SELECT COUNT(*) FROM orders");
    assertThat(all.exit()).isEqualTo(5);
    assertThat(all.json().at("/error/code").asText()).isEqualTo("SW401");
    assertThat(all.json().at("/error/retryable").asBoolean()).isTrue();
    assertThat(all.json().at("/error/message").asText()).contains("s1");
    String insert = "INSERT INTO orders (order_id, tenant_id, buyer_id) VALUES (1, 1, ?)";
    assertThat(Shell.run("sql", "-c", shards.file(), insert, "-p", "" + here).out())
        .isEqualTo("(1 row inserted on s0)\n");
    Shell.Run down = Shell.run("sql", "-c", shards.file(), insert, "-p", "" + there);
    assertThat(down.exit()).isEqualTo(5);
    assertThat(down.err()).startsWith("error: SW401: ").contains("s1").hasLineCount(1);
  }

  @Test
  void sql_catalogDown_isAFailureOfTheCatalog() throws IOException {
    TestingShards shards = TestingShards.ready(directory, 1);
    takeDown(shards, "catalog:");
    Shell.Run run = Shell.run("sql", "-c", shards.file(), "SELECT 1");
    assertThat(run.exit()).isEqualTo(5);
    assertThat(run.err()).startsWith("error: SW411: ").hasLineCount(1);
  }

  @Test
  void oneShardWithoutCatalog_worksInEverything() throws IOException {
    TestingShards shards = TestingShards.empty(directory, 1);
    Path file = Path.of(shards.file());
    // Lookup indexes need a catalog.
    Files.writeString(file, Files.readString(file).replaceAll("(?m)^(catalog| *indexes):.*\n", ""));
    Shell.run("apply", "-c", shards.file());
    assertThat(Shell.run("sql", "-c", shards.file(), TestingShards.SCHEMA).exit()).isZero();
    assertThat(Shell.run("apply", "-c", shards.file()).exit()).isZero();
    insertOrders(shards);
    assertThat(Shell.run("sql", "-c", shards.file(), "SELECT COUNT(*) FROM orders").lines())
        .contains("    8");
    assertThat(Shell.run("route", "-c", shards.file(), "orders", "tenant_id=1", "buyer_id=2").out())
        .contains("shard        s0");
    assertThat(Shell.run("verify", "--placement", "-c", shards.file()).exit()).isZero();
    assertThat(Shell.run("ddl", "status", "-c", shards.file()).exit()).isZero();
  }

  @Test
  void wrongPassword_isAConfigurationError_andIsNotPrinted() throws IOException {
    TestingShards shards = TestingShards.ready(directory, 1);
    Path file = Path.of(shards.file());
    Files.writeString(file, Files.readString(file).replace("app-password", "not-the-password"));
    for (String command : new String[] {"apply", "route orders tenant_id=1 buyer_id=1"}) {
      Shell.Run run = Shell.run((command + " -c " + shards.file()).split(" "));
      assertThat(run.exit()).isEqualTo(3);
      assertThat(run.out() + run.err()).contains("SW412").doesNotContain("not-the-password");
    }
  }

  @Test
  void verify_everythingInPlace_countsRowsByShard() {
    TestingShards shards = TestingShards.ready(directory, 2);
    insertOrders(shards);
    Shell.Run run = Shell.run("verify", "--placement", "-c", shards.file());
    assertThat(run.exit()).isZero();
    assertThat(run.lines().get(0)).matches("rows checked +\\| s0 \\| s1");
    assertThat(run.lines()).last().isEqualTo("ok: 8 rows checked, 0 misplaced");
    JsonNode json = Shell.run("verify", "--placement", "--json", "-c", shards.file()).json();
    assertThat(json.get("ok").asBoolean()).isTrue();
    assertThat(json.get("rowsChecked").asLong()).isEqualTo(8);
    assertThat(json.get("checked")).hasSize(4);
    assertThat(json.get("violations")).isEmpty();
  }

  @Test
  void verify_misplacedRows_areListedWithTheirRepair() throws SQLException {
    TestingShards shards = TestingShards.ready(directory, 2);
    insertOrders(shards);
    shards.execute(
        0,
        "UPDATE shardwright_bucket SET state = 'open' WHERE bucket = 1023;"
            + "INSERT INTO orders (bucket_id, order_id, tenant_id, buyer_id) VALUES (1023, 9, 9, 9)");
    Shell.Run run = Shell.run("verify", "--placement", "-c", shards.file());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out())
        .contains("violation  wrong shard: 1 row of orders on s0, bucket_id 1023")
        .contains("owned by s1")
        .contains("repair     wrong shard: ");
    assertThat(run.lines()).last().asString().startsWith("not ok: 9 rows checked, ");
    JsonNode json = Shell.run("verify", "--placement", "--json", "-c", shards.file()).json();
    assertThat(json.get("ok").asBoolean()).isFalse();
    assertThat(json.at("/violatingRows/wrong_shard").asLong()).isEqualTo(1);
    assertThat(json.at("/violations/0/shard").asText()).isEqualTo("s0");
  }

  @Test
  void verify_withoutSayingWhat_isUsage() {
    Shell.Run run = Shell.run("verify", "-c", "x");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--placement");
  }

  @Test
  void anyCommand_beforeApply_saysSo() {
    TestingShards shards = TestingShards.empty(directory, 1);
    Shell.Run run = Shell.run("sql", "-c", shards.file(), "SELECT 1");
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err()).startsWith("error: SW104: ").contains("shardwright apply -c FILE");
  }

  private static void insertOrders(TestingShards shards) {
    Shell.Run run =
        Shell.run(
            "sql",
            "-c",
            shards.file(),
            "INSERT INTO orders (order_id, tenant_id, buyer_id) VALUES"
                + " (1,1,1),(2,1,2),(3,1,3),(4,1,4),(5,1,5),(6,1,6),(7,1,7),(8,1,8)");
    assertThat(run.exit()).isZero();
  }
}
