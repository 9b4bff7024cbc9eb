package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteAndExplainTest {
  @TempDir private static Path directory;
  private static TestingShards shards;

  @BeforeAll
  static void start() {
    shards = TestingShards.ready(directory, 4);
  }

  private static Shell.Run run(String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of(command, "-c", shards.file()));
    arguments.addAll(List.of(more));
    return Shell.run(arguments.toArray(String[]::new));
  }

  @Test
  void route_byKey_printsBucketShardVersionAndReason() {
    Shell.Run run = run("route", "orders", "tenant_id=1", "buyer_id=17850");
    assertThat(run.exit()).isZero();
    assertThat(run.lines()).hasSize(4);
    assertThat(run.lines().get(0)).matches("bucket       \\d+ of 1024");
    assertThat(run.lines().get(1)).matches("shard        s[0-3]");
    assertThat(run.lines().get(2)).isEqualTo("map version  1");
    assertThat(run.lines().get(3))
        .startsWith("why          xxh64 of the route key (tenant_id as integer, buyer_id as");
  }

  @Test
  void route_agreesWithWhereRowsAreWritten() {
    JsonNode route = run("route", "orders", "buyer_id=77", "tenant_id=5", "--json").json();
    JsonNode insert =
        run("sql", "--json", "INSERT INTO orders (order_id, tenant_id, buyer_id) VALUES (1, 5, 77)")
            .json();
    assertThat(insert.at("/results/0/shards/0").asText()).isEqualTo(route.get("shard").asText());
    JsonNode stored =
        run("sql", "--json", "SELECT bucket_id FROM orders WHERE tenant_id = 5 AND buyer_id = 77")
            .json();
    assertThat(stored.at("/results/0/rows/0/0").asInt()).isEqualTo(route.get("bucket").asInt());
  }

  @Test
  void route_columnNamesOfAnotherTable_giveTheSameBucket() {
    JsonNode orders = run("route", "orders", "tenant_id=5", "buyer_id=77", "--json").json();
    JsonNode addresses = run("route", "orders", "tenant_id=5", "customer_id=77", "--json").json();
    assertThat(addresses.get("bucket")).isEqualTo(orders.get("bucket"));
    assertThat(addresses.get("key").asText()).isEqualTo("(tenant_id, customer_id)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "orderz tenant_id=1 buyer_id=2 | 2 | no group 'orderz'; its groups are orders",
        "orders tenant_id=1 | 2 | give tenant_id=... buyer_id=...",
        "orders tenant_id=1 buyer=2 | 2 | (tenant_id, buyer) are not the route key",
        "orders tenant_id=1 buyer_id=2 order_id=3 | 2 | are not the route key",
        "orders tenant_id=1 tenant_id=2 | 2 | tenant_id is given twice",
        "orders tenant_id | 2 | is not COLUMN=VALUE",
        "orders =1 buyer_id=2 | 2 | is not COLUMN=VALUE",
        "orders | 2 | COLUMN=VALUE",
        "orders tenant_id=1 buyer_id=abc | 4 | column buyer_id takes a whole number",
        "orders tenant_id=1 buyer_id= | 4 | column buyer_id takes a whole number",
        "orders tenant_id=1 buyer_id=1.5 | 4 | '1.5' is none",
        "orders tenant_id=1 buyer_id=9223372036854775808 | 4 | whole number of at most 64 bits",
      })
  void route_badInput_saysWhatToGive(String arguments, int exit, String message) {
    Shell.Run run = run("route", arguments.split(" "));
    assertThat(run.exit()).isEqualTo(exit);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("error: SW").contains(message).hasLineCount(1);
  }

  @Test
  void explain_oneShard_showsTheStatementAndWhereItsArgumentsComeFrom() {
    Shell.Run run =
        run("explain", "SELECT * FROM orders WHERE tenant_id = ? AND buyer_id = 17850", "-p", "1");
    assertThat(run.exit()).isZero();
    assertThat(run.out())
        .contains("kind         select\n")
        .contains("route        route key (tenant_id, buyer_id) of orders\n")
        .contains("map version  1\n")
        .containsPattern("shards       1 of 4: s[0-3]\n")
        .contains("merge        none: the answer is passed on as it is\n")
        .containsPattern("to s[0-3], bucket \\d+\n  SELECT \\* FROM orders WHERE .*bucket_id = \\?")
        .containsPattern("  \\?1 = \\d+  \\(bucket, set by Shardwright\\)\n")
        .contains("  ?2 = 1  (parameter 1)\n");
  }

  @Test
  void explain_scatter_namesShardsTogetherAndTellsTheMerge() {
    String sql = "SELECT order_id FROM orders ORDER BY created_at DESC LIMIT ? OFFSET 2";
    Shell.Run run = run("explain", sql, "-p", "5");
    assertThat(run.out())
        .contains("route        scatter: no condition on the route key")
        .contains("shards       4 of 4: s0 s1 s2 s3")
        .contains("the sorted rows are merged by added column 1 descending, NULL first")
        .contains("1 added column removed; the first 2 skipped; at most 5 rows returned")
        .contains("to s0, s1, s2, s3\n")
        .contains("  ?1 = 7  (limit, set by Shardwright)");
    assertThat(run("explain", sql.replace("?", "5")).out()).contains("DESC LIMIT 7\n");
    JsonNode json = run("explain", sql, "-p", "5", "--json").json();
    assertThat(json.get("target").asText()).isEqualTo("shards");
    assertThat(json.get("statements")).hasSize(4);
    assertThat(json.at("/statements/0/arguments/0/value").asLong()).isEqualTo(7);
    assertThat(json.at("/statements/0/arguments/0/origin").asText()).startsWith("limit");
    assertThat(json.get("mapVersion").asLong()).isEqualTo(1);
  }

  @Test
  void explain_policyAndHints_areToldWithTheirSource() {
    assertThat(run("explain", "SELECT order_id FROM orders LIMIT 5").out())
        .contains("of orders; policy bounded (default), bounded by LIMIT\n");
    assertThat(
            run("explain", "DELETE FROM orders /* shardwright: timeout=2s, scatter=allow */").out())
        .contains("of orders; policy allow (hint)\n")
        .contains("hints        scatter=allow, timeout=2000ms\n")
        .contains("shards       4 of 4: s0 s1 s2 s3");
    Shell.Run run = run("explain", "SELECT * FROM orders -- shardwright: key=(1, 17850)");
    assertThat(run.out())
        .contains("route        route hint, for orders\n")
        .contains("hints        key=(1, 17850)\n")
        .containsPattern("shards       1 of 4: s[0-3]\n");
    assertThat(run("explain", "SELECT * FROM orders").err())
        .startsWith("error: SW205: SELECT on orders would go to every shard")
        .contains("the policy bounded (default) wants its rows to be bounded");
  }

  @Test
  void explain_aggregate_tellsHowEachOutputIsMade() {
    assertThat(
            run(
                    "explain",
                    "SELECT paid, COUNT(*), SUM(amount), MIN(day), MAX(day), AVG(amount) FROM orders"
                        + " GROUP BY paid")
                .out())
        .contains(
            "partial groups of all shards are combined: group, counts are added, sums are added,"
                + " least minimum, greatest maximum, average of the added sums and counts");
  }

  @Test
  void explain_referenceTableAndDdl_nameTheirTargets() {
    assertThat(run("explain", "SELECT * FROM countries").out()).contains("any one of 4");
    assertThat(run("explain", "INSERT INTO countries VALUES (1, 'UK')").out())
        .contains("4 of 4: s0 s1 s2 s3")
        .contains("update counts are added");
    assertThat(run("explain", "CREATE INDEX i ON orders (day)").out())
        .contains("kind         ddl")
        .contains("4 of 4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DELETE FROM orders | 4 | SW205",
        "SELECT * FROM no_such_table | 4 | SW203",
        "SELEC 1 | 4 | SW20",
        "UPDATE orders SET buyer_id = 2 WHERE tenant_id = 1 AND buyer_id = 1 | 4 | SW206",
        "SELECT * FROM orders WHERE tenant_id = ? AND buyer_id = 1 | 4 | SW210",
        "SELECT 1; SELECT 2 | 2 | one at a time",
        "; | 2 | the SQL is empty",
      })
  void explain_refused_saysWhyAndRunsNothing(String sql, int exit, String message) {
    Shell.Run run = run("explain", sql);
    assertThat(run.exit()).isEqualTo(exit);
    assertThat(run.err()).contains(message).doesNotContain("\tat ");
  }
}
