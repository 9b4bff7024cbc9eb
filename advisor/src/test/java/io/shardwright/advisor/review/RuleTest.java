package io.shardwright.advisor.review;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.review.Answer.Severity;
import io.shardwright.advisor.review.Answer.Status;
import io.shardwright.advisor.review.DatabaseFacts.Compared;
import io.shardwright.advisor.review.DatabaseFacts.GroupHeat;
import io.shardwright.advisor.review.DatabaseFacts.MoveFacts;
import io.shardwright.catalog.IndexState;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.ReviewDeclarations;
import io.shardwright.config.ReviewDeclarations.Declaration;
import io.shardwright.schema.SchemaCheck.Topic;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One row for each way in which a rule is broken, or not known; all others are fulfilled then. */
class RuleTest {
  // Long because: each rule of the review has its rows here.

  private static final LocalDate TODAY = LocalDate.parse("2026-06-01");

  /** What no check sees, or sees in part only. */
  private static final Set<Rule> OF_PEOPLE =
      EnumSet.of(
          Rule.P08, Rule.Q13, Rule.Q16, Rule.K4, Rule.D02, Rule.D18, Rule.D19, Rule.L4, Rule.L7);

  record Case(
      Rule rule, Status status, Severity severity, String text, Consumer<TestingFacts> change) {
    @Override
    public String toString() {
      return rule + " " + text;
    }
  }

  private static Case error(Rule rule, String text, Consumer<TestingFacts> change) {
    return new Case(rule, Status.VIOLATED, Severity.ERROR, text, change);
  }

  private static Case warning(Rule rule, String text, Consumer<TestingFacts> change) {
    return new Case(rule, Status.VIOLATED, Severity.WARNING, text, change);
  }

  private static Case unknown(Rule rule, String text, Consumer<TestingFacts> change) {
    return new Case(rule, Status.UNKNOWN, Severity.INFO, text, change);
  }

  private static void noQuery(TestingFacts facts) {
    facts.without("query:", "");
  }

  private static void noIds(TestingFacts facts) {
    facts.without("    id:", "    tables:");
  }

  private static void noWays(TestingFacts facts) {
    noIds(facts);
    facts.without("    indexes:", "    invariants:").replace("{unique: {orders_no: index}}", "{}");
  }

  private static void staticMap(TestingFacts facts) {
    facts
        .without("catalog:", "shards:")
        .without("mover:", "warn_shards")
        .without("    indexes:", "    invariants:");
    facts.replace("{unique: {orders_no: index}}", "{}");
  }

  private static void scattered(TestingFacts facts, int times) {
    facts.log("SELECT * FROM orders WHERE amount = 7", times);
  }

  static Stream<Case> cases() {
    return Stream.of(pitfalls(), checklist(), keys(), design(), lookups()).flatMap(c -> c);
  }

