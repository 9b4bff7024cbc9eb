package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
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
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;
import java.util.Set;

/**
 * What all result sets of a logical statement share: labels become column numbers, updating is
 * refused, and moving is forward only unless a subclass can do more.
 */
abstract class LogicalResultSet implements ResultSet {
  // Long because: JDBC has 190 methods here.

  private final ShardwrightStatement statement;

  private SQLWarning partial;
  private final Completeness completeness;
  private final Set<String> laggingIndexes;

  LogicalResultSet(ShardwrightStatement statement) {
    this.statement = statement;
    this.partial = statement.partialWarning();
    this.completeness = statement.completeness();
    this.laggingIndexes = statement.laggingIndexes();
  }

  /** Of which shards it is made when not of those that the statement says: its own one. */
  abstract Completeness completenessAlone() throws SQLException;

  /** The warning that shards are missing, before those of the physical results. */
  final SQLWarning warnings(SQLWarning physical) {
    return partial == null ? physical : partial;
  }

  @Override
  public void clearWarnings() throws SQLException {
    checkOpen();
    partial = null;
  }

  @Override
  public final Statement getStatement() throws SQLException {
    checkOpen();
    return statement;
  }

  final void checkOpen() throws SQLException {
    if (isClosed()) {
      throw SqlErrors.of(
          ErrorCode.JDBC_CALL_INVALID,
          "this result set is closed; keep it, its statement and its connection open while reading");
    }
  }

  static SQLException noRow() {
    return SqlErrors.of(
        ErrorCode.JDBC_CALL_INVALID,
        "the result set is not on a row; call next() and read only while it returns true");
  }

  static SQLException noColumn(int column, int columns) {
    return SqlErrors.of(
        ErrorCode.JDBC_CALL_INVALID,
        "column " + column + " does not exist; the result has columns 1 to " + columns);
  }

  static SQLException noColumn(String label) {
    return SqlErrors.of(ErrorCode.COLUMN_UNKNOWN, "the result has no column '" + label + "'");
  }

  private static SQLException readOnly() {
    return SqlErrors.unsupported(
        "updating through a result set", "send an UPDATE, INSERT or DELETE statement");
  }

  private static SQLException forwardOnly() {
    return SqlErrors.unsupported(
        "moving other than by next() in this result set", "read it forward");
  }

  @Override
  public boolean isLast() throws SQLException {
    throw forwardOnly();
  }

  @Override
  public void beforeFirst() throws SQLException {
    throw forwardOnly();
  }

  @Override
  public void afterLast() throws SQLException {
    throw forwardOnly();
  }

  @Override
  public boolean first() throws SQLException {
    throw forwardOnly();
  }

  @Override
  public boolean last() throws SQLException {
    throw forwardOnly();
  }

  @Override
  public boolean absolute(int row) throws SQLException {
    throw forwardOnly();
  }

  @Override
  public boolean relative(int rows) throws SQLException {
    throw forwardOnly();
  }

  @Override
  public boolean previous() throws SQLException {
    throw forwardOnly();
  }

  @Override
  public void setFetchDirection(int direction) throws SQLException {
    if (direction != FETCH_FORWARD) {
      throw forwardOnly();
    }
  }

  @Override
  public int getFetchDirection() throws SQLException {
    return FETCH_FORWARD;
  }

  @Override
  public int getType() throws SQLException {
    return TYPE_FORWARD_ONLY;
  }

  @Override
  public int getConcurrency() throws SQLException {
    return CONCUR_READ_ONLY;
  }

  @Override
  public int getHoldability() throws SQLException {
    return CLOSE_CURSORS_AT_COMMIT;
  }

