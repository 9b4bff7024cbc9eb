package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of several shards as one result, read forward. The current row is always a physical row,
 * so getters give exactly what the physical driver gives. Closing it frees all shards.
 */
final class MergedResultSet extends ForwardingResultSet {
  private static final Logger LOG = LoggerFactory.getLogger(MergedResultSet.class);

  private final ShardwrightStatement statement;
  private final ShardCall[] calls;
  private final RowOrder order;
  private final View view;
  private ResultSet current;
  private long rowsGiven;
  private boolean started;
  private boolean ended;
  private boolean closed;

  /**
   * What of the merged rows the caller sees.
   *
   * @param columns from the left
   * @param skip rows from the start
   * @param max rows after those
   */
  record View(int columns, long skip, long max) {
    static final View ALL = new View(ALL_COLUMNS, 0, Long.MAX_VALUE);

    boolean isWindow() {
      return skip > 0 || max < Long.MAX_VALUE;
    }
  }

  MergedResultSet(ShardwrightStatement statement, ShardCall[] calls, RowOrder order, View view) {
    super(statement, view.columns());
    this.statement = statement;
    this.calls = calls;
    this.order = order;
    this.view = view;
  }

  @Override
  ResultSet current() throws SQLException {
    if (current == null) {
      checkOpen();
      throw noRow();
    }
    return current;
  }

  @Override
  ResultSet columns() throws SQLException {
    checkOpen();
    return order.any();
  }

  @Override
  public boolean next() throws SQLException {
    checkOpen();
    if (ended) {
      return false;
    }
    if (!started) {
      started = true;
      for (long skipped = 0; skipped < view.skip(); skipped++) {
        if (order.next() == null) {
          return end();
        }
      }
    }
    if (rowsGiven == view.max()) {
      return end();
    }
    current = order.next();
    if (current == null) {
      return end();
    }
    statement.checkRows(rowsGiven + 1);
    rowsGiven++;
    return true;
  }

  private boolean end() {
    current = null;
    ended = true;
    return false;
  }

  @Override
  public void close() throws SQLException {
    if (!closed) {
      closed = true;
      current = null;
      count();
      ShardCall.closeAll(calls);
      statement.resultClosed(this);
    }
  }

  private void count() {
    long read = 0;
    try {
      for (ShardCall call : calls) {
        read += call.rowsRead();
        if (view.isWindow() && call.rows() != null) {
          // At most LIMIT and OFFSET together, and in memory.
          read += call.countRest();
        }
      }
    } catch (SQLException e) {
      LOG.debug("rows of a merged result were not counted", e);
    }
    statement.counters().merged(read, view.isWindow() ? read - rowsGiven : 0);
  }

  @Override
  public boolean isClosed() throws SQLException {
    return closed;
  }

  @Override
  public SQLWarning getWarnings() throws SQLException {
    checkOpen();
    return warnings(order.any().getWarnings());
  }

  @Override
  Completeness completenessAlone() {
    List<ShardId> shards = Arrays.stream(calls).map(ShardCall::shard).distinct().sorted().toList();
    return new Completeness(shards, Map.of());
  }

  @Override
  public void clearWarnings() throws SQLException {
    super.clearWarnings();
    for (ShardCall call : calls) {
      if (call.rows() != null) {
        call.rows().clearWarnings();
      }
    }
  }

  /**
   * @throws SQLException SW214 before the first {@code next()}: whether a row will come is not
   *     known
   */
  @Override
  public boolean isBeforeFirst() throws SQLException {
    checkOpen();
    if (!started) {
      throw SqlErrors.of(
          ErrorCode.JDBC_CALL_INVALID,
          "isBeforeFirst() of a merged result would have to read a row; call next()");
    }
    return false;
  }

  @Override
  public boolean isAfterLast() throws SQLException {
    checkOpen();
    return ended && rowsGiven > 0;
  }

  @Override
  public boolean isFirst() throws SQLException {
    checkOpen();
    return current != null && rowsGiven == 1;
  }

  @Override
  public int getRow() throws SQLException {
    checkOpen();
    return current == null ? 0 : (int) rowsGiven;
  }

  @Override
  public void setFetchSize(int rows) throws SQLException {
    for (ShardCall call : calls) {
      if (call.rows() != null) {
        call.rows().setFetchSize(rows);
      }
    }
  }

  @Override
  public int getFetchSize() throws SQLException {
    checkOpen();
    return order.any().getFetchSize();
  }
}
