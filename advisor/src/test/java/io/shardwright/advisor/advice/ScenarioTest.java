package io.shardwright.advisor.advice;

import static io.shardwright.advisor.advice.PlantedKeyTest.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.advice.Advice.Verdict;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.SchemaText;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Businesses of four kinds, each with the answer that an architect would give it. */
class ScenarioTest {
  private static final SchemaFacts ORDERS =
      SchemaText.of(
          "CREATE TABLE orders (order_id BIGINT NOT NULL PRIMARY KEY, buyer_id BIGINT NOT NULL,"
              + " seller_id BIGINT NOT NULL, status INT NOT NULL, created_at DATETIME NOT NULL,"
              + " KEY by_buyer (buyer_id, created_at), KEY by_seller (seller_id, status),"
              + " KEY by_time (created_at))",
          "CREATE TABLE order_items (order_id BIGINT NOT NULL, line INT NOT NULL,"
              + " buyer_id BIGINT NOT NULL, seller_id BIGINT NOT NULL, sku BIGINT NOT NULL,"
              + " PRIMARY KEY (order_id, line))");

  @Test
  void small_doesNotShard() {
    Advice advice =
        shop(new TestingWorkload(1), 60, 10)
            .advise(
                ORDERS,
                TestingWorkload.settings(
                    "capacity.data = 40GB",
                    "capacity.shard_data = 300GB",
                    "capacity.writes = 900",
                    "capacity.shard_writes = 15000"));

    Group group = advice.groups().get(0);
    assertThat(group.verdict()).isEqualTo(Verdict.DO_NOT_SHARD_YET);
    assertThat(group.next().toString()).contains("indexes", "replicas", "archive");
    assertThat(group.best().orElseThrow().candidate().name()).isEqualTo("buyer_id");
  }

  @Test
  void growing_byBuyerWithBucketsInTheOrderNumber() {
    TestingWorkload workload = shop(new TestingWorkload(2), 60, 10);
    for (int i = 0; i < 120; i++) {
      workload.add(
          "SELECT * FROM orders WHERE created_at BETWEEN '2026-01-05 10:00:00' AND '2026-01-05"
              + " 11:00:00' ORDER BY created_at LIMIT 100");
    }
    Advice advice =
        workload.advise(
            ORDERS,
            TestingWorkload.settings(
                "gene = order_id", "capacity.writes = 70000", "capacity.shard_writes = 15000"));

    Group group = advice.groups().get(0);
    assertThat(group.verdict()).isEqualTo(Verdict.SHARD);
    KeyScore best = group.best().orElseThrow();
    assertThat(best.candidate().name()).isEqualTo("buyer_id");
    assertThat(best.locality()).isEqualTo(1);
    assertThat(landing(best, "WHERE order_id = ?")).isEqualTo(Landing.GENE);
    assertThat(landing(best, "WHERE created_at BETWEEN")).isEqualTo(Landing.GATEWAY_SCATTER);
    assertThat(landing(best, "WHERE seller_id")).isEqualTo(Landing.COVERING_INDEX);
    assertThat(advice.configuration().orElseThrow())
        .contains("id: {column: order_id, type: gene}", "key: [buyer_id]");
  }

  @Test
  void marketWhoseSellersFulfil_bySeller() {
    Advice advice = shop(new TestingWorkload(3), 10, 60).advise(ORDERS, TestingWorkload.settings());

    KeyScore best = advice.groups().get(0).best().orElseThrow();
    assertThat(best.candidate().name()).isEqualTo("seller_id");
    assertThat(landing(best, "WHERE buyer_id")).isEqualTo(Landing.COVERING_INDEX);
  }

  @Test
  void marketOfThreeGiantSellers_notBySellerWhateverTheyAsk() {
    TestingWorkload workload = new TestingWorkload(4);
    for (int i = 0; i < 3_000; i++) {
      int seller = i % 10 < 6 ? i % 3 : 10 + i % 700;
      workload.add("SELECT * FROM orders WHERE seller_id = " + seller + " AND status = 1 LIMIT 50");
      workload.add("SELECT * FROM orders WHERE buyer_id = " + i % 1_500 + " LIMIT 20");
    }

    Group group = workload.advise(ORDERS, TestingWorkload.settings()).groups().get(0);

    assertThat(refusal(group, "seller_id")).contains("cannot be divided");
    assertThat(group.best().orElseThrow().candidate().name()).isEqualTo("buyer_id");
  }

