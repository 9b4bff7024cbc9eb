package io.shardwright.driver;

import com.zaxxer.hikari.SQLExceptionOverride;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.errors.ErrorCode;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;

/**
 * What an error of a physical database means. PostgreSQL tells it by SQLSTATE, and its driver's
 * error codes are 0; MariaDB's SQLSTATEs are coarse, and its error codes tell. So one test serves
 * both.
 */
final class PhysicalErrors {
  /** Server shutdown, connection killed, aborted, idle too long. */
  private static final Set<Integer> MARIADB_BROKEN = Set.of(1053, 1152, 1184, 1927, 4031);

  private static final int MARIADB_LOCK_WAIT_TIMEOUT = 1205;
  private static final int MARIADB_INTERRUPTED = 1317;
  private static final int MARIADB_STATEMENT_TIMEOUT = 1969;
  private static final int MARIADB_NO_SUCH_TABLE = 1146;

  /** A row has changed since the snapshot of the transaction. */
  private static final int MARIADB_RECORD_CHANGED = 1020;

  private static final int MARIADB_NO_DATABASE_RIGHT = 1044;

  /** Connections, memory, disk, open files and temporary space are used up. */
  private static final Set<Integer> MARIADB_NO_RESOURCES =
      Set.of(1021, 1023, 1037, 1038, 1040, 1041, 1114, 1135, 1203, 1226);

  /** The pool would close connections after any SQLTimeoutException. */
  static final SQLExceptionOverride KEEP_INTERRUPTED =
      new SQLExceptionOverride() {
        @java.lang.Override
        public Override adjudicate(SQLException e) {
          return isInterrupted(e) && !isConnectionBroken(e)
              ? Override.DO_NOT_EVICT
              : Override.CONTINUE_EVICT;
        }
      };

  private PhysicalErrors() {}

  /** True when the physical connection is gone, so that an answer may have been lost. */
  static boolean isConnectionBroken(SQLException e) {
    String state = state(e);
    // 57P: the server ends the session (shutdown, crash, idle); 25P03: idle in transaction too
    // long.
    return state.startsWith("08")
        || state.startsWith("57P")
        || state.equals("25P03")
        || MARIADB_BROKEN.contains(e.getErrorCode())
        || e.getCause() instanceof IOException;
  }

  static boolean isLoginRefused(SQLException e) {
    return state(e).startsWith("28") || e.getErrorCode() == MARIADB_NO_DATABASE_RIGHT;
  }

  /** A trigger of a lookup index refused the session. */
  static boolean isIndexGuard(SQLException e) {
    return SqlFailure.isSignal(e, "SW419");
  }

  /** The fence: the shard does not own a bucket, or not for writers. */
  static boolean isBucketMoved(SQLException e) {
    return SqlFailure.isBucketMoved(e);
  }

  /** The fence: the shard's server is not the one that its rows of buckets were written on. */
  static boolean isIncarnation(SQLException e) {
    return SqlFailure.isSignal(e, ErrorCode.SHARD_INCARNATION.code());
  }

  /** Others changed what the transaction's snapshot has; SQLSTATE HY000 does not say so. */
  static boolean isRecordChanged(SQLException e) {
    return e.getErrorCode() == MARIADB_RECORD_CHANGED;
  }

  /** Another transaction did not let go of a row or table in time. */
  static boolean isLockTimeout(SQLException e) {
    return state(e).equals("55P03") || e.getErrorCode() == MARIADB_LOCK_WAIT_TIMEOUT;
  }

  /** Ended by a timeout of the statement or by cancel. */
  static boolean isInterrupted(SQLException e) {
    return state(e).equals("57014")
        || e.getErrorCode() == MARIADB_INTERRUPTED
        || e.getErrorCode() == MARIADB_STATEMENT_TIMEOUT;
  }

  /** The server is out of resources, shutting down, or has errors of its system. */
  static boolean cannotServe(SQLException e) {
    String state = state(e);
    return state.startsWith("53")
        || state.startsWith("57")
        || state.startsWith("58")
        || MARIADB_NO_RESOURCES.contains(e.getErrorCode());
  }

  static boolean isMissingTable(SQLException e) {
    return state(e).equals("42P01") || e.getErrorCode() == MARIADB_NO_SUCH_TABLE;
  }

  private static String state(SQLException e) {
    return String.valueOf(e.getSQLState());
  }
}
