package io.shardwright.advisor.advice;

import static io.shardwright.advisor.advice.PlantedKeyTest.refusal;
import static io.shardwright.advisor.advice.PlantedKeyTest.score;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.SchemaText;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Workloads of published accounts, rebuilt from the parameters that these state. */
class StoriesTest {
  private static final SchemaFacts ORDERS =
      SchemaText.of(
          "CREATE TABLE t_order_record (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,"
              + " order_no VARCHAR(32) NOT NULL, shop_id BIGINT NOT NULL, buyer_id BIGINT NOT NULL,"
              + " create_time DATETIME NOT NULL, status INT NOT NULL, amount DECIMAL(12,2),"
              + " UNIQUE KEY uk_order_no (order_no), KEY idx_shop (shop_id, create_time),"
              + " KEY idx_buyer (buyer_id, create_time), KEY idx_time (create_time),"
              + " KEY idx_status (status))");

  @Test
  void advise_shopOrders_buyerAndARouteIndexNotTheMostFrequentColumn() {
    TestingWorkload workload = shopOrders(1);

    Advice advice =
        workload.advise(ORDERS, TestingWorkload.settings("class.column.shop_id = back_office"));

    Advice.Group group = advice.groups().get(0);
    assertThat(group.best().orElseThrow().candidate().name()).isEqualTo("buyer_id");
    assertThat(score(group, "shop_id").frequency()).isBetween(0.45, 0.49);
    assertThat(refusal(group, "shop_id")).contains("one key cannot be divided");
    assertThat(score(group, "buyer_id").traffic().orElseThrow().maxToMean()).isLessThan(1.2);
    KeyScore orderNumber = score(group, "order_no");
    assertThat(orderNumber.refused()).isEmpty();
    assertThat(orderNumber.frequency()).isGreaterThan(score(group, "buyer_id").frequency());
    assertThat(group.best().orElseThrow().paths())
        .filteredOn(path -> path.template().template().text().contains("order_no ="))
        .singleElement()
        .satisfies(path -> assertThat(path.landing()).isEqualTo(Landing.LOOKUP_INDEX));
    assertThat(advice.configuration().orElseThrow())
        .contains(
            "key: [buyer_id]",
            "by_order_no: {table: t_order_record, columns: [order_no], unique: true}");
  }

  @Test
  void advise_shopOrdersWithoutClasses_theVetoAloneKeepsTheShopOut() {
    Advice advice = shopOrders(2).advise(ORDERS, TestingWorkload.settings());

    assertThat(advice.groups().get(0).best().orElseThrow().candidate().name())
        .isEqualTo("buyer_id");
  }

  @Test
  void advise_shopPromotion_showsHowMuchWorseItGets() {
    Advice advice = shopOrders(3).advise(ORDERS, TestingWorkload.settings());

    Evenness shops = score(advice.groups().get(0), "shop_id").traffic().orElseThrow();
    assertThat(shops.promotionMaxToMean().orElseThrow()).isGreaterThan(shops.maxToMean());
    Evenness buyers = score(advice.groups().get(0), "buyer_id").traffic().orElseThrow();
    assertThat(buyers.promotionMaxToMean().orElseThrow()).isLessThan(2);
  }

  /** 47% by shop, 31% by number, 12% by buyer, 8% by time; three shops have 60% of rows. */
  private static TestingWorkload shopOrders(long seed) {
    TestingWorkload workload = new TestingWorkload(seed);
    SplittableRandom random = workload.random();
    for (int i = 0; i < 10_000; i++) {
      int dice = random.nextInt(100);
      if (dice < 47) {
        long shop = random.nextInt(100) < 60 ? random.nextInt(3) : 3 + random.nextInt(1_000);
        workload.add(
            "SELECT * FROM t_order_record WHERE shop_id = "
                + shop
                + " AND create_time > '2026-01-01' ORDER BY create_time LIMIT 50");
      } else if (dice < 78) {
        workload.add(
            "SELECT * FROM t_order_record WHERE order_no = 'SO" + random.nextLong(1L << 40) + "'");
      } else if (dice < 90) {
        workload.add(
            "SELECT * FROM t_order_record WHERE buyer_id = "
                + random.nextInt(800_000)
                + " ORDER BY create_time DESC LIMIT 20");
      } else if (dice < 98) {
        workload.add(
            "SELECT * FROM t_order_record WHERE create_time BETWEEN '2026-01-01' AND '2026-01-02'"
                + " ORDER BY create_time LIMIT 100");
      } else {
        workload.add(
            "SELECT * FROM t_order_record WHERE status = " + random.nextInt(5) + " LIMIT 100");
      }
    }
    return workload;
  }

