package io.shardwright.catalog;

import io.shardwright.errors.ErrorCode;
import java.sql.SQLException;
import java.util.Set;

/**
 * What went wrong at a server, by SQLSTATE (PostgreSQL) or by error code (MariaDB, whose SQLSTATEs
 * are coarser; pgjdbc's error codes are 0).
 */
public final class SqlFailure {
  private static final int DEADLOCK = 1213;
  private static final int SIGNAL = 1644;
  private static final int ACCESS_DENIED_TO_DATABASE = 1044;
  private static final Set<Integer> NO_RIGHT = Set.of(1142, 1143, 1227, 1370);
  private static final int CONNECTION_KILLED = 1927;
  private static final int NO_SUCH_TABLE = 1146;
  private static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final int DUPLICATE_KEY = 1062;
  private static final int CONSTRAINT_FAILED = 4025;

  /** Deadlock, duplicate key, "record has changed since last read". */
  private static final Set<Integer> CONFLICTS = Set.of(1213, 1062, 1020);

  private SqlFailure() {}

  /** The server was reached and refused the user or the password. */
  public static boolean isLogin(SQLException e) {
    return state(e).startsWith("28") || e.getErrorCode() == ACCESS_DENIED_TO_DATABASE;
  }

  /** The user lacks a right. */
  public static boolean isMissingRight(SQLException e) {
    return state(e).equals("42501") || NO_RIGHT.contains(e.getErrorCode());
  }

  /** The connection is of no use any more. */
  public static boolean isBroken(SQLException e) {
    return state(e).startsWith("08")
        || state(e).startsWith("57P")
        || e.getErrorCode() == CONNECTION_KILLED;
  }

  public static boolean isMissingTable(SQLException e) {
    return state(e).equals("42P01") || e.getErrorCode() == NO_SUCH_TABLE;
  }

  /** Another transaction did not let go of its lock in time. */
  public static boolean isLockTimeout(SQLException e) {
    return state(e).equals("55P03") || e.getErrorCode() == LOCK_WAIT_TIMEOUT;
  }

  /** The fence of a shard: it does not own a bucket, or not for writers. */
  public static boolean isBucketMoved(SQLException e) {
    return isSignal(e, ErrorCode.BUCKET_MOVED.code());
  }

  /** A trigger's own code. MariaDB may have one SQLSTATE for all errors of triggers. */
  public static boolean isSignal(SQLException e, String code) {
    return state(e).equals(code)
        || (e.getErrorCode() == SIGNAL && String.valueOf(e.getMessage()).contains(code + ": "));
  }

  /** A value is not of the type that the server wanted: too long, out of range. */
  public static boolean isData(SQLException e) {
    return state(e).startsWith("22");
  }

  public static boolean isDuplicateKey(SQLException e) {
    return state(e).equals("23505") || e.getErrorCode() == DUPLICATE_KEY;
  }

  public static boolean isCheckViolation(SQLException e) {
    return state(e).equals("23514") || e.getErrorCode() == CONSTRAINT_FAILED;
  }

  /**
   * The server understood the statement and did not take its values; another time it would not
   * either. Not a lack of the table, of a right, of memory or of time.
   */
  public static boolean isRefusal(SQLException e) {
    String state = state(e);
    return state.startsWith("21")
        || state.startsWith("22")
        || state.startsWith("23")
        || state.equals("01000")
        || (state.startsWith("42") && !isMissingTable(e) && !isMissingRight(e))
        || isCheckViolation(e);
  }

  /** The server ended the transaction to let others go on; nothing of it was applied. */
  public static boolean isDeadlock(SQLException e) {
    return Set.of("40001", "40P01").contains(state(e)) || e.getErrorCode() == DEADLOCK;
  }

  /** Others changed the same rows at the same time. */
  static boolean isConflict(SQLException e) {
    return Set.of("40001", "40P01", "23505").contains(state(e))
        || CONFLICTS.contains(e.getErrorCode());
  }

  /**
   * Of a statement that takes something: false when another process got there first.
   *
   * @throws SQLException any other failure, as it is
   */
  static boolean lost(SQLException e) throws SQLException {
    if (isConflict(e)) {
      return false;
    }
    throw e;
  }

  private static String state(SQLException e) {
    return String.valueOf(e.getSQLState());
  }
}
