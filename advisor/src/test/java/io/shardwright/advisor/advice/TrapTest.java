package io.shardwright.advisor.advice;

import static io.shardwright.advisor.advice.PlantedKeyTest.refusal;
import static io.shardwright.advisor.advice.PlantedKeyTest.score;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.SchemaText;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Data that leads to a wrong key when one looks at one figure alone. */
class TrapTest {
  @Test
  void listOfAnOwner_isNotCuredByTheOwnersOwnKey() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 1_000; i++) {
      workload.add("INSERT INTO orders (order_no, user_id) VALUES (" + i + ", " + i % 700 + ")");
      workload.add("SELECT * FROM orders WHERE user_id = " + i % 700);
      workload.add("SELECT * FROM orders WHERE order_no = " + i);
      workload.add("SELECT * FROM orders WHERE order_no = " + (i + 1));
      workload.add("SELECT * FROM users WHERE id = " + i % 700);
    }

    Advice advice =
        workload.advise(
            SchemaText.of(
                "CREATE TABLE users (id bigint NOT NULL PRIMARY KEY)",
                "CREATE TABLE orders (order_no bigint NOT NULL PRIMARY KEY, user_id bigint NOT NULL"
                    + " REFERENCES users (id))"),
            TestingWorkload.settings());

    Group orders = groupOf(advice, "orders");
    assertThat(orders.best().orElseThrow().candidate().columns().get(0).columns())
        .containsEntry("orders", "user_id");
    KeyScore number = score(orders, "order_no");
    assertThat(number.load()).isGreaterThan(orders.best().orElseThrow().load());
    assertThat(number.paths())
        .filteredOn(path -> path.template().template().text().contains("user_id ="))
        .noneMatch(path -> path.landing().isCured());
  }

  @Test
  void insertsThatAllDiffer_areNoUniqueKeyAgainstTheDdl() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 120; i++) {
      workload.add("INSERT INTO orders (order_no, buyer_id) VALUES (" + i + ", " + i * 31 + ")");
      workload.add("SELECT * FROM orders WHERE order_no = " + i);
      workload.add("SELECT * FROM orders WHERE order_no = " + (i + 1));
      workload.add("SELECT status FROM orders WHERE buyer_id = " + i * 31);
    }

    Advice advice =
        workload.advise(
            SchemaText.of(
                "CREATE TABLE orders (order_no bigint NOT NULL PRIMARY KEY, buyer_id bigint NOT"
                    + " NULL, KEY b (buyer_id))"),
            TestingWorkload.settings());

    assertThat(advice.configuration().orElse("")).doesNotContain("[buyer_id], unique: true");
    assertThat(score(advice.groups().get(0), "order_no").cured()).isZero();
  }

  @Test
  void insertsThatAllDiffer_withoutDdl_makeNoUniqueIndex() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 300; i++) {
      workload.add("INSERT INTO t (number, owner) VALUES (" + i + ", " + i % 250 + ")");
      workload.add("SELECT * FROM t WHERE owner = " + i % 250 + " LIMIT 9");
      workload.add("SELECT * FROM t WHERE number = " + i);
    }

    Advice advice = workload.advise(SchemaFacts.empty(), TestingWorkload.settings());

    assertThat(advice.configuration().orElseThrow())
        .contains("{table: t, columns: [number], unique: false}");
  }

  @Test
  void columnOfThreeValues_isRefusedHoweverManyShardsAreAskedFor() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 5_000; i++) {
      int shop = i % 10 < 6 ? 1 : i % 10 < 9 ? 2 : 3;
      workload.add("SELECT * FROM orders WHERE shop_id = " + shop + " LIMIT 20");
    }

    Group group =
        workload
            .advise(
                SchemaFacts.empty(),
                TestingWorkload.settings("capacity.data = 30TB", "capacity.shard_data = 300GB"))
            .groups()
            .get(0);

    assertThat(group.verdict()).isEqualTo(Advice.Verdict.NO_KEY);
    assertThat(refusal(group, "shop_id")).contains("only 3 different values");
  }

  @Test
  void keyThatIsUnevenInOneTableOfTheGroup_isRefused() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 1_000; i++) {
      int tenant = i % 10 < 6 ? 7 : 100 + i;
      workload.add("BEGIN");
      workload.add("INSERT INTO accounts (tenant_id, n) VALUES (" + i + ", 1)");
      workload.add("INSERT INTO accounts (tenant_id, n) VALUES (" + i + ", 2)");
      workload.add("INSERT INTO events (tenant_id, n) VALUES (" + tenant + ", 1)");
      workload.add("COMMIT");
      workload.add("SELECT * FROM accounts WHERE tenant_id = " + i);
    }

    Group group = workload.advise(SchemaFacts.empty(), TestingWorkload.settings()).groups().get(0);

    assertThat(group.tables()).containsExactly("accounts", "events");
    assertThat(refusal(group, "tenant_id"))
        .contains("uneven by rows inserted into events: the hottest key has 60.0% of all");
  }

  @Test
  void tableThatRefersToShardedRows_isNoReferenceTable() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 500; i++) {
      workload.add("INSERT INTO orders (id, buyer) VALUES (" + i + ", " + i + ")");
      workload.add(
          "SELECT * FROM orders o JOIN items i ON i.order_id = o.id JOIN countries c ON c.code ="
              + " o.country WHERE o.buyer = "
              + i);
    }

    Advice advice =
        workload.advise(
            SchemaText.of(
                "CREATE TABLE orders (id bigint NOT NULL PRIMARY KEY, buyer bigint NOT NULL, country"
                    + " char(2) NOT NULL REFERENCES countries (code))",
                "CREATE TABLE items (id bigint NOT NULL PRIMARY KEY, order_id bigint NOT NULL"
                    + " REFERENCES orders (id))",
                "CREATE TABLE countries (code char(2) PRIMARY KEY)"),
            TestingWorkload.settings());

    assertThat(advice.references()).containsExactly("countries");
    assertThat(advice.warnings().toString())
        .contains("[countries] are taken for reference tables", "check that they are small");
    assertThat(groupOf(advice, "items").tables()).contains("orders");
  }

  @Test
  void hottestKey_isAPartOfAllValues_notOfThoseThatWereHeld() {
    KeySpread spread = new KeySpread(100);
    IntStream.range(0, 100).forEach(i -> spread.add(List.of("k" + i), i == 0 ? 100 : 1));
    IntStream.range(0, 3_801).forEach(i -> spread.add(List.of("more" + i), 1));

    Evenness evenness = spread.evenness("values", AdviceSettings.defaults()).orElseThrow();

    assertThat(evenness.beyond()).isEqualTo(3_801);
    assertThat(evenness.hottestShare()).isCloseTo(0.025, within(1e-9));
    assertThat(evenness.veto(AdviceSettings.defaults()).orElse("")).isEmpty();
  }

  private static Group groupOf(Advice advice, String table) {
    return advice.groups().stream()
        .filter(group -> group.tables().contains(table))
        .findFirst()
        .orElseThrow();
  }
}
