package io.shardwright.migration;

import io.shardwright.catalog.Database;
import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.catalog.ObjectName;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.Mover;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.BucketSet.Range;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Fence;
import io.shardwright.schema.ShardSchema;
import io.shardwright.schema.ShardSchema.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The mover's connection to one shard: what is done to the rows of the fence, and how rows go from
 * here to there. In autocommit, but for {@link #inTransaction}, {@link #inSnapshot} and, on
 * MariaDB, while it holds locks. Not thread-safe.
 */
abstract sealed class MoverConnection implements AutoCloseable permits PostgresMover, MariaDbMover {
  // Long because: the statements on the rows of the fence stand beside each other.

  /** Copying and comparing a bucket may take long; what waits for locks is bounded by itself. */
  private static final DatabaseLogin LOGIN =
      new DatabaseLogin(Duration.ofSeconds(5), Duration.ofMinutes(30), Duration.ofMinutes(31));

  private final ShardId shard;
  private final Connection connection;
  private final DatabaseProduct product;
  private final Database database;

  /** Work in a transaction. */
  interface Work<T> {
    T run() throws SQLException;
  }

  MoverConnection(ShardId shard, Connection connection, DatabaseProduct product) {
    this.shard = shard;
    this.connection = connection;
    this.product = product;
    this.database = Database.of(product);
  }

  /**
   * @throws ShardwrightException SW101 when the configuration names no mover; SW401 or SW403 when
   *     the shard cannot be used
   */
  static MoverConnection open(Configuration configuration, ShardId shard) {
    Mover mover = configuration.mover().orElseThrow(MoverConnection::noMover);
    Endpoint application = configuration.shards().get(shard).endpoint();
    return open(
        configuration, shard, new Endpoint(application.url(), mover.user(), mover.password()));
  }

  /** With the rights of the application; triggers do not let it pass as a mover. */
  static MoverConnection openAsApplication(Configuration configuration, ShardId shard) {
    return open(configuration, shard, configuration.shards().get(shard).endpoint());
  }

  private static MoverConnection open(
      Configuration configuration, ShardId shard, Endpoint endpoint) {
    try {
      Connection connection = LOGIN.open(endpoint);
      MoverConnection opened =
          switch (configuration.product()) {
            case POSTGRESQL -> new PostgresMover(shard, connection);
            case MARIADB -> new MariaDbMover(shard, connection);
          };
      opened.prepare();
      return opened;
    } catch (SQLException e) {
      throw ShardFailures.unavailable(shard, e);
    }
  }

  static ShardwrightException noMover() {
    return new ShardwrightException(
        ErrorCode.CONFIGURATION_INVALID,
        "shardwright.yaml names no mover; buckets are moved by a login role of its own: see"
            + " docs/moves.md, Grants");
  }

  final ShardId shard() {
    return shard;
  }

  final Connection connection() {
    return connection;
  }

  final String quote(String identifier) {
    return database.quote(identifier);
  }

  /** Settings of the session that make values the same text on every shard. */
  abstract void prepare() throws SQLException;

  /**
   * Ends the sessions of workers that had the move before: one that was stopped keeps its locks.
   * From here on this session is the only one of the move on this shard.
   */
  abstract void endOthers(long move) throws SQLException;

  // The rows of the fence

  /**
   * Before anything is done to others.
   *
   * @throws ShardwrightException SW413 when a later worker has the buckets
   */
  final void requireNoLater(String group, BucketSet buckets, long token) throws SQLException {
    requireAll(where(group, buckets, "token > " + token).isEmpty());
  }

  /**
   * From here on only who has this token changes the buckets' rows.
   *
   * @throws ShardwrightException SW413 when a later worker has taken them
   */
  final void takeToken(String group, BucketSet buckets, long token) throws SQLException {
    int taken =
        update(
            "UPDATE "
                + Fence.BUCKET_TABLE
                + " SET token = ? WHERE grp = ? AND token <= ? AND "
                + among("bucket", buckets),
            token,
            group,
            token);
    requireAll(taken == buckets.size() || count(group, buckets, token) == buckets.size());
  }

  /**
   * Changes rows of the fence.
   *
   * @param set assignments
   */
  final void change(String group, BucketSet buckets, long token, String set, Object... values)
      throws SQLException {
    List<Object> all = new ArrayList<>(List.of(values));
    all.add(group);
    all.add(token);
    int changed =
        update(
            "UPDATE "
                + Fence.BUCKET_TABLE
                + " SET "
                + set
                + " WHERE grp = ? AND token = ? AND incarnation = "
                + Fence.incarnation(product)
                + " AND "
                + among("bucket", buckets),
            all.toArray());
    // MariaDB counts rows that were so before, too (useAffectedRows is off).
    requireAll(changed == buckets.size());
  }

  /** Buckets whose rows were recorded on another server than this one. */
  final BucketSet failedOver(String group, BucketSet buckets) throws SQLException {
    return where(group, buckets, "incarnation <> " + Fence.incarnation(product));
  }

  /**
   * Says of buckets that were recorded on another server what holds on this one. Nobody has written
   * them here, so no lock is needed.
   *
   * @param set what holds beside that nothing is noted, as assignments
   */
  final void adopt(String group, BucketSet buckets, String set) throws SQLException {
    int unused =
        update(
            "UPDATE "
                + Fence.BUCKET_TABLE
                + " SET "
                + set
                + ", captured = FALSE, incarnation = "
                + Fence.incarnation(product)
                + " WHERE grp = ? AND incarnation <> "
                + Fence.incarnation(product)
                + " AND "
                + among("bucket", buckets),
            group);
  }

  /** The first statement of a transaction that writes rows: a worker that lost its move stops. */
  final void requireToken(String group, BucketSet buckets, long token) throws SQLException {
    change(group, BucketSet.of(List.of(buckets.iterator().next())), token, "token = token");
  }

  private int count(String group, BucketSet buckets, long token) throws SQLException {
    return where(group, buckets, "token = " + token).size();
  }

  /** Those of the buckets whose rows satisfy a condition. */
  final BucketSet where(String group, BucketSet buckets, String condition) throws SQLException {
    List<BucketId> found = new ArrayList<>();
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT bucket FROM "
                + Fence.BUCKET_TABLE
                + " WHERE grp = ? AND "
                + among("bucket", buckets)
                + " AND "
                + condition)) {
      select.setString(1, group);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          found.add(new BucketId(row.getInt(1)));
        }
      }
    }
    return BucketSet.of(found);
  }

  private void requireAll(boolean all) {
    if (!all) {
      throw new ShardwrightException(
          ErrorCode.CATALOG_CONFLICT,
          "the buckets' rows on shard "
              + shard
              + " are not as this worker left them: another one has taken the move over, the shard"
              + " was failed over, or shardwright_bucket lacks rows (run shardwright apply)");
    }
  }

  /**
   * Locks buckets against writers, those that can be had at once: every transaction that wrote
   * under the rows as they are has ended. Held until {@link #unlock}.
   *
   * @return the buckets that are locked
   */
  abstract BucketSet tryLock(String group, BucketSet buckets) throws SQLException;

  /** Lets go of all locks; commits what was changed under them. */
  abstract void unlock() throws SQLException;

  /** Makes changes of rows that were locked durable, without letting go where that can be. */
  abstract void commitLocked() throws SQLException;

  /** Who holds locks that {@link #tryLock} did not get, for people. */
  abstract Optional<String> blocker(String group, BucketSet buckets) throws SQLException;

  // Rows

  /**
   * Runs work in a transaction while nobody else writes these tables; waits five seconds for it.
   */
  abstract <T> T holdingRows(List<String> tables, Work<T> work) throws SQLException;

  /** Runs work that sees one moment. */
  abstract <T> T inSnapshot(Work<T> work) throws SQLException;

  final <T> T inTransaction(Work<T> work) throws SQLException {
    connection.setAutoCommit(false);
    boolean done = false;
    try {
      T result = work.run();
      connection.commit();
      done = true;
      return result;
    } finally {
      if (!done) {
        connection.rollback();
      }
      connection.setAutoCommit(true);
    }
  }

  /**
   * A table of this session for rows, or keys, of a table.
   *
   * @param names of its columns, which are as {@code columns} of the table
   * @return its quoted name; it is empty
   */
  final String stage(String name, MovedTable table, List<String> names, List<Column> columns)
      throws SQLException {
    String list =
        IntStream.range(0, columns.size())
            .mapToObj(i -> quote(columns.get(i).name()) + " AS " + quote(names.get(i)))
            .collect(Collectors.joining(", "));
    String quoted = quote(name);
    execute(
        "CREATE TEMPORARY TABLE IF NOT EXISTS "
            + quoted
            + " AS SELECT "
            + list
            + " FROM "
            + quote(table.name())
            + " WHERE 1 = 0");
    execute("DELETE FROM " + quoted);
    return quoted;
  }

  /** The columns of a table under its alias, in the form that {@link #receive} takes. */
  abstract String selectList(String alias, List<String> names, List<Column> columns);

  /** Deletes the rows of a table whose keys are staged under {@link MovedTable#noted}. */
  abstract void deleteStaged(MovedTable table, String stage) throws SQLException;

  /**
   * Sends the rows of a query at another shard into a table here, in the open transaction.
   *
   * @param select of a {@link #selectList}, without parameters
   * @param into quoted
   * @param names in {@code into} of the query's columns, in its order
   */
  abstract long receive(
      MoverConnection from, String select, String into, List<String> names, List<Column> columns)
      throws SQLException;

  /**
   * Writes rows of a query at another shard, in the open transaction, changing those that are
   * there.
   *
   * @param select the rows
   * @param keys of the rows and perhaps of others that are not, under {@link MovedTable#noted}
   */
  abstract void upsert(MovedTable table, MoverConnection from, String select, String keys)
      throws SQLException;

  /**
   * The same where unique values go from row to row: all are deleted before one is inserted.
   *
   * @param rows of {@link #stageRows}
   */
  abstract void replace(MovedTable table, String rows) throws SQLException;

  /** Rows of a query at another shard, in a table of this session; its quoted name. */
  final String stageRows(MovedTable table, MoverConnection from, String select)
      throws SQLException {
    List<String> names = table.columns().stream().map(Column::name).toList();
    String stage =
        stage(ObjectName.fit("shardwright_rows_", table.name()), table, names, table.columns());
    receive(from, select, stage, names, table.columns());
    return stage;
  }

  /** Keys of a query at another shard, in a table of this session; its quoted name. */
  final String stageKeys(MovedTable table, MoverConnection from, String select)
      throws SQLException {
    String stage =
        stage(ObjectName.fit("shardwright_keys_", table.name()), table, table.noted(), table.key());
    receive(from, select, stage, table.noted(), table.key());
    return stage;
  }

  /** An expression for a column's value as a literal that compares as the column does. */
  final String literal(Column column) {
    return literalOf(quote(column.name()), column);
  }

  final String literal(String alias, Column column) {
    return literalOf(alias + "." + quote(column.name()), column);
  }

  abstract String literalOf(String name, Column column);

  /** The same for a value of any column, to its last bit; NULL for NULL. */
  abstract String exact(Column column);

  /** Begin the statements of {@link RepairSql}: what literals mean, and a transaction. */
  abstract List<String> repairSettings();

  /** Between columns and values of an INSERT that gives identity columns theirs. */
  abstract String overriding();

  /** Where the snapshot that the connection is in stands; empty where nobody may know. */
  abstract String position() throws SQLException;

  /** The keys come after, or not after, one that is given by literals. */
  abstract String compare(List<String> key, String sign, List<String> literals);

  /** The literals of the first key that a query finds. */
  final Optional<List<String>> firstKey(MovedTable table, String condition, String order)
      throws SQLException {
    String key = table.key().stream().map(this::literal).collect(Collectors.joining(", "));
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT "
                    + key
                    + " FROM "
                    + quote(table.name())
                    + " WHERE "
                    + condition
                    + " "
                    + order)) {
      if (!row.next()) {
        return Optional.empty();
      }
      List<String> literals = new ArrayList<>();
      for (int i = 1; i <= table.key().size(); i++) {
        literals.add(row.getString(i));
      }
      return Optional.of(literals);
    }
  }

  /** Count and two sums of hashes of rows. */
  record Digest(long rows, String first, String second) {}

  /** An expression of 32 hexadecimal digits for a row's values. */
  abstract String hash(List<Column> columns);

  /** Two expressions that sum the halves of {@code h}. */
  abstract List<String> sums();

  final Digest digest(MovedTable table, List<Column> columns, String condition)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*), "
                    + String.join(", ", sums())
                    + " FROM (SELECT "
                    + hash(columns)
                    + " AS h FROM "
                    + quote(table.name())
                    + " t WHERE "
                    + condition
                    + ") digests")) {
      row.next();
      return new Digest(row.getLong(1), row.getString(2), row.getString(3));
    }
  }

  /**
   * What has been numbered so far, as the database tells it; without those of the tables that are
   * not.
   *
   * @param tables and sequences
   */
  abstract Map<Numbered, Long> numbers(List<String> tables) throws SQLException;

  /** From here on this shard gives no number that the other one has given. */
  abstract void raise(Map<Numbered, Long> numbers) throws SQLException;

  /**
   * What draws numbers.
   *
   * @param name of a table or a sequence
   * @param place among those of the table
   */
  record Numbered(String name, int place) {}

  /**
   * Transactions that were prepared, and hold no lock any more that a closed bucket could wait for.
   */
  abstract List<String> preparedUnlocked() throws SQLException;

  /** Deletes rows of a table, at most so many. */
  abstract int deleteSome(String table, String condition, int rows) throws SQLException;

  // Small things

  final int update(String sql, Object... values) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        update.setObject(i + 1, values[i]);
      }
      return update.executeUpdate();
    }
  }

  final void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  final List<Long> numbers(String sql) throws SQLException {
    List<Long> numbers = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        numbers.add(row.getLong(1));
      }
    }
    return numbers;
  }

  final String names(List<Column> columns) {
    return columns.stream().map(c -> quote(c.name())).collect(Collectors.joining(", "));
  }

  /** {@code a.x = b.y AND ...} */
  final String equal(String left, List<String> leftNames, String right, List<String> rightNames) {
    return IntStream.range(0, leftNames.size())
        .mapToObj(
            i ->
                left
                    + "."
                    + quote(leftNames.get(i))
                    + " = "
                    + right
                    + "."
                    + quote(rightNames.get(i)))
        .collect(Collectors.joining(" AND "));
  }

  /** A condition on a column of bucket numbers. */
  static String among(String column, BucketSet buckets) {
    if (buckets.isEmpty()) {
      return "1 = 0";
    }
    return buckets.ranges().stream()
        .map(range -> among(column, range))
        .collect(Collectors.joining(" OR ", "(", ")"));
  }

  static String among(String column, Range range) {
    return range.first() == range.last()
        ? column + " = " + range.first()
        : column + " BETWEEN " + range.first() + " AND " + range.last();
  }

  static String ofBuckets(BucketSet buckets) {
    return among(ShardSchema.BUCKET_COLUMN, buckets);
  }

  @Override
  public final void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      // The server ends the session by itself.
    }
  }
}
