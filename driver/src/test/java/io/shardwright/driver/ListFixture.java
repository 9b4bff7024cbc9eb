package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.lookup.Reconciliation.Progress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Shards whose table samples has the index samples.by_group, which is not unique. */
record ListFixture(TestingShards shards, int count) {
  static final String NAME = "samples.by_group";
  static final Progress QUIET = (done, all, report) -> {};

  /** Types of every kind, to be copied unchanged. */
  static final List<String> COVERING =
      List.of("t", "n", "f4", "f8", "b", "d", "tm", "tstz", "u", "raw", "j");

  static final String INDEX =
      "by_group: {columns: [i4, ts], unique: false, spread: {giants: 4, values: [[1]]}, covering: {"
          + String.join(": stale-ok, ", COVERING)
          + ": check}}";

  private static final String ENTRY = "shardwright_entry_samples_by_group";
  private static final String OUTBOX = "shardwright_outbox_samples_by_group";
  private static final String DEAD = "shardwright_dead_samples_by_group";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static ListFixture open(TestingDatabase database, int count) {
    return open(database, count, "{" + INDEX + "}");
  }

  static ListFixture open(TestingDatabase database, int count, String indexes) {
    return new ListFixture(
        TestingShards.withIndexes(database, count, "{max: 8, timeout: 3s}", indexes), count);
  }

  void create() throws SQLException {
    shards.source().lookupIndexes().create(NAME, 0, QUIET);
  }

  /** On all shards, sorted. */
  List<String> everywhere(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    for (int shard = 0; shard < count; shard++) {
      rows.addAll(shards.shardRows(shard, sql));
    }
    rows.sort(null);
    return rows;
  }

  long sum(String sql) throws SQLException {
    return everywhere(sql).stream().mapToLong(Long::parseLong).sum();
  }

  long waiting() throws SQLException {
    return sum("SELECT count(*) FROM " + OUTBOX);
  }

  long dead() throws SQLException {
    return sum("SELECT count(*) FROM " + DEAD);
  }

  /** What waits is due, whatever was refused before. */
  void hurry() {
    shards.onEveryShard("UPDATE " + OUTBOX + " SET not_before = CURRENT_TIMESTAMP");
  }

  static String entryTable() {
    return ENTRY;
  }

  static String outboxTable() {
    return OUTBOX;
  }

  /** Waits until the feed has delivered everything. */
  void awaitDelivered() throws SQLException {
    await(() -> waiting() == 0);
  }

  /** A condition. */
  interface Condition {
    boolean holds() throws SQLException;
  }

  static void await(Condition condition) throws SQLException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Entries are exactly what the rows are, and each is on the shard of its bucket. */
  void assertSame() throws SQLException {
    awaitDelivered();
    String held = "id, i4, ts, " + String.join(", ", COVERING);
    assertThat(
            everywhere(
                "SELECT shardwright_row_bucket, "
                    + held
                    + " FROM shardwright_list_samples_by_group"))
        .isEqualTo(everywhere("SELECT bucket_id, " + held + " FROM samples WHERE i4 IS NOT NULL"));
    assertThat(shards.source().lookupIndexes().verify(NAME, false, 0, QUIET))
        .satisfies(
            report -> {
              assertThat(report.missing()).as("missing").isZero();
              assertThat(report.extra()).as("extra").isZero();
              assertThat(report.busy()).as("busy").isZero();
              assertThat(report.rows()).isGreaterThanOrEqualTo(report.candidates());
            });
  }
}
