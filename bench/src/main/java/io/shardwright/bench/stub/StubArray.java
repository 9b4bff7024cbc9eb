package io.shardwright.bench.stub;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.Map;

/** Elements in memory. */
final class StubArray implements Array {
  private final String baseTypeName;
  private final Object[] elements;

  StubArray(String baseTypeName, Object[] elements) {
    this.baseTypeName = baseTypeName;
    this.elements = elements.clone();
  }

  @Override
  public String getBaseTypeName() {
    return baseTypeName;
  }

  @Override
  public int getBaseType() throws SQLException {
    throw unsupported();
  }

  @Override
  public Object[] getArray() {
    return elements.clone();
  }

  @Override
  public Object getArray(Map<String, Class<?>> map) throws SQLException {
    throw unsupported();
  }

  @Override
  public Object getArray(long index, int count) throws SQLException {
    throw unsupported();
  }

  @Override
  public Object getArray(long index, int count, Map<String, Class<?>> map) throws SQLException {
    throw unsupported();
  }

  @Override
  public ResultSet getResultSet() throws SQLException {
    throw unsupported();
  }

  @Override
  public ResultSet getResultSet(Map<String, Class<?>> map) throws SQLException {
    throw unsupported();
  }

  @Override
  public ResultSet getResultSet(long index, int count) throws SQLException {
    throw unsupported();
  }

  @Override
  public ResultSet getResultSet(long index, int count, Map<String, Class<?>> map)
      throws SQLException {
    throw unsupported();
  }

  @Override
  public void free() {}

  /** Part of the key under which an answer is recorded. */
  @Override
  public String toString() {
    return baseTypeName + Arrays.toString(elements);
  }

  private static SQLException unsupported() {
    return new SQLFeatureNotSupportedException("stub: Array");
  }
}
