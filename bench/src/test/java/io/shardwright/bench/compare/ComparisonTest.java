package io.shardwright.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each benchmark runs on each side, on the smallest scale; the times mean nothing. */
class ComparisonTest {
  private static final Map<Database, Outcome> OUTCOMES = new EnumMap<>(Database.class);

  private static String report;
  private static JsonNode json;

  /** Every workload on every side, in processes that are started one after the other. */
  @BeforeAll
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  static void run() throws Exception {
    ByteArrayOutputStream progress = new ByteArrayOutputStream();
    for (Database database : Database.values()) {
      try (Comparison comparison =
          Comparison.open(
              database,
              Scale.TINY,
              Workloads.names(),
              new PrintStream(progress, true, StandardCharsets.UTF_8))) {
        OUTCOMES.put(database, comparison.run());
      }
    }
    List<Outcome> outcomes = List.copyOf(OUTCOMES.values());
    report = ReportText.of(outcomes, Machine.facts());
    json = new ObjectMapper().readTree(ReportJson.of(outcomes, Machine.facts()));
  }

  @AfterAll
  static void forget() {
    OUTCOMES.clear();
    json = null;
  }

  @ParameterizedTest
  @EnumSource
  void everyWorkload_runsOnEverySide(Database database) {
    Outcome outcome = OUTCOMES.get(database);
    assertThat(outcome.results())
        .extracting(result -> result.workload().name())
        .containsExactlyElementsOf(
            Workloads.all().values().stream()
                .filter(workload -> database.has(workload.set()))
                .map(Workload::name)
                .toList());
    assertThat(outcome.results())
        .allSatisfy(
            result ->
                assertThat(result.scores())
                    .extracting(Score::side)
                    .containsExactlyElementsOf(result.workload().sides()));
    assertThat(outcome.results().stream().flatMap(result -> result.scores().stream()))
        .extracting(Score::refusal)
        .containsOnly("");
    assertThat(outcome.skewed().values())
        .hasSize(3)
        .allSatisfy(
            orders -> assertThat(orders.stream().mapToLong(count -> count).sum()).isPositive());
  }

  @Test
  void processes_areStartedOnOneDatabaseAlone() {
    Outcome outcome = OUTCOMES.get(Database.POSTGRESQL);
    assertThat(outcome.cold().orElseThrow().scores()).hasSize(4).noneMatch(Score::isRefused);
    assertThat(outcome.heaps()).hasSize(2);
    assertThat(OUTCOMES.get(Database.MARIADB).cold()).isEmpty();
  }

  /** Statements, round trips and connections of one operation. */
  @ParameterizedTest
  @CsvSource({
    "POSTGRESQL, point, 1, 1, 1",
    "POSTGRESQL, literal, 1, 1, 1",
    "POSTGRESQL, insert, 1, 1, 1",
    "POSTGRESQL, create-order, 5, 6, 1",
    "POSTGRESQL, in-500, 8, 8, 8",
    "POSTGRESQL, top-20-of-4, 4, 4, 4",
    "POSTGRESQL, top-100-of-16, 16, 16, 16",
    "POSTGRESQL, group-by, 8, 8, 8",
    "POSTGRESQL, count, 8, 8, 8",
    "POSTGRESQL, page-offset, 8, 8, 8",
    "POSTGRESQL, by-unique-index, 2, 2, 2",
    "POSTGRESQL, by-gene, 1, 1, 1",
    "MARIADB, point, 1, 1, 1",
    "MARIADB, literal, 1, 1, 1",
    "MARIADB, insert, 1, 1, 1",
    "MARIADB, in-500, 8, 8, 8",
    "MARIADB, top-20-of-8, 8, 8, 8",
    "MARIADB, group-by, 9, 9, 8",
    "MARIADB, page-cursor, 8, 8, 8",
    "MARIADB, by-unique-index, 2, 2, 2",
    "MARIADB, by-gene, 1, 1, 1",
  })
  void shardwright_sendsExactlyThis(
      Database database, String name, double statements, double roundTrips, double connections) {
    assertThat(OUTCOMES.get(database).of(name, Side.SHARDWRIGHT).orElseThrow().counts())
        .isEqualTo(new Score.Counts(statements, roundTrips, connections));
  }

  @Test
  void report_namesMachineSettingsTargetsAndEachWorkload() {
    assertThat(report)
        .contains(
            "| ShardingSphere-JDBC | 5.5.2 |",
            "| processors | ",
            "| PostgreSQL, fsync | on |",
            "synchronous_commit | on |",
            "| MariaDB, innodb_flush_log_at_trx_commit | 1 |")
        .contains("## Targets", "## On PostgreSQL", "## On MariaDB", "## Cold start")
        .contains("### Balance of the skewed orders", "| s7 | ");
    for (String name : Workloads.all().keySet()) {
      assertThat(report).contains("### " + name + ": ");
    }
    assertThat(Goal.of(List.copyOf(OUTCOMES.values()))).hasSize(13);
  }

  @Test
  void json_hasTheSameFigures() {
    JsonNode postgreSql = json.get("databases").get("postgresql");
    assertThat(postgreSql.get("server").get("fsync").asText()).isEqualTo("on");
    assertThat(postgreSql.get("workloads")).hasSize(Workloads.all().size());
    JsonNode point = postgreSql.get("workloads").get(0);
    assertThat(point.get("name").asText()).isEqualTo("point");
    assertThat(point.get("sides")).hasSize(4);
    JsonNode raw = point.get("sides").get(0);
    assertThat(raw.get("side").asText()).isEqualTo("raw");
    assertThat(raw.get("micros").get("median").asDouble()).isPositive();
    assertThat(raw.get("times").get("median").asDouble()).isEqualTo(1);
    assertThat(raw.get("percentileMicros").get("99.9").asDouble()).isPositive();
    assertThat(raw.get("statements").asDouble()).isEqualTo(1);
    assertThat(List.of("targets", "machine", "scale")).allMatch(json::has);
    assertThat(List.of("coldStart", "leastHeap", "skewedOrdersByShard")).allMatch(postgreSql::has);
  }
}
