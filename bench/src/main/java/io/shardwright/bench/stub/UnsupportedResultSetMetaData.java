package io.shardwright.bench.stub;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;

/**
 * Every method of {@link ResultSetMetaData} that the stubs do not need. Long because the interface
 * is.
 */
abstract class UnsupportedResultSetMetaData implements ResultSetMetaData {

  @Override
  public String getCatalogName(int p0) throws SQLException {
    throw unsupported("getCatalogName");
  }

  @Override
  public String getColumnClassName(int p0) throws SQLException {
    throw unsupported("getColumnClassName");
  }

  @Override
  public int getColumnCount() throws SQLException {
    throw unsupported("getColumnCount");
  }

  @Override
  public int getColumnDisplaySize(int p0) throws SQLException {
    throw unsupported("getColumnDisplaySize");
  }

  @Override
  public String getColumnLabel(int p0) throws SQLException {
    throw unsupported("getColumnLabel");
  }

  @Override
  public String getColumnName(int p0) throws SQLException {
    throw unsupported("getColumnName");
  }

  @Override
  public int getColumnType(int p0) throws SQLException {
    throw unsupported("getColumnType");
  }

  @Override
  public String getColumnTypeName(int p0) throws SQLException {
    throw unsupported("getColumnTypeName");
  }

  @Override
  public int getPrecision(int p0) throws SQLException {
    throw unsupported("getPrecision");
  }

  @Override
  public int getScale(int p0) throws SQLException {
    throw unsupported("getScale");
  }

  @Override
  public String getSchemaName(int p0) throws SQLException {
    throw unsupported("getSchemaName");
  }

  @Override
  public String getTableName(int p0) throws SQLException {
    throw unsupported("getTableName");
  }

  @Override
  public boolean isAutoIncrement(int p0) throws SQLException {
    throw unsupported("isAutoIncrement");
  }

  @Override
  public boolean isCaseSensitive(int p0) throws SQLException {
    throw unsupported("isCaseSensitive");
  }

  @Override
  public boolean isCurrency(int p0) throws SQLException {
    throw unsupported("isCurrency");
  }

  @Override
  public boolean isDefinitelyWritable(int p0) throws SQLException {
    throw unsupported("isDefinitelyWritable");
  }

  @Override
  public int isNullable(int p0) throws SQLException {
    throw unsupported("isNullable");
  }

  @Override
  public boolean isReadOnly(int p0) throws SQLException {
    throw unsupported("isReadOnly");
  }

  @Override
  public boolean isSearchable(int p0) throws SQLException {
    throw unsupported("isSearchable");
  }

  @Override
  public boolean isSigned(int p0) throws SQLException {
    throw unsupported("isSigned");
  }

  @Override
  public boolean isWrapperFor(Class<?> p0) throws SQLException {
    throw unsupported("isWrapperFor");
  }

  @Override
  public boolean isWritable(int p0) throws SQLException {
    throw unsupported("isWritable");
  }

  @Override
  public <T> T unwrap(Class<T> p0) throws SQLException {
    throw unsupported("unwrap");
  }

  private static SQLException unsupported(String method) {
    return new SQLFeatureNotSupportedException("stub: ResultSetMetaData." + method);
  }
}