  private static Stream<Case> pitfalls() {
    return Stream.of(
        warning(Rule.P01, "are found by [buyer_id] alone", RuleTest::noWays),
        warning(
            Rule.P01,
            "no primary key with bucket_id: orders",
            f ->
                f.tables.computeIfPresent(
                    "orders",
                    (n, t) ->
                        new Table(n, t.columns(), List.of(), List.of(), List.of(), t.indexes()))),
        unknown(Rule.P01, "the databases were not asked", f -> f.hasDatabases = false),
        error(Rule.P02, "can never change", RuleTest::staticMap),
        error(
            Rule.P02,
            "group orders has 8 buckets over 4 shards",
            f -> f.without("    id:", "    tables:").replace("buckets: 1024", "buckets: 8")),
        warning(
            Rule.P02,
            "group orders has 32 buckets over 4 shards",
            f -> f.without("    id:", "    tables:").replace("buckets: 1024", "buckets: 32")),
        unknown(Rule.P03, "does not say what issues its ids", RuleTest::noIds),
        unknown(Rule.P04, "no query section", RuleTest::noQuery),
        warning(Rule.P04, "any read without the key", f -> f.yaml += "scatter: {reads: allow}\n"),
        warning(Rule.P04, "read all shards without LIMIT", f -> scattered(f, 5)),
        warning(
            Rule.P05,
            "order a page by a time alone",
            f -> f.log("SELECT * FROM orders WHERE buyer_id = 5 ORDER BY created_at LIMIT 20", 9)),
        unknown(Rule.P05, "no log was given", f -> f.hasLog = false),
        warning(
            Rule.P06,
            "skip rows by OFFSET",
            f -> f.log("SELECT * FROM orders WHERE buyer_id = 5 LIMIT 20 OFFSET 100000", 9)),
        unknown(
            Rule.P06, "query.directory is not set", f -> f.replace("  directory: exports\n", "")),
        error(
            Rule.P07,
            "answers 'created' by updated_at",
            f -> f.replace("{created: created_at, updated: updated_at}", "{created: updated_at}")),
        warning(
            Rule.P07,
            "has no time of creation",
            f -> f.replace("{created: created_at, updated: updated_at}", "{updated: updated_at}")),
        warning(
            Rule.P07,
            "count or sum by the time of a change",
            f ->
                f.log(
                    "SELECT count(*) FROM orders WHERE buyer_id = 5 AND updated_at > '2026-01-01'",
                    9)),
        unknown(Rule.P08, "read copies outside of the file are not seen", f -> {}),
        error(Rule.P09, "is never compared with its rows", f -> never(f)),
        warning(
            Rule.P09,
            "was compared 4320 minutes ago",
            f -> f.indexes.set(0, TestingFacts.index(IndexState.READABLE, Duration.ofDays(3), ""))),
        warning(
            Rule.P09,
            "7 had no entry",
            f ->
                f.indexes.set(
                    0,
                    TestingFacts.index(
                        IndexState.READABLE, Duration.ofHours(3), "9 rows, 7 had no entry"))),
        unknown(Rule.P09, "the file has no lookup index", RuleTest::noWays),
        warning(Rule.P10, "join tables of several groups", RuleTest::join),
        error(
            Rule.P10,
            "foreign key leaves (s1)",
            f -> f.problem(Topic.FOREIGN_KEYS, "foreign key leaves")),
        error(Rule.P11, "orders has 1825 partitions", f -> f.partitions.put("orders", 1825)),
        warning(Rule.P11, "orders has 365 partitions", f -> f.partitions.put("orders", 365)),
        unknown(
            Rule.P12,
            "800.0 MiB on 4 shards, 200.0 MiB each: one machine",
            f -> f.bytes = 800L << 20));
  }

  private static void never(TestingFacts facts) {
    facts.replace(
        "columns: [order_no], unique: true}",
        "columns: [order_no], unique: true, reconcile: {every: 0s}}");
  }

  private static void join(TestingFacts facts) {
    facts.replace(
        "mover:",
        "  users: {key: [user_id], buckets: 1024, tables: {users: {}}, id: {column: user_id2, type:"
            + " uuid7}}\nmover:");
    facts.log(
        "SELECT * FROM orders o JOIN users u ON u.user_id = o.buyer_id WHERE o.buyer_id = 5", 9);
  }

