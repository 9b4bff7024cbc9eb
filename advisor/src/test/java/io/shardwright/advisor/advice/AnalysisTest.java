package io.shardwright.advisor.advice;

import static io.shardwright.advisor.advice.PlantedKeyTest.score;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.advice.Scheme.Kind;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.simulate.Growth;
import io.shardwright.errors.ShardwrightException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What stands beside the verdict, each with an answer that is known. */
class AnalysisTest {
  @Test
  void tuples_bothArithmetics() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 2_000; i++) {
      int tenant = i % 3 == 0 ? 50 + i % 1_000 : i % 2;
      workload.add("SELECT * FROM t WHERE tenant = " + tenant + " AND buyer = " + i + " LIMIT 9");
      if (i % 4 == 0) {
        workload.add("SELECT * FROM t WHERE tenant = " + tenant + " LIMIT 9");
      }
    }

    Group group = advise(workload).groups().get(0);

    TupleArithmetic tuple =
        group.tuples().stream().filter(t -> t.first().equals("tenant")).findFirst().orElseThrow();
    assertThat(tuple.firstMaxToMean().orElseThrow()).isGreaterThan(2);
    assertThat(tuple.wholeMaxToMean().orElseThrow()).isLessThan(1.3);
    assertThat(tuple.scattered()).isCloseTo(0.2, within(0.001));
  }

  @Test
  void hotKey_belowTheVeto_getsBucketsOfItsOwn() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 4_000; i++) {
      int owner = i % 25 == 0 ? 1 : 100 + i % 1_900;
      workload.add("SELECT * FROM t WHERE owner = " + owner + " LIMIT 9");
    }

    Group group = advise(workload).groups().get(0);

    assertThat(group.best().orElseThrow().candidate().name()).isEqualTo("owner");
    assertThat(group.isolations())
        .singleElement()
        .satisfies(
            hot -> {
              assertThat(hot.key().rows()).isEqualTo(160);
              assertThat(hot.share()).isEqualTo(0.04);
              assertThat(hot.toShardMean()).isCloseTo(0.32, within(1e-9));
              assertThat(hot.action()).contains("directory");
              assertThat(hot.key().name()).startsWith("#");
            });
  }

  @Test
  void schemes_areComparedOnTheSameWorkload() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 1_000; i++) {
      workload.add(
          "INSERT INTO t (number, owner, made_at) VALUES ("
              + i
              + ", "
              + i % 700
              + ", '2026-01-01')");
      workload.add("SELECT * FROM t WHERE owner = " + i % 700 + " LIMIT 9");
      workload.add("SELECT * FROM t WHERE number = " + i);
    }
    for (int i = 0; i < 50; i++) {
      workload.add("SELECT * FROM t WHERE made_at > '2026-01-01' ORDER BY made_at LIMIT 100");
    }

    Map<Kind, Scheme> schemes =
        advise(workload).groups().get(0).schemes().stream()
            .collect(Collectors.toMap(Scheme::kind, scheme -> scheme));

    assertThat(schemes.get(Kind.BY_OWNER).key()).contains("owner");
    assertThat(schemes.get(Kind.BY_ID).key()).contains("number");
    assertThat(schemes.get(Kind.BY_TIME).key()).contains("made_at");
    assertThat(schemes.get(Kind.BY_OWNER).load()).isLessThan(schemes.get(Kind.BY_ID).load());
    assertThat(schemes.get(Kind.BY_TIME).maxToMean()).contains(8.0);
    assertThat(schemes.get(Kind.BY_TIME).judgement()).contains("the shard of now");
    // Weights: 1,000 inserts of 10, 2,000 reads of 5, 50 of 1. Each insert feeds the projection.
    double all = 20_050;
    assertThat(schemes.get(Kind.BY_OWNER_WITH_PROJECTION).load())
        .isCloseTo((10_000 * 2 + 5_000 + 5_000 * 2 + 50) / all, within(1e-9));
    assertThat(schemes.get(Kind.BY_OWNER).load())
        .isCloseTo((10_000 + 5_000 + 5_000 * 2 + 50 * 8) / all, within(1e-9));
  }

  @Test
  void indexes_costWhatChangesTheirEntries() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 500; i++) {
      workload.add("INSERT INTO t (number, owner) VALUES (" + i + ", " + i % 450 + ")");
      workload.add("SELECT * FROM t WHERE owner = " + i % 450 + " LIMIT 9");
      workload.add("UPDATE t SET note = 'x' WHERE owner = " + i % 450);
    }
    for (int i = 0; i < 40; i++) {
      workload.add("SELECT * FROM t WHERE number = " + i);
    }

    assertThat(advise(workload).groups().get(0).indexes())
        .singleElement()
        .satisfies(
            index -> {
              assertThat(index.way().column()).isEqualTo("number");
              assertThat(index.served()).isEqualTo(40);
              assertThat(index.maintaining()).isEqualTo(500);
            });
  }

  @Test
  void propagation_countsWritersAndNamesEntryPoints() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 500; i++) {
      workload.add("INSERT INTO t (number, owner) VALUES (" + i + ", " + i % 450 + ")");
      workload.add("UPDATE t SET note = 'x' WHERE number = " + i);
      workload.add("SELECT * FROM t WHERE owner = " + i % 450 + " LIMIT 9");
    }

    Advice advice =
        workload.advise(
            SchemaFacts.empty(),
            TestingWorkload.settings("entry.checkout = owner, number", "entry.callback = number"));

    Propagation propagation = score(advice.groups().get(0), "owner").propagation();
    assertThat(propagation.writes()).isEqualTo(2);
    assertThat(propagation.carrying()).isEqualTo(1);
    assertThat(propagation.without()).hasSize(1);
    assertThat(propagation.entriesWithout()).containsExactly("callback");
    assertThat(advice.design().toString()).contains("not carried by [callback]");
  }

  @Test
  void lifecycles_thatDoNotFit_areNoted() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 300; i++) {
      workload.add("BEGIN");
      workload.add("INSERT INTO orders (number, owner) VALUES (" + i + ", " + i + ")");
      workload.add("INSERT INTO order_log (number, owner) VALUES (" + i + ", " + i + ")");
      workload.add("COMMIT");
      workload.add("UPDATE orders SET status = 2 WHERE owner = " + i);
    }

    Advice advice =
        workload.advise(
            SchemaFacts.empty(),
            TestingWorkload.settings("retention.orders = 730 days", "retention.order_log = 90d"));

    Group group = advice.groups().get(0);
    assertThat(group.lifecycles())
        .extracting(Lifecycle::written)
        .containsExactly(
            "order_log: only grows, kept 90 days",
            "orders: 300 inserts, 300 updates, 0 deletes, kept 730 days");
    assertThat(group.notes().toString())
        .contains("[order_log] only grow while rows of [orders] change")
        .contains("kept for different times: [order_log 90 days, orders 730 days]");
    assertThat(advice.workload().transactionGroups())
        .containsExactly(new Workload.TransactionGroup(List.of("order_log", "orders"), 300));
  }

  @Test
  void activity_percentilesPeaksLocks() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 1; i <= 100; i++) {
      workload
          .at(Instant.parse("2026-01-05T00:00:00Z"))
          .add(
              "1",
              "SELECT * FROM t WHERE owner = " + i,
              1,
              1,
              Duration.ofMillis(i),
              Duration.ofMillis(i == 7 ? 40 : 1));
    }

    var template = advise(workload).workload().templates().get(0).template();

    var latency = template.activity().latency().orElseThrow();
    assertThat(latency.p50().toNanos() / 1e6).isCloseTo(50, within(0.5));
    assertThat(latency.p95().toNanos() / 1e6).isCloseTo(95, within(1.0));
    assertThat(latency.max().toNanos() / 1e6).isCloseTo(100, within(1.0));
    assertThat(template.activity().longestLock()).isEqualTo(Duration.ofMillis(40));
    assertThat(template.lockTime()).isEqualTo(Duration.ofMillis(139));
    assertThat(template.activity().peakPerSecond()).isEqualTo(100);
    assertThat(template.activity().peakConcurrency()).isCloseTo(5.05 / 60, within(1e-9));
    assertThat(template.activity().byHour().get(0)).isEqualTo(100);
  }

  @Test
  void cycle_gapsBatchesAndPeak() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int day = 5; day <= 13; day++) {
      for (int hour = 0; hour < 24; hour++) {
        workload.at(
            Instant.parse(String.format(Locale.ROOT, "2026-01-%02dT%02d:00:00Z", day, hour)));
        for (int i = 0; i < (hour == 20 ? 40 : 10); i++) {
          workload.add("INSERT INTO t (owner) VALUES (" + i * day + ")");
        }
        workload.add("SELECT * FROM t WHERE owner = 5 LIMIT 9");
        if (hour == 2 || hour == 3) {
          workload.add("1", "SELECT count(*) FROM t", 1, 900_000);
        }
      }
    }

    BusinessCycle cycle = advise(workload).cycle();

    assertThat(cycle.gaps())
        .containsExactly(
            "the log has 9 days and no end of a month: monthly jobs such as settlements may be"
                + " missing");
    assertThat(cycle.batches())
        .singleElement()
        .satisfies(
            batch -> {
              assertThat(batch.from()).isEqualTo(2);
              assertThat(batch.to()).isEqualTo(4);
              assertThat(batch.share()).isGreaterThan(0.9);
            });
    assertThat(cycle.peakToMeanWrites()).isCloseTo(40 / 11.25, within(1e-9));
  }

  @Test
  void cycle_ofOneDay_isShort() {
    assertThat(advise(new TestingWorkload(1).add("SELECT * FROM t WHERE a = 1")).cycle().gaps())
        .containsExactly("the log covers 0 hours, less than a week: jobs and days may be missing");
  }

  @Test
  void growth_movesFewBucketsAndModuloMost() {
    assertThat(Growth.moduloShare(4, 6)).isCloseTo(2 / 3.0, within(1e-12));
    assertThat(Growth.moduloShare(8, 16)).isEqualTo(0.5);
    assertThat(Growth.moduloShare(8, 9)).isCloseTo(8 / 9.0, within(1e-12));
    assertThat(Growth.movedBuckets(4096, 4, 6)).isEqualTo(1364);
    assertThat(Growth.movedBuckets(4096, 8, 8)).isZero();

    List<GrowthYear> plan =
        GrowthYear.plan(
            TestingWorkload.settings(
                "capacity.data = 1.8TB", "capacity.shard_data = 300GB", "growth.data = 0.5"));

    assertThat(plan).extracting(GrowthYear::shards).containsExactly(8, 12, 18, 27);
    assertThat(plan).extracting(GrowthYear::movedBuckets).first().isEqualTo(0);
    assertThat(plan.get(1).movedShare()).isCloseTo(1 / 3.0, within(0.001));
    assertThat(plan.get(1).moduloShare()).isCloseTo(2 / 3.0, within(1e-12));
  }

  @Test
  void headroom_isItemisedAndMayBeTold() {
    AdviceSettings settings =
        TestingWorkload.settings(
            "capacity.data = 1TB",
            "capacity.indexes = 800GB",
            "capacity.shard_data = 300GB",
            "headroom.data.migration = 0",
            "headroom.data.backups = 0.15",
            "capacity.writes = 10",
            "capacity.shard_writes = 10",
            "utilisation.writes = 0.6");

    Capacity.Figure data = settings.capacity().figures().get(0);
    assertThat(data.need()).isEqualTo(1.8e12);
    assertThat(data.headroom())
        .extracting(Capacity.Headroom::what)
        .containsExactly("index rebuild", "growth until expansion", "backups");
    assertThat(data.utilisation()).isCloseTo(0.7, within(1e-12));
    assertThat(data.reserve()).contains("1 - 0.10 index rebuild", "= 0.70 of a shard");
    assertThat(settings.capacity().figures().get(1).reserve()).contains("as told, not itemised");
  }

  @Test
  void declarations_thatContradict_areRefusedOrWarnedOf() {
    assertThatThrownBy(
            () ->
                TestingWorkload.settings(
                    "mutable = a",
                    "immutable = a",
                    "retention.t = soon",
                    "decision.colour = red",
                    "headroom.data = 3",
                    "growth.size = 1",
                    "capacity.disk = 3"))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("[a] cannot be both mutable and immutable")
        .hasMessageContaining("line 3: soon is no time to keep rows; write 400 days")
        .hasMessageContaining("line 4: decision.colour is not known; write one of [owner")
        .hasMessageContaining("line 5: write headroom.KIND.PURPOSE")
        .hasMessageContaining("line 6: growth.size is not known")
        .hasMessageContaining("line 7: capacity.disk is not known");

    Advice advice =
        new TestingWorkload(1)
            .add("UPDATE t SET owner = 5 WHERE id = 3")
            .advise(SchemaFacts.empty(), TestingWorkload.settings("immutable = owner"));
    assertThat(advice.warnings().toString()).contains("owner is declared immutable, but template");
  }

  @Test
  void design_ninePointsAndThreeDecisions_filledOrOpen() {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 200; i++) {
      workload.add("INSERT INTO t (owner) VALUES (" + i + ")");
    }

    List<DesignRecord.Point> open = advise(workload).design();
    assertThat(open).hasSize(12);
    assertThat(open.stream().filter(p -> p.answer().isEmpty()).map(DesignRecord.Point::question))
        .containsExactly(
            "Decided: " + Declarations.Decision.OWNER.question(),
            "Decided: " + Declarations.Decision.GLOBAL_QUERIES.question(),
            "Decided: " + Declarations.Decision.INCOMPLETE.question(),
            "Where does the route key come from?");

    List<DesignRecord.Point> filled =
        workload
            .advise(
                SchemaFacts.empty(),
                TestingWorkload.settings(
                    "decision.owner = the buyer",
                    "decision.global_queries = a minute late, 100 rows",
                    "decision.incomplete = fail",
                    "entry.checkout = owner"))
            .design();
    assertThat(filled).allMatch(point -> point.answer().isPresent());
  }

  private static Advice advise(TestingWorkload workload) {
    return workload.advise(SchemaFacts.empty(), TestingWorkload.settings());
  }
}