  @Test
  void auditStream_byTimeSlots() {
    Advice advice = audit(0).advise(SchemaFacts.empty(), TestingWorkload.settings());

    Group group = advice.groups().get(0);
    assertThat(group.verdict()).isEqualTo(Verdict.SHARD_BY_TIME_SLOTS);
    assertThat(group.headline()).isEqualTo("SHARD by slots of created_at");
    assertThat(group.next().toString()).contains("modulo " + TimeSlots.HASH_SLOTS);
    assertThat(group.lifecycles()).allMatch(rows -> rows.updates() == 0);
    assertThat(advice.configuration()).isEmpty();
  }

  @Test
  void auditStreamWhoseRowsChange_notByTime() {
    Group group = audit(1).advise(SchemaFacts.empty(), TestingWorkload.settings()).groups().get(0);

    assertThat(group.timeSlots()).isEmpty();
    assertThat(group.verdict()).isNotEqualTo(Verdict.SHARD_BY_TIME_SLOTS);
  }

  private static Landing landing(KeyScore score, String text) {
    return score.paths().stream()
        .filter(path -> path.template().template().text().contains(text))
        .filter(path -> !path.template().isWrite())
        .findFirst()
        .orElseThrow()
        .landing();
  }

  /** Orders are placed by buyers, and asked by buyers, sellers and number. */
  private static TestingWorkload shop(TestingWorkload workload, int byBuyer, int bySeller) {
    SplittableRandom random = workload.random();
    for (int i = 0; i < 1_500; i++) {
      int buyer = random.nextInt(4_000);
      int seller = random.nextInt(1_200);
      String values = i + ", 1, " + buyer + ", " + seller;
      workload.add("BEGIN");
      workload.add(
          "INSERT INTO orders (order_id, status, buyer_id, seller_id, created_at) VALUES ("
              + values
              + ", '2026-01-05 10:00:00')");
      workload.add(
          "INSERT INTO order_items (order_id, line, buyer_id, seller_id, sku) VALUES ("
              + values
              + ", 9)");
      workload.add("COMMIT");
      if (random.nextInt(100) < byBuyer) {
        workload.add(
            "SELECT * FROM orders WHERE buyer_id = "
                + random.nextInt(4_000)
                + " ORDER BY created_at DESC LIMIT 20");
      }
      for (int ask = 0; ask < 3; ask++) {
        if (random.nextInt(100) < bySeller) {
          workload.add(
              "SELECT * FROM orders WHERE seller_id = "
                  + random.nextInt(1_200)
                  + " AND status = 1 LIMIT 50");
        }
      }
      if (random.nextInt(100) < bySeller) {
        workload.add(
            "UPDATE orders SET status = 2 WHERE seller_id = " + seller + " AND order_id = " + i);
      }
      if (random.nextInt(100) < 20) {
        workload.add("SELECT * FROM orders WHERE order_id = " + random.nextInt(1_500));
      }
    }
    return workload;
  }

  private static TestingWorkload audit(int updates) {
    TestingWorkload workload = new TestingWorkload(5);
    SplittableRandom random = workload.random();
    for (int i = 0; i < 2_000; i++) {
      workload.add(
          "INSERT INTO audit_events (event_id, actor, created_at, what) VALUES ("
              + random.nextLong(1L << 40)
              + ", "
              + random.nextInt(3_000)
              + ", '2026-01-05 10:00:00', 'x')");
      if (i % 4 == 0) {
        workload.add(
            "SELECT * FROM audit_events WHERE created_at >= '2026-01-05 10:00:00' AND created_at <"
                + " '2026-01-05 11:00:00' ORDER BY created_at LIMIT 500");
      }
      if (i % 100 == 0) {
        workload.add("SELECT * FROM audit_events WHERE event_id = " + random.nextLong(1L << 40));
      }
    }
    workload.add("DELETE FROM audit_events WHERE created_at < '2025-01-01'");
    for (int i = 0; i < updates; i++) {
      workload.add("UPDATE audit_events SET what = 'y' WHERE event_id = 5");
    }
    return workload;
  }
}
