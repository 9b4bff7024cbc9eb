package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ApplyTest {
  private static final ShardId S0 = new ShardId("s0");
  private static final ShardId S1 = new ShardId("s1");

  @Test
  void run_goodTables_createsEverythingOnce() throws SQLException {
    OrderShards shards = OrderShards.create(2).withCatalog().withTables();

    ApplyReport first = shards.apply();
    ApplyReport second = shards.apply();

    assertThat(first.problems()).isEmpty();
    assertThat(first.warnings()).isEmpty();
    assertThat(first.created())
        .containsExactly(
            "catalog: group orders",
            "catalog: table shardwright_directory",
            "catalog: table shardwright_driver",
            "catalog: table shardwright_group",
            "catalog: table shardwright_heat",
            "catalog: table shardwright_index",
            "catalog: table shardwright_job",
            "catalog: table shardwright_list",
            "catalog: table shardwright_map_range",
            "catalog: table shardwright_map_version",
            "catalog: table shardwright_meta",
            "catalog: table shardwright_move",
            "catalog: table shardwright_move_stage",
            "catalog: table shardwright_node",
            "catalog: table shardwright_sequence",
            "catalog: table shardwright_state",
            "catalog: table shardwright_table",
            "shard s0: buckets of orders",
            "shard s0: constraint shardwright_gene_items",
            "shard s0: constraint shardwright_gene_orders",
            "shard s0: fence of table items",
            "shard s0: fence of table orders",
            "shard s0: table shardwright_bucket",
            "shard s0: table shardwright_ddl",
            "shard s0: table shardwright_shard",
            "shard s1: buckets of orders",
            "shard s1: constraint shardwright_gene_items",
            "shard s1: constraint shardwright_gene_orders",
            "shard s1: fence of table items",
            "shard s1: fence of table orders",
            "shard s1: table shardwright_bucket",
            "shard s1: table shardwright_ddl",
            "shard s1: table shardwright_shard");
    assertThat(first.existing()).isEmpty();
    assertThat(second.ok()).isTrue();
    assertThat(second.created()).isEmpty();
    assertThat(second.existing()).isEqualTo(first.created());
    try (Catalog catalog = Catalog.open(shards.configuration());
        Connection s1 = TestingConfiguration.connect(shards.shards().get(1))) {
      assertThat(ShardIdentity.read(s1))
          .contains(new ShardIdentity(catalog.load().clusterId(), S1));
    }
    assertThat(
            TestingConfiguration.query(
                shards.catalog().orElseThrow(), "SELECT name, key_types FROM shardwright_group"))
        .containsExactly("orders|INTEGER,TEXT");
  }

  @Test
  void run_beforeTheTablesExist_createsOwnObjectsAndNamesTheMissing() throws SQLException {
    OrderShards shards = OrderShards.create(2).withCatalog();

    ApplyReport before = shards.apply();
    ApplyReport after = shards.withTables().apply();

    assertThat(before.created())
        .contains("catalog: group orders", "shard s1: table shardwright_ddl");
    assertThat(before.problems())
        .extracting(Finding::message, Finding::shards)
        .containsExactly(
            tuple("table countries does not exist", List.of(S0, S1)),
            tuple("table items does not exist", List.of(S0, S1)),
            tuple("table orders does not exist", List.of(S0, S1)));
    assertThat(after.problems()).isEmpty();
    assertThat(after.created())
        .hasSize(8)
        .allMatch(name -> name.contains("shardwright_gene_") || name.contains("fence of"));
  }

  @Test
  void run_geneCheck_refusesForeignIds() throws SQLException {
    OrderShards shards = OrderShards.create(1).withTables();
    shards.apply();
    String insert = "INSERT INTO orders VALUES (%s, %s, 1, 'b', NULL, 'new', now())";
    long id = (77L << 22) | (5L << 10) | 3;

    shards.on(0, insert.formatted(5, id));
    assertThatThrownBy(() -> shards.on(0, insert.formatted(6, id)))
        .hasMessageContaining("shardwright_gene_orders");
    assertThatThrownBy(() -> shards.on(0, insert.formatted(5, id | Long.MIN_VALUE)))
        .hasMessageContaining("shardwright_gene_orders");
  }

  @Test
  void run_rowsThatBreakTheGene_areReportedUntilCorrected() throws SQLException {
    OrderShards shards = OrderShards.create(1).withTables();
    BucketId bucket =
        new BucketFunction(List.of(KeyType.INTEGER, KeyType.TEXT), HashAlgorithm.XXH64, 1024)
            .bucket(List.of(1L, "b"))
            .orElseThrow();
    long id = (long) (bucket.value() ^ 1) << GeneIdLayout.forBuckets(1024).geneShift();
    shards.on(
        0,
        "INSERT INTO orders VALUES (%d, %d, 1, 'b', NULL, 'new', now())"
            .formatted(bucket.value(), id));

    ApplyReport broken = shards.apply();
    shards.on(0, "DELETE FROM orders");
    ApplyReport corrected = shards.apply();

    assertThat(broken.problems())
        .extracting(Finding::message)
        .containsExactly(
            "table orders has rows whose order_id names another bucket than bucket_id");
    assertThat(corrected.ok()).isTrue();
    assertThat(
            shards.query(
                0,
                "SELECT convalidated FROM pg_constraint WHERE conrelid = 'orders'::regclass AND"
                    + " contype = 'c'"))
        .containsExactly("t");
  }

  @Test
  void run_geneCheckChangedByHand_isReported() throws SQLException {
    OrderShards shards = OrderShards.create(1).withTables();
    shards.on(0, "ALTER TABLE items ADD CONSTRAINT shardwright_gene_items CHECK (order_id > 0)");

    assertThat(shards.apply().problems())
        .extracting(Finding::message)
        .containsExactly("constraint shardwright_gene_items of table items was changed by hand");
  }

  @Test
  void run_tableLockedByALongTransaction_isReportedAndDoneNextTime() throws SQLException {
    OrderShards shards = OrderShards.create(1).withTables();
    Apply.Options impatient =
        new Apply.Options(Apply.Options.DEFAULT.login(), Duration.ofMillis(50));
    try (Connection c = TestingConfiguration.connect(shards.shards().get(0));
        Statement statement = c.createStatement()) {
      c.setAutoCommit(false);
      statement.execute("SELECT FROM items");
      assertThat(Apply.run(shards.configuration(), impatient).problems())
          .extracting(Finding::code, Finding::table)
          .containsExactly(tuple(ErrorCode.DDL_INCOMPLETE, Optional.of("items")));
    }
    assertThat(shards.apply().ok()).isTrue();
  }

  @Test
  void run_tableThatSomeoneAlters_isReportedAndReadNextTime() throws SQLException {
    OrderShards shards = OrderShards.create(1).withTables();
    assertThat(shards.apply().ok()).isTrue();
    Apply.Options impatient =
        new Apply.Options(Apply.Options.DEFAULT.login(), Duration.ofMillis(50));
    try (Connection c = TestingConfiguration.connect(shards.shards().get(0));
        Statement statement = c.createStatement()) {
      c.setAutoCommit(false);
      statement.execute("LOCK TABLE items");
      assertThat(Apply.run(shards.configuration(), impatient).problems())
          .extracting(Finding::message)
          .singleElement()
          .asString()
          .contains("is locked by a long transaction");
    }
    assertThat(shards.apply().ok()).isTrue();
  }

  @Test
  void run_longTableName_hasAConstraintOfItsOwn() {
    String long1 = "a".repeat(62) + "1";
    String long2 = "a".repeat(62) + "2";
    GeneIdLayout layout = GeneIdLayout.forBuckets(1024);

    assertThat(new GeneCheck(PostgresShard.INSTANCE, long1, "id", layout).name()).hasSize(63);
    assertThat(new GeneCheck(PostgresShard.INSTANCE, long1, "id", layout).name())
        .isNotEqualTo(new GeneCheck(PostgresShard.INSTANCE, long2, "id", layout).name());
    assertThat(
            new GeneCheck(PostgresShard.INSTANCE, "ü".repeat(31), "id", layout)
                .name()
                .getBytes(StandardCharsets.UTF_8))
        .hasSizeLessThanOrEqualTo(63);
  }

  @Test
  void run_swappedUrls_areRefused() throws SQLException {
    OrderShards shards = OrderShards.create(2).withCatalog().withTables();
    shards.apply();
    List<String> urls = new ArrayList<>(shards.shards());
    Collections.reverse(urls);

    ApplyReport report = new OrderShards(shards.catalog(), urls).apply();

    assertThat(report.problems())
        .extracting(Finding::code, Finding::message)
        .containsExactly(
            tuple(
                ErrorCode.SHARD_IDENTITY_MISMATCH,
                "the url of shard s0 leads to the database of shard s1"),
            tuple(
                ErrorCode.SHARD_IDENTITY_MISMATCH,
                "the url of shard s1 leads to the database of shard s0"));
  }

  @Test
  void run_shardOfAnotherCluster_isRefused() throws SQLException {
    OrderShards shards = OrderShards.create(1).withCatalog().withTables();
    shards.apply();

    assertThat(shards.withCatalog().apply().problems())
        .singleElement()
        .satisfies(p -> assertThat(p.code()).isEqualTo(ErrorCode.SHARD_IDENTITY_MISMATCH));
    assertThat(new OrderShards(Optional.empty(), shards.shards()).apply().problems())
        .singleElement()
        .satisfies(
            p -> assertThat(p.message()).contains("whose catalog the configuration does not"));
  }

  @Test
  void run_catalogAddedLater_takesTheShardsIn() throws SQLException {
    OrderShards shards = OrderShards.create(1).withTables();
    assertThat(shards.apply().ok()).isTrue();
    OrderShards later = shards.withCatalog();

    assertThat(later.apply().ok()).isTrue();
    assertThat(shards.query(0, "SELECT cluster_id FROM shardwright_shard"))
        .isEqualTo(
            TestingConfiguration.query(
                later.catalog().orElseThrow(), "SELECT cluster_id FROM shardwright_meta"));
  }

  @Test
  void run_shardDown_isNamedAndTheOthersAreDone() throws SQLException {
    OrderShards shards = OrderShards.create(1).withTables();
    OrderShards half =
        new OrderShards(
            Optional.empty(),
            List.of("jdbc:postgresql://127.0.0.1:1/down", shards.shards().get(0)));

    ApplyReport report = half.apply();

    assertThat(report.problems())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.code()).isEqualTo(ErrorCode.SHARD_UNAVAILABLE);
              assertThat(p.shards()).containsExactly(S0);
              assertThat(p.message()).startsWith("shard s0 at jdbc:postgresql://127.0.0.1:1/down");
            });
    assertThat(report.created()).contains("shard s1: constraint shardwright_gene_orders");
  }

  @Test
  void run_wrongPassword_isALoginFailure() throws SQLException {
    OrderShards shards = OrderShards.create(1).withTables();
    Configuration good = shards.configuration();
    String user = good.shards().get(S0).endpoint().user();
    Configuration bad = TestingConfiguration.withLogin(good, user, "hunter2");

    assertThat(Apply.run(bad, Apply.Options.DEFAULT).problems())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.code()).isEqualTo(ErrorCode.SHARD_LOGIN_FAILED);
              assertThat(p.toString()).contains("shards.s0.password").doesNotContain("hunter2");
            });
  }

  @Test
  void run_catalogDown_stillChecksTheShardsButMarksNone() throws SQLException {
    OrderShards shards =
        OrderShards.create(1).withTables().everywhere("DROP TABLE countries CASCADE");
    OrderShards down =
        new OrderShards(Optional.of("jdbc:postgresql://127.0.0.1:1/down"), shards.shards());

    assertThat(down.apply().problems())
        .extracting(Finding::code)
        .containsExactly(ErrorCode.SCHEMA_INVALID, ErrorCode.CATALOG_UNAVAILABLE);
    assertThat(shards.query(0, "SELECT to_regclass('shardwright_shard')")).containsExactly("null");
  }

  @Test
  void run_catalogContradictsTheFile_isReportedBesideTheRest() throws SQLException {
    OrderShards shards = OrderShards.create(1).withCatalog().withTables();
    shards.apply();
    shards.everywhere("ALTER TABLE items DROP CONSTRAINT items_pkey");
    shards.everywhere("ALTER TABLE items ALTER bucket_id DROP NOT NULL");

    ApplyReport report =
        Apply.run(
            shards.configuration(OrderShards.GROUPS.replace("1024", "4096")),
            Apply.Options.DEFAULT);

    assertThat(report.problems())
        .extracting(Finding::code)
        .contains(ErrorCode.CATALOG_MISMATCH, ErrorCode.SCHEMA_INVALID);
  }

  @Test
  void run_atOnce_doesEachStepOnce() throws Exception {
    OrderShards shards = OrderShards.create(2).withCatalog().withTables();
    CyclicBarrier barrier = new CyclicBarrier(3);
    ExecutorService executor = Executors.newFixedThreadPool(3);
    List<String> created = new ArrayList<>();
    try {
      List<Future<ApplyReport>> running = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        running.add(
            executor.submit(
                () -> {
                  barrier.await();
                  return shards.apply();
                }));
      }
      for (Future<ApplyReport> future : running) {
        assertThat(future.get().problems()).isEmpty();
        created.addAll(future.get().created());
      }
    } finally {
      executor.shutdownNow();
    }

    assertThat(created).doesNotHaveDuplicates().hasSize(33);
  }

  @Test
  void run_cutAnywhere_isCompletedByTheNextRun() throws Exception {
    int port = EmbeddedPostgresServer.shared().port();
    OrderShards shards = OrderShards.create(2).withCatalog().withTables();
    int runs = 0;
    for (boolean lastArrives : new boolean[] {false, true}) {
      boolean survived = false;
      for (int messages = lastArrives ? 5 : 1; !survived; messages += OrderShards.CUT_STEP) {
        try (CrashingProxy proxy = new CrashingProxy(port, messages, lastArrives)) {
          survived = proxied(shards, port, proxy.port()).applyWith(OrderShards.WITH_INDEX).ok();
        }
        ApplyReport next = shards.applyWith(OrderShards.WITH_INDEX);
        assertThat(next.problems()).as("cut after %s messages", messages).isEmpty();
        assertThat(next.created().size() + next.existing().size()).isEqualTo(43);
        assertThat(
                TestingConfiguration.query(
                    shards.catalog().orElseThrow(), "SELECT version FROM shardwright_map_version"))
            .containsExactly("1", "1");
        assertThat(messages).isLessThan(800);
        shards.removeOwnObjects();
        runs++;
      }
    }
    assertThat(runs).isGreaterThan(5);
  }

  private static OrderShards proxied(OrderShards shards, int port, int proxyPort) {
    return new OrderShards(
        shards.catalog().map(url -> url.replace(":" + port, ":" + proxyPort)),
        shards.shards().stream().map(url -> url.replace(":" + port, ":" + proxyPort)).toList());
  }
}
