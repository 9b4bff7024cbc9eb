package io.shardwright.catalog;

import static io.shardwright.catalog.TestingConfiguration.execute;
import static io.shardwright.catalog.TestingConfiguration.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.config.Configuration;
import io.shardwright.config.IndexKind.Covering;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.KeyType;
import io.shardwright.testkit.TestingClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** States of lookup indexes and leases of drivers, on each database. */
abstract class IndexCatalogContract extends CatalogFixture {
  private static final String WITH_INDEX =
      GROUPS.replace("t: }", "t: }, indexes: {by_no: {columns: [no], unique: true}}");
  private static final IndexName NAME = new IndexName("g", "by_no");
  private static final CatalogIndex DECLARED =
      new CatalogIndex(NAME, "t", List.of("no"), IndexState.DECLARED, 0);

  private static final String WITH_LIST =
      GROUPS.replace(
          "t: }",
          "t: }, indexes: {by_shop: {columns: [shop, day], shard_by: [shop], unique: false,"
              + " covering: {status: stale-ok, gone: check}, spread: {giants: 4}}}");
  private static final CatalogIndex LIST =
      new CatalogIndex(
          new IndexName("g", "by_shop"),
          "t",
          List.of("shop", "day"),
          Optional.of(
              new ListRecord(
                  1, Map.of("status", Covering.STALE_OK, "gone", Covering.CHECK), 4, List.of())),
          IndexState.DECLARED,
          0);

  private final TestingClock clock = new TestingClock(Instant.parse("2026-01-01T00:00:00Z"));

  /** A server that lets a transaction wait for a lock: the query that counts the waiting ones. */
  abstract String waiting();

  @BeforeEach
  void install() throws SQLException {
    configuration = configuration(url, WITH_INDEX);
    install(configuration);
  }

  @Test
  void recordIndexes_again_changesNothing() throws SQLException {
    CatalogState before = open().load();
    record(configuration, DECLARED);
    CatalogState first = open().load();
    record(configuration, DECLARED);

    assertThat(before.indexes()).isEmpty();
    assertThat(before.maps()).containsOnlyKeys("g", "h");
    CatalogIndex index = first.indexes().get("g.by_no");
    assertThat(index)
        .isEqualTo(
            new CatalogIndex(NAME, "t", List.of("no"), IndexState.DECLARED, first.version()));
    assertThat(first.version()).isGreaterThan(before.version());
    assertSame(first.maps().get("g.by_no"), BucketMap.initial("g.by_no", 16, List.of(S0, S1)));
    assertThat(open().load()).usingRecursiveComparison().isEqualTo(first);
    assertThat(query(url, "SELECT key_types FROM shardwright_group WHERE name = 'g.by_no'"))
        .containsExactly("TEXT");
  }

  @Test
  void publish_mapOfAnIndex_isLikeThatOfAGroup() throws SQLException {
    record(configuration, DECLARED);
    Catalog catalog = open();
    CatalogState before = catalog.load();
    BucketMap next = before.maps().get("g.by_no").withMoved(List.of(), S0);

    catalog.publish(next, "test");

    CatalogState after = open().loadIfNewer(before).orElseThrow();
    assertSame(after.maps().get("g.by_no"), next);
    assertThat(after.version()).isEqualTo(before.version() + 1);
  }

  @Test
  void changeIndex_ofAKnownState_isWonOnceAndSeenByOthers() throws SQLException {
    record(configuration, DECLARED);
    Catalog catalog = open();
    CatalogState before = catalog.load();
    CatalogIndex known = before.indexes().get("g.by_no");

    CatalogIndex changed = catalog.changeIndex(known, IndexState.WRITE_ONLY);

    assertThat(changed.state()).isEqualTo(IndexState.WRITE_ONLY);
    assertThat(changed.version()).isEqualTo(before.version() + 1);
    CatalogState after = open().loadIfNewer(before).orElseThrow();
    assertThat(after.version()).isEqualTo(changed.version());
    assertThat(after.indexes()).containsEntry("g.by_no", changed);
    assertThat(open().loadIfNewer(after)).isEmpty();
    assertThat(code(() -> open().changeIndex(known, IndexState.READABLE)))
        .isEqualTo(ErrorCode.CATALOG_CONFLICT);
    assertThat(open().load().version()).isEqualTo(changed.version());
  }

