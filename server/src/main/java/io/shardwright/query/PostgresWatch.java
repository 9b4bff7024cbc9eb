package io.shardwright.query;

import io.shardwright.config.Configuration;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * By when each transaction of the database began: {@code now()} is just that.
 *
 * <p>Of a prepared transaction only the moment of PREPARE is known. All that are there at the first
 * look are waited for; and when a transaction that was waited for is gone, it may have been
 * prepared, so those that are there then are waited for, too.
 */
final class PostgresWatch extends TransactionWatch {
  /**
   * A session that reports nothing has begun nothing before it connected. One that is busy and
   * tells no beginning is between two transactions of one message, which have its time, or began to
   * report inside of one.
   */
  private static final String SESSIONS =
      """
      SELECT pid, coalesce(xact_start, backend_start), usename, xact_start IS NULL
      FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND backend_type NOT IN ('autovacuum worker', 'parallel worker')
        AND (xact_start < ? OR (xact_start IS NULL AND backend_start < ?
          AND backend_type = 'client backend' AND state <> 'idle'))
      ORDER BY 2, 1\
      """;

  private static final String PREPARED =
      "SELECT gid, owner FROM pg_prepared_xacts WHERE database = current_database() ORDER BY 1";

  private final Set<String> active = new HashSet<>();
  private final Set<String> prepared = new HashSet<>();
  private boolean looked;

  PostgresWatch(Configuration.Shard shard, Instant cutOff) {
    super(shard, cutOff);
  }

  @Override
  void requirePrivileges(Connection connection) throws SQLException {
    boolean allowed =
        one(
            connection,
            "SELECT pg_has_role(current_user, 'pg_read_all_stats', 'USAGE')",
            row -> row.getBoolean(1));
    if (!allowed) {
      String user = one(connection, "SELECT quote_ident(current_user)", row -> row.getString(1));
      throw refused("pg_read_all_stats", "GRANT pg_read_all_stats TO " + user);
    }
  }

  @Override
  Instant time(Connection connection) throws SQLException {
    return one(
            connection, "SELECT clock_timestamp()", row -> row.getObject(1, OffsetDateTime.class))
        .toInstant();
  }

  /** Sessions first: who prepares meanwhile is in one list at least. */
  @Override
  List<Blocker> blockers(Connection connection) throws SQLException {
    List<Blocker> blockers = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    try (PreparedStatement select = connection.prepareStatement(SESSIONS)) {
      OffsetDateTime end = end().atOffset(ZoneOffset.UTC);
      select.setObject(1, end);
      select.setObject(2, end);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          Blocker blocker = session(row);
          seen.add(blocker.who() + blocker.since());
          blockers.add(blocker);
        }
      }
    }
    Map<String, String> waiting = new HashMap<>();
    try (Statement select = connection.createStatement();
        ResultSet row = select.executeQuery(PREPARED)) {
      while (row.next()) {
        waiting.put(row.getString(1), row.getString(2));
      }
    }
    if (!looked || !seen.containsAll(active)) {
      prepared.addAll(waiting.keySet());
    }
    looked = true;
    active.retainAll(seen);
    active.addAll(seen);
    prepared.retainAll(waiting.keySet());
    for (String gid : prepared) {
      blockers.add(
          new Blocker(
              shard(),
              "prepared transaction '" + gid + "'",
              Optional.ofNullable(waiting.get(gid)),
              Optional.empty(),
              "COMMIT PREPARED or ROLLBACK PREPARED ends it"));
    }
    return blockers;
  }

  private Blocker session(ResultSet row) throws SQLException {
    boolean hides = row.getBoolean(4);
    OffsetDateTime since = row.getObject(2, OffsetDateTime.class);
    return new Blocker(
        shard(),
        "process " + row.getInt(1),
        Optional.ofNullable(row.getString(3)),
        Optional.of(since.toInstant()),
        hides
            ? "it does not tell when its transaction began (track_activities is off, or was)"
            : "its transaction began before the cut-off");
  }

  @Override
  Optional<String> position(Connection connection) throws SQLException {
    return Optional.of(
        one(connection, "SELECT pg_current_snapshot()::text", row -> row.getString(1)));
  }
}