  private static Stream<Case> checklist() {
    return Stream.of(
        error(
            Rule.Q01,
            "of 3600 writes name no shard",
            f -> f.log("UPDATE orders SET amount = 9 WHERE status = 3", 600)),
        unknown(
            Rule.Q01,
            "the logs have 9 statements",
            f -> f.noLog().log("SELECT * FROM orders WHERE buyer_id = 5", 9)),
        error(
            Rule.Q02,
            "the key is changed",
            f -> f.log("UPDATE orders SET buyer_id = 9 WHERE order_id = 3", 1)),
        unknown(
            Rule.Q02,
            "the logs have no UPDATE",
            f -> f.noLog().log("SELECT * FROM orders WHERE buyer_id = 5", 200)),
        error(Rule.Q03, "no shard checks who owns a bucket", RuleTest::staticMap),
        unknown(Rule.Q03, "the catalog was not read", f -> f.hasCatalog = false),
        error(
            Rule.Q04,
            "each shard counts by itself, so values repeat: orders.order_id",
            f -> sequence(f)),
        warning(
            Rule.Q05, "fullest bucket 9 has 900,000,000 rows", f -> f.rows.set(9, 900_000_000L)),
        warning(
            Rule.Q05,
            "half a shard or more",
            f -> f.log("SELECT * FROM orders WHERE buyer_id = 5", 3000)),
        warning(
            Rule.Q05,
            "busiest bucket 17 40.0%",
            f -> f.heat = new GroupHeat(1_000, 0, 1.2, 17, 0.4)),
        unknown(Rule.Q05, "too few to judge", f -> f.rows.replaceAll(n -> 1L)),
        warning(Rule.Q06, "go to all shards", f -> scattered(f, 500)),
        warning(
            Rule.Q07,
            "no index begins with it: orders by its key [buyer_id]",
            f ->
                f.tables.computeIfPresent(
                    "orders",
                    (n, t) ->
                        new Table(
                            n,
                            t.columns(),
                            t.uniques(),
                            List.of(),
                            List.of(),
                            t.indexes().subList(1, t.indexes().size())))),
        warning(
            Rule.Q07,
            "WHERE amount = ?",
            f -> f.log("SELECT * FROM orders WHERE amount = 7 LIMIT 5", 9)),
        warning(
            Rule.Q08,
            "ask for times with their end included",
            f ->
                f.log(
                    "SELECT * FROM orders WHERE buyer_id = 5 AND created_at BETWEEN '2026-01-01'"
                        + " AND '2026-01-31'",
                    9)),
        unknown(Rule.Q08, "no query section", RuleTest::noQuery),
        warning(
            Rule.Q09,
            "skip rows by OFFSET",
            f -> f.log("SELECT * FROM orders WHERE buyer_id = 5 LIMIT 40, 20", 9)),
        warning(
            Rule.Q10, "count the rows of all shards", f -> f.log("SELECT count(*) FROM orders", 9)),
        warning(
            Rule.Q11,
            "at most 17520 hours of time",
            f -> f.replace("{id: [order_id], times", "{id: [order_id], span: 17520h, times")),
        unknown(Rule.Q12, "no query section", RuleTest::noQuery),
        unknown(Rule.Q13, "read copies outside", f -> {}),
        error(Rule.Q14, "is never compared with its rows", f -> never(f)),
        warning(Rule.Q15, "the gateway has no tokens", f -> f.without("  roles:", "")),
        error(
            Rule.Q15,
            "writes without the key go to all shards",
            f -> f.yaml += "scatter: {writes: allow}\n"),
        unknown(Rule.Q16, "no program can see it", f -> {}));
  }

  private static void sequence(TestingFacts facts) {
    facts.tables.computeIfPresent(
        "orders",
        (name, table) ->
            new Table(
                name,
                List.of(TestingFacts.column("order_id", Source.SEQUENCE)),
                table.uniques(),
                List.of(),
                List.of(),
                table.indexes()));
  }

  private static void uneven(TestingFacts facts, double factor) {
    for (int bucket = 0; bucket < TestingFacts.BUCKETS / 4; bucket++) {
      facts.rows.set(bucket, Math.round(1_000_000 * factor));
    }
  }

