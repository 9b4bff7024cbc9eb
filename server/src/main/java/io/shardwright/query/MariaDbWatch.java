package io.shardwright.query;

import io.shardwright.config.Configuration;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * By which transactions and statements are in flight at the first look.
 *
 * <p>{@code NOW()} is when the statement began, and InnoDB lists a transaction only when that
 * statement has come to its first row: after a wait for a table's lock it may have begun long
 * before. So statements that began before are waited for, then what transaction they have, and
 * transactions that began up to {@link #SLOW_BEGIN} later, of those that are there at the first
 * look. Of prepared transactions no beginning is known: all that are there at the first look are
 * waited for, and those that are there when something that was waited for is gone.
 *
 * <p>InnoDB lists its transactions from a copy that it does not renew while others read it: a look
 * counts only if the list has the transaction that it began itself.
 */
final class MariaDbWatch extends TransactionWatch {
  /** No statement waits so long before its first row and then goes on. */
  static final Duration SLOW_BEGIN = Duration.ofHours(1);

  private static final int NO_PRIVILEGE = 1227;
  private static final String CLOCK = "SELECT UNIX_TIMESTAMP(NOW(6))";

  /** From how long a command runs, its beginning; with NOW() of this statement, a little early. */
  private static final String SESSIONS =
      """
      SELECT id, user, command NOT IN ('Sleep', 'Daemon', 'Binlog Dump') AND user <> 'system user',
        UNIX_TIMESTAMP(NOW(6)) - TIME_MS / 1000
      FROM information_schema.processlist WHERE id <> connection_id()\
      """;

  /** It tells their beginning in the time zone of the server, in whole seconds. */
  private static final String TRANSACTIONS =
      "SELECT trx_mysql_thread_id, UNIX_TIMESTAMP(trx_started) FROM information_schema.innodb_trx";

  private final Set<Long> statements = new HashSet<>();
  private final Set<Begun> transactions = new HashSet<>();
  private final Set<String> prepared = new HashSet<>();
  private boolean looked;

  /**
   * @param connection 0: that of a prepared transaction is gone
   */
  private record Begun(long connection, Instant started) {}

  private record Session(String user, boolean busy, Instant since) {}

  MariaDbWatch(Configuration.Shard shard, Instant cutOff) {
    super(shard, cutOff);
  }

  @Override
  void requirePrivileges(Connection connection) throws SQLException {
    try {
      one(connection, "SELECT count(*) FROM information_schema.innodb_trx", row -> row.getLong(1));
    } catch (SQLException e) {
      if (e.getErrorCode() != NO_PRIVILEGE) {
        throw e;
      }
      String user = one(connection, "SELECT CURRENT_USER()", row -> row.getString(1));
      int at = user.lastIndexOf('@');
      throw refused(
          "PROCESS",
          "GRANT PROCESS ON *.* TO '"
              + user.substring(0, at)
              + "'@'"
              + user.substring(at + 1)
              + "'");
    }
  }

  @Override
  Instant time(Connection connection) throws SQLException {
    return one(connection, CLOCK, row -> instant(row, 1));
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    long micros = row.getBigDecimal(column).movePointRight(6).longValue();
    return Instant.EPOCH.plus(micros, java.time.temporal.ChronoUnit.MICROS);
  }

  /** Statements first: what they begin meanwhile is in the list of transactions, which is next. */
  @Override
  List<Blocker> blockers(Connection connection) throws SQLException {
    begin(connection);
    long own = one(connection, "SELECT connection_id()", row -> row.getLong(1));
    Map<Long, Session> sessions = sessions(connection);
    Set<Begun> begun = begun(connection);
    if (begun.stream().noneMatch(one -> one.connection() == own)) {
      return List.of(
          new Blocker(
              shard(),
              "innodb_trx",
              Optional.empty(),
              Optional.empty(),
              "others read it so often that the server does not renew it"));
    }
    begun.removeIf(one -> one.connection() == own);
    keep(sessions, begun, prepared(connection));
    return told(sessions);
  }

  private static void begin(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION time_zone = 'SYSTEM'");
      statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
      statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
    }
  }

  private static Map<Long, Session> sessions(Connection connection) throws SQLException {
    Map<Long, Session> sessions = new HashMap<>();
    try (Statement select = connection.createStatement();
        ResultSet row = select.executeQuery(SESSIONS)) {
      while (row.next()) {
        sessions.put(
            row.getLong(1), new Session(row.getString(2), row.getBoolean(3), instant(row, 4)));
      }
    }
    return sessions;
  }

  private static Set<Begun> begun(Connection connection) throws SQLException {
    Set<Begun> begun = new HashSet<>();
    try (Statement select = connection.createStatement();
        ResultSet row = select.executeQuery(TRANSACTIONS)) {
      while (row.next()) {
        begun.add(new Begun(row.getLong(1), instant(row, 2)));
      }
    }
    return begun;
  }

  private static Set<String> prepared(Connection connection) throws SQLException {
    Set<String> names = new HashSet<>();
    try (Statement select = connection.createStatement();
        ResultSet row = select.executeQuery("XA RECOVER")) {
      while (row.next()) {
        names.add(row.getString("data"));
      }
    }
    return names;
  }

  private void keep(Map<Long, Session> sessions, Set<Begun> begun, Set<String> xa) {
    Set<Long> running = new HashSet<>();
    sessions.forEach(
        (id, session) -> {
          if (session.busy() && session.since().isBefore(end())) {
            running.add(id);
          }
        });
    boolean gone = !looked;
    if (!looked) {
      statements.addAll(running);
      begun.stream()
          .filter(one -> one.started().isBefore(end().plus(SLOW_BEGIN)))
          .forEach(transactions::add);
    }
    looked = true;
    Set<Long> ended = new HashSet<>(statements);
    ended.removeAll(running);
    gone |= statements.removeAll(ended);
    begun.stream().filter(one -> ended.contains(one.connection())).forEach(transactions::add);
    gone |= transactions.retainAll(begun);
    if (gone) {
      prepared.addAll(xa);
    }
    prepared.retainAll(xa);
  }

  private List<Blocker> told(Map<Long, Session> sessions) {
    List<Blocker> blockers = new ArrayList<>();
    for (Begun one : transactions) {
      blockers.add(
          new Blocker(
              shard(),
              "connection " + one.connection(),
              Optional.ofNullable(sessions.get(one.connection())).map(Session::user),
              Optional.of(one.started()),
              "its transaction may hold values from before the cut-off"));
    }
    for (long id : statements) {
      if (transactions.stream().noneMatch(one -> one.connection() == id)) {
        blockers.add(
            new Blocker(
                shard(),
                "connection " + id,
                Optional.of(sessions.get(id).user()),
                Optional.of(sessions.get(id).since()),
                "its statement began before the cut-off"));
      }
    }
    for (String name : prepared) {
      blockers.add(
          new Blocker(
              shard(),
              "prepared transaction '" + name + "'",
              Optional.empty(),
              Optional.empty(),
              "see XA RECOVER; XA COMMIT or XA ROLLBACK ends it"));
    }
    return blockers;
  }

  /** Of the snapshot that this connection begins, in the binary log. */
  @Override
  Optional<String> position(Connection connection) throws SQLException {
    begin(connection);
    Map<String, String> status = new HashMap<>();
    try (Statement select = connection.createStatement();
        ResultSet row = select.executeQuery("SHOW STATUS LIKE 'binlog_snapshot_%'")) {
      while (row.next()) {
        status.put(row.getString(1).toLowerCase(java.util.Locale.ROOT), row.getString(2));
      }
    }
    String file = status.getOrDefault("binlog_snapshot_file", "");
    return file.isEmpty()
        ? Optional.empty()
        : Optional.of(file + ":" + status.get("binlog_snapshot_position"));
  }
}