  @Test
  void removeIndex_thatIsDeclared_leavesNothing() throws SQLException {
    List<String> groups = query(url, "SELECT name FROM shardwright_group ORDER BY 1");
    record(configuration, DECLARED);
    CatalogState before = open().load();
    CatalogIndex index = before.indexes().get("g.by_no");

    open().removeIndex(index);

    assertThat(open().loadIfNewer(before).orElseThrow().indexes()).isEmpty();
    assertThat(query(url, "SELECT name FROM shardwright_group ORDER BY 1")).isEqualTo(groups);
    assertThat(query(url, "SELECT count(*) FROM shardwright_map_range WHERE grp = 'g.by_no'"))
        .containsExactly("0");
    assertThat(code(() -> open().removeIndex(index))).isEqualTo(ErrorCode.CATALOG_CONFLICT);
  }

  @Test
  void load_fileWithoutTheIndex_isRefusedOnceWritesMaintainIt() throws SQLException {
    record(configuration, DECLARED);
    Configuration without = configuration(url, GROUPS);
    CatalogIndex index = open(without).load().indexes().get("g.by_no");
    open().changeIndex(index, IndexState.WRITE_ONLY);

    assertThat(failure(() -> open(without).load()))
        .hasMessageContaining("g.by_no is write_only in the catalog and the file lacks it")
        .extracting("code")
        .isEqualTo(ErrorCode.CATALOG_MISMATCH);
    assertThat(failure(() -> open(configuration(url, WITH_INDEX.replace("[no]", "[x]"))).load()))
        .hasMessageContaining("has the columns [no] in the catalog and [x] in the file");
    assertThat(
            failure(
                () ->
                    open(configuration(
                            url,
                            WITH_INDEX
                                .replace("{columns", "{table: v, columns")
                                .replace("t: }", "t: , v: }")))
                        .load()))
        .hasMessageContaining("is one of table t in the catalog and of v in the file");
  }

  @Test
  void install_catalogOfFormatOne_isReadBeforeAndUpgraded() throws SQLException {
    execute(url, "DROP TABLE shardwright_list");
    execute(url, "DROP TABLE shardwright_index");
    execute(url, "DROP TABLE shardwright_driver");
    execute(url, "DROP TABLE shardwright_state");
    execute(url, "UPDATE shardwright_meta SET format = 1");
    Catalog catalog = open();
    CatalogState old = catalog.load();
    assertThat(old.version()).isZero();
    assertThat(catalog.loadIfNewer(old)).isEmpty();
    BucketMap moved = catalog.publish(move(old), "by format 1");

    assertThat(install(configuration).created())
        .containsExactly(
            "table shardwright_index",
            "table shardwright_driver",
            "table shardwright_state",
            "table shardwright_list");

    CatalogState upgraded = catalog.loadIfNewer(old).orElseThrow();
    assertThat(upgraded.version()).isEqualTo(1);
    assertSame(upgraded.maps().get("g"), moved);
    assertThat(query(url, "SELECT format FROM shardwright_meta")).containsExactly("6");
  }

  @Test
  void install_catalogOfFormatTwo_isReadBeforeAndUpgraded() throws SQLException {
    record(configuration, DECLARED);
    execute(url, "DROP TABLE shardwright_list");
    execute(url, "UPDATE shardwright_meta SET format = 2");
    CatalogState old = open().load();
    assertThat(old.indexes()).containsOnlyKeys("g.by_no");

    assertThat(install(configuration).created()).containsExactly("table shardwright_list");

    assertThat(query(url, "SELECT format FROM shardwright_meta")).containsExactly("6");
    assertThat(open().load().indexes()).isEqualTo(old.indexes());
  }

