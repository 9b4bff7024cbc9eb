package io.shardwright.advisor.advice;

import static io.shardwright.advisor.advice.PlantedKeyTest.refusal;
import static io.shardwright.advisor.advice.PlantedKeyTest.score;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.advisor.advice.Advice.Verdict;
import io.shardwright.advisor.report.AdviceDocument;
import io.shardwright.advisor.report.AdviceText;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.SchemaText;
import io.shardwright.errors.ShardwrightException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VerdictTest {
  @Test
  void advise_typesThatApplyRefuses_areNoKeys() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 1_000; i++) {
      workload.add("SELECT * FROM t WHERE code = '" + i + "' AND big = " + i);
      workload.add("SELECT * FROM t WHERE price = " + i + " AND good = " + i);
    }

    Advice advice =
        workload.advise(
            SchemaText.of(
                "CREATE TABLE t (code char(8) NOT NULL, big bigint unsigned NOT NULL, price"
                    + " decimal(10,2) NOT NULL, good decimal(10,0) NOT NULL)"),
            TestingWorkload.settings());

    assertThat(refusal(advice.groups().get(0), "code"))
        .contains("its type char(8) is no type of a route key");
    assertThat(refusal(advice.groups().get(0), "big"))
        .contains("its type bigint unsigned is no type");
    assertThat(refusal(advice.groups().get(0), "price"))
        .contains("its type decimal(10,2) is no type");
    assertThat(score(advice.groups().get(0), "good").refused()).isEmpty();
  }

  @Test
  void advise_ddlThatIsNotUnderstood_isTold() {
    Advice advice =
        new TestingWorkload(1)
            .add("SELECT * FROM t WHERE a = 1")
            .advise(
                SchemaText.of(
                    "CREATE TABLE t (a bigint NOT NULL)", "ALTER TABLE t DROP COLUMN b, ENGINE=x"),
                TestingWorkload.settings());

    assertThat(advice.warnings())
        .contains(
            "1 statement of the DDL not understood, the first: ALTER TABLE t DROP COLUMN b,"
                + " ENGINE=x");
  }

  @Test
  void capacity_goldens() {
    AdviceSettings bare =
        TestingWorkload.settings(
            "capacity.data = 1.8TB",
            "capacity.shard_data = 300GB",
            "capacity.writes = 80,000",
            "capacity.shard_writes = 15000",
            "utilisation.data = 1",
            "utilisation.writes = 1");
    AdviceSettings reserved =
        TestingWorkload.settings(
            "capacity.data = 1.8 TB",
            "capacity.shard_data = 300 GB",
            "capacity.writes = 80_000",
            "capacity.shard_writes = 15000");

    assertThat(bare.capacity().figures()).extracting(Capacity.Figure::shards).containsExactly(6, 6);
    assertThat(bare.capacity().shards()).contains(6);
    assertThat(reserved.capacity().bareShards()).contains(6);
    assertThat(reserved.capacity().shards()).contains(8);
    assertThat(reserved.capacity().arithmetic())
        .contains(
            "data: ceil(1,800,000,000,000 / (300,000,000,000 x 0.75)) = 8 (bare:"
                + " ceil(1,800,000,000,000 / 300,000,000,000) = 6), in bytes");
  }

  @Test
  void advise_logTableWithoutTimeCondition_doNotShardYet() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 50; i++) {
      workload.add("1", "SELECT * FROM app_log WHERE message LIKE '%" + i + "%'", 10, 300_000_000);
    }
    for (int i = 0; i < 1_000; i++) {
      workload.add("INSERT INTO app_log (trace_id, message) VALUES (" + i + ", 'x')");
      workload.add("SELECT * FROM app_log WHERE trace_id = " + i);
    }

    Advice advice = workload.advise(SchemaFacts.empty(), TestingWorkload.settings());

    Advice.Group group = advice.groups().get(0);
    assertThat(group.verdict()).isEqualTo(Verdict.DO_NOT_SHARD_YET);
    assertThat(group.reasons().toString())
        .contains("statements that scan", "300,000,000 rows examined, 10 returned");
    assertThat(group.next().get(0)).contains("range of time");
    assertThat(advice.configuration()).isEmpty();
  }

  @Test
  void advise_scansWithWritesBeyondOneDatabase_shardsAndStillNamesTheScans() {
    TestingWorkload workload = new TestingWorkload(1);
    workload.add("1", "SELECT * FROM t WHERE note LIKE '%a%'", 10, 300_000_000);
    for (int i = 0; i < 1_000; i++) {
      workload.add("INSERT INTO t (owner, note) VALUES (" + i + ", 'x')");
      workload.add("SELECT * FROM t WHERE owner = " + i);
    }

    Advice advice =
        workload.advise(
            SchemaFacts.empty(),
            TestingWorkload.settings("capacity.writes = 40000", "capacity.shard_writes = 15000"));

    assertThat(advice.groups().get(0).verdict()).isEqualTo(Verdict.SHARD);
    assertThat(advice.groups().get(0).reasons().toString()).contains("statements that scan");
  }

  @Test
  void advise_oneDatabaseIsEnough_doNotShardYet() {
    TestingWorkload workload = owners(1_000);

    Advice advice =
        workload.advise(
            SchemaFacts.empty(),
            TestingWorkload.settings("capacity.data = 50GB", "capacity.shard_data = 300GB"));

    Advice.Group group = advice.groups().get(0);
    assertThat(group.verdict()).isEqualTo(Verdict.DO_NOT_SHARD_YET);
    assertThat(group.reasons().get(0)).contains("one database carries it", "50,000,000,000");
    assertThat(group.best().orElseThrow().candidate().name()).isEqualTo("owner");
    assertThat(advice.configuration()).isEmpty();
  }

  @Test
  void advise_keyThatChanges_isRefusedByLogAndByDeclaration() {
    TestingWorkload workload = owners(1_000);
    workload.add("UPDATE t SET owner = 7 WHERE id = 3");

    Advice advice = workload.advise(SchemaFacts.empty(), TestingWorkload.settings());
    assertThat(advice.groups().get(0).verdict()).isEqualTo(Verdict.NO_KEY);
    assertThat(refusal(advice.groups().get(0), "owner")).contains("UPDATE SET in template");

    Advice declared =
        owners(1_000).advise(SchemaFacts.empty(), TestingWorkload.settings("mutable = owner"));
    assertThat(refusal(declared.groups().get(0), "owner")).contains("declared to change");
  }

  @Test
  void advise_nullableAndFewValued_areRefused() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 1_000; i++) {
      workload.add("SELECT * FROM t WHERE a = " + i + " LIMIT 1");
      workload.add("SELECT * FROM t WHERE b = " + i % 5 + " LIMIT 1");
      workload.add("SELECT * FROM t WHERE c = " + i + " LIMIT 1");
    }

    Advice.Group group =
        workload
            .advise(
                SchemaText.of(
                    "CREATE TABLE t (a bigint, b bigint NOT NULL, c bigint NOT NULL, PRIMARY KEY (c))",
                    "CREATE INDEX i ON t (a)",
                    "CREATE INDEX j ON t USING btree (b)"),
                TestingWorkload.settings())
            .groups()
            .get(0);

    assertThat(refusal(group, "a")).contains("t.a may be NULL");
    assertThat(refusal(group, "b")).contains("only 5 different values");
    assertThat(group.best().orElseThrow().candidate().name()).isEqualTo("c");
  }

  @Test
  void advise_transactions_keepToTheirKeyAndTieTables() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 1_000; i++) {
      int other = i % 10 == 0 ? i + 1 : i;
      workload.add("BEGIN");
      workload.add("INSERT INTO orders (id, buyer) VALUES (" + i + ", " + i + ")");
      workload.add("INSERT INTO items (order_id, buyer) VALUES (" + i + ", " + other + ")");
      workload.add("COMMIT");
      workload.add("SELECT * FROM orders WHERE buyer = " + i);
    }

    Advice.Group group =
        workload.advise(SchemaFacts.empty(), TestingWorkload.settings()).groups().get(0);

    assertThat(group.tables()).containsExactly("items", "orders");
    KeyScore buyer = score(group, "buyer");
    assertThat(buyer.transactions()).isEqualTo(1_000);
    assertThat(buyer.local()).isEqualTo(900);
    assertThat(buyer.writes()).isEqualTo(1);
  }

  @Test
  void advise_pairThatAllStatementsCarry_losesAgainstItsSecondColumnAlone() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 2_000; i++) {
      int tenant = i % 3 == 0 ? 50 + i % 1_000 : i % 2;
      workload.add("SELECT * FROM t WHERE tenant = " + tenant + " AND buyer = " + i + " LIMIT 9");
    }

    Advice.Group group =
        workload.advise(SchemaFacts.empty(), TestingWorkload.settings()).groups().get(0);

    assertThat(refusal(group, "tenant")).contains("cannot be divided");
    assertThat(group.best().orElseThrow().candidate().name()).isEqualTo("buyer");
    KeyScore pair =
        group.scores().stream()
            .filter(s -> s.candidate().columns().size() == 2)
            .findFirst()
            .orElseThrow();
    assertThat(pair.refused()).isEmpty();
    assertThat(pair.weighted()).isEqualTo(1);
    assertThat(pair.traffic().orElseThrow().maxToMean()).isLessThan(1.2);
  }

  @Test
  void advise_fewExecutionsOrCatalogs_saysTooLittle() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 99; i++) {
      workload.add("SELECT * FROM t WHERE owner = " + i + " LIMIT 1");
      workload.add("SELECT * FROM information_schema.columns WHERE table_name = 'x' LIMIT 1");
    }

    Advice advice = workload.advise(SchemaFacts.empty(), TestingWorkload.settings());

    assertThat(advice.groups())
        .singleElement()
        .satisfies(g -> assertThat(g.verdict()).isEqualTo(Verdict.TOO_LITTLE));
    assertThat(advice.workload().others()).isEqualTo(99);
    assertThat(advice.configuration()).isEmpty();
  }

  @Test
  void advise_digestsWithoutValues_isProvisional() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 500; i++) {
      workload.add("SELECT * FROM t WHERE owner = ? LIMIT 1");
    }

    Advice advice = workload.advise(SchemaFacts.empty(), TestingWorkload.settings());

    assertThat(advice.groups().get(0).isProvisional()).isTrue();
    assertThat(AdviceText.lines(advice).toString()).contains("by owner (PROVISIONAL");
    assertThat(advice.configuration().orElseThrow()).contains("# Provisional");
  }

  @Test
  void report_withoutShowKeys_holdsNoKey() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 1_000; i++) {
      workload.add("SELECT * FROM t WHERE owner = " + (i % 2 == 0 ? 987654321 : i) + " LIMIT 1");
    }
    AdviceSettings hidden = TestingWorkload.settings();
    AdviceSettings shown =
        WorkloadFile.parse("", List.of(), Optional.of(8), AdviceSettings.BUCKETS_DEFAULT, true);

    Advice advice = workload.advise(SchemaFacts.empty(), hidden);
    assertThat(AdviceText.lines(advice).toString()).doesNotContain("987654321").contains("#");
    assertThat(AdviceDocument.of(advice).toString()).doesNotContain("987654321");
    assertThat(AdviceText.lines(workload.advise(SchemaFacts.empty(), shown)).toString())
        .contains("987654321");
  }

  @Test
  void workloadFile_mistakes_areToldAtOnce() {
    assertThatThrownBy(
            () ->
                TestingWorkload.settings(
                    "# fine",
                    "weigth.x = 1",
                    "weight.online_query = many",
                    "class.abc = batch",
                    "capacity.data = 3TB",
                    "utilisation.data = 2"))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("line 2: weigth.x is not known")
        .hasMessageContaining("line 3: many is no number")
        .hasMessageContaining("line 4: batch is no class")
        .hasMessageContaining("line 6")
        .hasMessageContaining("give both capacity.data and capacity.shard_data");
  }

  private static TestingWorkload owners(int count) {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < count; i++) {
      workload.add("INSERT INTO t (owner, note) VALUES (" + i % 500 + ", 'x')");
      workload.add("SELECT * FROM t WHERE owner = " + i % 500 + " LIMIT 10");
    }
    return workload;
  }
}
