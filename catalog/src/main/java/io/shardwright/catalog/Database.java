package io.shardwright.catalog;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

/** What the products do differently, as far as Shardwright's own objects need it. Stateless. */
public abstract sealed class Database permits PostgreSqlDatabase, MariaDbDatabase {

  /** Work on a connection. */
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  public static Database of(DatabaseProduct product) {
    return switch (product) {
      case POSTGRESQL -> PostgreSqlDatabase.INSTANCE;
      case MARIADB -> MariaDbDatabase.INSTANCE;
    };
  }

  /**
   * Of the server behind a connection. Usually without a round trip.
   *
   * @throws ShardwrightException SW105 when it is of another product or too old
   */
  public static DatabaseProduct product(Connection connection) throws SQLException {
    String name = connection.getMetaData().getDatabaseProductName();
    for (DatabaseProduct product : DatabaseProduct.values()) {
      if (product.toString().equals(name)) {
        of(product).checkVersion(connection);
        return product;
      }
    }
    throw new ShardwrightException(
        ErrorCode.SCHEMA_INVALID,
        "the server is "
            + name
            + " "
            + connection.getMetaData().getDatabaseProductVersion()
            + ", which this release was not tested with; use PostgreSQL or MariaDB");
  }

  abstract void checkVersion(Connection connection) throws SQLException;

  static ShardwrightException tooOld(String server, String oldest) {
    return new ShardwrightException(
        ErrorCode.SCHEMA_INVALID, "the server is " + server + "; use " + oldest + " or newer");
  }

  /** Timeouts of the physical driver. */
  abstract void setTimeouts(Properties properties, DatabaseLogin login);

  /** Of all later statements of the connection; zero: none. */
  abstract void limitStatements(Statement statement, Duration timeout) throws SQLException;

  /** How long a statement waits for a table that someone alters. Of all later statements. */
  public abstract void limitLockWait(Statement statement, Duration timeout) throws SQLException;

  /** An identifier as the database stores it, in quotes. */
  public abstract String quote(String identifier);

  /**
   * Runs work in one transaction while no other process creates Shardwright objects in this
   * database. Where DDL commits by itself the work must be safe to repeat from the start.
   *
   * @param connection in autocommit, and again afterwards
   */
  public abstract <T> T locked(Connection connection, Work<T> work) throws SQLException;

  /** Whether the connection finds a table of this name. */
  public abstract boolean exists(Connection connection, String table) throws SQLException;

  /**
   * A statement that creates one of Shardwright's tables, from the form that docs/catalog-format.md
   * shows.
   */
  public abstract String ownTable(String ddl);

  /**
   * A statement that renews a lease: parameters are its id and twice the version that it has seen.
   * One row comes back: 1 if the lease is live, the current version, the catalog's format.
   */
  abstract String renewal(int seconds);

  /**
   * What follows the VALUES of an INSERT to make it an addition to the rows that are there.
   *
   * @param table that is inserted into, without an alias
   * @param key its primary key
   * @param added columns whose values are added up
   */
  abstract String adding(String table, String key, List<String> added);

  /** An expression for the server's time in milliseconds since 1970. */
  abstract String nowMillis();

  static <T> T inTransaction(Connection connection, Work<T> work) throws SQLException {
    connection.setAutoCommit(false);
    return finishing(
        connection,
        c -> {
          T result = work.run(c);
          c.commit();
          return result;
        },
        c -> {
          c.rollback();
          c.setAutoCommit(true);
        });
  }

  /** What has to be done after work, whatever came of it. */
  interface Finish {
    void run(Connection connection) throws SQLException;
  }

  /** A failure to finish does not hide the failure of the work. */
  static <T> T finishing(Connection connection, Work<T> work, Finish finish) throws SQLException {
    T result;
    try {
      result = work.run(connection);
    } catch (SQLException | RuntimeException e) {
      try {
        finish.run(connection);
      } catch (SQLException finishing) {
        e.addSuppressed(finishing);
      }
      throw e;
    }
    finish.run(connection);
    return result;
  }

  static boolean isOne(Connection connection, String sql, String parameter) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setString(1, parameter);
      try (ResultSet row = select.executeQuery()) {
        return row.next() && row.getInt(1) == 1;
      }
    }
  }
}
