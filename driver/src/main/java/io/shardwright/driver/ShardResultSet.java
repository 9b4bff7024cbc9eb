package io.shardwright.driver;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.List;
import java.util.Map;

/** The rows of one shard, passed through. Closing it frees cursor, statement and connection. */
final class ShardResultSet extends ForwardingResultSet {
  private final ShardwrightStatement statement;
  private final ShardCall call;
  private final ResultSet rows;
  private boolean closed;

  ShardResultSet(ShardwrightStatement statement, ShardCall call) {
    super(statement, ALL_COLUMNS);
    this.statement = statement;
    this.call = call;
    this.rows = call.rows();
  }

  @Override
  ResultSet current() {
    return rows;
  }

  @Override
  ResultSet columns() {
    return rows;
  }

  @Override
  public boolean next() throws SQLException {
    boolean found = call.next();
    if (found) {
      statement.checkRows(call.rowsRead());
    }
    return found;
  }

  @Override
  public void close() throws SQLException {
    if (!closed) {
      closed = true;
      call.close();
      if (call.rowsGathered() > 0) {
        statement.counters().merged(call.rowsGathered(), call.rowsGathered() - call.rowsRead());
      }
      statement.resultClosed(this);
    }
  }

  @Override
  public boolean isClosed() throws SQLException {
    return closed || rows.isClosed();
  }

  @Override
  public SQLWarning getWarnings() throws SQLException {
    return warnings(rows.getWarnings());
  }

  @Override
  Completeness completenessAlone() {
    return new Completeness(List.of(call.shard()), Map.of());
  }

  @Override
  public void clearWarnings() throws SQLException {
    super.clearWarnings();
    rows.clearWarnings();
  }

  @Override
  public boolean isBeforeFirst() throws SQLException {
    return rows.isBeforeFirst();
  }

  @Override
  public boolean isAfterLast() throws SQLException {
    return rows.isAfterLast();
  }

  @Override
  public boolean isFirst() throws SQLException {
    return rows.isFirst();
  }

  @Override
  public boolean isLast() throws SQLException {
    return rows.isLast();
  }

  @Override
  public void beforeFirst() throws SQLException {
    rows.beforeFirst();
  }

  @Override
  public void afterLast() throws SQLException {
    rows.afterLast();
  }

  @Override
  public boolean first() throws SQLException {
    return rows.first();
  }

  @Override
  public boolean last() throws SQLException {
    return rows.last();
  }

  @Override
  public int getRow() throws SQLException {
    return rows.getRow();
  }

  @Override
  public boolean absolute(int row) throws SQLException {
    return rows.absolute(row);
  }

  @Override
  public boolean relative(int count) throws SQLException {
    return rows.relative(count);
  }

  @Override
  public boolean previous() throws SQLException {
    return rows.previous();
  }

  @Override
  public void setFetchDirection(int direction) throws SQLException {
    rows.setFetchDirection(direction);
  }

  @Override
  public int getFetchDirection() throws SQLException {
    return rows.getFetchDirection();
  }

  @Override
  public void setFetchSize(int size) throws SQLException {
    rows.setFetchSize(size);
  }

  @Override
  public int getFetchSize() throws SQLException {
    return rows.getFetchSize();
  }

  @Override
  public int getType() throws SQLException {
    return rows.getType();
  }
}
