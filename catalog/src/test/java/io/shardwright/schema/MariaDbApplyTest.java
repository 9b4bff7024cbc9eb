package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.testkit.EmbeddedMariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MariaDbApplyTest {
  private static final ShardId S0 = new ShardId("s0");

  @Test
  void run_goodTables_createsEverythingOnce() throws SQLException {
    OrderShards shards = OrderShards.mariaDb(2).withCatalog().withTables();

    ApplyReport first = shards.apply();
    ApplyReport second = shards.apply();

    assertThat(first.problems()).isEmpty();
    assertThat(first.warnings()).isEmpty();
    assertThat(first.created()).hasSize(33);
    assertThat(first.existing()).isEmpty();
    assertThat(second.ok()).isTrue();
    assertThat(second.created()).isEmpty();
    assertThat(second.existing()).isEqualTo(first.created());
    try (Catalog catalog = Catalog.open(shards.configuration());
        Connection s0 = TestingConfiguration.connect(shards.shards().get(0))) {
      assertThat(ShardIdentity.read(s0))
          .contains(new ShardIdentity(catalog.load().clusterId(), S0));
    }
    assertThat(
            TestingConfiguration.query(
                shards.catalog().orElseThrow(), "SELECT name, key_types FROM shardwright_group"))
        .containsExactly("orders|INTEGER,TEXT");
  }

  @Test
  void run_catalogOfTheOtherProduct_works() throws SQLException {
    OrderShards maria = OrderShards.mariaDb(1).withTables();
    OrderShards postgres = OrderShards.create(1).withTables();

    assertThat(new OrderShards(postgres.withCatalog().catalog(), maria.shards()).apply().problems())
        .isEmpty();
    assertThat(new OrderShards(maria.withCatalog().catalog(), postgres.shards()).apply().problems())
        .isEmpty();
  }

  @Test
  void run_urlsOfMySqlScheme_leadToMariaDb() throws SQLException {
    OrderShards shards = OrderShards.mariaDb(1).withTables();
    OrderShards others =
        new OrderShards(
            Optional.empty(),
            shards.shards().stream()
                .map(url -> url.replace("jdbc:mariadb:", "jdbc:mysql:") + "?permitMysqlScheme")
                .toList());

    assertThat(others.apply().problems()).isEmpty();
  }

  @Test
  void run_geneCheck_refusesForeignIds() throws SQLException {
    OrderShards shards = OrderShards.mariaDb(1).withTables();
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
    OrderShards shards = OrderShards.mariaDb(1).withTables();
    int bucket = bucket(1, "b");
    long id = (long) (bucket ^ 1) << GeneIdLayout.forBuckets(1024).geneShift();
    shards.on(
        0, "INSERT INTO orders VALUES (%d, %d, 1, 'b', NULL, 'new', now())".formatted(bucket, id));

    ApplyReport broken = shards.apply();
    shards.on(0, "DELETE FROM orders");
    ApplyReport corrected = shards.apply();

    assertThat(broken.problems())
        .extracting(Finding::message)
        .containsExactly(
            "table orders has rows whose order_id names another bucket than bucket_id");
    assertThat(corrected.ok()).isTrue();
    assertThat(corrected.created()).contains("shard s0: constraint shardwright_gene_orders");
  }

  @Test
  void run_geneCheckChangedByHand_isReported() throws SQLException {
    OrderShards shards = OrderShards.mariaDb(1).withTables();
    shards.on(0, "ALTER TABLE items ADD CONSTRAINT shardwright_gene_items CHECK (order_id > 0)");

    assertThat(shards.apply().problems())
        .extracting(Finding::message)
        .containsExactly("constraint shardwright_gene_items of table items was changed by hand");
  }

  @Test
  void run_tableLockedByALongTransaction_isReportedAndDoneNextTime() throws SQLException {
    OrderShards shards = OrderShards.mariaDb(1).withTables();
    Apply.Options impatient =
        new Apply.Options(Apply.Options.DEFAULT.login(), Duration.ofMillis(50));
    try (Connection c = TestingConfiguration.connect(shards.shards().get(0));
        Statement statement = c.createStatement()) {
      c.setAutoCommit(false);
      statement.execute("SELECT * FROM items");
      assertThat(Apply.run(shards.configuration(), impatient).problems())
          .extracting(Finding::code, Finding::table)
          .containsExactly(tuple(ErrorCode.DDL_INCOMPLETE, Optional.of("items")));
    }
    assertThat(shards.apply().ok()).isTrue();
  }

  @Test
  void run_tableThatSomeoneLocks_isReportedAndReadNextTime() throws SQLException {
    OrderShards shards = OrderShards.mariaDb(1).withTables();
    assertThat(shards.apply().ok()).isTrue();
    Apply.Options impatient =
        new Apply.Options(Apply.Options.DEFAULT.login(), Duration.ofMillis(50));
    try (Connection c = TestingConfiguration.connect(shards.shards().get(0));
        Statement statement = c.createStatement()) {
      statement.execute("LOCK TABLES items WRITE");
      assertThat(Apply.run(shards.configuration(), impatient).problems())
          .extracting(Finding::message)
          .singleElement()
          .asString()
          .contains("is locked by a long transaction");
    }
    assertThat(shards.apply().ok()).isTrue();
  }

  /** The client dies after each message; the next run makes the rest. */
  @Test
  void run_killedAnywhere_isCompletedByTheNext() throws Exception {
    int port = EmbeddedMariaDbServer.shared().port();
    OrderShards shards = OrderShards.mariaDb(2).withCatalog().withTables();
    int runs = 0;
    for (boolean lastArrives : new boolean[] {false, true}) {
      boolean survived = false;
      for (int messages = lastArrives ? 5 : 1; !survived; messages += OrderShards.CUT_STEP) {
        try (CrashingProxy proxy = new CrashingProxy(port, messages, lastArrives)) {
          survived = proxied(shards, port, proxy.port()).applyWith(OrderShards.WITH_INDEX).ok();
        }
        ApplyReport next = shards.applyWith(OrderShards.WITH_INDEX);
        assertThat(next.problems()).as("cut after %s messages", messages).isEmpty();
        assertThat(next.created().size() + next.existing().size()).isEqualTo(41);
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

  @Test
  void run_twiceAtOnce_doesEachStepOnce() throws Exception {
    OrderShards shards = OrderShards.mariaDb(2).withCatalog().withTables();
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try {
      Future<ApplyReport> one = executor.submit(shards::apply);
      Future<ApplyReport> two = executor.submit(shards::apply);

      assertThat(one.get().problems()).isEmpty();
      assertThat(two.get().problems()).isEmpty();
      // Whoever comes late may find all done.
      assertThat(Collections.disjoint(one.get().created(), two.get().created())).isTrue();
      assertThat(one.get().created().size() + two.get().created().size()).isEqualTo(33);
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void run_shardDownOrRefused_isNamedWithoutPassword() throws SQLException {
    OrderShards shards = OrderShards.mariaDb(1).withTables();
    OrderShards half =
        new OrderShards(
            Optional.empty(), List.of("jdbc:mariadb://127.0.0.1:1/down", shards.shards().get(0)));

    ApplyReport report = half.apply();

    assertThat(report.problems())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.code()).isEqualTo(ErrorCode.SHARD_UNAVAILABLE);
              assertThat(p.message())
                  .startsWith("shard s0 at jdbc:mariadb://127.0.0.1:1/down")
                  .doesNotContain("app-password");
            });
    assertThat(report.created()).contains("shard s1: constraint shardwright_gene_orders");
  }

  @Test
  void run_serverWithTwoOfUs_namesTheShardsOfAMisfit() throws SQLException {
    OrderShards shards = OrderShards.mariaDb(2).withTables();
    OrderShards odd =
        new OrderShards(
            Optional.empty(),
            List.of(
                shards.shards().get(0),
                shards.shards().get(1) + "?sessionVariables=sql_mode='ANSI_QUOTES'"));

    assertThat(odd.apply().problems())
        .extracting(p -> p.shards() + " " + p.message())
        .containsExactly(
            "[s1] sql_mode holds ANSI_QUOTES, with which statements mean something else",
            "[s1] sql_mode holds neither STRICT_TRANS_TABLES nor STRICT_ALL_TABLES, so that the"
                + " server changes values that do not fit, after the key was hashed",
            "[s1] sql_mode is ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,"
                + "NO_ENGINE_SUBSTITUTION,STRICT_TRANS_TABLES on shard s0 and ANSI_QUOTES here");
  }

  record Change(String sql, String message, String action) {}

  static Stream<Change> changes() {
    return Stream.of(
        new Change(
            "ALTER TABLE orders MODIFY buyer_id varchar(40) COLLATE utf8mb4_bin NOT NULL",
            "route key column orders.buyer_id is varchar(40), which cannot be a route key",
            "its collation utf8mb4_bin ignores trailing spaces; write varchar(40) CHARACTER SET"
                + " utf8mb4 COLLATE utf8mb4_nopad_bin"),
        new Change(
            "ALTER TABLE orders MODIFY buyer_id varchar(40) COLLATE utf8mb4_general_ci NOT NULL",
            "route key column orders.buyer_id is varchar(40)",
            "differ in case only"),
        new Change(
            "ALTER TABLE orders MODIFY tenant_id bigint unsigned NOT NULL",
            "route key column orders.tenant_id is bigint(20) unsigned, which cannot be",
            "its values go beyond 64 bits with sign; use bigint"),
        new Change(
            "ALTER TABLE orders MODIFY tenant_id int",
            "route key column orders.tenant_id may be NULL",
            "a row without key has no bucket"),
        new Change(
            "ALTER TABLE items DROP FOREIGN KEY items_order, MODIFY bucket_id tinyint NOT NULL",
            "items.bucket_id is tinyint(4)",
            "make it smallint or integer: it holds 0 to 1023"),
        new Change(
            "ALTER TABLE orders ADD ID int NOT NULL AUTO_INCREMENT, ADD UNIQUE KEY u (id)",
            "unique index u [id] of table orders holds neither the route key",
            "{u: local}"),
        new Change(
            "ALTER TABLE items DROP FOREIGN KEY items_order;"
                + "ALTER TABLE orders DROP FOREIGN KEY orders_country;"
                + "ALTER TABLE orders ENGINE = Aria",
            "table orders is of engine Aria",
            "ALTER TABLE `orders` ENGINE = InnoDB on all shards"),
        new Change(
            "ALTER TABLE countries ADD t timestamp NOT NULL DEFAULT now() ON UPDATE now()",
            "column countries.t of a reference table has the default current_timestamp() on update",
            "ALTER TABLE `countries` MODIFY `t` timestamp NOT NULL"),
        new Change(
            "ALTER TABLE countries ADD u uuid DEFAULT uuid()",
            "column countries.u of a reference table has the default uuid()",
            "MODIFY `u` uuid NULL"),
        new Change(
            "ALTER TABLE countries ADD n int NOT NULL AUTO_INCREMENT UNIQUE",
            "column countries.n of a reference table is an identity",
            "MODIFY `n` int(11) NOT NULL"),
        new Change("DROP TABLE items", "table items does not exist", "CREATE TABLE"));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void run_tablesThatDoNotFit_areReported(Change change) throws SQLException {
    OrderShards shards = OrderShards.mariaDb(1).withTables();
    shards.on(0, "SET foreign_key_checks = 0; " + change.sql());

    assertThat(shards.apply().problems())
        .anySatisfy(
            p -> {
              assertThat(p.message()).contains(change.message());
              assertThat(p.action()).contains(change.action());
            });
  }

  @Test
  void run_swappedKeyOverRows_isReported() throws SQLException {
    OrderShards shards = OrderShards.mariaDb(2).withTables();
    int bucket = bucket(3, "x") ^ 1;
    long id = (long) bucket << GeneIdLayout.forBuckets(1024).geneShift();
    shards.on(
        bucket < 512 ? 0 : 1,
        "INSERT INTO orders VALUES (%d, %d, 3, 'x', NULL, 's', now())".formatted(bucket, id));

    assertThat(shards.apply().problems())
        .extracting(Finding::message)
        .containsExactly(
            "table orders has rows whose bucket_id is not the bucket of their key [tenant_id,"
                + " buyer_id]");
  }

  private static int bucket(long tenant, String buyer) {
    return new BucketFunction(List.of(KeyType.INTEGER, KeyType.TEXT), HashAlgorithm.XXH64, 1024)
        .bucket(List.of(tenant, buyer))
        .map(BucketId::value)
        .orElseThrow();
  }
}