  private static Stream<Case> keys() {
    return Stream.of(
        warning(Rule.K1, "fullest shard 1.23 times its share", f -> uneven(f, 1.33)),
        error(Rule.K1, "fullest shard 2.00 times its share", f -> uneven(f, 3)),
        error(Rule.K1, "hottest key", f -> f.log("SELECT * FROM orders WHERE buyer_id = 5", 9000)),
        warning(Rule.K2, "go to all shards", f -> scattered(f, 500)),
        error(Rule.K2, "go to all shards", f -> scattered(f, 3_000)),
        warning(
            Rule.K2,
            "is write_only and answers no statement",
            f -> f.indexes.set(0, TestingFacts.index(IndexState.WRITE_ONLY, null, ""))),
        warning(
            Rule.K3,
            "fix some columns of the key, not all",
            f ->
                f.replace("key: [buyer_id]", "key: [tenant_id, buyer_id]")
                    .noLog()
                    .log("SELECT * FROM orders WHERE buyer_id = 5 LIMIT 5", 200)),
        unknown(
            Rule.K3,
            "no log was given",
            f -> {
              f.replace("key: [buyer_id]", "key: [tenant_id, buyer_id]");
              f.hasLog = false;
            }),
        unknown(Rule.K4, "no program can see it", f -> {}),
        warning(
            Rule.C1,
            "most statements fix seller_id",
            f -> f.log("SELECT * FROM orders WHERE seller_id = 5 LIMIT 9", 8_000)),
        error(Rule.C2, "fullest shard 12.0 times the emptiest", f -> uneven(f, 12)),
        warning(Rule.C2, "fullest shard 3.0 times the emptiest", f -> mild(f)),
        warning(Rule.C3, "go to one shard by themselves", f -> scattered(f, 500)),
        error(Rule.C3, "go to one shard by themselves", f -> scattered(f, 3_000)));
  }

  private static void mild(TestingFacts facts) {
    for (int bucket = 0; bucket < TestingFacts.BUCKETS / 4; bucket++) {
      facts.rows.set(bucket, 333_333L);
    }
  }

  private static Stream<Case> design() {
    return Stream.of(
        unknown(Rule.D01, "one machine would hold it", f -> f.bytes = 1L << 30),
        unknown(Rule.D02, "no program can see it", f -> {}),
        warning(
            Rule.D03,
            "busiest shard 2.50 times the mean",
            f -> f.heat = new GroupHeat(1_000, 0, 2.5, 17, 0.002)),
        unknown(Rule.D03, "had no traffic", f -> f.heat = new GroupHeat(0, 0, 1, 0, 0)),
        warning(
            Rule.D04, "transactions of group orders keep to one key", RuleTest::wideTransactions),
        warning(Rule.D04, "join tables of several groups", RuleTest::join),
        error(
            Rule.D05,
            "the key is changed",
            f -> f.log("UPDATE orders SET buyer_id = 9 WHERE order_id = 3", 1)),
        error(Rule.D05, "may be NULL (s1)", f -> f.problem(Topic.KEYS, "buyer_id may be NULL")),
        warning(Rule.D06, "no bucket can move", f -> f.without("mover:", "warn_shards")),
        error(Rule.D07, "is not the bucket", f -> f.problem(Topic.PLACEMENT, "is not the bucket")),
        unknown(Rule.D07, "not read: shards s3", f -> f.readShards = List.of("s0", "s1", "s2")),
        error(Rule.D08, "each shard counts by itself", f -> sequence(f)),
        error(Rule.D09, "are found by [buyer_id] alone", RuleTest::noWays),
        unknown(
            Rule.D10,
            "name 1024 buckets and all are used",
            f -> f.replace("genes: 4096", "genes: 1024")),
        warning(Rule.D11, "is not on record and answers no statement", f -> f.indexes.clear()),
        error(Rule.D12, "has no scope", f -> f.problem(Topic.UNIQUES, "orders_x has no scope")),
        unknown(Rule.D12, "the databases were not asked", f -> f.hasDatabases = false),
        warning(
            Rule.D13,
            "hide the key in a function",
            f -> f.log("SELECT * FROM orders WHERE abs(buyer_id) = 5 LIMIT 9", 9)),
        warning(
            Rule.D14,
            "ask all shards for figures",
            f -> f.log("SELECT status, count(*) FROM orders GROUP BY status", 9)),
        error(
            Rule.D14,
            "50.0% of the statements that shards got have no key",
            f -> f.heat = new GroupHeat(500, 500, 1, 17, 0.002)),
        error(Rule.D15, "trigger is gone", f -> f.problem(Topic.FENCES, "trigger is gone")),
        warning(
            Rule.D16,
            "compares its rows, and no rule of yours",
            f -> f.without("    invariants:", "mover:")),
        error(
            Rule.D16,
            "move 2: 3 differences and 0 broken rules",
            f ->
                f.moves.add(
                    new MoveFacts(
                        2,
                        "orders",
                        MoveState.SWITCHED,
                        true,
                        Optional.of(new Compared(9, 3, 0))))),
        unknown(Rule.D16, "no move was compared yet", f -> f.moves.clear()),
        warning(
            Rule.D17,
            "move 2 of group orders cannot be rolled back",
            f ->
                f.moves.add(
                    new MoveFacts(2, "orders", MoveState.COPYING, false, Optional.empty()))),
        unknown(Rule.D17, "no move was ever rolled back", f -> f.moves.clear()),
        unknown(Rule.D18, "no program can see it", f -> {}),
        unknown(Rule.D19, "no program can see it", f -> {}),
        warning(Rule.D20, "traffic of buckets is not counted", f -> f.yaml += "heat: off\n"),
        error(Rule.D21, "columns differ", f -> f.problem(Topic.DRIFT, "columns differ")),
        error(
            Rule.D21,
            "2 changes of the schema stopped halfway",
            f -> f.pendingDdl = Optional.of(2)),
        unknown(Rule.D21, "were not read", f -> f.pendingDdl = Optional.empty()),
        error(
            Rule.D22,
            "writes name no shard",
            f -> f.log("DELETE FROM orders WHERE status = 3", 600)));
  }

