package io.shardwright.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardwright.errors.ShardwrightException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdersDemoTest {
  private static final Path DATA = Path.of("data");
  private static final int INVOICES = 300;

  @ParameterizedTest
  @CsvSource({"1, false", "2, true"})
  void run_onFewInvoices_passesItsOwnChecks(int shards, boolean move, @TempDir Path directory)
      throws Exception {
    Path json = directory.resolve("report.json");
    List<String> progress = new ArrayList<>();

    DemoReport report =
        OrdersDemo.run(
            new DemoOptions(shards, INVOICES, move, false, DATA, Optional.of(json)), progress::add);

    assertThat(report.checks()).hasSizeGreaterThanOrEqualTo(8).allMatch(DemoReport.Check::ok);
    assertThat(report.ok()).isTrue();
    assertThat(report.load().orders()).isEqualTo(INVOICES);
    assertThat(report.rowsPerShard().get("orders")).hasSize(move ? shards + 2 : shards);
    if (move) {
      assertGrown(report.growth());
    } else {
      assertThat(report.growth()).isNull();
    }
    assertThat(report.paths().stream().collect(Collectors.toMap(DemoReport.Path::name, p -> p)))
        .hasSize(6)
        .allSatisfy(
            (name, path) -> {
              assertThat(path.p50Micros()).isBetween(1L, path.p99Micros());
              boolean all = name.startsWith("an hour") || name.startsWith("totals");
              assertThat(path.shardsMin()).as(name).isEqualTo(all ? shards : 1);
              assertThat(path.shardsMax()).as(name).isEqualTo(all ? shards : 1);
            });
    assertThat(report.refusal().code()).isEqualTo("SW205");
    assertThat(report.refusal().shardsTouched()).isZero();
    assertThat(progress).first().asString().contains("starting " + shards);
    assertThat(String.join("\n", report.lines())).contains("ok ").doesNotContain("FAIL");
    JsonNode written = new ObjectMapper().readTree(json.toFile());
    assertThat(written.get("load").get("orders").asInt()).isEqualTo(INVOICES);
    assertThat(written.get("paths")).hasSize(6);
  }

  private static void assertGrown(DemoReport.Growth growth) {
    assertThat(growth.added()).containsExactly("s2", "s3");
    assertThat(growth.buckets()).isBetween(4, 4096).isEqualTo(growth.verifiedBuckets());
    assertThat(growth.rows()).isPositive();
    assertThat(growth.batches()).isBetween(growth.moves(), (int) growth.attempts());
    assertThat(growth.during().count()).isGreaterThan(growth.during().writes()).isPositive();
    assertThat(growth.during().maxMicros()).isGreaterThanOrEqualTo(growth.during().p99Micros());
  }

  @Test
  void options_outOfRange_areRefused() {
    assertThatThrownBy(() -> new DemoOptions(0, 1, true, false, DATA, Optional.empty()))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("shards must be 1 to 16");
    assertThatThrownBy(() -> new DemoOptions(1, 25_901, true, false, DATA, Optional.empty()))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("1 to 25900");
    assertThat(DemoOptions.of(DATA))
        .isEqualTo(new DemoOptions(4, RetailData.INVOICES, true, false, DATA, Optional.empty()));
  }

  @Test
  void report_withAFailedCheck_isNotOkAndSaysWhatWasExpected() {
    DemoReport report =
        new DemoReport(
            new DemoReport.Environment(1, 1, "Java 17", "Linux", 2, false),
            new DemoReport.Load(1, 2, 0, java.math.BigDecimal.TEN, 1, 1),
            List.of(),
            new DemoReport.Refusal("DELETE", "SW205", "SW205: no", 0),
            List.of(),
            null,
            java.util.Map.of("orders", java.util.Map.of("s0", 1L)),
            List.of(new DemoReport.Check("orders", "2", "1", false)),
            new DemoReport.Timings(1, 1, 1, 1, 1, 1, 5),
            List.of());

    assertThat(report.ok()).isFalse();
    assertThat(report.lines()).contains("FAIL orders: 1, expected 2");
  }
}
