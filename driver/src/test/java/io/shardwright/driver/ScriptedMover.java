package io.shardwright.driver;

import io.shardwright.catalog.Catalog;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Moves one bucket from one shard to another, step by step as docs/decisions/moves.md says, by
 * plain SQL: a test may stop it anywhere. In place of notes of changes the rows are copied once
 * more when nobody writes them.
 */
final class ScriptedMover {
  /** The steps after which a test looks. */
  enum Step {
    ANNOUNCED,
    COPIED,
    CAPTURED,
    CLOSED,
    PUBLISHED,
    AWAY,
    OPEN,
    CLEANED,
    DONE
  }

  private final TestingShards shards;
  private final String group;
  private final String table;
  private final int bucket;
  private final int source;
  private final int target;
  private final AtomicInteger refusedLocks = new AtomicInteger();

  /** Of group samples. */
  ScriptedMover(TestingShards shards, int bucket, int source, int target) {
    this(shards, "samples", "samples", bucket, source, target);
  }

  /**
   * @param group whose only table this is
   */
  ScriptedMover(
      TestingShards shards, String group, String table, int bucket, int source, int target) {
    this.shards = shards;
    this.group = group;
    this.table = table;
    this.bucket = bucket;
    this.source = source;
    this.target = target;
  }

  void run(Step step) throws SQLException {
    switch (step) {
      case ANNOUNCED -> announce();
      case COPIED -> copy();
      case CAPTURED -> row(source, "captured = true");
      case CLOSED -> close();
      case PUBLISHED -> publish();
      case AWAY -> away();
      case OPEN -> row(target, "state = 'open', epoch = " + version());
      case CLEANED -> clean();
      case DONE -> end("done");
    }
  }

  /** Runs all steps up to this one. */
  void runTo(Step last) throws SQLException {
    for (Step step : Step.values()) {
      run(step);
      if (step == last) {
        return;
      }
    }
  }

  private void announce() throws SQLException {
    inCatalog(
        "INSERT INTO shardwright_move (id, grp, source, target, buckets, rows_per_second,"
            + " rollback, window_millis, state, wish, epoch, worker, held_until, intent,"
            + " intent_buckets, rows_total, rows_copied, rows_applied, pending, attempts, note,"
            + " pauses, created_at, changed_at) VALUES ((SELECT coalesce(max(m.id), 0) + 1 FROM"
            + " shardwright_move m), '"
            + group
            + "', 's"
            + source
            + "', 's"
            + target
            + "', '"
            + bucket
            + "', 0, 1, 0, 'copying', 'run', 1, 'test', 0, '', '', 0, 0, 0, 0, 0, '', '', 0, 0)");
    changed();
  }

  /** The target's rows are those of the source, whatever was there. */
  void copy() throws SQLException {
    row(target, "state = 'incoming', foreign_rows = true, token = token + 1");
    row(source, "token = token + 1");
    copyRows();
  }

  private void copyRows() throws SQLException {
    try (Connection from = asMover(source);
        Connection to = asMover(target);
        PreparedStatement select = from.prepareStatement("SELECT * FROM " + rows());
        ResultSet row = select.executeQuery()) {
      to.setAutoCommit(false);
      TestingShards.update(to, "DELETE FROM " + rows());
      int columns = row.getMetaData().getColumnCount();
      try (PreparedStatement insert =
          to.prepareStatement(
              "INSERT INTO " + table + " VALUES (?" + ", ?".repeat(columns - 1) + ")")) {
        while (row.next()) {
          for (int i = 1; i <= columns; i++) {
            insert.setObject(i, row.getObject(i));
          }
          insert.addBatch();
        }
        insert.executeBatch();
      }
      to.commit();
    }
  }

  private String rows() {
    return table + " WHERE bucket_id = " + bucket;
  }

  private void close() throws SQLException {
    row(source, "state = 'closed'");
    copyRows();
  }

  private void publish() {
    try (Catalog catalog = Catalog.open(shards.configuration("direct"))) {
      BucketMap now = catalog.load().maps().get(group);
      catalog.publish(
          now.withMoved(Set.of(new BucketId(bucket)), new ShardId("s" + target)), "test");
    }
  }

  private long version() {
    try (Catalog catalog = Catalog.open(shards.configuration("direct"))) {
      return catalog.load().maps().get(group).version();
    }
  }

  private void away() throws SQLException {
    row(source, "state = 'away', foreign_rows = true, epoch = " + version());
  }

  void clean() throws SQLException {
    try (Connection connection = asMover(source)) {
      TestingShards.update(connection, "DELETE FROM " + rows());
    }
    row(source, "captured = false, foreign_rows = false");
    row(target, "foreign_rows = false");
  }

  /** After CLOSED: the source takes writes again. */
  void reopen() throws SQLException {
    row(source, "state = 'open'");
  }

  /** After reopening: the copy is deleted. */
  void cancel() throws SQLException {
    row(source, "captured = false");
    try (Connection connection = asMover(target)) {
      TestingShards.update(connection, "DELETE FROM " + rows());
    }
    row(target, "state = 'away', foreign_rows = false");
    end("cancelled");
  }

  void end(String state) throws SQLException {
    inCatalog("UPDATE shardwright_move SET state = '" + state + "'");
    changed();
  }

  private void changed() throws SQLException {
    inCatalog("UPDATE shardwright_state SET version = version + 1");
  }

  private void inCatalog(String sql) throws SQLException {
    var endpoint = shards.configuration("direct").catalog().orElseThrow();
    try (Connection connection =
        DriverManager.getConnection(endpoint.url(), endpoint.user(), endpoint.password())) {
      TestingShards.update(connection, sql);
    }
  }

  /** When no writer is in flight: they share the lock. It is tried, never waited for. */
  private void row(int shard, String set) throws SQLException {
    try (Connection connection = asMover(shard)) {
      connection.setAutoCommit(false);
      while (!isLocked(connection)) {
        connection.rollback();
        refusedLocks.incrementAndGet();
        Thread.onSpinWait();
      }
      TestingShards.update(connection, update(set));
      connection.commit();
    }
  }

  private boolean isLocked(Connection connection) throws SQLException {
    String row = "grp = '" + group + "' AND bucket = " + bucket;
    if (shards.database().product() == DatabaseProduct.POSTGRESQL) {
      String lock =
          "SELECT pg_try_advisory_xact_lock(1398227505, (('x' || left(md5('"
              + group
              + "'), 6))::bit(24)::int / 2) * 256 + "
              + bucket % 256
              + ")";
      return TestingShards.rows(connection, lock).equals(List.of("t"));
    }
    try {
      TestingShards.rows(
          connection, "SELECT 1 FROM shardwright_bucket WHERE " + row + " FOR UPDATE NOWAIT");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** How often a writer held the lock that it tried to take. */
  int refusedLocks() {
    return refusedLocks.get();
  }

  private String update(String set) {
    return "UPDATE shardwright_bucket SET "
        + set
        + " WHERE grp = '"
        + group
        + "' AND bucket = "
        + bucket;
  }

  private Connection asMover(int shard) throws SQLException {
    return shards.asMover(shard);
  }
}
