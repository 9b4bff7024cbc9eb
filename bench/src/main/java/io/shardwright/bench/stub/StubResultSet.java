package io.shardwright.bench.stub;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** Rows in memory, forward only. Not thread-safe. */
final class StubResultSet extends UnsupportedResultSet {
  private final StubStatement statement;
  private final StubAnswer.Rows rows;
  private int row = -1;
  private List<Object> current;
  private boolean wasNull;
  private boolean closed;

  StubResultSet(StubStatement statement, StubAnswer.Rows rows) {
    this.statement = statement;
    this.rows = rows;
  }

  @Override
  public boolean next() {
    row++;
    if (row >= rows.rows().size()) {
      current = null;
      return false;
    }
    current = rows.rows().get(row);
    return true;
  }

  @Override
  public int getRow() {
    return current == null ? 0 : row + 1;
  }

  @Override
  public boolean isBeforeFirst() {
    return row < 0 && !rows.rows().isEmpty();
  }

  @Override
  public boolean isAfterLast() {
    return row >= rows.rows().size() && !rows.rows().isEmpty();
  }

  @Override
  public Object getObject(int column) {
    Object value = current.get(column - 1);
    wasNull = value == null;
    return value;
  }

  @Override
  public <T> T getObject(int column, Class<T> type) {
    Object value = getObject(column);
    if (value instanceof Timestamp time && type == OffsetDateTime.class) {
      return type.cast(time.toInstant().atOffset(ZoneOffset.UTC));
    }
    return type.cast(value);
  }

  @Override
  public long getLong(int column) {
    Object value = getObject(column);
    return value == null ? 0 : ((Number) value).longValue();
  }

  @Override
  public int getInt(int column) {
    return (int) getLong(column);
  }

  @Override
  public boolean getBoolean(int column) {
    Object value = getObject(column);
    return value != null && (Boolean) value;
  }

  @Override
  public String getString(int column) {
    Object value = getObject(column);
    return value == null ? null : value.toString();
  }

  @Override
  public BigDecimal getBigDecimal(int column) {
    return (BigDecimal) getObject(column);
  }

  @Override
  public Timestamp getTimestamp(int column) {
    return (Timestamp) getObject(column);
  }

  @Override
  public Array getArray(int column) {
    return (Array) getObject(column);
  }

  @Override
  public int findColumn(String label) throws SQLException {
    int index = rows.columns().indexOf(label);
    if (index < 0) {
      throw new SQLException("stub: no column " + label);
    }
    return index + 1;
  }

  @Override
  public long getLong(String label) throws SQLException {
    return getLong(findColumn(label));
  }

  @Override
  public int getInt(String label) throws SQLException {
    return getInt(findColumn(label));
  }

  @Override
  public boolean getBoolean(String label) throws SQLException {
    return getBoolean(findColumn(label));
  }

  @Override
  public Object getObject(String label) throws SQLException {
    return getObject(findColumn(label));
  }

  @Override
  public String getString(String label) throws SQLException {
    return getString(findColumn(label));
  }

  @Override
  public boolean wasNull() {
    return wasNull;
  }

  @Override
  public ResultSetMetaData getMetaData() {
    return new StubColumns(rows);
  }

  @Override
  public Statement getStatement() {
    return statement;
  }

  @Override
  public void setFetchSize(int size) {}

  @Override
  public int getFetchSize() {
    return 0;
  }

  @Override
  public int getType() {
    return TYPE_FORWARD_ONLY;
  }

  @Override
  public int getConcurrency() {
    return CONCUR_READ_ONLY;
  }

  @Override
  public SQLWarning getWarnings() {
    return null;
  }

  @Override
  public void clearWarnings() {}

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  private static final class StubColumns extends UnsupportedResultSetMetaData {
    private final StubAnswer.Rows rows;

    StubColumns(StubAnswer.Rows rows) {
      this.rows = rows;
    }

    @Override
    public int getColumnCount() {
      return rows.columns().size();
    }

    @Override
    public String getColumnLabel(int column) {
      return rows.columns().get(column - 1);
    }

    @Override
    public String getColumnName(int column) {
      return getColumnLabel(column);
    }

    @Override
    public int getColumnType(int column) {
      return rows.types().get(column - 1).number();
    }

    @Override
    public String getColumnTypeName(int column) {
      return rows.types().get(column - 1).name();
    }

    @Override
    public boolean isAutoIncrement(int column) {
      return rows.types().get(column - 1).isAutoIncrement();
    }

    @Override
    public boolean isCaseSensitive(int column) {
      return true;
    }

    @Override
    public boolean isSigned(int column) {
      return true;
    }

    /** As for types without length or scale. */
    @Override
    public int getPrecision(int column) {
      return 0;
    }

    @Override
    public int getScale(int column) {
      return 0;
    }
  }
}
