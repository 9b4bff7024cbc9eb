package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.lookup.Reconciliation.Progress;
import io.shardwright.lookup.Reconciliation.Report;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each kind of write to a table with a unique lookup index, by a process that dies before its first
 * message to a shard, its second, and so on until the write is done: the shards see all its
 * connections reset at once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LookupIndexCrashContract {
  private static final String NAME = "samples.by_v";
  private static final Progress QUIET = (done, all, report) -> {};
  private static final String INSERT = "INSERT INTO samples (k, id, v) VALUES (?, ?, ?)";

  /** More messages than any of the writes sends. */
  private static final int MESSAGES_MAX = 80;

  private final TestingDatabase database;
  private final ExecutorService burials = Executors.newCachedThreadPool();
  private TestingShards shards;
  private ShardwrightDataSource observer;
  private long[] keys;

  LookupIndexCrashContract(TestingDatabase database) {
    this.database = database;
  }

  /** A write. */
  interface Write {
    void run(Connection connection, long[] keys) throws SQLException;
  }

  /** With its name in reports. */
  record Named(String name, Write write) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Named> writes() {
    return Stream.of(
        new Named("insert", (c, k) -> update(c, INSERT, k[0], 100, "new")),
        new Named("insert of a value that is taken", (c, k) -> update(c, INSERT, k[1], 100, "a")),
        new Named("update", (c, k) -> update(c, "UPDATE samples SET v = 'new' WHERE v = 'a'")),
        new Named("delete", (c, k) -> update(c, "DELETE FROM samples WHERE v = 'a'")),
        new Named("update away and back", LookupIndexCrashContract::awayAndBack),
        new Named("value goes to another row", LookupIndexCrashContract::toAnotherRow),
        new Named("swap", LookupIndexCrashContract::swap),
        new Named(
            "insert on two shards",
            (c, k) ->
                update(
                    c,
                    "INSERT INTO samples (k, id, v) VALUES (?, 100, 'new'), (?, 101, 'newer')",
                    k[0],
                    k[1])),
        new Named("batch", LookupIndexCrashContract::batch));
  }

  private static void awayAndBack(Connection connection, long[] keys) throws SQLException {
    connection.setAutoCommit(false);
    update(connection, "UPDATE samples SET v = 'new' WHERE k = ? AND id = 1", keys[0]);
    update(connection, "UPDATE samples SET v = 'a' WHERE k = ? AND id = 1", keys[0]);
    connection.commit();
  }

  private static void toAnotherRow(Connection connection, long[] keys) throws SQLException {
    connection.setAutoCommit(false);
    update(connection, "DELETE FROM samples WHERE k = ? AND id = 1", keys[0]);
    update(connection, INSERT, keys[0], 100, "a");
    connection.commit();
  }

  private static void swap(Connection connection, long[] keys) throws SQLException {
    update(
        connection,
        "UPDATE samples SET v = CASE v WHEN 'a' THEN 'b' ELSE 'a' END WHERE k = ? AND id <= 2",
        keys[0]);
  }

  private static void batch(Connection connection, long[] keys) throws SQLException {
    try (PreparedStatement batch = connection.prepareStatement(INSERT)) {
      for (int i = 0; i < 3; i++) {
        batch.setLong(1, keys[i % 2]);
        batch.setLong(2, 100 + i);
        batch.setString(3, "batch-" + i);
        batch.addBatch();
      }
      batch.executeBatch();
    }
  }

  private static void update(Connection connection, String sql, Object... parameters)
      throws SQLException {
    TestingShards.update(connection, sql, parameters);
  }

  @BeforeAll
  void open() throws SQLException {
    shards =
        TestingShards.withIndexes(
            database, 2, "{max: 8, timeout: 250ms}", "{by_v: {columns: [v], unique: true}}");
    shards.source().lookupIndexes().create(NAME, 0, QUIET);
    observer = shards.openDirect();
    keys = new long[] {shards.keyOn(0, 0), shards.keyOn(1, 0)};
  }

  @AfterAll
  void close() throws InterruptedException {
    burials.shutdown();
    assertThat(burials.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
    observer.close();
    shards.close();
  }

  @ParameterizedTest
  @MethodSource("writes")
  void aWriterMayDieAnywhere(Named write) throws SQLException {
    boolean completed = false;
    int deaths = 0;
    for (int message = 1; !completed; message++) {
      assertThat(message).as("messages of %s", write).isLessThan(MESSAGES_MAX);
      prepareRows();
      completed = survives(write.write(), message);
      deaths += completed ? 0 : 1;
      check(write + ", death before message " + message);
    }
    assertThat(deaths).as("deaths of %s", write).isPositive();
  }

  private void prepareRows() throws SQLException {
    try (Connection connection = observer.getConnection()) {
      update(connection, "DELETE /* shardwright: scatter=allow */ FROM samples WHERE id > 0");
      update(connection, INSERT, keys[0], 1, "a");
      update(connection, INSERT, keys[0], 2, "b");
      update(connection, INSERT, keys[1], 3, "c");
    }
  }

  /** False when the process died. */
  private boolean survives(Write write, int lastMessage) {
    TestingShards.OtherProcess process = shards.new OtherProcess();
    AtomicInteger messages = new AtomicInteger(Integer.MIN_VALUE);
    process.beforeMessage(
        () -> {
          if (messages.incrementAndGet() >= lastMessage) {
            process.die();
          }
        });
    try (Connection connection = process.source().getConnection()) {
      TestingShards.rows(connection, "SELECT id FROM samples WHERE v = 'c'");
      messages.set(0);
      write.run(connection, keys);
    } catch (SQLException e) {
      // What became of the write is judged by what is stored.
      return messages.get() < lastMessage;
    } finally {
      burials.execute(process::bury);
    }
    return messages.get() < lastMessage;
  }

  private void check(String when) throws SQLException {
    List<String> rows;
    try (Connection connection = observer.getConnection()) {
      rows =
          TestingShards.rows(
              connection, "SELECT /* shardwright: scatter=allow */ v, id FROM samples");
      assertThat(rows.stream().map(row -> row.substring(0, row.indexOf('|'))))
          .as(when)
          .doesNotHaveDuplicates();
      for (String value : List.of("a", "b", "c", "new", "newer", "batch-0", "batch-1", "batch-2")) {
        List<String> expected =
            rows.stream()
                .filter(row -> row.startsWith(value + "|"))
                .map(row -> row.substring(row.indexOf('|') + 1))
                .toList();
        assertThat(TestingShards.rows(connection, "SELECT id FROM samples WHERE v = ?", value))
            .as("%s: %s", when, value)
            .isEqualTo(expected);
      }
    }
    Report found = observer.lookupIndexes().verify(NAME, true, 0, QUIET);
    assertThat(found.missing()).as("%s: rows without entry", when).isZero();
    assertThat(found.conflicts() + found.busy()).as(when).isZero();
    Report swept = observer.lookupIndexes().verify(NAME, false, 0, QUIET);
    assertThat(swept.extra()).as(when).isZero();
    assertThat(swept.candidates()).as(when).isEqualTo(rows.size());
  }
}
