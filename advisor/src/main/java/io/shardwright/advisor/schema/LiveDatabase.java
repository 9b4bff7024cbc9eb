package io.shardwright.advisor.schema;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One connection to the database that is to be sharded. It reads only: each transaction is read
 * only, and each statement ends by a timeout that the server watches. One thread.
 */
public final class LiveDatabase implements AutoCloseable {
  private static final Duration CATALOG_TIMEOUT = Duration.ofSeconds(60);
  private static final int CONNECT_SECONDS = 10;
  private static final int FETCH_ROWS = 10_000;
  private static final Pattern URL =
      Pattern.compile("jdbc:(postgresql|mariadb|mysql):.*", Pattern.CASE_INSENSITIVE);

  /** {@code //user:password@host}, or a parameter that is a secret. */
  private static final Pattern SECRET =
      Pattern.compile("//[^/?]*@|[?&;]([a-z_]*password[a-z_]*)=", Pattern.CASE_INSENSITIVE);

  private final Connection connection;
  private final LiveCatalog catalog;
  private final String schema;

  private LiveDatabase(Connection connection, LiveCatalog catalog, String schema) {
    this.connection = connection;
    this.catalog = catalog;
    this.schema = schema;
  }

  /** Takes the rows of each value of a column; a null value is that of rows without one. */
  @FunctionalInterface
  public interface Counts {
    void add(String value, long rows);
  }

  /** How a count ended. */
  public enum Outcome {
    COMPLETE,
    /** Further values were not counted. */
    BOUNDED,
    /** The server ended it after its time; what was taken is of no use. */
    TIMED_OUT
  }

  /**
   * Connects.
   *
   * @param schema empty: the connection's own
   * @throws ShardwrightException SW603 when that fails, without the password
   */
  public static LiveDatabase open(
      String url, Optional<String> user, Optional<String> password, Optional<String> schema) {
    check(url);
    Properties login = new Properties();
    user.ifPresent(name -> login.setProperty("user", name));
    password.ifPresent(secret -> login.setProperty("password", secret));
    boolean postgreSql = url.toLowerCase(Locale.ROOT).startsWith("jdbc:postgresql:");
    login.setProperty(
        "connectTimeout", Integer.toString(postgreSql ? CONNECT_SECONDS : CONNECT_SECONDS * 1_000));
    try {
      Connection connection = DriverManager.getConnection(withDriver(url), login);
      try {
        LiveCatalog catalog =
            postgreSql ? new PostgreSqlCatalog() : MySqlCatalog.of(connection.getMetaData());
        return open(connection, catalog, schema, url);
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw failed(url + " cannot be read", e, "correct --database, --user, --password-env");
    }
  }

  private static LiveDatabase open(
      Connection connection, LiveCatalog catalog, Optional<String> schema, String url)
      throws SQLException {
    connection.setAutoCommit(false);
    connection.setReadOnly(true);
    try (Statement statement = connection.createStatement()) {
      for (String setting : catalog.readOnly()) {
        statement.execute(setting);
      }
      statement.execute(catalog.timeout(CATALOG_TIMEOUT));
      String own = null;
      try (ResultSet row = statement.executeQuery(catalog.currentSchema())) {
        own = row.next() ? row.getString(1) : null;
      }
      // A rollback would take the settings back.
      connection.commit();
      if (schema.isEmpty() && own == null) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID,
            url + " leads to no schema; name the database in the url, or give --schema");
      }
      return new LiveDatabase(connection, catalog, schema.orElse(own));
    }
  }

  private static void check(String url) {
    Matcher secret = SECRET.matcher(url);
    if (secret.find()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "--database holds a user or a password, which every process of the machine can read;"
              + " give --user, and --password-env with the name of a variable");
    }
    if (!URL.matcher(url).matches()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "--database "
              + url
              + " is no url of a database; write jdbc:postgresql://host:5432/database,"
              + " jdbc:mariadb://host:3306/database or jdbc:mysql://host:3306/database");
    }
  }

  /** MariaDB's driver reads MySQL's databases, too, where MySQL's own is not there. */
  private static String withDriver(String url) {
    if (!url.toLowerCase(Locale.ROOT).startsWith("jdbc:mysql:")) {
      return url;
    }
    boolean known = DriverManager.drivers().anyMatch(driver -> accepts(driver, url));
    return known ? url : "jdbc:mariadb:" + url.substring("jdbc:mysql:".length());
  }

  private static boolean accepts(java.sql.Driver driver, String url) {
    try {
      return driver.acceptsURL(url);
    } catch (SQLException e) {
      return false;
    }
  }

  /** The schema that is read. */
  public String schema() {
    return schema;
  }

  /**
   * All tables of the schema; partitions are their table's.
   *
   * @throws ShardwrightException SW603 when the database refuses, or there is no table
   */
  public SchemaFacts read() {
    SchemaFacts facts;
    try {
      facts = catalog.read(connection, schema);
      connection.commit();
    } catch (SQLException e) {
      throw failed(
          "the tables of schema " + schema + " cannot be read",
          e,
          "give --ddl with a file instead");
    }
    if (facts.tables().isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "schema "
              + schema
              + " has no table that the user may see; give --schema, or another user");
    }
    return facts;
  }

  /**
   * Counts the rows of each value of a column: {@code GROUP BY} over the whole table.
   *
   * @param table as {@link #read} names it
   * @param valuesMax different values that are taken at most
   * @throws ShardwrightException SW603 when the database refuses
   */
  public Outcome count(
      String table, String column, long valuesMax, Duration timeout, Counts counts) {
    String key = catalog.quote(column);
    String own = table.startsWith(schema + ".") ? table.substring(schema.length() + 1) : table;
    String sql =
        "SELECT "
            + key
            + ", COUNT(*) FROM "
            + catalog.quote(schema)
            + "."
            + catalog.quote(own)
            + " GROUP BY "
            + key
            + " LIMIT "
            + (valuesMax + 1);
    long deadline = System.nanoTime() + timeout.toNanos();
    try (Statement statement = connection.createStatement()) {
      statement.execute(catalog.timeout(timeout));
      statement.setFetchSize(FETCH_ROWS);
      Outcome outcome = Outcome.COMPLETE;
      try (ResultSet rows = statement.executeQuery(sql)) {
        for (long taken = 0; outcome == Outcome.COMPLETE && rows.next(); taken++) {
          if (taken == valuesMax) {
            outcome = Outcome.BOUNDED;
          } else if (taken % FETCH_ROWS == 0 && System.nanoTime() > deadline) {
            statement.cancel();
            outcome = Outcome.TIMED_OUT;
          } else {
            counts.add(rows.getString(1), rows.getLong(2));
          }
        }
      }
      connection.rollback();
      return outcome;
    } catch (SQLException e) {
      if (catalog.isTimeout(e)) {
        rollback();
        return Outcome.TIMED_OUT;
      }
      throw failed(
          "the values of " + table + "." + column + " cannot be counted",
          e,
          "leave it out of --sample, or give --keys with a file");
    }
  }

  private void rollback() {
    try {
      connection.rollback();
    } catch (SQLException e) {
      throw failed("the connection was lost", e, "run the command again");
    }
  }

  private static ShardwrightException failed(String what, SQLException e, String next) {
    return new ShardwrightException(
        ErrorCode.COMMAND_INVALID, what + ": " + e.getMessage() + "; " + next, e);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      // Nothing was written, so nothing is lost.
      return;
    }
  }
}
