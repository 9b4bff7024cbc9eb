package io.shardwright.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/** PostgreSQL 15 and newer. DDL is part of its transaction. */
final class PostgreSqlDatabase extends Database {
  static final PostgreSqlDatabase INSTANCE = new PostgreSqlDatabase();

  /** The first version whose catalogs have all that is read of a shard. */
  private static final int OLDEST_MAJOR_VERSION = 15;

  /** Application-wide key of the advisory lock: "SHARDWRT" in ASCII. */
  private static final long LOCK = 0x5348415244575254L;

  private PostgreSqlDatabase() {}

  @Override
  void checkVersion(Connection connection) throws SQLException {
    int version = connection.getMetaData().getDatabaseMajorVersion();
    if (version < OLDEST_MAJOR_VERSION) {
      throw tooOld("PostgreSQL " + version, Integer.toString(OLDEST_MAJOR_VERSION));
    }
  }

  @Override
  void setTimeouts(Properties properties, DatabaseLogin login) {
    properties.setProperty("connectTimeout", Long.toString(login.connect().toSeconds()));
    properties.setProperty("socketTimeout", Long.toString(login.socket().toSeconds()));
    properties.setProperty("ApplicationName", "shardwright");
  }

  @Override
  void limitStatements(Statement statement, Duration timeout) throws SQLException {
    statement.execute("SET statement_timeout = " + timeout.toMillis());
  }

  @Override
  public void limitLockWait(Statement statement, Duration timeout) throws SQLException {
    statement.execute("SET lock_timeout = " + timeout.toMillis());
  }

  @Override
  public String quote(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  @Override
  public <T> T locked(Connection connection, Work<T> work) throws SQLException {
    return inTransaction(
        connection,
        c -> {
          try (Statement statement = c.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
          }
          return work.run(c);
        });
  }

  @Override
  public boolean exists(Connection connection, String table) throws SQLException {
    return isOne(connection, "SELECT (to_regclass(quote_ident(?)) IS NOT NULL)::int", table);
  }

  @Override
  String renewal(int seconds) {
    return """
    INSERT INTO shardwright_driver AS d (id, seen, latest, renewed_at, expires_at)
    SELECT ?, ?, version, CURRENT_TIMESTAMP(6),
      CURRENT_TIMESTAMP(6) + CASE WHEN version = ? THEN %1$s ELSE INTERVAL '0' SECOND END
    FROM shardwright_state FOR SHARE
    ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, latest = excluded.latest,
      renewed_at = excluded.renewed_at,
      expires_at = CASE WHEN d.expires_at > excluded.renewed_at
                        THEN excluded.renewed_at + %1$s ELSE excluded.expires_at END
    RETURNING (expires_at > renewed_at)::int, latest, (SELECT format FROM shardwright_meta)
    """
        .formatted("INTERVAL '" + seconds + "' SECOND");
  }

  @Override
  public String ownTable(String ddl) {
    return ddl;
  }

  @Override
  String adding(String table, String key, List<String> added) {
    return added.stream()
        .map(column -> "%1$s = %2$s.%1$s + excluded.%1$s".formatted(column, table))
        .collect(Collectors.joining(", ", " ON CONFLICT (" + key + ") DO UPDATE SET ", ""));
  }

  @Override
  String nowMillis() {
    return "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)";
  }
}
