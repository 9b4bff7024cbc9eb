package io.shardwright.driver;

import io.shardwright.sql.Plan.Kind;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;

/**
 * A logical prepared statement: plan and parameters. A physical statement exists only while it
 * runs; the physical driver caches its own by text.
 */
final class ShardwrightPreparedStatement extends ShardwrightStatement implements PreparedStatement {
  // Long because: JDBC has 60 setters here.

  private final Parameters parameters;
  private Planned plan;
  private LogicalDatabase planned;

  ShardwrightPreparedStatement(
      ShardwrightConnection connection, StatementSettings settings, Planned planned) {
    super(connection, settings);
    this.plan = planned;
    this.planned = connection.cluster().database();
    this.parameters = new Parameters(plan.plan().parameterCount());
    if (plan.plan().kind() == Kind.SELECT) {
      settings.keys(null);
    }
  }

  /** Planned again when the schema, or a directory, has changed since. */
  private Planned plan() throws SQLException {
    LogicalDatabase database = connection().cluster().database();
    if (planned != database || plan.reserved() != database.reserved()) {
      plan = connection().plan(plan.plan().sql());
      planned = database;
    }
    return plan;
  }

  @Override
  public ResultSet executeQuery() throws SQLException {
    executeForRows(plan(), parameters);
    return rows();
  }

  @Override
  public int executeUpdate() throws SQLException {
    return asInt(executeForCount(plan(), parameters));
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    return executeForCount(plan(), parameters);
  }

  @Override
  public boolean execute() throws SQLException {
    return executeForEither(plan(), parameters);
  }

  @Override
  public void addBatch() throws SQLException {
    parameters.checkComplete();
    addBatch(plan(), parameters.copy());
  }

  @Override
  public void clearParameters() throws SQLException {
    checkOpen();
    parameters.unset();
  }

  @Override
  public ResultSetMetaData getMetaData() throws SQLException {
    if (!plan().plan().returnsRows()) {
      return null;
    }
    return connection()
        .onAnyShard(
            physical -> {
              try (PreparedStatement statement = physical.prepareStatement(plan.plan().sql())) {
                return ResultColumns.of(statement.getMetaData());
              }
            });
  }

  @Override
  public ParameterMetaData getParameterMetaData() throws SQLException {
    plan();
    return connection()
        .onAnyShard(
            physical -> {
              try (PreparedStatement statement = physical.prepareStatement(plan.plan().sql())) {
                return statement.getParameterMetaData();
              }
            });
  }

  private void set(int index, Setter setter, Object value, Object extra) throws SQLException {
    checkOpen();
    parameters.set(index, setter, value, extra);
  }

  @Override
  public void setNull(int index, int type) throws SQLException {
    set(index, Setter.NULL, null, type);
  }

  @Override
  public void setNull(int index, int type, String name) throws SQLException {
    set(index, Setter.NULL_TYPED, null, new Setter.NamedType(type, name));
  }

  @Override
  public void setBoolean(int index, boolean value) throws SQLException {
    set(index, Setter.BOOLEAN, value, null);
  }

  @Override
  public void setByte(int index, byte value) throws SQLException {
    set(index, Setter.BYTE, value, null);
  }

  @Override
  public void setShort(int index, short value) throws SQLException {
    set(index, Setter.SHORT, value, null);
  }

  @Override
  public void setInt(int index, int value) throws SQLException {
    set(index, Setter.INT, value, null);
  }

  @Override
  public void setLong(int index, long value) throws SQLException {
    set(index, Setter.LONG, value, null);
  }

  @Override
  public void setFloat(int index, float value) throws SQLException {
    set(index, Setter.FLOAT, value, null);
  }

  @Override
  public void setDouble(int index, double value) throws SQLException {
    set(index, Setter.DOUBLE, value, null);
  }

  @Override
  public void setBigDecimal(int index, BigDecimal value) throws SQLException {
    set(index, Setter.BIG_DECIMAL, value, null);
  }

  @Override
  public void setString(int index, String value) throws SQLException {
    set(index, Setter.STRING, value, null);
  }

  @Override
  public void setBytes(int index, byte[] value) throws SQLException {
    set(index, Setter.BYTES, value, null);
  }

  @Override
  public void setDate(int index, Date value) throws SQLException {
    set(index, Setter.DATE, value, null);
  }

  @Override
  public void setTime(int index, Time value) throws SQLException {
    set(index, Setter.TIME, value, null);
  }

  @Override
  public void setTimestamp(int index, Timestamp value) throws SQLException {
    set(index, Setter.TIMESTAMP, value, null);
  }

  @Override
  public void setObject(int index, Object value) throws SQLException {
    set(index, Setter.OBJECT, value, null);
  }

  @Override
  public void setRef(int index, Ref value) throws SQLException {
    set(index, Setter.REF, value, null);
  }

  @Override
  public void setBlob(int index, Blob value) throws SQLException {
    set(index, Setter.BLOB, value, null);
  }

