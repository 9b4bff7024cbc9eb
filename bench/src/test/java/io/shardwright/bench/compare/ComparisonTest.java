package io.shardwright.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each benchmark runs on each side, on the smallest scale; the times mean nothing. */
class ComparisonTest {
  private static Outcome outcome;
  private static String report;
  private static JsonNode json;

  /** Every workload on every side, in processes that are started one after the other. */
  @BeforeAll
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  static void run() throws Exception {
    ByteArrayOutputStream progress = new ByteArrayOutputStream();
    try (Comparison comparison =
        Comparison.open(
            Scale.TINY,
            Workloads.names(),
            new PrintStream(progress, true, StandardCharsets.UTF_8))) {
      outcome = comparison.run();
    }
    report = ReportText.of(outcome, Machine.facts());
    json = new ObjectMapper().readTree(ReportJson.of(outcome, Machine.facts()));
  }

  @AfterAll
  static void forget() {
    outcome = null;
    json = null;
  }

  @Test
  void everyWorkload_runsOnEverySide() {
    assertThat(outcome.results())
        .extracting(result -> result.workload().name())
        .containsExactlyElementsOf(Workloads.all().keySet());
    assertThat(outcome.results())
        .allSatisfy(
            result ->
                assertThat(result.scores())
                    .extracting(Score::side)
                    .containsExactlyElementsOf(result.workload().sides()));
    assertThat(outcome.results().stream().flatMap(result -> result.scores().stream()))
        .extracting(Score::refusal)
        .containsOnly("");
    assertThat(outcome.cold().orElseThrow().scores()).noneMatch(Score::isRefused);
    assertThat(outcome.heaps()).hasSize(4);
  }

  /** Statements and round trips of one operation. */
  @ParameterizedTest
  @CsvSource({
    "point, 1, 1, 1",
    "literal, 1, 1, 1",
    "insert, 1, 1, 1",
    "create-order, 5, 6, 1",
    "in-500, 8, 8, 8",
    "top-20-of-4, 4, 4, 4",
    "top-100-of-16, 16, 16, 16",
    "group-by, 8, 8, 8",
    "count, 8, 8, 8",
    "page-offset, 8, 8, 8",
    "page-cursor, 8, 8, 8",
    "by-unique-index, 2, 2, 2",
    "by-gene, 1, 1, 1",
  })
  void shardwright_sendsExactlyThis(
      String name, double statements, double roundTrips, double connections) {
    assertThat(outcome.of(name, Side.SHARDWRIGHT).orElseThrow().counts())
        .isEqualTo(new Score.Counts(statements, roundTrips, connections));
  }

  @Test
  void report_namesMachineSettingsTargetsAndEachWorkload() {
    assertThat(report)
        .contains(
            "| ShardingSphere-JDBC | 5.5.2 |",
            "| processors | ",
            "| PostgreSQL, fsync | on |",
            "synchronous_commit | on |")
        .contains("## Targets", "## Cold start", "## Balance of the skewed orders", "| s7 | ");
    for (String name : Workloads.all().keySet()) {
      assertThat(report).contains("### " + name + ": ");
    }
    assertThat(Goal.of(outcome)).hasSize(10);
  }

  @Test
  void json_hasTheSameFigures() {
    assertThat(json.get("server").get("fsync").asText()).isEqualTo("on");
    assertThat(json.get("workloads")).hasSize(Workloads.all().size());
    JsonNode point = json.get("workloads").get(0);
    assertThat(point.get("name").asText()).isEqualTo("point");
    assertThat(point.get("sides")).hasSize(4);
    JsonNode raw = point.get("sides").get(0);
    assertThat(raw.get("side").asText()).isEqualTo("raw");
    assertThat(raw.get("micros").get("median").asDouble()).isPositive();
    assertThat(raw.get("times").get("median").asDouble()).isEqualTo(1);
    assertThat(raw.get("percentileMicros").get("99.9").asDouble()).isPositive();
    assertThat(raw.get("statements").asDouble()).isEqualTo(1);
    assertThat(List.of("targets", "coldStart", "leastHeap", "machine", "scale"))
        .allMatch(json::has);
  }
}
