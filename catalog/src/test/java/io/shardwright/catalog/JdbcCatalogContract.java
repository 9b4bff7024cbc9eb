package io.shardwright.catalog;

import static io.shardwright.catalog.TestingConfiguration.execute;
import static io.shardwright.catalog.TestingConfiguration.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.CatalogInstaller.Installed;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a catalog in a database does, on each of them. */
abstract class JdbcCatalogContract extends CatalogFixture {
  @Test
  void load_beforeInstall_asksForApply() {
    assertThat(code(() -> open().load())).isEqualTo(ErrorCode.NOT_APPLIED);
  }

  @Test
  void load_afterInstall_isTheInitialMapOfEachGroup() throws SQLException {
    Installed first = install(configuration);
    CatalogState state = open().load();

    assertThat(first.existing()).isEmpty();
    assertThat(first.created())
        .containsExactly(
            "table shardwright_meta",
            "table shardwright_group",
            "table shardwright_table",
            "table shardwright_map_version",
            "table shardwright_map_range",
            "table shardwright_index",
            "table shardwright_driver",
            "table shardwright_state",
            "table shardwright_node",
            "table shardwright_sequence",
            "table shardwright_job",
            "table shardwright_list",
            "table shardwright_move",
            "table shardwright_heat",
            "table shardwright_move_stage",
            "table shardwright_directory",
            "group g",
            "group h");
    assertThat(state.clusterId()).isPresent();
    assertThat(state.maps()).containsOnlyKeys("g", "h");
    assertSame(state.maps().get("g"), BucketMap.initial("g", 16, List.of(S0, S1)));
    assertSame(state.maps().get("h"), BucketMap.initial("h", 2, List.of(S0, S1)));
  }

  @Test
  void install_again_changesNothing() throws SQLException {
    install(configuration);
    CatalogState before = open().load();
    BucketMap moved = open().publish(move(before), "test");
    Installed again = install(configuration);
    CatalogState after = open().load();

    assertThat(again.created()).isEmpty();
    assertThat(again.existing()).hasSize(18);
    assertThat(after.clusterId()).isEqualTo(before.clusterId());
    assertSame(after.maps().get("g"), moved);
  }

  @Test
  void install_overFormatOne_addsWhatFormatTwoHas() throws SQLException {
    install(configuration);
    BucketMap moved = open().publish(move(open().load()), "test");
    execute(url, "DROP TABLE shardwright_node");
    execute(url, "DROP TABLE shardwright_sequence");
    execute(url, "UPDATE shardwright_meta SET format = 1");
    assertSame(open().load().maps().get("g"), moved);

    Installed upgraded = install(configuration);

    assertThat(upgraded.created())
        .containsExactly("table shardwright_node", "table shardwright_sequence");
    assertThat(query(url, "SELECT format FROM shardwright_meta")).containsExactly("6");
    assertSame(open().load().maps().get("g"), moved);
  }

  @Test
  void install_twiceAtOnce_worksOnce() throws Exception {
    List<Installed> both = atOnce(4, () -> install(configuration));

    assertThat(both).filteredOn(installed -> !installed.created().isEmpty()).hasSize(1);
    assertThat(query(url, "SELECT count(*) FROM shardwright_meta")).containsExactly("1");
  }

  @Test
  void install_newGroup_isAddedToTheOthers() throws SQLException {
    install(configuration(url, "groups: {h: {key: [k], buckets: 2, tables: {u: }}}"));
    Installed later = install(configuration);

    assertThat(later.created()).containsExactly("group g");
    assertThat(open().load().maps()).containsOnlyKeys("g", "h");
  }

  @Test
  void publish_nextVersion_isLoadedByOthers() throws SQLException {
    install(configuration);
    Catalog reader = open();
    CatalogState first = reader.load();
    assertThat(reader.loadIfNewer(first)).isEmpty();

    BucketMap next = move(first);
    assertThat(open().publish(next, "because")).isSameAs(next);

    CatalogState second = reader.loadIfNewer(first).orElseThrow();
    assertSame(second.maps().get("g"), next);
    assertSame(second.maps().get("h"), first.maps().get("h"));
    assertThat(reader.loadIfNewer(second)).isEmpty();
    assertThat(query(url, "SELECT version, reason FROM shardwright_map_version WHERE grp = 'g'"))
        .containsExactly("1|initial", "2|because");
  }

