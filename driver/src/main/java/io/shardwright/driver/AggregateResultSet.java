package io.shardwright.driver;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Map;

/**
 * Rows that were combined in memory, read forward: the result of aggregates over several shards.
 */
final class AggregateResultSet extends LogicalResultSet {
  // Long because: JDBC has 190 methods here.

  private final ShardwrightStatement statement;
  private final List<Cell[]> rows;
  private final ResultColumns columns;
  private int row;
  private boolean wasNull;
  private boolean closed;

  AggregateResultSet(ShardwrightStatement statement, Aggregation aggregation) throws SQLException {
    this(statement, aggregation.rows(), aggregation.columns());
  }

  private AggregateResultSet(
      ShardwrightStatement statement, List<Cell[]> rows, ResultColumns columns) {
    super(statement);
    this.statement = statement;
    this.rows = rows;
    this.columns = columns;
  }

  /** Neither rows nor columns: the keys of a statement that was not asked for any. */
  static AggregateResultSet empty(ShardwrightStatement statement) {
    return new AggregateResultSet(statement, List.of(), ResultColumns.NONE);
  }

  /** The ids that were issued for INSERTs into one table, as one column. */
  static AggregateResultSet ids(ShardwrightStatement statement, List<IssuedRoute> issued) {
    List<Cell[]> rows = new ArrayList<>();
    for (IssuedRoute one : issued) {
      one.ids().forEach(id -> rows.add(new Cell[] {Cell.of(id)}));
    }
    String column = issued.get(0).column().orElseThrow().column();
    return new AggregateResultSet(statement, rows, ResultColumns.ofLongs(column));
  }

  private PhysicalDatabase database() {
    return statement.connection().cluster().physical();
  }

  private Cell cell(int column) throws SQLException {
    checkOpen();
    if (row < 1 || row > rows.size()) {
      throw noRow();
    }
    if (column < 1 || column > columns.getColumnCount()) {
      throw noColumn(column, columns.getColumnCount());
    }
    Cell cell = rows.get(row - 1)[column - 1];
    wasNull = cell.object() == null;
    return cell;
  }

  private static ZoneId zone(Calendar calendar) {
    return calendar == null ? ZoneId.systemDefault() : calendar.getTimeZone().toZoneId();
  }

  private static SQLException noType(String type) {
    return SqlErrors.unsupported(
        "an aggregate over several shards as " + type, "use getObject or getString");
  }

  @Override
  public boolean next() throws SQLException {
    checkOpen();
    if (row <= rows.size()) {
      row++;
    }
    return row <= rows.size();
  }

  @Override
  public boolean wasNull() {
    return wasNull;
  }

  @Override
  public int findColumn(String label) throws SQLException {
    checkOpen();
    for (int column = 1; column <= columns.getColumnCount(); column++) {
      if (columns.getColumnLabel(column).equalsIgnoreCase(label)) {
        return column;
      }
    }
    throw noColumn(label);
  }

  @Override
  public ResultSetMetaData getMetaData() throws SQLException {
    checkOpen();
    return columns;
  }

  @Override
  public boolean isBeforeFirst() throws SQLException {
    checkOpen();
    return row == 0 && !rows.isEmpty();
  }

  @Override
  public boolean isAfterLast() throws SQLException {
    checkOpen();
    return row > rows.size() && !rows.isEmpty();
  }

  @Override
  public boolean isFirst() throws SQLException {
    checkOpen();
    return row == 1 && !rows.isEmpty();
  }

  @Override
  public boolean isLast() throws SQLException {
    checkOpen();
    return row == rows.size() && row > 0;
  }

  @Override
  public int getRow() throws SQLException {
    checkOpen();
    return row > rows.size() ? 0 : row;
  }

  @Override
  public void setFetchSize(int size) throws SQLException {
    checkOpen();
  }

  @Override
  public int getFetchSize() throws SQLException {
    checkOpen();
    return 0;
  }

  @Override
  public SQLWarning getWarnings() throws SQLException {
    checkOpen();
    return warnings(null);
  }

  @Override
  Completeness completenessAlone() {
    return new Completeness(List.of(), Map.of());
  }

