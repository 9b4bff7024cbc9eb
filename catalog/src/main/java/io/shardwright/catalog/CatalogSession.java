package io.shardwright.catalog;

import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * One connection to the catalog's database, opened when needed and again after it broke. Turns what
 * the database says into Shardwright's errors. Thread-safe: one call at a time, each bounded by the
 * login's timeouts.
 */
final class CatalogSession implements AutoCloseable {
  private static final String META = "SELECT format, cluster_id FROM shardwright_meta";

  /** Opens a connection; tests put a breaking one here. */
  interface ConnectionSource {
    Connection open() throws SQLException;
  }

  private final Endpoint endpoint;
  private final ConnectionSource source;

  /** Null when closed or broken; guarded by this. */
  private Connection connection;

  private boolean closed;

  CatalogSession(Endpoint endpoint, ConnectionSource source) {
    this.endpoint = endpoint;
    this.source = source;
  }

  @Override
  public synchronized void close() {
    closed = true;
    discard();
  }

  /** Runs once more on a new connection when one from an earlier call turns out to be broken. */
  synchronized <T> T call(Database.Work<T> work) {
    if (closed) {
      throw new ShardwrightException(
          ErrorCode.CONNECTION_CLOSED, "the catalog was closed; open it again");
    }
    boolean reused = connection != null;
    try {
      return attempt(work);
    } catch (SQLException e) {
      if (reused && SqlFailure.isBroken(e)) {
        try {
          return attempt(work);
        } catch (SQLException again) {
          throw translate(again);
        }
      }
      throw translate(e);
    }
  }

  private <T> T attempt(Database.Work<T> work) throws SQLException {
    boolean done = false;
    try {
      if (connection == null) {
        connection = source.open();
      }
      T result = work.run(connection);
      done = true;
      return result;
    } finally {
      // Whatever went wrong may have left a transaction open: a new connection is the sure way out.
      if (!done) {
        discard();
      }
    }
  }

  synchronized void discard() {
    Connection old = connection;
    connection = null;
    if (old != null) {
      try {
        old.close();
      } catch (SQLException e) {
        // It is given up anyway.
      }
    }
  }

  /** Refuses a format that this release does not know. */
  UUID readClusterId(Connection c) throws SQLException {
    try (Statement statement = c.createStatement();
        ResultSet row = statement.executeQuery(META)) {
      if (!row.next()) {
        throw notApplied("is empty", null);
      }
      checkFormat(row.getInt(1));
      return UUID.fromString(row.getString(2));
    }
  }

  void checkFormat(int format) {
    if (format > CatalogInstaller.FORMAT) {
      throw new ShardwrightException(
          ErrorCode.CATALOG_FORMAT_UNSUPPORTED,
          "the catalog at "
              + endpoint
              + " has format "
              + format
              + ", this release knows formats up to "
              + CatalogInstaller.FORMAT
              + "; use the release that wrote it, or a newer one");
    }
  }

  ShardwrightException notApplied(String why, SQLException cause) {
    return new ShardwrightException(
        ErrorCode.NOT_APPLIED,
        "the catalog at " + endpoint + " " + why + "; run shardwright apply -c FILE",
        cause);
  }

  ShardwrightException unavailable(String why, SQLException cause) {
    return new ShardwrightException(
        ErrorCode.CATALOG_UNAVAILABLE, "the catalog at " + endpoint + " " + why, cause);
  }

  private ShardwrightException translate(SQLException e) {
    if (SqlFailure.isLogin(e) || SqlFailure.isMissingRight(e)) {
      return new ShardwrightException(
          ErrorCode.CATALOG_LOGIN_FAILED,
          "the catalog at "
              + endpoint
              + " refused user "
              + endpoint.user()
              + " ("
              + e.getMessage()
              + "); check catalog.user, catalog.password and the user's rights",
          e);
    }
    if (SqlFailure.isMissingTable(e)) {
      return notApplied("has no Shardwright tables", e);
    }
    return SqlFailure.isConflict(e)
        ? new ShardwrightException(
            ErrorCode.CATALOG_CONFLICT,
            "the catalog at " + endpoint + " was changed at the same time; load and try again",
            e)
        : unavailable("cannot be used: " + e.getMessage(), e);
  }
}
