package io.shardwright.bench.compare;

import io.shardwright.testkit.EmbeddedMariaDbServer;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.PGConnection;

/** The databases on which the sides are compared, and all that differs between them. */
public enum Database {
  POSTGRESQL("PostgreSQL", "org.postgresql.Driver") {
    @Override
    Server start() {
      EmbeddedPostgresServer server =
          EmbeddedPostgresServer.start(
              EmbeddedPostgresServer.Options.fast()
                  .with("max_connections", "1000")
                  .with("shared_buffers", "512MB")
                  .with("max_wal_size", "8GB"));
      return new Server(
          server::createDatabase, server.port(), server.user(), server.password(), server::close);
    }

    @Override
    String[] durable() {
      return new String[] {
        // Before, or it would wait for the thousands of files of all databases.
        "CHECKPOINT",
        "ALTER SYSTEM SET fsync = on",
        "ALTER SYSTEM SET synchronous_commit = on",
        "ALTER SYSTEM SET full_page_writes = on",
        "SELECT pg_reload_conf()"
      };
    }

    @Override
    String ddl(String postgreSql) {
      return postgreSql;
    }

    @Override
    String time(Instant time) {
      return time.toString();
    }

    @Override
    void load(Connection connection, String table, byte[] lines) throws SQLException, IOException {
      long unused =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn("COPY " + table + " FROM STDIN", new ByteArrayInputStream(lines));
    }

    @Override
    String analyze(List<String> tables) {
      return "VACUUM ANALYZE " + String.join(", ", tables);
    }

    @Override
    List<String> settings() {
      return List.of(
          "server_version",
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "wal_sync_method",
          "shared_buffers",
          "work_mem",
          "max_connections",
          "max_wal_size");
    }

    @Override
    String setting(String name) {
      return "SELECT current_setting('" + name + "')";
    }

    @Override
    WireProtocol protocol() {
      return new PostgreSqlProtocol();
    }

    @Override
    boolean streamsInTransactionsOnly() {
      return true;
    }

    @Override
    boolean has(String set) {
      return true;
    }
  },

  MARIADB("MariaDB", "org.mariadb.jdbc.Driver") {
    @Override
    Server start() {
      // Files are synced from the beginning: how they are opened cannot be changed later.
      EmbeddedMariaDbServer server =
          EmbeddedMariaDbServer.start(
              EmbeddedMariaDbServer.Options.durable()
                  .with("innodb_flush_log_at_trx_commit", "0")
                  .with("max_connections", "1000")
                  .with("table_open_cache", "8000")
                  .with("sync_frm", "0")
                  .with("innodb_buffer_pool_size", "512M"));
      return new Server(
          // For all sides, as HikariCP advises: statements are prepared on the server.
          prefix -> server.createDatabase(prefix) + "?useServerPrepStmts=true",
          server.port(),
          server.user(),
          server.password(),
          server::close);
    }

    @Override
    String[] durable() {
      return new String[] {
        "SET GLOBAL innodb_flush_log_at_trx_commit = 1",
        "SET GLOBAL sync_frm = 1",
        "SET GLOBAL innodb_log_file_size = 512 * 1024 * 1024"
      };
    }

    @Override
    String ddl(String postgreSql) {
      return postgreSql
          .replace(" text ", " varchar(64) COLLATE utf8mb4_bin ")
          .replace(" timestamptz ", " datetime(6) ");
    }

    /** In UTC, without a zone. */
    @Override
    String time(Instant time) {
      return time.toString().replace('T', ' ').replace("Z", "");
    }

    @Override
    void load(Connection connection, String table, byte[] lines) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement
            .unwrap(org.mariadb.jdbc.Statement.class)
            .setLocalInfileInputStream(new ByteArrayInputStream(lines));
        statement.execute("LOAD DATA LOCAL INFILE 'lines' INTO TABLE " + table);
      }
    }

    @Override
    String analyze(List<String> tables) {
      return "ANALYZE TABLE " + String.join(", ", tables);
    }

    @Override
    List<String> settings() {
      return List.of(
          "version",
          "innodb_flush_log_at_trx_commit",
          "innodb_flush_method",
          "innodb_doublewrite",
          "innodb_buffer_pool_size",
          "innodb_log_file_size",
          "max_connections");
    }

    @Override
    String setting(String name) {
      return "SELECT @@" + name;
    }

    @Override
    WireProtocol protocol() {
      return new MariaDbProtocol();
    }

    @Override
    boolean streamsInTransactionsOnly() {
      return false;
    }

    @Override
    boolean has(String set) {
      return set.equals("8") || set.equals(Workloads.LOOKUP);
    }
  };

  private final String label;
  private final String driver;

  Database(String label, String driver) {
    this.label = label;
    this.driver = driver;
  }

  /** As on the command line. */
  public static Optional<Database> of(String name) {
    return Stream.of(values()).filter(database -> database.id().equals(name)).findFirst();
  }

  public static String names() {
    return Arrays.stream(values()).map(Database::id).collect(Collectors.joining(", "));
  }

  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  String label() {
    return label;
  }

  String driver() {
    return driver;
  }

  /** A running server. */
  record Server(Databases databases, int port, String user, String password, Runnable closing)
      implements AutoCloseable {

    /** Creates one and returns its url. */
    interface Databases {
      String create(String prefix);
    }

    @Override
    public void close() {
      closing.run();
    }
  }

  /** Does not wait for the disk yet, so that loading is fast. */
  abstract Server start();

  /** From here on commits wait for the disk. */
  abstract String[] durable();

  abstract String ddl(String postgreSql);

  /** In a line that is loaded. */
  abstract String time(Instant time);

  /**
   * @param lines values between tabs, in the order of the table's columns
   */
  abstract void load(Connection connection, String table, byte[] lines)
      throws SQLException, IOException;

  abstract String analyze(List<String> tables);

  /** Those that a reader of the report wants to know. */
  abstract List<String> settings();

  /** A query for one of them. */
  abstract String setting(String name);

  /** For one connection. */
  abstract WireProtocol protocol();

  /** Otherwise all rows of an answer are sent at once, whatever the fetch size. */
  abstract boolean streamsInTransactionsOnly();

  /** Are workloads on this set of shards run here? */
  abstract boolean has(String set);
}
