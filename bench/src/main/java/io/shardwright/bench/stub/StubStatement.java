package io.shardwright.bench.stub;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Arrays;
import java.util.List;

/** Plain and prepared. Not thread-safe. */
final class StubStatement extends UnsupportedPreparedStatement {
  private static final int PARAMETERS = 16;

  private final StubConnection connection;
  private final StubDatabase database;
  private final String sql;
  private final StubAnswer known;
  private Object[] parameters;
  private int parameterCount;
  private int batchSize;
  private StubAnswer answer = StubAnswer.ONE_ROW_CHANGED;
  private int position;
  private boolean closed;

  /**
   * @param sql null for a plain statement
   */
  StubStatement(StubConnection connection, StubDatabase database, String sql) {
    this.connection = connection;
    this.database = database;
    this.sql = sql;
    this.known = sql == null ? null : database.knownPrepared(sql);
    this.parameters = sql == null ? null : new Object[PARAMETERS];
  }

  @Override
  public boolean execute() throws SQLException {
    database.countExecution();
    answer = known == null ? database.recorded(sql, given()) : known;
    position = 0;
    return !answer.results().isEmpty();
  }

  @Override
  public ResultSet executeQuery() throws SQLException {
    execute();
    return getResultSet();
  }

  @Override
  public int executeUpdate() throws SQLException {
    execute();
    return 1;
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    return executeUpdate();
  }

  @Override
  public boolean execute(String text) throws SQLException {
    database.countExecution();
    StubAnswer fromMemory = database.known(text);
    answer = fromMemory == null ? database.recorded(text, List.of()) : fromMemory;
    position = 0;
    return !answer.results().isEmpty();
  }

  @Override
  public ResultSet executeQuery(String text) throws SQLException {
    execute(text);
    return getResultSet();
  }

  @Override
  public int executeUpdate(String text) throws SQLException {
    execute(text);
    return 1;
  }

  @Override
  public long executeLargeUpdate(String text) throws SQLException {
    return executeUpdate(text);
  }

  @Override
  public void addBatch() {
    batchSize++;
  }

  @Override
  public int[] executeBatch() {
    database.countExecution();
    int[] counts = new int[batchSize];
    Arrays.fill(counts, 1);
    batchSize = 0;
    return counts;
  }

  @Override
  public long[] executeLargeBatch() {
    return Arrays.stream(executeBatch()).asLongStream().toArray();
  }

  @Override
  public void clearBatch() {
    batchSize = 0;
  }

  @Override
  public ResultSet getResultSet() {
    return position < answer.results().size()
        ? new StubResultSet(this, answer.results().get(position))
        : null;
  }

  @Override
  public boolean getMoreResults() {
    position++;
    return position < answer.results().size();
  }

  @Override
  public boolean getMoreResults(int current) {
    return getMoreResults();
  }

  @Override
  public int getUpdateCount() {
    return answer.results().isEmpty() && position == 0 ? 1 : -1;
  }

  @Override
  public long getLargeUpdateCount() {
    return getUpdateCount();
  }

  @Override
  public ResultSetMetaData getMetaData() {
    return known == null || known.results().isEmpty()
        ? null
        : new StubResultSet(this, known.results().get(0)).getMetaData();
  }

  @Override
  public void setLong(int index, long value) {
    set(index, value);
  }

  @Override
  public void setInt(int index, int value) {
    set(index, value);
  }

  @Override
  public void setString(int index, String value) {
    set(index, value);
  }

  @Override
  public void setBigDecimal(int index, BigDecimal value) {
    set(index, value);
  }

  @Override
  public void setObject(int index, Object value) {
    set(index, value);
  }

  @Override
  public void setArray(int index, Array value) {
    set(index, value);
  }

  @Override
  public void setBoolean(int index, boolean value) {
    set(index, value);
  }

  @Override
  public void setNull(int index, int type) {
    set(index, null);
  }

  @Override
  public void clearParameters() {
    parameterCount = 0;
  }

  private void set(int index, Object value) {
    if (index > parameters.length) {
      parameters = Arrays.copyOf(parameters, Math.max(2 * parameters.length, index));
    }
    parameters[index - 1] = value;
    parameterCount = Math.max(parameterCount, index);
  }

  private List<Object> given() {
    return Arrays.asList(Arrays.copyOf(parameters, parameterCount));
  }

  @Override
  public Connection getConnection() {
    return connection;
  }

  @Override
  public void setQueryTimeout(int seconds) {}

  @Override
  public int getQueryTimeout() {
    return 0;
  }

  @Override
  public void setFetchSize(int rows) {}

  @Override
  public int getFetchSize() {
    return 0;
  }

  @Override
  public void setMaxRows(int rows) {}

  @Override
  public void setLargeMaxRows(long rows) {}

  @Override
  public int getMaxRows() {
    return 0;
  }

  @Override
  public int getResultSetType() {
    return ResultSet.TYPE_FORWARD_ONLY;
  }

  @Override
  public SQLWarning getWarnings() {
    return null;
  }

  @Override
  public void clearWarnings() {}

  @Override
  public void cancel() {}

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }
}