  @Test
  void publish_staleOrSkippedVersion_isAConflict() throws SQLException {
    install(configuration);
    CatalogState first = open().load();
    open().publish(move(first), "first");

    assertThat(code(() -> open().publish(move(first), "late")))
        .isEqualTo(ErrorCode.CATALOG_CONFLICT);
    BucketMap current = open().load().maps().get("g");
    BucketMap skipped = current.withMoved(List.of(), S0).withMoved(List.of(), S0);
    assertThat(code(() -> open().publish(skipped, "early"))).isEqualTo(ErrorCode.CATALOG_CONFLICT);
    assertSame(open().load().maps().get("g"), current);
  }

  @Test
  void publish_byManyAtOnce_isWonByOneEachTime() throws Exception {
    install(configuration);
    for (int round = 0; round < 5; round++) {
      BucketMap next = move(open().load());
      List<Boolean> won =
          atOnce(
              4,
              () -> {
                try (Catalog catalog = Catalog.open(configuration)) {
                  catalog.publish(next, "race");
                  return true;
                } catch (ShardwrightException e) {
                  assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_CONFLICT);
                  return false;
                }
              });

      assertThat(won).containsOnlyOnce(true);
      assertSame(open().load().maps().get("g"), next);
    }
  }

  @Test
  void publish_unknownGroupShardOrSize_isRefused() throws SQLException {
    install(configuration);
    BucketMap current = open().load().maps().get("g");

    BucketMap foreign = current.withMoved(List.of(new BucketId(3)), new ShardId("s9"));
    assertThat(code(() -> open().publish(foreign, "x"))).isEqualTo(ErrorCode.CATALOG_MISMATCH);
    BucketMap small = BucketMap.initial("g", 8, List.of(S0)).withMoved(List.of(), S0);
    assertThat(code(() -> open().publish(small, "x"))).isEqualTo(ErrorCode.CATALOG_MISMATCH);
    BucketMap unknown = BucketMap.initial("x", 8, List.of(S0)).withMoved(List.of(), S0);
    assertThat(code(() -> open().publish(unknown, "x"))).isEqualTo(ErrorCode.CATALOG_MISMATCH);
    assertSame(open().load().maps().get("g"), current);
  }

  @Test
  void load_newerFormat_isRefusedEverywhere() throws SQLException {
    install(configuration);
    CatalogState state = open().load();
    execute(url, "UPDATE shardwright_meta SET format = 7");

    assertThat(code(() -> open().load())).isEqualTo(ErrorCode.CATALOG_FORMAT_UNSUPPORTED);
    assertThat(code(() -> open().loadIfNewer(state)))
        .isEqualTo(ErrorCode.CATALOG_FORMAT_UNSUPPORTED);
    assertThat(code(() -> open().publish(move(state), "x")))
        .isEqualTo(ErrorCode.CATALOG_FORMAT_UNSUPPORTED);
  }

  @Test
  void load_otherDefinition_namesBothValues() throws SQLException {
    install(configuration);

    assertMismatch(
        GROUPS.replace("[a, b]", "[b, a]"), "key is [a, b] in the catalog and [b, a] in");
    assertMismatch(GROUPS.replace("16", "32"), "buckets is 16 in the catalog and 32 in the file");
    execute(url, "UPDATE shardwright_group SET hash = 'murmur3' WHERE name = 'g'");
    assertMismatch(GROUPS, "group g: hash is murmur3 in the catalog and xxh64 in the file");
    execute(url, "UPDATE shardwright_group SET hash = 'xxh64', layout = 'suffix'");
    assertMismatch(GROUPS, "layout is suffix in the catalog and column in the file");
  }

  @Test
  void load_tableOfAnotherKeyOrGroup_namesBoth() throws SQLException {
    install(configuration);
    try (Connection c = TestingConfiguration.connect(url)) {
      CatalogInstaller.recordTables(c, configuration);
      CatalogInstaller.recordTables(c, configuration);
    }

    open().load();
    open(configuration(url, GROUPS.replace("t: }", "v: }"))).load();
    assertMismatch(
        GROUPS.replace("t: }", "t: {key: [b, a]}}"),
        "table t has the key [a, b] in the catalog and the key [b, a] in the file; group and key");
    assertMismatch(
        GROUPS.replace("t: }", "t: {key: [b, a]}}"), "write groups.g.tables.t.key: [a, b] in");
    assertMismatch(
        GROUPS.replace("t: }", "v: }").replace("u: }", "t: }"),
        "table t is a table of group g in the catalog and is one of group h in the file");
    assertMismatch(
        GROUPS.replace("t: }", "v: }") + "\nreference: [t]",
        "table t is a table of group g in the catalog and is a reference table in the file");
  }

  @Test
  void recordTables_afterAnotherFileDid_isRefusedAndChangesNothing() throws SQLException {
    install(configuration);
    try (Connection c = TestingConfiguration.connect(url)) {
      CatalogInstaller.recordTables(
          c, configuration(url, GROUPS.replace("t: }", "t: {key: [b, a]}}")));

      assertThat(
              code(
                  () ->
                      CatalogInstaller.recordTables(
                          c, configuration(url, GROUPS.replace("t: }", "t: , v: }")))))
          .isEqualTo(ErrorCode.CATALOG_MISMATCH);
    }
    assertThat(
            TestingConfiguration.query(
                url, "SELECT name, grp, key_columns FROM shardwright_table ORDER BY name"))
        .containsExactly("t|g|b,a", "u|h|k");
  }

  @Test
  void load_shardThatTheFileLacks_isNamed() throws SQLException {
    install(configuration);
    Configuration less = TestingConfiguration.of(url, List.of("jdbc:postgresql://h0/d"), GROUPS);

    ShardwrightException e = failure(() -> open(less).load());

    assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_MISMATCH);
    assertThat(e).hasMessageContaining("names shard s1, which the configuration lacks");
  }

  @Test
  void load_groupThatTheCatalogLacks_asksForApply() throws SQLException {
    install(configuration(url, "groups: {h: {key: [k], buckets: 2, tables: {u: }}}"));

    ShardwrightException e = failure(() -> open().load());

    assertThat(e.code()).isEqualTo(ErrorCode.NOT_APPLIED);
    assertThat(e).hasMessageContaining("lacks group g; run shardwright apply");
  }

  @Test
  void load_damagedMap_isABug() throws SQLException {
    install(configuration);
    execute(url, "UPDATE shardwright_map_range SET last_bucket = 5 WHERE first_bucket = 0");

    ShardwrightException e = failure(() -> open().load());

    assertThat(e.code()).isEqualTo(ErrorCode.INVARIANT_BROKEN);
    assertThat(e).hasMessageContaining("bucket 6 no owner or several, of 16");
  }

  @Test
  void loadIfNewer_olderThanKnown_isRefused() throws SQLException {
    install(configuration);
    CatalogState first = open().load();
    CatalogState future =
        new CatalogState(
            first.clusterId(),
            first.version(),
            Map.of("g", move(first)),
            Map.of(),
            Map.of(),
            Map.of());

    ShardwrightException e = failure(() -> open().loadIfNewer(future));

    assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_MISMATCH);
    assertThat(e).hasMessageContaining("older than version 2 seen before");
  }

  @Test
  void recordKeyTypes_otherTypesLater_areTold() throws SQLException {
    install(configuration);
    try (Connection c = TestingConfiguration.connect(url)) {
      List<KeyType> types = List.of(KeyType.INTEGER, KeyType.TEXT);
      assertThat(CatalogInstaller.recordKeyTypes(c, "g", types)).isEmpty();
      assertThat(CatalogInstaller.recordKeyTypes(c, "g", types)).isEmpty();
      assertThat(CatalogInstaller.recordKeyTypes(c, "g", List.of(KeyType.INTEGER, KeyType.INTEGER)))
          .isEqualTo(Optional.of(types));
    }
  }

  private void assertMismatch(String groups, String message) {
    ShardwrightException e = failure(() -> open(configuration(url, groups)).load());
    assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_MISMATCH);
    assertThat(e).hasMessageContaining(message);
  }

  private static <T> List<T> atOnce(int threads, Callable<T> work) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(threads);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(
            executor.submit(
                () -> {
                  barrier.await();
                  return work.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : running) {
        results.add(future.get());
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }
}
