package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.config.IndexKind;
import io.shardwright.lookup.Entries;
import io.shardwright.lookup.LookupCacheStatistics;
import io.shardwright.lookup.LookupCaches;
import io.shardwright.lookup.Lookups;
import io.shardwright.lookup.UniqueIndex;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Places of values of a unique lookup index, kept by the process that asked for them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LookupCacheContract {
  private static final String INSERT = "INSERT INTO samples (k, id, v) VALUES (?, ?, ?)";
  private static final String BY_V = "SELECT id FROM samples WHERE v = ?";

  /** With a value that no test used before: the caches live on. */
  private static final String BY_T = "SELECT id FROM samples WHERE t = ?";

  private final TestingDatabase database;
  private TestingShards shards;
  private ShardwrightDataSource other;
  private final List<StatementTrace> traces = Collections.synchronizedList(new ArrayList<>());
  private final StatementListener listener = traces::add;

  LookupCacheContract(TestingDatabase database) {
    this.database = database;
  }

  @BeforeAll
  void open() throws SQLException {
    shards =
        TestingShards.withIndexes(
            database,
            3,
            "{max: 8, timeout: 3s}",
            "{by_v: {columns: [v], unique: true, cache: {size: 1000}},"
                + " by_t: {columns: [t], unique: true, cache: {misses: 1m}}}");
    shards.source().lookupIndexes().create("samples.by_v", 0, (done, all, report) -> {});
    shards.source().lookupIndexes().create("samples.by_t", 0, (done, all, report) -> {});
    other = shards.openDirect();
  }

  @AfterAll
  void close() {
    other.close();
    shards.close();
  }

  @BeforeEach
  void trace() {
    traces.clear();
    shards.source().addListener(listener);
  }

  @AfterEach
  void clear() throws SQLException {
    shards.source().removeListener(listener);
    shards.assertIdle();
    shards.update("DELETE /* shardwright: scatter=allow */ FROM samples WHERE id > 0");
  }

  /** By another process, of whose writes this one's caches hear nothing. */
  private void elsewhere(String sql, Object... parameters) throws SQLException {
    try (Connection connection = other.getConnection()) {
      TestingShards.update(connection, sql, parameters);
    }
  }

  /** The rows found, and how many statements that took. */
  private String found(String sql, Object... parameters) throws SQLException {
    int before = traces.size();
    List<String> rows = shards.rows(sql, parameters);
    return rows + " by " + traces.get(before).physicalStatements();
  }

  @Test
  void aValueIsAskedForOnce() throws SQLException {
    elsewhere(INSERT, shards.keyOn(0, 0), 1, "once");
    LookupCacheStatistics before = statistics("by_v");
    assertThat(found(BY_V, "once")).isEqualTo("[1] by 2");
    assertThat(found(BY_V, "once")).isEqualTo("[1] by 1");
    assertThat(found("SELECT id FROM samples WHERE 'once' = v")).isEqualTo("[1] by 1");
    LookupCacheStatistics after = statistics("by_v");
    assertThat(after.hits() - before.hits()).isEqualTo(2);
    assertThat(after.misses() - before.misses()).isEqualTo(1);
    assertThat(after.hitRate()).isBetween(0.01, 1.0);
  }

  private LookupCacheStatistics statistics(String index) {
    return shards
        .source()
        .lookupCaches()
        .getOrDefault("samples." + index, new LookupCacheStatistics(0, 0, 0, 0));
  }

  /** By a clock of its own. */
  @Test
  void aPlaceInUse_isAskedForAgain_beforeItExpires() throws SQLException {
    AtomicLong now = new AtomicLong();
    Cluster cluster = shards.source().cluster();
    UniqueIndex index = cluster.database().index("samples.by_v").orElseThrow();
    Entries entries = new Entries(new DirectShards(shards));
    IndexKind.Cache settings =
        new IndexKind.Cache(
            10, Duration.ofMinutes(10), Duration.ofMinutes(8), Duration.ZERO, false);
    elsewhere(INSERT, shards.keyOn(0, 0), 1, "used");
    try (LookupCaches caches =
        new LookupCaches(
            entries, Map.of("samples.by_v", settings), Optional.empty(), Thread::new, now::get)) {
      String first = bucketOf(shards.keyOn(0, 0));
      String later = bucketOf(shards.keyOn(1, 0));
      assertThat(places(entries, caches, index)).isEqualTo(first + " by 1");
      elsewhere("DELETE FROM samples WHERE v = 'used'");
      elsewhere(INSERT, shards.keyOn(1, 0), 2, "used");
      now.addAndGet(Duration.ofMinutes(7).toNanos());
      assertThat(places(entries, caches, index)).isEqualTo(first + " by 0");
      now.addAndGet(Duration.ofMinutes(2).toNanos());
      // Its use does not wait for the answer.
      assertThat(places(entries, caches, index)).endsWith(" by 0");
      ListFixture.await(() -> places(entries, caches, index).equals(later + " by 0"));
      // As old as the second answer, it has not expired; nobody uses it until it has.
      now.addAndGet(Duration.ofMinutes(7).toNanos());
      assertThat(places(entries, caches, index)).isEqualTo(later + " by 0");
      now.addAndGet(Duration.ofMinutes(11).toNanos());
      assertThat(places(entries, caches, index)).isEqualTo(later + " by 1");
    }
  }

  private String bucketOf(long key) {
    return "[" + shards.samplesBucket(key) + "]";
  }

  /** The buckets of value "used", and how many statements its look-up sent. */
  private static String places(Entries entries, LookupCaches caches, UniqueIndex index)
      throws SQLException {
    Lookups lookups = new Lookups(entries, caches, true);
    return lookups.buckets(index, 1, List.of(List.of("used"))) + " by " + lookups.statements();
  }

  @Test
  void aRowThatMoved_isFoundAtItsNewPlace() throws SQLException {
    elsewhere(INSERT, shards.keyOn(0, 0), 1, "moves");
    assertThat(found(BY_V, "moves")).isEqualTo("[1] by 2");
    elsewhere("DELETE FROM samples WHERE k = ?", shards.keyOn(0, 0));
    elsewhere(INSERT, shards.keyOn(1, 0), 2, "moves");
    assertThat(shards.rows(BY_V, "moves")).containsExactly("2");
    assertThat(found(BY_V, "moves")).isEqualTo("[2] by 1");
    elsewhere("DELETE FROM samples WHERE k = ?", shards.keyOn(1, 0));
    assertThat(shards.rows(BY_V, "moves")).isEmpty();
    elsewhere(INSERT, shards.keyOn(2, 0), 3, "moves");
    assertThat(shards.rows(BY_V, "moves")).containsExactly("3");
  }

  @Test
  void whatShowsNoRows_andWrites_useNoPlaceThatIsOutOfDate() throws SQLException {
    elsewhere(INSERT, shards.keyOn(0, 0), 1, "stale");
    assertThat(shards.rows(BY_V, "stale")).containsExactly("1");
    elsewhere("DELETE FROM samples WHERE k = ?", shards.keyOn(0, 0));
    elsewhere(INSERT, shards.keyOn(1, 0), 2, "stale");
    assertThat(shards.rows("SELECT count(*) FROM samples WHERE v = 'stale'")).containsExactly("1");
    elsewhere("DELETE FROM samples WHERE k = ?", shards.keyOn(1, 0));
    elsewhere(INSERT, shards.keyOn(2, 0), 3, "stale");
    assertThat(shards.update("UPDATE samples SET i4 = 5 WHERE v = 'stale'")).isEqualTo(1);
    assertThat(shards.rows("SELECT id, i4 FROM samples WHERE v = 'stale'")).containsExactly("3|5");
  }

  @Test
  void ownWritesAreKnown() throws SQLException {
    assertThat(shards.rows(BY_V, "warm")).isEmpty();
    shards.update(INSERT, shards.keyOn(0, 0), 1, "own");
    assertThat(found(BY_V, "own")).isEqualTo("[1] by 1");
    shards.update("UPDATE samples SET v = 'owned' WHERE k = ?", shards.keyOn(0, 0));
    assertThat(found(BY_V, "owned")).isEqualTo("[1] by 1");
    assertThat(shards.rows(BY_V, "own")).isEmpty();
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      TestingShards.update(connection, INSERT, shards.keyOn(0, 1), 2, "undone");
      connection.rollback();
    }
    assertThat(shards.rows(BY_V, "undone")).isEmpty();
  }

  @Test
  void missesAreKeptOnlyWhereThatIsDeclared() throws SQLException {
    assertThat(found(BY_V, "later")).isEqualTo("[] by 2");
    assertThat(found(BY_V, "later")).isEqualTo("[] by 2");
    assertThat(found(BY_T, "later")).isEqualTo("[] by 2");
    assertThat(found(BY_T, "later")).isEqualTo("[] by 1");
    shards.update("INSERT INTO samples (k, id, t) VALUES (?, 1, 'later')", shards.keyOn(0, 0));
    assertThat(found(BY_T, "later")).as("a create ends a miss").isEqualTo("[1] by 1");
  }

  @Test
  void threadsThatWantOneValue_askOnce() throws Exception {
    int threads = 8;
    elsewhere(INSERT, shards.keyOn(0, 0), 1, "wanted");
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<List<String>>> same =
          Collections.nCopies(threads, () -> shards.rows(BY_V, "wanted"));
      for (Future<List<String>> rows : executor.invokeAll(same)) {
        assertThat(rows.get()).containsExactly("1");
      }
    } finally {
      executor.shutdown();
    }
    assertThat(traces.stream().mapToInt(StatementTrace::physicalStatements).sum())
        .isEqualTo(threads + 1);
  }

  @Test
  void severalValues_askTheIndex() throws SQLException {
    shards.update(INSERT, shards.keyOn(0, 0), 1, "a");
    shards.update(INSERT, shards.keyOn(1, 0), 2, "b");
    assertThat(shards.rows("SELECT id FROM samples WHERE v IN ('a', 'b') ORDER BY id"))
        .containsExactly("1", "2");
  }

  @Test
  void anIndexThatWasDroppedAndMadeAgain_startsAnew() throws SQLException {
    try (TestingShards own =
        TestingShards.withIndexes(
            database,
            2,
            "{max: 6, timeout: 3s}",
            "{by_v: {columns: [v], unique: true, cache: {misses: 1m}}}")) {
      LookupIndexes indexes = own.source().lookupIndexes();
      indexes.create("samples.by_v", 0, (done, all, report) -> {});
      own.update(INSERT, 1, 1, "x");
      assertThat(own.rows(BY_V, "x")).containsExactly("1");
      assertThat(own.rows(BY_V, "none")).isEmpty();
      indexes.drop("samples.by_v");
      own.update(INSERT, 2, 2, "none");
      own.applyAgain();
      indexes.create("samples.by_v", 0, (done, all, report) -> {});
      assertThat(own.rows(BY_V, "none")).containsExactly("2");
      assertThat(own.rows(BY_V, "x")).containsExactly("1");
    }
  }
}
