package io.shardwright.advisor.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.SchemaText;
import io.shardwright.errors.ShardwrightException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers and names of the file. */
class WorkloadFileTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "capacity.data = 1,8TB",
        "capacity.writes = 15,0000",
        "capacity.writes = 0,125",
        "growth.data = 0,5",
        "limit.max_to_mean = 1,5",
        "weight.back_office = ,5",
        "headroom.data.migration = 0,1"
      })
  void numbers_commaForAPoint_isRefusedWithWhatToWrite(String line) {
    assertThatThrownBy(() -> TestingWorkload.settings(line))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("workload, line 1")
        .hasMessageContaining("is no number; write 15000, 0.75, 300GB or 1.8TB, with a point")
        .hasMessageContaining("a comma is for thousands only, as in 15,000");
  }

  @Test
  void numbers_commasForThousands_areRead() {
    AdviceSettings settings =
        TestingWorkload.settings(
            "capacity.writes = 1,070,000.5", "capacity.shard_writes = 15_000", "growth.writes = 0");

    assertThat(settings.capacity().figures())
        .singleElement()
        .satisfies(
            figure -> {
              assertThat(figure.need()).isEqualTo(1_070_000.5);
              assertThat(figure.perShard()).isEqualTo(15_000);
              assertThat(figure.yearlyGrowth()).isZero();
            });
  }

  @Test
  void numbers_outOfRange_areRefused() {
    String digits = "9".repeat(400);
    assertThatThrownBy(
            () ->
                TestingWorkload.settings(
                    "capacity.data = " + digits,
                    "weight.back_office = " + digits,
                    "capacity.shard_data = 0." + "0".repeat(400) + "1",
                    "capacity.queries = 0.0000000000001",
                    "limit.max_to_mean = 0.9",
                    "limit.hottest_to_mean = 1,125",
                    "growth.data = 101",
                    "utilisation.data = 0"))
        .hasMessageContaining("line 1: 9999999999999999999999999999999999999999... is out of range")
        .hasMessageContaining("line 2: 9999999999999999999999999999999999999999... is out of range")
        .hasMessageContaining("line 3: 0.000")
        .hasMessageContaining("line 4: 0.0000000000001 is out of range")
        .hasMessageContaining("line 5: limit.max_to_mean is 1 up to 1000, not 0.9")
        .hasMessageContaining("line 6: limit.hottest_to_mean is above 0 up to 1000, not 1,125")
        .hasMessageContaining("line 7: growth.data is a rate, 0 up to 100, not 101")
        .hasMessageContaining("line 8: 0 must be above 0")
        .hasMessageNotContaining("Infinity");
  }

  @Test
  void capacity_moreShardsThanBuckets_isRefusedWithTheArithmetic() {
    List<String> lines = List.of("capacity.writes = 70,000", "capacity.shard_writes = 1,000");

    assertThatThrownBy(() -> WorkloadFile.parse("w", lines, Optional.empty(), 64, false))
        .hasMessageContaining("asks for more shards than 64, the buckets")
        .hasMessageContaining("writes: ceil(70,000 / (1,000 x 0.75)) = 94")
        .hasMessageContaining("or more buckets");
    assertThatThrownBy(
            () -> TestingWorkload.settings("capacity.data = 1PB", "capacity.shard_data = 1GB"))
        .hasMessageContaining("asks for more shards than 4096");
    assertThat(WorkloadFile.parse("w", lines, Optional.empty(), 128, false).judgedShards())
        .isEqualTo(94);
  }

  @Test
  void lines_tooMany_areRefused() {
    List<String> lines = Collections.nCopies(100_001, "# no setting");

    assertThatThrownBy(() -> WorkloadFile.parse("w", lines, Optional.empty(), 64, false))
        .hasMessageContaining("w has 100001 lines; a workload file has at most 100000");
  }

  @Test
  void names_ofNothing_areWarnedOf() {
    SchemaFacts schema = SchemaText.of("CREATE TABLE archive (old_id BIGINT, buyer_id BIGINT)");
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 200; i++) {
      workload.add("SELECT * FROM orders WHERE buyer_id = " + i + " AND status = 1");
    }
    List<String> warnings =
        workload
            .advise(
                schema,
                TestingWorkload.settings(
                    "mutable = statsu, status",
                    "immutable = Buyer_ID",
                    "unique = order_number",
                    "gene = order_idd, old_id",
                    "entry.callback = buyer_id, ordr_no",
                    "retention.order = 30 days",
                    "retention.archive = 30 days",
                    "class.column.seler_id = online_query",
                    "class.table.ordrs = online_query",
                    "class.0123456789abcdef = online_query"))
            .warnings();

    assertThat(warnings.stream().filter(w -> w.startsWith("workload file, ")))
        .satisfiesExactly(
            w -> assertThat(w).contains("class.column", "the column seler_id;"),
            w -> assertThat(w).contains("class.table", "the table ordrs;"),
            w -> assertThat(w).contains("fingerprint", "0123456789abcdef;"),
            w -> assertThat(w).contains(", mutable:", "the column statsu;"),
            w -> assertThat(w).contains(", immutable:", "Buyer_ID (there is buyer_id);"),
            w -> assertThat(w).contains("unique", "order_number"),
            w -> assertThat(w).contains("gene", "the column order_idd;"),
            w -> assertThat(w).contains("entry.callback", "the column ordr_no;"),
            w -> assertThat(w).contains("retention", "the table order;"));
  }
}
