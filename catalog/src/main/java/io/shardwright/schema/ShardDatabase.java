package io.shardwright.schema;

import io.shardwright.catalog.Database;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.IndexObjects.LockWait;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** What the products do differently, as far as tables and their rows are concerned. Stateless. */
abstract sealed class ShardDatabase permits PostgresShard, MariaDbShard {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LAST_PAUSE = Duration.ofSeconds(5);
  private static final Set<String> TEXTS = Set.of("varchar", "char", "bpchar");

  private final Database database;

  ShardDatabase(Database database) {
    this.database = database;
  }

  static ShardDatabase of(DatabaseProduct product) {
    return switch (product) {
      case POSTGRESQL -> PostgresShard.INSTANCE;
      case MARIADB -> MariaDbShard.INSTANCE;
    };
  }

  final Database database() {
    return database;
  }

  final String quote(String identifier) {
    return database.quote(identifier);
  }

  /** Of OLD or NEW in a trigger. */
  final String field(String row, String column) {
    return row + "." + quote(column);
  }

  abstract ShardSchema inspect(Connection connection, Collection<String> tables)
      throws SQLException;

  /** The same while no other process makes Shardwright's objects, where that would disturb it. */
  ShardSchema inspectAlone(Connection connection, Collection<String> tables) throws SQLException {
    return inspect(connection, tables);
  }

  /** With what only some users may read, if this one may. */
  abstract ShardSchema completed(Connection connection, ShardSchema schema) throws SQLException;

  /** Why a column whose {@code keyType} is empty has none, and what to use. */
  abstract String whyNoKey(Column column);

  /** How a lookup index hashes the column's values; empty when it cannot be indexed. */
  abstract Optional<KeyType> indexType(Column column);

  /** Why {@code indexType} is empty, and what to use. */
  abstract String whyNoIndex(Column column);

  /** Its values have an order by which an index can hold them. */
  abstract boolean isOrdered(Column column);

  /** Its values can be copied from table to table, and a change of one be seen. */
  abstract boolean isCopied(Column column);

  /** A value that was read finds the same row again. */
  final boolean isExact(Column column) {
    return column.keyType().isPresent() || TEXTS.contains(column.typeName());
  }

  /** A foreign key whose action changes one of the columns and fires no trigger. */
  abstract Optional<String> writtenBelowTriggers(Table table, List<String> columns);

  /** A foreign key whose action deletes rows of the table and fires no trigger. */
  abstract Optional<String> deletedBelowTriggers(Table table);

  /** Of 64 bits with sign. */
  abstract boolean isGeneType(Column column);

  /** An integer. */
  abstract boolean isBucketType(Column column);

  /** It holds numbers beyond those of a smallint. */
  abstract boolean isWide(Column bucket);

  /** The statement that forbids NULL. */
  abstract String setNotNull(Table table, Column column);

  /** The statement that takes away what fills the column when an INSERT omits it. */
  abstract String dropDefault(Table table, Column column);

  /** What stands behind a CHECK that shall be added without reading the rows, if that can be. */
  abstract String unvalidated();

  /** The statement that reads the rows for a CHECK that was added without; empty: none is. */
  abstract String validate(String table, String constraint);

  /** A CHECK as the server prints it, without what printing changes. */
  abstract String bare(String check);

  /** Whether the table has a CHECK of this name. */
  abstract boolean hasCheck(Connection connection, String table, String constraint)
      throws SQLException;

  /** The columns of a table by name, as a CREATE TABLE writes them: with their collations. */
  abstract Map<String, String> declaredTypes(Connection connection, Table table)
      throws SQLException;

  /** Statements of DDL. */
  interface Work {
    void run(Statement statement) throws SQLException;
  }

  /**
   * Runs DDL on a user's table, with a bound on its wait for locks.
   *
   * @param connection in autocommit, and again afterwards
   */
  abstract void bounded(Connection connection, Duration lockWait, Work work) throws SQLException;

  /** The same again and again, with longer and longer pauses, until the patience is at its end. */
  final void patiently(Connection connection, LockWait wait, Work work) throws SQLException {
    long start = System.nanoTime();
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        bounded(connection, wait.attempt(), work);
        return;
      } catch (SQLException e) {
        if (!SqlFailure.isLockTimeout(e) || System.nanoTime() - start > wait.patience().toNanos()) {
          throw e;
        }
        LockSupport.parkNanos(pause.toNanos());
        pause =
            pause.multipliedBy(2).compareTo(LAST_PAUSE) < 0 ? pause.multipliedBy(2) : LAST_PAUSE;
      }
    }
  }

  /** An expression for what tells this server from another one with a copy of its data. */
  abstract String incarnation();

  /** A condition of triggers: who is logged in is another user. */
  abstract String isNot(Mover mover);

  /** Reads the whole table. */
  abstract ReferenceDigest digest(Connection connection, Table table) throws SQLException;
}