  private static final SchemaFacts COUPONS =
      SchemaText.of(
          "CREATE TABLE orders (order_id BIGINT NOT NULL PRIMARY KEY, user_id BIGINT NOT NULL,"
              + " KEY by_user (user_id))",
          "CREATE TABLE coupon_instance (coupon_instance_id BIGINT NOT NULL PRIMARY KEY,"
              + " order_id BIGINT NOT NULL, batch_id BIGINT NOT NULL, status INT NOT NULL,"
              + " claim_user_id BIGINT, expire_time DATETIME NOT NULL, KEY by_order (order_id),"
              + " KEY by_batch (batch_id), KEY by_user (claim_user_id),"
              + " CONSTRAINT fk FOREIGN KEY (order_id) REFERENCES orders (order_id))");

  @Test
  void advise_coupons_theInstanceNotTheOwnerOfTheForeignKey() {
    TestingWorkload workload = coupons(4);

    Advice advice = workload.advise(COUPONS, TestingWorkload.settings());

    Advice.Group coupons =
        advice.groups().stream()
            .filter(group -> group.tables().contains("coupon_instance"))
            .findFirst()
            .orElseThrow();
    assertThat(coupons.tables()).containsExactly("coupon_instance");
    KeyScore best = coupons.best().orElseThrow();
    assertThat(best.candidate().name()).isEqualTo("coupon_instance_id");
    assertThat(best.weighted()).isGreaterThan(0.9);
    KeyScore owner = score(coupons, "order_id");
    assertThat(owner.refused()).isPresent();
    assertThat(maxToMin(owner.rows().orElseThrow())).isGreaterThan(10);
    assertThat(maxToMin(best.rows().orElseThrow())).isLessThan(1.3);
    assertThat(coupons.notes())
        .anySatisfy(note -> assertThat(note).contains("foreign key of coupon_instance to orders"));
  }

  @Test
  void advise_evenOwnerThatFewQueriesCarry_isNotChosen() {
    TestingWorkload workload = new TestingWorkload(5);
    SplittableRandom random = workload.random();
    for (int i = 0; i < 3_000; i++) {
      long instance = random.nextLong(1L << 40);
      workload.add(
          "INSERT INTO coupon_instance (coupon_instance_id, order_id, batch_id, status, expire_time)"
              + " VALUES ("
              + instance
              + ", "
              + random.nextLong(1L << 40)
              + ", 7, 1, '2026-02-01')");
      workload.add("SELECT status FROM coupon_instance WHERE coupon_instance_id = " + instance);
    }

    Advice advice = workload.advise(COUPONS, TestingWorkload.settings());

    Advice.Group group = advice.groups().get(0);
    assertThat(group.best().orElseThrow().candidate().name()).isEqualTo("coupon_instance_id");
    assertThat(refusal(group, "order_id")).isEqualTo("no statement asks by it");
    assertThat(refusal(group, "batch_id")).isNotEmpty();
  }

  private static double maxToMin(Evenness evenness) {
    LongStream rows = evenness.rows().stream().mapToLong(Long::longValue);
    return (double) evenness.max() / Math.max(1, rows.min().orElseThrow());
  }

  /**
   * Most orders have one coupon or two, a few have thousands; coupons are asked for by themselves.
   */
  private static TestingWorkload coupons(long seed) {
    TestingWorkload workload = new TestingWorkload(seed);
    SplittableRandom random = workload.random();
    long instance = 0;
    for (int order = 1; order <= 1_500; order++) {
      int size = order % 500 == 0 ? 5_000 : 1 + random.nextInt(2);
      workload.add(
          "INSERT INTO orders (order_id, user_id) VALUES ("
              + order
              + ", "
              + random.nextInt(900)
              + ")");
      for (int i = 0; i < size; i++) {
        workload.add(
            "INSERT INTO coupon_instance (coupon_instance_id, order_id, batch_id, status,"
                + " expire_time) VALUES ("
                + ++instance
                + ", "
                + order
                + ", 7, 1, '2026-02-01')");
      }
    }
    for (int i = 0; i < 30_000; i++) {
      long asked = 1 + random.nextLong(instance);
      int dice = random.nextInt(100);
      if (dice < 50) {
        workload.add(
            "SELECT coupon_instance_id, batch_id, expire_time, status FROM coupon_instance WHERE"
                + " coupon_instance_id = "
                + asked);
      } else if (dice < 95) {
        workload.add(
            "UPDATE coupon_instance SET status = 2, claim_user_id = 5 WHERE coupon_instance_id = "
                + asked
                + " AND status = 1");
      } else if (dice < 98) {
        workload.add(
            "SELECT * FROM coupon_instance WHERE order_id = " + (1 + random.nextInt(1_500)));
      } else {
        workload.add("SELECT * FROM orders WHERE order_id = " + (1 + random.nextInt(1_500)));
      }
    }
    return workload;
  }
}