  private static void wideTransactions(TestingFacts facts) {
    for (int i = 0; i < 400; i++) {
      facts.log("BEGIN", 1);
      facts.log("UPDATE orders SET status = 2 WHERE buyer_id = " + i * 17, 1);
      facts.log("UPDATE orders SET status = 2 WHERE buyer_id = " + i * 19 + 1, 1);
      facts.log("COMMIT", 1);
    }
  }

  private static Stream<Case> lookups() {
    return Stream.of(
        warning(Rule.L1, "neither a way to their shard nor a bound", f -> scattered(f, 5)),
        unknown(
            Rule.L1,
            "less than a week",
            f -> f.noLog().log("SELECT * FROM orders WHERE buyer_id = 5", 200)),
        warning(Rule.L2, "no statement is logged", f -> f.replace("warn_shards: 1\n", "")),
        warning(
            Rule.L3,
            "orders.orders_no is unique within one shard only",
            f -> f.replace("{orders_no: index}", "{orders_no: local}")),
        warning(
            Rule.L3,
            "is unique by its issuer, and group orders names none",
            f -> {
              noIds(f);
              f.replace("{orders_no: index}", "{orders_no: id}");
            }),
        unknown(Rule.L4, "no program can see it", f -> {}),
        warning(
            Rule.L5,
            "was never compared on schedule",
            f -> f.indexes.set(0, TestingFacts.index(IndexState.READABLE, null, ""))),
        error(Rule.L6, "no validated CHECK", f -> f.problem(Topic.GENES, "no validated CHECK")),
        unknown(Rule.L7, "no program can see it", f -> {}));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void rule_broken_isTold(Case row) {
    TestingFacts facts = new TestingFacts();
    row.change().accept(facts);

    Answer answer = answer(row.rule(), facts.facts(), ReviewDeclarations.NONE);

    assertThat(answer.status()).as(answer.toString()).isEqualTo(row.status());
    assertThat(answer.severity()).as(answer.toString()).contains(row.severity());
    assertThat(answer.causes()).anyMatch(text -> text.contains(row.text()));
    assertThat(answer.actions()).isNotEmpty().allMatch(action -> !action.isBlank());
  }

  @Test
  void rules_allHaveARowThatBreaksThem() {
    assertThat(cases().map(Case::rule)).contains(Rule.values());
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void rule_inASoundSystem_isFulfilled(Rule rule) {
    ReviewDeclarations declarations =
        OF_PEOPLE.contains(rule) ? declared(rule, false, null) : ReviewDeclarations.NONE;

    Answer answer = answer(rule, new TestingFacts().facts(), declarations);

    assertThat(answer.status())
        .as(answer.toString())
        .isEqualTo(OF_PEOPLE.contains(rule) ? Status.DECLARED : Status.EVIDENCE);
    assertThat(answer.isFinding()).isFalse();
    assertThat(answer.evidence()).isNotEmpty();
  }

  @Test
  void declarations_answerWhatIsUnknown_andEnd() {
    TestingFacts facts = new TestingFacts();

    Answer holds = answer(Rule.Q16, facts.facts(), declared(Rule.Q16, false, TODAY));
    Answer ended = answer(Rule.Q16, facts.facts(), declared(Rule.Q16, false, TODAY.minusDays(1)));

    assertThat(holds.status()).isEqualTo(Status.DECLARED);
    assertThat(ended.status()).isEqualTo(Status.UNKNOWN);
    assertThat(ended.severity()).contains(Severity.WARNING);
    assertThat(ended.causes()).contains("what Lena declared ended on 2026-05-31");
  }

  @Test
  void declarations_doNotHideWhatIsSeen_unlessTheyAcceptIt() {
    TestingFacts facts = new TestingFacts();
    facts.partitions.put("orders", 5_000);

    Answer declared = answer(Rule.P11, facts.facts(), declared(Rule.P11, false, null));
    Answer accepted = answer(Rule.P11, facts.facts(), declared(Rule.P11, true, TODAY));
    Answer over = answer(Rule.P11, facts.facts(), declared(Rule.P11, true, TODAY.minusDays(1)));

    assertThat(declared.status()).isEqualTo(Status.VIOLATED);
    assertThat(accepted.status()).isEqualTo(Status.DECLARED);
    assertThat(accepted.isFinding()).isFalse();
    assertThat(accepted.causes()).containsExactly("table orders has 5000 partitions");
    assertThat(over.status()).isEqualTo(Status.VIOLATED);
    assertThat(over.causes()).contains("that Lena accepted it ended on 2026-05-31");
  }

  @Test
  void findings_countFromTheThreshold() {
    TestingFacts facts = new TestingFacts();
    facts.partitions.put("orders", 5_000);
    facts.replace("warn_shards: 1\n", "");
    List<Answer> answers = Review.run(facts.facts(), ReviewDeclarations.NONE, TODAY);

    assertThat(Review.findings(answers, Severity.ERROR)).isEqualTo(1);
    assertThat(Review.findings(answers, Severity.WARNING)).isEqualTo(3);
    assertThat(Review.findings(answers, Severity.INFO)).isEqualTo(3 + OF_PEOPLE.size());
    assertThat(ReviewReport.summary(answers))
        .isEqualTo(
            Rule.values().length
                + " rules: "
                + (Rule.values().length - 3 - OF_PEOPLE.size())
                + " seen, 0 declared, 9 unknown, 3 violated");
  }

  private static Answer answer(Rule rule, Facts facts, ReviewDeclarations declarations) {
    return Review.run(facts, declarations, TODAY).stream()
        .filter(answer -> answer.rule() == rule)
        .findFirst()
        .orElseThrow();
  }

  private static ReviewDeclarations declared(Rule rule, boolean accepts, LocalDate until) {
    return new ReviewDeclarations(
        new ArrayList<>(
            List.of(
                new Declaration(
                    rule.id(),
                    "it is so",
                    "Lena",
                    LocalDate.parse("2026-05-04"),
                    Optional.ofNullable(until),
                    accepts,
                    3))));
  }
}
