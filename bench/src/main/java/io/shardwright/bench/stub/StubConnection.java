package io.shardwright.bench.stub;

import java.sql.Array;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.concurrent.Executor;

/** Settings are kept, nothing else happens. Not thread-safe. */
final class StubConnection extends UnsupportedConnection {
  private final StubDatabase database;
  private boolean autoCommit = true;
  private boolean readOnly;
  private boolean closed;
  private int isolation = TRANSACTION_READ_COMMITTED;
  private int networkTimeoutMillis;
  private String schema = "public";

  StubConnection(StubDatabase database) {
    this.database = database;
  }

  @Override
  public Statement createStatement() {
    return new StubStatement(this, database, null);
  }

  @Override
  public Statement createStatement(int type, int concurrency) {
    return createStatement();
  }

  @Override
  public PreparedStatement prepareStatement(String sql) {
    return new StubStatement(this, database, sql);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency) {
    return prepareStatement(sql);
  }

  @Override
  public Array createArrayOf(String typeName, Object[] elements) {
    return new StubArray(typeName, elements);
  }

  @Override
  public DatabaseMetaData getMetaData() throws SQLException {
    return database.metaData();
  }

  @Override
  public void commit() {
    database.countTransactionEnd();
  }

  @Override
  public void rollback() {
    database.countTransactionEnd();
  }

  @Override
  public boolean getAutoCommit() {
    return autoCommit;
  }

  @Override
  public void setAutoCommit(boolean on) {
    autoCommit = on;
  }

  @Override
  public boolean isReadOnly() {
    return readOnly;
  }

  @Override
  public void setReadOnly(boolean on) {
    readOnly = on;
  }

  @Override
  public int getTransactionIsolation() {
    return isolation;
  }

  @Override
  public void setTransactionIsolation(int level) {
    isolation = level;
  }

  @Override
  public int getNetworkTimeout() {
    return networkTimeoutMillis;
  }

  @Override
  public void setNetworkTimeout(Executor executor, int millis) {
    networkTimeoutMillis = millis;
  }

  @Override
  public String getCatalog() {
    return database.name();
  }

  @Override
  public String getSchema() {
    return schema;
  }

  @Override
  public void setSchema(String name) {
    schema = name;
  }

  @Override
  public boolean isValid(int timeoutSeconds) {
    return !closed;
  }

  @Override
  public SQLWarning getWarnings() {
    return null;
  }

  @Override
  public void clearWarnings() {}

  @Override
  public void abort(Executor executor) {
    closed = true;
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }
}
