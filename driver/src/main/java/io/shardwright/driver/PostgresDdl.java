package io.shardwright.driver;

import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Schema changes of PostgreSQL: in a transaction with their log, but for concurrent indexes. */
final class PostgresDdl extends DdlSteps {
  /** "SWDDL" in ASCII: the advisory lock of whoever changes the schema of a shard. */
  private static final long LOCK = 0x53_57_44_44_4cL;

  private static final String ALREADY_EXISTS = "42P07";

  @Override
  String tryLock() {
    return "SELECT pg_try_advisory_lock(" + LOCK + ")";
  }

  @Override
  String unlock() {
    return "SELECT pg_advisory_unlock(" + LOCK + ")";
  }

  @Override
  DdlStatement statement(String sql) throws SQLException {
    return DdlStatement.of(sql);
  }

  @Override
  void apply(Run run, ShardId shard) throws SQLException {
    Connection connection = run.connection(shard);
    if (run.ddl().transactional()) {
      inTransaction(connection, run.change().sequence(), run.ddl(), run.timeoutSeconds());
    } else {
      concurrently(connection, run.change().sequence(), run.ddl(), run.timeoutSeconds());
    }
  }

  private static void inTransaction(
      Connection connection, long sequence, DdlStatement ddl, int timeoutSeconds)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      execute(connection, ddl.sql(), timeoutSeconds);
      DdlLog.addDone(connection, sequence, ddl);
      connection.commit();
    } catch (SQLException e) {
      rollback(connection, e);
      throw e;
    }
    connection.setAutoCommit(true);
  }

  private static void rollback(Connection connection, SQLException e) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException again) {
      e.addSuppressed(again);
    }
  }

  private static void concurrently(
      Connection connection, long sequence, DdlStatement ddl, int timeoutSeconds)
      throws SQLException {
    DdlStatement.Index index = ddl.index().orElseThrow();
    Optional<Boolean> valid = validity(connection, index.name());
    boolean resumed = DdlLog.isStarted(connection, sequence);
    DdlLog.addStarted(connection, sequence, ddl);
    if (resumed && index.created() && valid.isPresent() && !valid.get()) {
      // What an interrupted CREATE INDEX CONCURRENTLY leaves; it would block the name for ever.
      execute(connection, "DROP INDEX CONCURRENTLY " + index.name(), timeoutSeconds);
      valid = Optional.empty();
    }
    boolean finishedBefore = resumed && (index.created() ? valid.isPresent() : valid.isEmpty());
    if (!finishedBefore) {
      execute(connection, ddl.sql(), timeoutSeconds);
    }
    DdlLog.markDone(connection, sequence);
  }

  /** A failed transaction leaves nothing, a concurrent index may leave an invalid one. */
  @Override
  boolean forget(Connection connection, long sequence, DdlStatement ddl, SQLException e)
      throws SQLException {
    if (ddl.transactional()) {
      return true;
    }
    DdlStatement.Index index = ddl.index().orElseThrow();
    Optional<Boolean> valid = validity(connection, index.name());
    boolean wasThere = ALREADY_EXISTS.equals(e.getSQLState());
    if (index.created() && !wasThere && valid.isPresent() && !valid.get()) {
      execute(connection, "DROP INDEX CONCURRENTLY " + index.name(), 0);
    }
    DdlLog.removeStarted(connection, sequence);
    return true;
  }

  /** Empty when there is no such index; false after an interrupted build. */
  private static Optional<Boolean> validity(Connection connection, String index)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(?)")) {
      select.setString(1, index);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(row.getBoolean(1)) : Optional.empty();
      }
    }
  }
}