  @Override
  public void setClob(int index, Clob value) throws SQLException {
    set(index, Setter.CLOB, value, null);
  }

  @Override
  public void setNClob(int index, NClob value) throws SQLException {
    set(index, Setter.NCLOB, value, null);
  }

  @Override
  public void setArray(int index, Array value) throws SQLException {
    set(index, Setter.ARRAY, value, null);
  }

  @Override
  public void setURL(int index, URL value) throws SQLException {
    set(index, Setter.URL, value, null);
  }

  @Override
  public void setRowId(int index, RowId value) throws SQLException {
    set(index, Setter.ROW_ID, value, null);
  }

  @Override
  public void setNString(int index, String value) throws SQLException {
    set(index, Setter.NSTRING, value, null);
  }

  @Override
  public void setSQLXML(int index, SQLXML value) throws SQLException {
    set(index, Setter.SQLXML, value, null);
  }

  @Override
  public void setDate(int index, Date value, Calendar calendar) throws SQLException {
    set(index, Setter.DATE_CALENDAR, value, calendar);
  }

  @Override
  public void setTime(int index, Time value, Calendar calendar) throws SQLException {
    set(index, Setter.TIME_CALENDAR, value, calendar);
  }

  @Override
  public void setTimestamp(int index, Timestamp value, Calendar calendar) throws SQLException {
    set(index, Setter.TIMESTAMP_CALENDAR, value, calendar);
  }

  @Override
  public void setObject(int index, Object value, int type) throws SQLException {
    set(index, Setter.OBJECT_TYPE, value, type);
  }

  @Override
  public void setObject(int index, Object value, int type, int scale) throws SQLException {
    set(index, Setter.OBJECT_SCALE, value, new Setter.Scaled(type, scale));
  }

  @Override
  public void setObject(int index, Object value, SQLType type) throws SQLException {
    set(index, Setter.OBJECT_SQL_TYPE, value, type);
  }

  @Override
  public void setObject(int index, Object value, SQLType type, int scale) throws SQLException {
    set(index, Setter.OBJECT_SQL_SCALE, value, new Setter.ScaledSql(type, scale));
  }

  @Override
  public void setAsciiStream(int index, InputStream value) throws SQLException {
    set(index, Setter.ASCII_STREAM, value, null);
  }

  @Override
  public void setAsciiStream(int index, InputStream value, long length) throws SQLException {
    set(index, Setter.ASCII_STREAM_LENGTH, value, length);
  }

  @Override
  public void setBinaryStream(int index, InputStream value) throws SQLException {
    set(index, Setter.BINARY_STREAM, value, null);
  }

  @Override
  public void setBinaryStream(int index, InputStream value, long length) throws SQLException {
    set(index, Setter.BINARY_STREAM_LENGTH, value, length);
  }

  @Override
  public void setCharacterStream(int index, Reader value) throws SQLException {
    set(index, Setter.CHARACTER_STREAM, value, null);
  }

  @Override
  public void setCharacterStream(int index, Reader value, long length) throws SQLException {
    set(index, Setter.CHARACTER_STREAM_LENGTH, value, length);
  }

  @Override
  public void setNCharacterStream(int index, Reader value) throws SQLException {
    set(index, Setter.NCHARACTER_STREAM, value, null);
  }

  @Override
  public void setNCharacterStream(int index, Reader value, long length) throws SQLException {
    set(index, Setter.NCHARACTER_STREAM_LENGTH, value, length);
  }

  @Override
  public void setClob(int index, Reader value) throws SQLException {
    set(index, Setter.CLOB_STREAM, value, null);
  }

  @Override
  public void setClob(int index, Reader value, long length) throws SQLException {
    set(index, Setter.CLOB_STREAM_LENGTH, value, length);
  }

  @Override
  public void setBlob(int index, InputStream value) throws SQLException {
    set(index, Setter.BLOB_STREAM, value, null);
  }

  @Override
  public void setBlob(int index, InputStream value, long length) throws SQLException {
    set(index, Setter.BLOB_STREAM_LENGTH, value, length);
  }

  @Override
  public void setNClob(int index, Reader value) throws SQLException {
    set(index, Setter.NCLOB_STREAM, value, null);
  }

  @Override
  public void setNClob(int index, Reader value, long length) throws SQLException {
    set(index, Setter.NCLOB_STREAM_LENGTH, value, length);
  }

  @Override
  public void setAsciiStream(int index, InputStream value, int length) throws SQLException {
    set(index, Setter.ASCII_STREAM_INT, value, length);
  }

  @Override
  public void setBinaryStream(int index, InputStream value, int length) throws SQLException {
    set(index, Setter.BINARY_STREAM_INT, value, length);
  }

  @Override
  public void setCharacterStream(int index, Reader value, int length) throws SQLException {
    set(index, Setter.CHARACTER_STREAM_INT, value, length);
  }

  @Deprecated
  @Override
  public void setUnicodeStream(int index, InputStream value, int length) throws SQLException {
    throw SqlErrors.unsupported("setUnicodeStream", "use setCharacterStream");
  }
}
