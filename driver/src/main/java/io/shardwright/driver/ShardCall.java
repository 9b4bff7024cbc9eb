package io.shardwright.driver;

import io.shardwright.catalog.PhysicalBatch;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.ShardStatement;
import io.shardwright.sql.Route.ShardStatementText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * One statement on one shard: the lease, the physical statement and its answer. Whoever holds it
 * closes it exactly once; {@link #cancel()} alone may be called by other threads.
 */
final class ShardCall {
  // Long because: each way of sending a statement is counted, maintained and ended in one place.

  /** For the way of the cancellation to the server, and of its answer back. */
  private static final int CANCEL_SECONDS = 5;

  private static final int MAX_BOUNDED_SECONDS = 1_000_000;

  private final Lease lease;
  private final boolean ownsLease;
  private volatile Statement physical;
  private PreparedStatement prepared;
  private String sql;
  private ResultSet rows;
  private boolean keys;
  private ShardColumns columns;
  private long count = -1;
  private long rowsRead;
  private long rowsGathered;
  private boolean cursor;
  private Maintenance.InTransaction maintenance;

  /** What is added to the text so that it tells of inserted rows; empty: nothing. */
  private String returning = "";

  private boolean unmaintained;
  private int networkTimeoutBefore = -1;

  /** Null: nobody counts it, or not any more. */
  private BucketCounters heat;

  /** What it is about, by which it is counted. */
  private ShardStatement counted;

  private boolean writes;

  /**
   * @param ownsLease false when the lease belongs to the transaction
   */
  ShardCall(Lease lease, boolean ownsLease) {
    this.lease = lease;
    this.ownsLease = ownsLease;
  }

  /**
   * What it does to buckets is counted.
   *
   * @param counters null: it is not
   */
  void countedBy(BucketCounters counters, Plan plan, ShardStatement to) {
    heat = counters;
    counted = to;
    writes = plan.kind() != Plan.Kind.SELECT;
  }

  private void countSent(long start) {
    if (heat != null) {
      long nanos = System.nanoTime() - start;
      if (writes) {
        heat.wrote(counted.buckets(), nanos);
      } else {
        heat.read(counted.buckets(), nanos);
      }
    }
  }

  private void countChanged() {
    if (heat != null && count > 0) {
      heat.rows(counted.buckets(), count);
    }
  }

  /** What is read from here on is not of its statement. */
  private void countReturned() {
    if (heat != null && rowsRead > 0 && !keys) {
      heat.rows(counted.buckets(), rowsRead);
    }
    heat = null;
  }

  /** Rows that were obtained otherwise, such as those of metadata. */
  ShardCall answered(ResultSet answer) {
    rows = answer;
    return this;
  }

  ShardId shard() {
    return lease.shard();
  }

  Lease lease() {
    return lease;
  }

  PhysicalDatabase database() {
    return lease.pool().database();
  }

  boolean ownsLease() {
    return ownsLease;
  }

  ResultSet rows() {
    return rows;
  }

  /** Moves to the next row; errors name the shard. */
  boolean next() throws SQLException {
    try {
      boolean found = rows.next();
      if (found) {
        rowsRead++;
      }
      return found;
    } catch (SQLException e) {
      throw SqlErrors.on(shard(), e);
    }
  }

  /** Rows that {@link #next()} gave. */
  long rowsRead() {
    return rowsRead;
  }

  /** Rows of other shards that this call's answer is made of; 0: it is a shard's own answer. */
  long rowsGathered() {
    return rowsGathered;
  }

  void rowsGathered(long count) {
    rowsGathered = count;
    rowsRead = 0;
  }

  /** Rows that were received and not read; those behind a cursor are not received for it. */
  long countRest() throws SQLException {
    long rest = 0;
    while (!cursor && rows.next()) {
      rest++;
    }
    return rest;
  }

  /** All rows of an answer that can be read again, of which none was read yet. */
  long countAll() throws SQLException {
    try {
      long all = rows.last() ? rows.getRow() : 0;
      rows.beforeFirst();
      return all;
    } catch (SQLException e) {
      throw SqlErrors.on(shard(), e);
    }
  }

  /** Rows are still on their way, and its connection can be asked for nothing else. */
  boolean isStreaming() {
    return cursor && database().streamsAlone();
  }

  /** What the database had to say besides the answer. */
  SQLWarning warnings() throws SQLException {
    return physical.getWarnings();
  }

  long count() {
    return count;
  }

  /**
   * Like {@link #prepare(StatementSettings, ShardStatementText, Parameters)} for a statement that
   * answers with rows. Where a fetch size streams only inside a transaction, a read-only one is
   * opened for it if the caller has none.
   */
  void prepareQuery(
      StatementSettings settings, Plan plan, ShardStatementText text, Parameters parameters)
      throws SQLException {
    cursor = settings.fetchSize() > 0 && plan.kind() == Plan.Kind.SELECT;
    if (cursor && ownsLease && !plan.locksOrWrites() && database().streamsInTransactionsOnly()) {
      lease.setReadOnly();
      lease.connection().setAutoCommit(false);
    }
    prepare(settings, text, parameters);
    if (cursor) {
      physical.setFetchSize(settings.fetchSize());
    }
  }

  /** Makes the physical statement; nothing is sent yet. */
  void prepare(StatementSettings settings, ShardStatementText text, Parameters parameters)
      throws SQLException {
    prepare(settings, settings.keys(), text, parameters);
  }

  /**
   * The same with other generated keys than the caller's.
   *
   * @param wanted null for none
   */
  void prepare(
      StatementSettings settings,
      GeneratedKeys wanted,
      ShardStatementText text,
      Parameters parameters)
      throws SQLException {
    Connection connection = lease.connection();
    sql = returning.isEmpty() ? text.sql() : text.sql() + returning;
    if (wanted != null) {
      keys = true;
      prepared = wanted.prepare(connection, sql);
    } else if (!settings.prepared() && text.arguments().isEmpty()) {
      physical =
          settings.type() == ResultSet.TYPE_FORWARD_ONLY
              ? connection.createStatement()
              : connection.createStatement(settings.type(), ResultSet.CONCUR_READ_ONLY);
    } else if (settings.type() == ResultSet.TYPE_FORWARD_ONLY) {
      prepared = connection.prepareStatement(sql);
    } else {
      prepared = connection.prepareStatement(sql, settings.type(), ResultSet.CONCUR_READ_ONLY);
    }
    if (prepared != null) {
      physical = prepared;
      parameters.bind(prepared, text.arguments());
    }
    settings.applyTo(physical);
    boundWait(settings);
  }

  /**
   * The end of the query timeout asks the server to cancel, which ends nothing when the network is
   * silent: then the connection is given up a little later.
   */
  private void boundWait(StatementSettings settings) throws SQLException {
    int seconds = settings.queryTimeoutSeconds();
    if (seconds == 0 || seconds > MAX_BOUNDED_SECONDS) {
      return;
    }
    endReadsAfter(Duration.ofSeconds(seconds + CANCEL_SECONDS));
  }

  /** The connection is given up when its server says nothing for so long. */
  void endReadsAfter(Duration time) throws SQLException {
    int before = lease.connection().getNetworkTimeout();
    int wanted = (int) Math.min(time.toMillis(), Integer.MAX_VALUE);
    if (before == 0 || before > wanted) {
      lease.connection().setNetworkTimeout(Runnable::run, wanted);
      networkTimeoutBefore = before;
    }
  }

  /** Limits the rows that this shard returns; 0 is no limit. */
  void limitRows(long max) throws SQLException {
    if (max > Integer.MAX_VALUE) {
      physical.setLargeMaxRows(max);
    } else if (max > 0) {
      physical.setMaxRows((int) max);
    }
  }

  /** The statement changes entries of indexes, in a transaction whose part of them is this. */
  void maintaining(Maintenance.InTransaction how) {
    maintenance = how;
  }

  /** It inserts plain rows, and tells of them itself. Before it is prepared. */
  void tellingOfInserted() {
    returning = maintenance.returning();
  }

  void executeQuery() throws SQLException {
    announce();
    long start = System.nanoTime();
    try {
      rows = prepared == null ? physical.executeQuery(sql) : prepared.executeQuery();
    } finally {
      countSent(start);
    }
    maintain();
  }

  void executeUpdate() throws SQLException {
    if (!returning.isEmpty()) {
      insert();
      return;
    }
    announce();
    long start = System.nanoTime();
    try {
      count = prepared == null ? physical.executeLargeUpdate(sql) : prepared.executeLargeUpdate();
    } finally {
      countSent(start);
    }
    countChanged();
    maintain();
  }

  private void insert() throws SQLException {
    long start = System.nanoTime();
    ResultSet inserted;
    try {
      inserted = prepared == null ? physical.executeQuery(sql) : prepared.executeQuery();
    } finally {
      countSent(start);
    }
    unmaintained = true;
    count = maintenance.maintainInserted(lease, inserted);
    unmaintained = false;
    countChanged();
  }

  private void announce() throws SQLException {
    if (maintenance != null) {
      maintenance.announce(lease);
    }
  }

  private void maintain() throws SQLException {
    if (maintenance != null) {
      unmaintained = true;
      maintenance.maintain(lease);
      unmaintained = false;
    }
  }

  /** The statement changed rows, and their entries could not follow: no commit may come. */
  boolean isUnmaintained() {
    return unmaintained;
  }

  /** Whether no row was changed, by the count or by the rows that the statement returned. */
  boolean changedNothing() throws SQLException {
    return (rows == null || keys) ? count == 0 : !rows.isBeforeFirst();
  }

  /** What it did cannot be undone any more. */
  boolean isCommitted() throws SQLException {
    return ownsLease && lease.connection().getAutoCommit();
  }

  boolean hasKeys() {
    return keys;
  }

  /** After {@link #executeUpdate()} with generated keys. */
  ResultSet generatedKeys() throws SQLException {
    if (rows == null) {
      rows = physical.getGeneratedKeys();
    }
    return rows;
  }

  /** For {@link #columns()}, where rows of several shards are merged. */
  void readColumns() throws SQLException {
    columns = ShardColumns.of(this);
  }

  ShardColumns columns() {
    return columns;
  }

  /** Adds the bound parameters, or the text, to the physical batch. */
  void addBatch() throws SQLException {
    if (prepared == null) {
      physical.addBatch(sql);
    } else {
      prepared.addBatch();
    }
  }

  void addBatch(Parameters parameters, List<Argument> arguments) throws SQLException {
    if (prepared != null) {
      parameters.bind(prepared, arguments);
    }
    addBatch();
  }

  long[] executeBatch() throws SQLException {
    announce();
    long[] counts = PhysicalBatch.execute(physical);
    maintain();
    return counts;
  }

  void cancel() throws SQLException {
    Statement running = physical;
    if (running != null) {
      running.cancel();
    }
  }

  /** Ends this statement and begins another one on the same shard and lease. */
  void prepareNext(StatementSettings settings, String nextSql) throws SQLException {
    if (physical != null) {
      physical.close();
    }
    countReturned();
    rows = null;
    sql = nextSql;
    prepared = lease.connection().prepareStatement(nextSql);
    physical = prepared;
    settings.applyTo(physical);
  }

  PreparedStatement prepared() {
    return prepared;
  }

  /** Frees cursor, physical statement and own lease; an open read transaction ends with it. */
  void close() {
    countReturned();
    try {
      if (physical != null) {
        physical.close();
      } else if (rows != null) {
        rows.close();
      }
    } catch (SQLException e) {
      lease.pool().discarded(e);
    } finally {
      if (ownsLease) {
        lease.release();
      } else {
        restoreWait();
      }
    }
  }

  /** The pool does it for the connections that it gets back. */
  private void restoreWait() {
    if (networkTimeoutBefore >= 0) {
      try {
        lease.connection().setNetworkTimeout(Runnable::run, networkTimeoutBefore);
      } catch (SQLException e) {
        // It is broken, which the statement has reported.
        lease.pool().discarded(e);
      }
    }
  }

  static void closeAll(ShardCall[] calls) {
    for (ShardCall call : calls) {
      if (call != null) {
        call.close();
      }
    }
  }
}
