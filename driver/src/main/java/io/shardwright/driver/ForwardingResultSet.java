package io.shardwright.driver;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;

/**
 * A result set whose current row is a row of a physical result set, so that every getter is the
 * physical driver's own. Columns after the visible ones do not exist for the caller.
 */
abstract class ForwardingResultSet extends LogicalResultSet {
  // Long because: JDBC has 190 methods here.

  static final int ALL_COLUMNS = Integer.MAX_VALUE;

  /** How many columns the caller sees. */
  final int visibleColumns;

  ForwardingResultSet(ShardwrightStatement statement, int visibleColumns) {
    super(statement);
    this.visibleColumns = visibleColumns;
  }

  /** The physical result set on whose row this one is; it fails when there is no row. */
  abstract ResultSet current() throws SQLException;

  /** Any open physical result set: all have the same columns. */
  abstract ResultSet columns() throws SQLException;

  private int visible(int column) throws SQLException {
    if (column > visibleColumns) {
      throw noColumn(column, visibleColumns);
    }
    return column;
  }

  @Override
  public final boolean wasNull() throws SQLException {
    return current().wasNull();
  }

  @Override
  public final int findColumn(String label) throws SQLException {
    int column = columns().findColumn(label);
    if (column > visibleColumns) {
      throw noColumn(label);
    }
    return column;
  }

  @Override
  public final ResultSetMetaData getMetaData() throws SQLException {
    ResultSetMetaData all = columns().getMetaData();
    return visibleColumns == ALL_COLUMNS ? all : ResultColumns.firstOf(all, visibleColumns);
  }

  @Override
  public final String getString(int column) throws SQLException {
    return current().getString(visible(column));
  }

  @Override
  public final boolean getBoolean(int column) throws SQLException {
    return current().getBoolean(visible(column));
  }

  @Override
  public final byte getByte(int column) throws SQLException {
    return current().getByte(visible(column));
  }

  @Override
  public final short getShort(int column) throws SQLException {
    return current().getShort(visible(column));
  }

  @Override
  public final int getInt(int column) throws SQLException {
    return current().getInt(visible(column));
  }

  @Override
  public final long getLong(int column) throws SQLException {
    return current().getLong(visible(column));
  }

  @Override
  public final float getFloat(int column) throws SQLException {
    return current().getFloat(visible(column));
  }

  @Override
  public final double getDouble(int column) throws SQLException {
    return current().getDouble(visible(column));
  }

  @Override
  @Deprecated
  public final BigDecimal getBigDecimal(int column, int scale) throws SQLException {
    return current().getBigDecimal(visible(column), scale);
  }

  @Override
  public final byte[] getBytes(int column) throws SQLException {
    return current().getBytes(visible(column));
  }

  @Override
  public final Date getDate(int column) throws SQLException {
    return current().getDate(visible(column));
  }

  @Override
  public final Time getTime(int column) throws SQLException {
    return current().getTime(visible(column));
  }

  @Override
  public final Timestamp getTimestamp(int column) throws SQLException {
    return current().getTimestamp(visible(column));
  }

  @Override
  public final InputStream getAsciiStream(int column) throws SQLException {
    return current().getAsciiStream(visible(column));
  }

  @Override
  @Deprecated
  public final InputStream getUnicodeStream(int column) throws SQLException {
    return current().getUnicodeStream(visible(column));
  }

  @Override
  public final InputStream getBinaryStream(int column) throws SQLException {
    return current().getBinaryStream(visible(column));
  }

  @Override
  public final Object getObject(int column) throws SQLException {
    return current().getObject(visible(column));
  }

  @Override
  public final Reader getCharacterStream(int column) throws SQLException {
    return current().getCharacterStream(visible(column));
  }

  @Override
  public final BigDecimal getBigDecimal(int column) throws SQLException {
    return current().getBigDecimal(visible(column));
  }

  @Override
  public final Object getObject(int column, Map<String, Class<?>> types) throws SQLException {
    return current().getObject(visible(column), types);
  }

  @Override
  public final Ref getRef(int column) throws SQLException {
    return current().getRef(visible(column));
  }

  @Override
  public final Blob getBlob(int column) throws SQLException {
    return current().getBlob(visible(column));
  }

  @Override
  public final Clob getClob(int column) throws SQLException {
    return current().getClob(visible(column));
  }

  @Override
  public final Array getArray(int column) throws SQLException {
    return current().getArray(visible(column));
  }

  @Override
  public final Date getDate(int column, Calendar calendar) throws SQLException {
    return current().getDate(visible(column), calendar);
  }

  @Override
  public final Time getTime(int column, Calendar calendar) throws SQLException {
    return current().getTime(visible(column), calendar);
  }

  @Override
  public final Timestamp getTimestamp(int column, Calendar calendar) throws SQLException {
    return current().getTimestamp(visible(column), calendar);
  }

  @Override
  public final URL getURL(int column) throws SQLException {
    return current().getURL(visible(column));
  }

  @Override
  public final RowId getRowId(int column) throws SQLException {
    return current().getRowId(visible(column));
  }

  @Override
  public final NClob getNClob(int column) throws SQLException {
    return current().getNClob(visible(column));
  }

  @Override
  public final SQLXML getSQLXML(int column) throws SQLException {
    return current().getSQLXML(visible(column));
  }

  @Override
  public final String getNString(int column) throws SQLException {
    return current().getNString(visible(column));
  }

  @Override
  public final Reader getNCharacterStream(int column) throws SQLException {
    return current().getNCharacterStream(visible(column));
  }

  @Override
  public final <T> T getObject(int column, Class<T> type) throws SQLException {
    return current().getObject(visible(column), type);
  }
}
