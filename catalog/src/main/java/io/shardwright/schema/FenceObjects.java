package io.shardwright.schema;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.schema.IndexObjects.LockWait;
import io.shardwright.schema.ShardSchema.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The triggers by which a shard refuses writes to buckets that are not open on it, and notes the
 * keys of changed rows of buckets that move (docs/decisions/moves.md). Connections are in
 * autocommit, and again afterwards. Stateless.
 */
abstract sealed class FenceObjects permits PostgresFence, MariaDbFence {
  /** In the text of all that is made here: another number is another release's. */
  static final String RELEASE = "fence 2";

  final ShardDatabase database;
  final Optional<Mover> mover;

  /** How the fence of a table is. */
  enum Condition {
    GOOD,
    /** There is nothing of it. */
    NONE,
    /** It was made by another release, or for another mover. */
    OLD,
    /** A trigger is gone. */
    MISSING,
    /** A trigger does not fire. */
    DISABLED,
    /** A trigger is not as apply makes it. */
    CHANGED
  }

  FenceObjects(ShardDatabase database, Optional<Mover> mover) {
    this.database = database;
    this.mover = mover;
  }

  static FenceObjects of(Configuration configuration) {
    return switch (configuration.product()) {
      case POSTGRESQL -> new PostgresFence(configuration.mover());
      case MARIADB -> new MariaDbFence(configuration.mover());
    };
  }

  /**
   * Makes what all tables have in common, unless it is there.
   *
   * @return whether it did anything
   */
  abstract boolean installShared(Connection connection) throws SQLException;

  /** What {@link #installShared} makes is as it should be. */
  abstract boolean hasShared(Connection connection) throws SQLException;

  /**
   * Makes capture table and triggers of the table as they should be. They see every writer whose
   * transaction has not ended when the last of them is there.
   *
   * @return whether it did anything: another run may have been first
   */
  final boolean install(Connection connection, FencedTable table, LockWait wait)
      throws SQLException {
    AtomicBoolean done = new AtomicBoolean();
    database.patiently(
        connection,
        wait,
        statement -> {
          if (inspect(statement.getConnection(), table) != Condition.GOOD) {
            create(statement, table);
            done.set(true);
          }
        });
    return done.get();
  }

  /** Takes no locks that writers meet. */
  abstract Condition inspect(Connection connection, FencedTable table) throws SQLException;

  /** Names of the user's triggers that may change a row after the fence has looked at it. */
  abstract List<String> later(Connection connection, FencedTable table) throws SQLException;

  /** Names of the user's triggers that fire on rows which the mover writes. */
  abstract List<String> firingOnCopies(Connection connection, FencedTable table)
      throws SQLException;

  abstract void create(Statement statement, FencedTable table) throws SQLException;

  /** The columns of the capture table, and its primary key. */
  final String captureColumns(FencedTable table, Map<String, String> types, String identity) {
    List<Column> key = table.primaryKey();
    return "  "
        + identity
        + ",\n  bucket_id integer NOT NULL,\n"
        + IndexObjects.columns("p", key, types, " NOT NULL").stream()
            .map(column -> "  " + column + ",\n")
            .collect(Collectors.joining())
        + "  PRIMARY KEY (n)\n";
  }

  /** {@code INSERT INTO capture ...} of the key of OLD or NEW. */
  static String note(ShardDatabase database, String captureTable, String row, FencedTable table) {
    List<Column> key = table.primaryKey();
    String columns =
        IntStream.rangeClosed(1, key.size()).mapToObj(i -> ", p" + i).collect(Collectors.joining());
    String values =
        key.stream()
            .map(column -> ", " + database.field(row, column.name()))
            .collect(Collectors.joining());
    return "INSERT INTO %s (bucket_id%s) VALUES (%s%s);"
        .formatted(captureTable, columns, database.field(row, ShardSchema.BUCKET_COLUMN), values);
  }

  /** Of the message of a refused change of bucket_id or key. */
  static String keyRefusal(FencedTable table) {
    return "SW206: bucket_id"
        + (table.key().isEmpty() ? "" : " and key " + table.key())
        + " of table "
        + table.name()
        + " cannot change: delete the row and insert it anew";
  }
}