  @Test
  void recordIndexes_thatIsNotUnique_keepsWhatIsFixed() throws SQLException {
    Configuration with = configuration(url, WITH_LIST);
    record(with, LIST);

    CatalogState state = open(with).load();
    CatalogIndex recorded = state.indexes().get("g.by_shop");
    assertThat(recorded.withVersion(0)).isEqualTo(LIST);
    assertThat(query(url, "SELECT key_columns FROM shardwright_group WHERE name = 'g.by_shop'"))
        .containsExactly("shop");
    List<Long> giants = List.of(-1L, 0L, Long.MIN_VALUE, 77L);
    CatalogIndex started =
        open(with).changeIndex(recorded, recorded.withGiants(giants).with(IndexState.WRITE_ONLY));
    assertThat(started.list().orElseThrow().giants()).containsExactly(Long.MIN_VALUE, -1L, 0L, 77L);
    assertThat(open(with).load().indexes()).containsEntry("g.by_shop", started);
    CatalogIndex readable = open(with).changeIndex(started, IndexState.READABLE);
    assertThat(open(with).load().indexes().get("g.by_shop")).isEqualTo(readable);
    assertThat(readable.list()).isEqualTo(started.list());

    for (String other :
        List.of(
            WITH_LIST.replace("shard_by: [shop]", "shard_by: [shop, day]"),
            WITH_LIST.replace("{status: stale-ok, gone: check}", "{status: check, gone: check}"),
            WITH_LIST.replace("giants: 4", "giants: 8"),
            WITH_LIST.replaceAll(", shard_by.*4\\}", ", unique: true"))) {
      assertThat(failure(() -> open(configuration(url, other)).load()))
          .as(other)
          .hasMessageContaining("in the catalog")
          .extracting("code")
          .isEqualTo(ErrorCode.CATALOG_MISMATCH);
    }
    open(with).removeIndex(open(with).changeIndex(readable, IndexState.DECLARED));
    assertThat(query(url, "SELECT * FROM shardwright_list")).isEmpty();
  }

  @Test
  void renew_eachSecond_isLiveAndTellsOfNewerStates() throws SQLException {
    record(configuration, DECLARED);
    Catalog driver = open();
    CatalogState known = driver.load();
    DriverLease lease = lease();
    assertThat(lease.isLive()).isFalse();

    assertThat(driver.renew(lease, known)).isEmpty();
    assertThat(lease.isLive()).isTrue();
    clock.step(DriverLease.LENGTH);
    assertThat(lease.isLive()).isFalse();
    driver.renew(lease, known);

    CatalogIndex changed =
        open().changeIndex(known.indexes().get("g.by_no"), IndexState.WRITE_ONLY);
    CatalogState newer = driver.renew(lease, known).orElseThrow();
    assertThat(newer.indexes()).containsEntry("g.by_no", changed);
    assertThat(lease.isLive()).as("others wait for it").isTrue();
    assertThat(open().awaitSeen(newer.version(), Duration.ZERO)).containsExactly(lease.id());
    assertThat(driver.renew(lease, newer)).isEmpty();
    assertThat(open().awaitSeen(newer.version(), Duration.ZERO)).isEmpty();
  }

  @Test
  void renew_afterALapse_isLiveOnlyWithTheCurrentState() throws SQLException {
    record(configuration, DECLARED);
    Catalog driver = open();
    CatalogState known = driver.load();
    DriverLease lease = lease();
    driver.renew(lease, known);
    open().changeIndex(known.indexes().get("g.by_no"), IndexState.WRITE_ONLY);
    letLapse();
    clock.step(DriverLease.LENGTH);

    CatalogState newer = driver.renew(lease, known).orElseThrow();
    assertThat(lease.isLive()).isFalse();
    assertThat(driver.renew(lease, newer)).isEmpty();
    assertThat(lease.isLive()).isTrue();
  }

