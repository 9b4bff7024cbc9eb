package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The table {@code shardwright_ddl} of each shard: which schema changes it has, by number. A change
 * has one number on all shards. An entry that a shard lacks, or has as {@code started}, is pending
 * there. Stateless over the connections that it is given.
 */
final class DdlLog {
  private static final String STARTED = "started";
  private static final String DONE = "done";

  /** One line of one shard's log. */
  record Entry(long sequence, String statement, String sha256, boolean done) {}

  private DdlLog() {}

  /** In order of their numbers. */
  static SortedMap<Long, Entry> read(ShardId shard, Connection connection) throws SQLException {
    SortedMap<Long, Entry> entries = new TreeMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT seq, statement, sha256, state FROM shardwright_ddl ORDER BY seq")) {
      while (row.next()) {
        entries.put(
            row.getLong(1),
            new Entry(
                row.getLong(1), row.getString(2), row.getString(3), row.getString(4).equals(DONE)));
      }
      return entries;
    } catch (SQLException e) {
      if (PhysicalErrors.isMissingTable(e)) {
        throw SqlErrors.of(
            ErrorCode.NOT_APPLIED,
            "shard " + shard + " has no table shardwright_ddl; run shardwright apply -c FILE",
            e);
      }
      throw SqlErrors.on(shard, e);
    }
  }

  /**
   * What is pending, oldest first.
   *
   * @throws SQLException SW505 when one number means different statements
   */
  static List<PendingDdl> pending(SortedMap<ShardId, SortedMap<Long, Entry>> logs)
      throws SQLException {
    SortedMap<Long, Entry> all = new TreeMap<>();
    for (Map.Entry<ShardId, SortedMap<Long, Entry>> log : logs.entrySet()) {
      for (Entry entry : log.getValue().values()) {
        Entry known = all.putIfAbsent(entry.sequence(), entry);
        if (known != null && !known.sha256().equals(entry.sha256())) {
          throw SqlErrors.of(
              ErrorCode.SCHEMA_DRIFT,
              "the logs of schema changes contradict each other: number "
                  + entry.sequence()
                  + " on shard "
                  + log.getKey()
                  + " is \""
                  + entry.statement()
                  + "\", elsewhere \""
                  + known.statement()
                  + "\"; compare table shardwright_ddl of all shards and correct the wrong one");
        }
      }
    }
    List<PendingDdl> pending = new ArrayList<>();
    for (Entry entry : all.values()) {
      List<ShardId> done = new ArrayList<>();
      List<ShardId> missing = new ArrayList<>();
      logs.forEach(
          (shard, log) -> {
            Entry there = log.get(entry.sequence());
            (there != null && there.done() ? done : missing).add(shard);
          });
      if (!missing.isEmpty()) {
        pending.add(new PendingDdl(entry.sequence(), entry.statement(), done, missing));
      }
    }
    return pending;
  }

  /** In the transaction of the change itself. */
  static void addDone(Connection connection, long sequence, DdlStatement ddl) throws SQLException {
    add(connection, sequence, ddl, DONE);
  }

  /** Before a change that cannot run in a transaction; again after a crash. */
  static void addStarted(Connection connection, long sequence, DdlStatement ddl)
      throws SQLException {
    add(connection, sequence, ddl, STARTED);
  }

  private static void add(Connection connection, long sequence, DdlStatement ddl, String state)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO shardwright_ddl (seq, statement, sha256, state, applied_at)"
                + " SELECT ?, ?, ?, ?, now()"
                + " WHERE NOT EXISTS (SELECT 1 FROM shardwright_ddl WHERE seq = ?)")) {
      insert.setLong(1, sequence);
      insert.setString(2, ddl.sql());
      insert.setString(3, ddl.sha256());
      insert.setString(4, state);
      insert.setLong(5, sequence);
      insert.executeUpdate();
    }
  }

  static void markDone(Connection connection, long sequence) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE shardwright_ddl SET state = 'done', applied_at = now() WHERE seq = ?")) {
      update.setLong(1, sequence);
      update.executeUpdate();
    }
  }

  static boolean isStarted(Connection connection, long sequence) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT 1 FROM shardwright_ddl WHERE seq = ?")) {
      select.setLong(1, sequence);
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  /** Takes a started entry back when its statement turned out to be wrong. */
  static void removeStarted(Connection connection, long sequence) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM shardwright_ddl WHERE seq = ? AND state = 'started'")) {
      delete.setLong(1, sequence);
      delete.executeUpdate();
    }
  }
}