  @Override
  public void close() throws SQLException {
    if (!closed) {
      closed = true;
      statement.resultClosed(this);
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public String getString(int column) throws SQLException {
    return cell(column).text();
  }

  @Override
  public boolean getBoolean(int column) throws SQLException {
    return cell(column).asBoolean(database());
  }

  @Override
  public byte getByte(int column) throws SQLException {
    return (byte) cell(column).asLong(Byte.MIN_VALUE, Byte.MAX_VALUE);
  }

  @Override
  public short getShort(int column) throws SQLException {
    return (short) cell(column).asLong(Short.MIN_VALUE, Short.MAX_VALUE);
  }

  @Override
  public int getInt(int column) throws SQLException {
    return (int) cell(column).asLong(Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  @Override
  public long getLong(int column) throws SQLException {
    return cell(column).asLong(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  @Override
  public float getFloat(int column) throws SQLException {
    return (float) cell(column).asDouble();
  }

  @Override
  public double getDouble(int column) throws SQLException {
    return cell(column).asDouble();
  }

  @Override
  @Deprecated
  public BigDecimal getBigDecimal(int column, int scale) throws SQLException {
    BigDecimal value = cell(column).asDecimal();
    return value == null ? null : value.setScale(scale, RoundingMode.HALF_UP);
  }

  @Override
  public byte[] getBytes(int column) throws SQLException {
    return cell(column).asBytes();
  }

  @Override
  public Date getDate(int column) throws SQLException {
    return cell(column).asDate(ZoneId.systemDefault());
  }

  @Override
  public Time getTime(int column) throws SQLException {
    return cell(column).asTime(ZoneId.systemDefault());
  }

  @Override
  public Timestamp getTimestamp(int column) throws SQLException {
    return cell(column).asTimestamp(ZoneId.systemDefault());
  }

  @Override
  public InputStream getAsciiStream(int column) throws SQLException {
    String text = cell(column).text();
    return text == null ? null : new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  @Deprecated
  public InputStream getUnicodeStream(int column) throws SQLException {
    throw noType("UnicodeStream");
  }

  @Override
  public InputStream getBinaryStream(int column) throws SQLException {
    byte[] bytes = cell(column).asBytes();
    return bytes == null ? null : new ByteArrayInputStream(bytes);
  }

  @Override
  public Object getObject(int column) throws SQLException {
    return cell(column).object();
  }

  @Override
  public Reader getCharacterStream(int column) throws SQLException {
    String text = cell(column).text();
    return text == null ? null : new StringReader(text);
  }

  @Override
  public BigDecimal getBigDecimal(int column) throws SQLException {
    return cell(column).asDecimal();
  }

  @Override
  public Object getObject(int column, Map<String, Class<?>> types) throws SQLException {
    if (types != null && !types.isEmpty()) {
      throw noType("a type map");
    }
    return cell(column).object();
  }

  @Override
  public Ref getRef(int column) throws SQLException {
    throw noType("Ref");
  }

  @Override
  public Blob getBlob(int column) throws SQLException {
    throw noType("Blob");
  }

  @Override
  public Clob getClob(int column) throws SQLException {
    throw noType("Clob");
  }

  @Override
  public Array getArray(int column) throws SQLException {
    throw noType("Array");
  }

  @Override
  public Date getDate(int column, Calendar calendar) throws SQLException {
    return cell(column).asDate(zone(calendar));
  }

  @Override
  public Time getTime(int column, Calendar calendar) throws SQLException {
    return cell(column).asTime(zone(calendar));
  }

  @Override
  public Timestamp getTimestamp(int column, Calendar calendar) throws SQLException {
    return cell(column).asTimestamp(zone(calendar));
  }

  @Override
  public URL getURL(int column) throws SQLException {
    throw noType("URL");
  }

  @Override
  public RowId getRowId(int column) throws SQLException {
    throw noType("RowId");
  }

  @Override
  public NClob getNClob(int column) throws SQLException {
    throw noType("NClob");
  }

  @Override
  public SQLXML getSQLXML(int column) throws SQLException {
    throw noType("SQLXML");
  }

  @Override
  public String getNString(int column) throws SQLException {
    return cell(column).text();
  }

  @Override
  public Reader getNCharacterStream(int column) throws SQLException {
    return getCharacterStream(column);
  }

  @Override
  public <T> T getObject(int column, Class<T> type) throws SQLException {
    return cell(column).as(type, database());
  }
}