  @Test
  void renew_ofAnOldStateForTheFirstTime_isNotLive() throws SQLException {
    record(configuration, DECLARED);
    Catalog driver = open();
    CatalogState known = driver.load();
    CatalogIndex changed =
        open().changeIndex(known.indexes().get("g.by_no"), IndexState.WRITE_ONLY);
    assertThat(open().awaitSeen(changed.version(), Duration.ZERO)).isEmpty();
    DriverLease lease = lease();

    assertThat(driver.renew(lease, known)).isPresent();
    assertThat(lease.isLive()).isFalse();
  }

  @Test
  void awaitSeen_lapsedOrReleasedLeases_areNotWaitedFor() throws SQLException {
    record(configuration, DECLARED);
    Catalog driver = open();
    CatalogState known = driver.load();
    DriverLease lapsing = lease();
    DriverLease released = lease();
    driver.renew(lapsing, known);
    driver.renew(released, known);
    long next = open().changeIndex(known.indexes().get("g.by_no"), IndexState.WRITE_ONLY).version();
    assertThat(open().awaitSeen(next, Duration.ZERO))
        .containsExactlyInAnyOrder(lapsing.id(), released.id());

    driver.release(released);
    assertThat(released.isLive()).isFalse();
    assertThat(open().awaitSeen(next, Duration.ZERO)).containsExactly(lapsing.id());
    letLapse();
    assertThat(open().awaitSeen(next, Duration.ZERO)).isEmpty();
    assertThat(query(url, "SELECT count(*) FROM shardwright_driver")).containsExactly("0");
  }

  /** It looks again and again, and lets the process that it waits for use the same catalog. */
  @Test
  void awaitSeen_untilAProcessAcknowledges_ends() throws Exception {
    record(configuration, DECLARED);
    Catalog catalog = open();
    CatalogState known = catalog.load();
    DriverLease lease = lease();
    catalog.renew(lease, known);
    long next =
        catalog.changeIndex(known.indexes().get("g.by_no"), IndexState.WRITE_ONLY).version();

    CompletableFuture<List<?>> waiter =
        CompletableFuture.supplyAsync(() -> catalog.awaitSeen(next, Duration.ofMinutes(5)));
    CatalogState newer = catalog.renew(lease, known).orElseThrow();
    assertThat(waiter).isNotDone();
    catalog.renew(lease, newer);

    assertThat(waiter.get()).isEmpty();
  }

  /** The renewal came after the change began and before it was committed: it must know of it. */
  @Test
  void renew_duringAChange_waitsForItsEnd() throws Exception {
    record(configuration, DECLARED);
    Catalog driver = open();
    CatalogState known = driver.load();
    DriverLease lease = lease();
    try (Connection changing = TestingConfiguration.connect(url);
        Statement statement = changing.createStatement()) {
      changing.setAutoCommit(false);
      statement.execute("UPDATE shardwright_state SET version = version + 1");
      CompletableFuture<Optional<CatalogState>> renewal =
          CompletableFuture.supplyAsync(() -> driver.renew(lease, known));
      while (query(url, waiting()).equals(List.of("0"))) {
        assertThat(renewal).isNotDone();
        Thread.onSpinWait();
      }
      changing.commit();

      assertThat(renewal.get()).isPresent();
      assertThat(lease.isLive()).isFalse();
    }
  }

  private DriverLease lease() {
    return new DriverLease(clock, () -> clock.instant().toEpochMilli() * 1_000_000);
  }

  /** On the catalog's clock. */
  private void letLapse() throws SQLException {
    execute(
        url,
        "UPDATE shardwright_driver SET expires_at = CURRENT_TIMESTAMP(6) - INTERVAL '1' MINUTE");
  }

  private void record(Configuration as, CatalogIndex index) throws SQLException {
    try (Connection c = TestingConfiguration.connect(url)) {
      CatalogInstaller.recordIndexes(c, as, Map.of(index, List.of(KeyType.TEXT)));
    }
  }
}
