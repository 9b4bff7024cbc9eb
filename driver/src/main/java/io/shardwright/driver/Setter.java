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
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;

/**
 * The JDBC setter with which the caller gave a parameter, to be called again on the physical
 * statement of any shard, so that the physical driver sees the same call.
 */
enum Setter {
  NULL((s, i, v, x) -> s.setNull(i, (Integer) x)),
  NULL_TYPED((s, i, v, x) -> s.setNull(i, ((NamedType) x).type(), ((NamedType) x).name())),
  BOOLEAN((s, i, v, x) -> s.setBoolean(i, (Boolean) v)),
  BYTE((s, i, v, x) -> s.setByte(i, (Byte) v)),
  SHORT((s, i, v, x) -> s.setShort(i, (Short) v)),
  INT((s, i, v, x) -> s.setInt(i, (Integer) v)),
  LONG((s, i, v, x) -> s.setLong(i, (Long) v)),
  FLOAT((s, i, v, x) -> s.setFloat(i, (Float) v)),
  DOUBLE((s, i, v, x) -> s.setDouble(i, (Double) v)),
  BIG_DECIMAL((s, i, v, x) -> s.setBigDecimal(i, (BigDecimal) v)),
  STRING((s, i, v, x) -> s.setString(i, (String) v)),
  BYTES((s, i, v, x) -> s.setBytes(i, (byte[]) v)),
  DATE((s, i, v, x) -> s.setDate(i, (Date) v)),
  DATE_CALENDAR((s, i, v, x) -> s.setDate(i, (Date) v, own(x))),
  TIME((s, i, v, x) -> s.setTime(i, (Time) v)),
  TIME_CALENDAR((s, i, v, x) -> s.setTime(i, (Time) v, own(x))),
  TIMESTAMP((s, i, v, x) -> s.setTimestamp(i, (Timestamp) v)),
  TIMESTAMP_CALENDAR((s, i, v, x) -> s.setTimestamp(i, (Timestamp) v, own(x))),
  OBJECT((s, i, v, x) -> s.setObject(i, v)),
  OBJECT_TYPE((s, i, v, x) -> s.setObject(i, v, (Integer) x)),
  OBJECT_SCALE((s, i, v, x) -> s.setObject(i, v, ((Scaled) x).type(), ((Scaled) x).scale())),
  OBJECT_SQL_TYPE((s, i, v, x) -> s.setObject(i, v, (SQLType) x)),
  OBJECT_SQL_SCALE(
      (s, i, v, x) -> s.setObject(i, v, ((ScaledSql) x).type(), ((ScaledSql) x).scale())),
  REF((s, i, v, x) -> s.setRef(i, (Ref) v)),
  BLOB((s, i, v, x) -> s.setBlob(i, (Blob) v)),
  CLOB((s, i, v, x) -> s.setClob(i, (Clob) v)),
  NCLOB((s, i, v, x) -> s.setNClob(i, (NClob) v)),
  ARRAY((s, i, v, x) -> s.setArray(i, (Array) v)),
  URL((s, i, v, x) -> s.setURL(i, (URL) v)),
  ROW_ID((s, i, v, x) -> s.setRowId(i, (RowId) v)),
  NSTRING((s, i, v, x) -> s.setNString(i, (String) v)),
  SQLXML((s, i, v, x) -> s.setSQLXML(i, (SQLXML) v)),
  ASCII_STREAM(true, (s, i, v, x) -> s.setAsciiStream(i, (InputStream) v)),
  ASCII_STREAM_LENGTH(true, (s, i, v, x) -> s.setAsciiStream(i, (InputStream) v, (Long) x)),
  BINARY_STREAM(true, (s, i, v, x) -> s.setBinaryStream(i, (InputStream) v)),
  BINARY_STREAM_LENGTH(true, (s, i, v, x) -> s.setBinaryStream(i, (InputStream) v, (Long) x)),
  CHARACTER_STREAM(true, (s, i, v, x) -> s.setCharacterStream(i, (Reader) v)),
  CHARACTER_STREAM_LENGTH(true, (s, i, v, x) -> s.setCharacterStream(i, (Reader) v, (Long) x)),
  NCHARACTER_STREAM(true, (s, i, v, x) -> s.setNCharacterStream(i, (Reader) v)),
  NCHARACTER_STREAM_LENGTH(true, (s, i, v, x) -> s.setNCharacterStream(i, (Reader) v, (Long) x)),
  CLOB_STREAM(true, (s, i, v, x) -> s.setClob(i, (Reader) v)),
  CLOB_STREAM_LENGTH(true, (s, i, v, x) -> s.setClob(i, (Reader) v, (Long) x)),
  BLOB_STREAM(true, (s, i, v, x) -> s.setBlob(i, (InputStream) v)),
  BLOB_STREAM_LENGTH(true, (s, i, v, x) -> s.setBlob(i, (InputStream) v, (Long) x)),
  NCLOB_STREAM(true, (s, i, v, x) -> s.setNClob(i, (Reader) v)),
  NCLOB_STREAM_LENGTH(true, (s, i, v, x) -> s.setNClob(i, (Reader) v, (Long) x)),
  ASCII_STREAM_INT(true, (s, i, v, x) -> s.setAsciiStream(i, (InputStream) v, (Integer) x)),
  BINARY_STREAM_INT(true, (s, i, v, x) -> s.setBinaryStream(i, (InputStream) v, (Integer) x)),
  CHARACTER_STREAM_INT(true, (s, i, v, x) -> s.setCharacterStream(i, (Reader) v, (Integer) x));

  private final boolean stream;

  /** Captures nothing. */
  @SuppressWarnings("ImmutableEnumChecker")
  private final Call call;

  Setter(Call call) {
    this(false, call);
  }

  Setter(boolean stream, Call call) {
    this.stream = stream;
    this.call = call;
  }

  /** True when the value can be read only once, hence by one shard. */
  boolean isStream() {
    return stream;
  }

  /** Of this binding alone: drivers change a calendar while they read it, and bind at once. */
  private static Calendar own(Object calendar) {
    return calendar == null ? null : (Calendar) ((Calendar) calendar).clone();
  }

  void bind(PreparedStatement physical, int index, Object value, Object extra) throws SQLException {
    call.bind(physical, index, value, extra);
  }

  /** The extra of setNull with a type name. */
  record NamedType(int type, String name) {}

  /** The extra of setObject with scale or length. */
  record Scaled(int type, int scale) {}

  /** The same with a {@link SQLType}. */
  record ScaledSql(SQLType type, int scale) {}

  private interface Call {
    void bind(PreparedStatement physical, int index, Object value, Object extra)
        throws SQLException;
  }
}