  @Override
  public String getCursorName() throws SQLException {
    throw SqlErrors.unsupported("a named cursor", "send an UPDATE with the route key");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this) || type == Completeness.class;
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    if (type == Completeness.class) {
      return type.cast(
          (completeness == null ? completenessAlone() : completeness).by(laggingIndexes));
    }
    throw SqlErrors.unsupported(
        "unwrapping a result set to " + type.getName(), "use java.sql.ResultSet");
  }

  @Override
  public final String getString(String label) throws SQLException {
    return getString(findColumn(label));
  }

  @Override
  public final boolean getBoolean(String label) throws SQLException {
    return getBoolean(findColumn(label));
  }

  @Override
  public final byte getByte(String label) throws SQLException {
    return getByte(findColumn(label));
  }

  @Override
  public final short getShort(String label) throws SQLException {
    return getShort(findColumn(label));
  }

  @Override
  public final int getInt(String label) throws SQLException {
    return getInt(findColumn(label));
  }

  @Override
  public final long getLong(String label) throws SQLException {
    return getLong(findColumn(label));
  }

  @Override
  public final float getFloat(String label) throws SQLException {
    return getFloat(findColumn(label));
  }

  @Override
  public final double getDouble(String label) throws SQLException {
    return getDouble(findColumn(label));
  }

  @Override
  @Deprecated
  public final BigDecimal getBigDecimal(String label, int scale) throws SQLException {
    return getBigDecimal(findColumn(label), scale);
  }

  @Override
  public final byte[] getBytes(String label) throws SQLException {
    return getBytes(findColumn(label));
  }

  @Override
  public final Date getDate(String label) throws SQLException {
    return getDate(findColumn(label));
  }

  @Override
  public final Time getTime(String label) throws SQLException {
    return getTime(findColumn(label));
  }

  @Override
  public final Timestamp getTimestamp(String label) throws SQLException {
    return getTimestamp(findColumn(label));
  }

  @Override
  public final InputStream getAsciiStream(String label) throws SQLException {
    return getAsciiStream(findColumn(label));
  }

  @Override
  @Deprecated
  public final InputStream getUnicodeStream(String label) throws SQLException {
    return getUnicodeStream(findColumn(label));
  }

  @Override
  public final InputStream getBinaryStream(String label) throws SQLException {
    return getBinaryStream(findColumn(label));
  }

  @Override
  public final Object getObject(String label) throws SQLException {
    return getObject(findColumn(label));
  }

  @Override
  public final Reader getCharacterStream(String label) throws SQLException {
    return getCharacterStream(findColumn(label));
  }

  @Override
  public final BigDecimal getBigDecimal(String label) throws SQLException {
    return getBigDecimal(findColumn(label));
  }

  @Override
  public final Object getObject(String label, Map<String, Class<?>> types) throws SQLException {
    return getObject(findColumn(label), types);
  }

  @Override
  public final Ref getRef(String label) throws SQLException {
    return getRef(findColumn(label));
  }

  @Override
  public final Blob getBlob(String label) throws SQLException {
    return getBlob(findColumn(label));
  }

  @Override
  public final Clob getClob(String label) throws SQLException {
    return getClob(findColumn(label));
  }

  @Override
  public final Array getArray(String label) throws SQLException {
    return getArray(findColumn(label));
  }

  @Override
  public final Date getDate(String label, Calendar calendar) throws SQLException {
    return getDate(findColumn(label), calendar);
  }

  @Override
  public final Time getTime(String label, Calendar calendar) throws SQLException {
    return getTime(findColumn(label), calendar);
  }

  @Override
  public final Timestamp getTimestamp(String label, Calendar calendar) throws SQLException {
    return getTimestamp(findColumn(label), calendar);
  }

  @Override
  public final URL getURL(String label) throws SQLException {
    return getURL(findColumn(label));
  }

  @Override
  public final RowId getRowId(String label) throws SQLException {
    return getRowId(findColumn(label));
  }

  @Override
  public final NClob getNClob(String label) throws SQLException {
    return getNClob(findColumn(label));
  }

  @Override
  public final SQLXML getSQLXML(String label) throws SQLException {
    return getSQLXML(findColumn(label));
  }

  @Override
  public final String getNString(String label) throws SQLException {
    return getNString(findColumn(label));
  }

  @Override
  public final Reader getNCharacterStream(String label) throws SQLException {
    return getNCharacterStream(findColumn(label));
  }

  @Override
  public final <T> T getObject(String label, Class<T> type) throws SQLException {
    return getObject(findColumn(label), type);
  }

  @Override
  public final void updateNull(int column) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBoolean(int column, boolean value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateByte(int column, byte value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateShort(int column, short value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateInt(int column, int value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateLong(int column, long value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateFloat(int column, float value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateDouble(int column, double value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBigDecimal(int column, BigDecimal value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateString(int column, String value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBytes(int column, byte[] value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateDate(int column, Date value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateTime(int column, Time value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateTimestamp(int column, Timestamp value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateAsciiStream(int column, InputStream value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBinaryStream(int column, InputStream value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateCharacterStream(int column, Reader value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateObject(int column, Object value, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateObject(int column, Object value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNull(String label) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBoolean(String label, boolean value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateByte(String label, byte value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateShort(String label, short value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateInt(String label, int value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateLong(String label, long value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateFloat(String label, float value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateDouble(String label, double value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBigDecimal(String label, BigDecimal value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateString(String label, String value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBytes(String label, byte[] value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateDate(String label, Date value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateTime(String label, Time value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateTimestamp(String label, Timestamp value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateAsciiStream(String label, InputStream value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBinaryStream(String label, InputStream value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateCharacterStream(String label, Reader value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateObject(String label, Object value, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateObject(String label, Object value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateRef(int column, Ref value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateRef(String label, Ref value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBlob(int column, Blob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBlob(String label, Blob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateClob(int column, Clob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateClob(String label, Clob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateArray(int column, Array value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateArray(String label, Array value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateRowId(int column, RowId value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateRowId(String label, RowId value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNString(int column, String value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNString(String label, String value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNClob(int column, NClob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNClob(String label, NClob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateSQLXML(int column, SQLXML value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateSQLXML(String label, SQLXML value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNCharacterStream(int column, Reader value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNCharacterStream(String label, Reader value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateAsciiStream(int column, InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBinaryStream(int column, InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateCharacterStream(int column, Reader value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateAsciiStream(String label, InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBinaryStream(String label, InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateCharacterStream(String label, Reader value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBlob(int column, InputStream value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBlob(String label, InputStream value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateClob(int column, Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateClob(String label, Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNClob(int column, Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNClob(String label, Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNCharacterStream(int column, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNCharacterStream(String label, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateAsciiStream(int column, InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBinaryStream(int column, InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateCharacterStream(int column, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateAsciiStream(String label, InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBinaryStream(String label, InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateCharacterStream(String label, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBlob(int column, InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateBlob(String label, InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateClob(int column, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateClob(String label, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNClob(int column, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateNClob(String label, Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public final void insertRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public final void updateRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public final void deleteRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public final void refreshRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public final void cancelRowUpdates() throws SQLException {
    throw readOnly();
  }

  @Override
  public final void moveToInsertRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public final void moveToCurrentRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public final boolean rowUpdated() {
    return false;
  }

  @Override
  public final boolean rowInserted() {
    return false;
  }

  @Override
  public final boolean rowDeleted() {
    return false;
  }
}
