package io.shardwright.driver;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.driver.QueryInsert.InsertedColumn;
import io.shardwright.sql.Dialect;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/** What the shards' databases and their JDBC drivers do differently. Stateless. */
abstract sealed class PhysicalDatabase permits PhysicalPostgreSql, PhysicalMariaDb {

  static PhysicalDatabase of(DatabaseProduct product) {
    return switch (product) {
      case POSTGRESQL -> PhysicalPostgreSql.INSTANCE;
      case MARIADB -> PhysicalMariaDb.INSTANCE;
    };
  }

  /**
   * @param urls of all shards
   */
  abstract Dialect dialect(List<String> urls);

  /** A url as the pool uses it, with what the answers of the physical driver depend on. */
  abstract String poolUrl(String url);

  // Sessions. What is set lasts until the lease is given back.

  /**
   * Lets the connection only read.
   *
   * @return the statement that takes it back; empty when the pool does
   */
  abstract Optional<String> setReadOnly(Connection connection) throws SQLException;

  /**
   * Bounds each wait for a lock in the transaction that has just begun.
   *
   * @return the statement that takes it back; empty when the transaction's end does
   */
  abstract Optional<String> boundLockWait(Connection connection, int millis) throws SQLException;

  /** A statement that bounds each wait for a lock in all that follows on a connection. */
  abstract String boundedLockWait(int millis);

  /** The same, and times are those of UTC. */
  abstract String boundedLockWaitInUtc(int millis);

  /** True when rows are streamed inside transactions only. */
  abstract boolean streamsInTransactionsOnly();

  /** True when a connection that streams rows cannot be asked for anything else meanwhile. */
  abstract boolean streamsAlone();

  /** False when generated keys are AUTO_INCREMENT values, whatever columns are asked for. */
  abstract boolean givesKeysByName();

  /** Whether its driver reads every number as a boolean, 0 as false, and not 0 and 1 only. */
  abstract boolean readsNumbersAsBooleans();

  abstract DdlSteps ddl();

  // Values.

  /**
   * @throws SQLException SW208 when values of the column's type cannot be compared here
   */
  abstract ValueReader reader(ResultSetMetaData columns, int column) throws SQLException;

  /** The type's name, alike for all columns that can be one column of a merged result. */
  abstract String type(ResultSetMetaData columns, int column) throws SQLException;

  /**
   * The same with the length or scale that it was declared with, as a statement writes it.
   *
   * @param type that {@link #type} gave
   */
  abstract String declared(ResultSetMetaData columns, int column, String type) throws SQLException;

  /**
   * The average of exact numbers, to the last digit.
   *
   * @param scale of the average's column
   */
  abstract BigDecimal average(BigDecimal sum, long count, int scale);

  /**
   * A floating point number as the database writes it.
   *
   * @param shortest the fewest digits that mean it
   */
  abstract String floatText(double number, String shortest);

  /** The declared type of a number, as a cast writes it. */
  abstract String castType(ShardColumns.Column column);

  /**
   * For rows of these columns.
   *
   * @throws SQLException SW208 when values of a type cannot be brought to another shard
   */
  abstract CollectedRows collect(List<ShardColumns.Column> columns) throws SQLException;

  /**
   * For the query of an INSERT ... SELECT.
   *
   * @throws SQLException SW208 when values of the type cannot be brought to another shard
   */
  abstract InsertedColumn inserted(ShardColumns.Column column) throws SQLException;

  /** The same for a column that decides where a row goes; empty for types of no route key. */
  abstract Optional<InsertedColumn> insertedKey(ShardColumns.Column column);

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
