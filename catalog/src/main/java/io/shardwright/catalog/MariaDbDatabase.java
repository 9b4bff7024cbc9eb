package io.shardwright.catalog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;

/** MariaDB 10.6 and newer. Each statement of DDL commits by itself. */
final class MariaDbDatabase extends Database {
  static final MariaDbDatabase INSTANCE = new MariaDbDatabase();

  private static final int OLDEST_MAJOR_VERSION = 10;
  private static final int OLDEST_MINOR_VERSION = 6;

  /** Named locks are the server's, so the name holds the database. */
  private static final String LOCK = "CONCAT('shardwright ', MD5(DATABASE()))";

  /** The login's statement timeout ends the wait before. */
  private static final int LOCK_SECONDS_MAX = 86_400;

  private MariaDbDatabase() {}

  @Override
  void checkVersion(Connection connection) throws SQLException {
    int major = connection.getMetaData().getDatabaseMajorVersion();
    int minor = connection.getMetaData().getDatabaseMinorVersion();
    if (major < OLDEST_MAJOR_VERSION
        || (major == OLDEST_MAJOR_VERSION && minor < OLDEST_MINOR_VERSION)) {
      throw tooOld(
          "MariaDB " + major + "." + minor, OLDEST_MAJOR_VERSION + "." + OLDEST_MINOR_VERSION);
    }
  }

  @Override
  void setTimeouts(Properties properties, DatabaseLogin login) {
    properties.setProperty("connectTimeout", Long.toString(login.connect().toMillis()));
    properties.setProperty("socketTimeout", Long.toString(login.socket().toMillis()));
  }

  @Override
  void limitStatements(Statement statement, Duration timeout) throws SQLException {
    statement.execute(
        String.format(
            Locale.ROOT, "SET SESSION max_statement_time = %.3f", timeout.toMillis() / 1000.0));
  }

  /** Whole seconds, rounded up. */
  @Override
  public void limitLockWait(Statement statement, Duration timeout) throws SQLException {
    statement.execute("SET SESSION lock_wait_timeout = " + timeout.plusMillis(999).toSeconds());
  }

  @Override
  public String quote(String identifier) {
    return '`' + identifier.replace("`", "``") + '`';
  }

  @Override
  public <T> T locked(Connection connection, Work<T> work) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT GET_LOCK(" + LOCK + ", " + LOCK_SECONDS_MAX + ")")) {
      if (!row.next() || row.getInt(1) != 1) {
        throw new SQLTimeoutException("the lock of Shardwright's objects is held by another");
      }
    }
    return finishing(connection, c -> inTransaction(c, work), MariaDbDatabase::unlock);
  }

  private static void unlock(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DO RELEASE_LOCK(" + LOCK + ")");
    }
  }

  /** The names in information_schema compare without case, those of tables need not. */
  @Override
  public boolean exists(Connection connection, String table) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT table_name FROM information_schema.tables"
                + " WHERE table_schema = DATABASE() AND table_name = ?")) {
      select.setString(1, table);
      try (ResultSet row = select.executeQuery()) {
        boolean found = false;
        while (row.next()) {
          found |= row.getString(1).equals(table);
        }
        return found;
      }
    }
  }

  /** Assignments are made in order, each seeing the ones before. */
  @Override
  String renewal(int seconds) {
    return """
    INSERT INTO shardwright_driver (id, seen, latest, renewed_at, expires_at)
    SELECT ?, ?, version, CURRENT_TIMESTAMP(6),
      CURRENT_TIMESTAMP(6) + INTERVAL IF(version = ?, %1$d, 0) SECOND
    FROM shardwright_state LOCK IN SHARE MODE
    ON DUPLICATE KEY UPDATE
      expires_at = IF(shardwright_driver.expires_at > VALUES(renewed_at),
                      VALUES(renewed_at) + INTERVAL %1$d SECOND, VALUES(expires_at)),
      seen = VALUES(seen), latest = VALUES(latest), renewed_at = VALUES(renewed_at)
    RETURNING expires_at > renewed_at, latest, (SELECT format FROM shardwright_meta)
    """
        .formatted(seconds);
  }

  /** Names compare byte by byte, as in PostgreSQL. */
  @Override
  public String ownTable(String ddl) {
    return ddl.replace("text NOT NULL", "longtext NOT NULL")
            .replace(
                "timestamp(6) with time zone NOT NULL",
                "timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)")
        + " ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin";
  }

  @Override
  String adding(String table, String key, List<String> added) {
    return added.stream()
        .map(column -> "%1$s = %1$s + VALUES(%1$s)".formatted(column))
        .collect(Collectors.joining(", ", " ON DUPLICATE KEY UPDATE ", ""));
  }

  @Override
  String nowMillis() {
    return "CAST(floor(unix_timestamp(sysdate(6)) * 1000) AS SIGNED)";
  }
}
