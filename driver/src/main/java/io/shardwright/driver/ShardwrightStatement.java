package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Plan;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * A logical statement: what the caller set, and the one answer that is open. Closing or executing
 * again frees the answer on all shards.
 */
class ShardwrightStatement implements Statement {
  // Long because: JDBC has 60 methods here.

  private static final ShardCall[] NOT_RUNNING = {};

  private final ShardwrightConnection connection;
  private final StatementSettings settings;
  private final RoutePolicy routePolicy;
  private volatile ShardCall[] running = NOT_RUNNING;

  /** The only one that runs, which is the usual case and needs no array. */
  private volatile ShardCall runningAlone;

  private volatile ShardwrightStatement part;
  private volatile boolean cancelled;
  private volatile Deadline deadline = Deadline.NONE;
  private final LeaseWait leaseWait = new LeaseWait();
  private long rowsAllowed = Long.MAX_VALUE;
  private List<BatchEntry> batch = List.of();
  private ShapeCounters counters = ShapeCounters.UNCOUNTED;
  private SQLWarning warnings;
  private Completeness completeness;
  private Set<String> laggingIndexes = Set.of();
  private ResultSet rows;
  private ResultSet keys;
  private long count = -1;
  private boolean closeOnCompletion;
  private boolean poolable;
  private boolean closed;

  /** One logical statement of a batch. */
  record BatchEntry(Planned planned, Parameters parameters) {
    Plan plan() {
      return planned.plan();
    }
  }

  ShardwrightStatement(ShardwrightConnection connection, StatementSettings settings) {
    this.connection = connection;
    this.settings = settings;
    this.routePolicy = new RoutePolicy(connection, settings);
    this.poolable = settings.prepared();
  }

  StatementSettings settings() {
    return settings;
  }

  RoutePolicy routePolicy() {
    return routePolicy;
  }

  // What an execution tells

  final void running(ShardCall call) throws SQLException {
    runningAlone = call;
    checkNotCancelled();
  }

  final void running(ShardCall[] calls) throws SQLException {
    running = calls;
    checkNotCancelled();
  }

  /** A part of this statement runs as a statement of its own, which cancel reaches too. */
  final void runningPart(ShardwrightStatement ofThis) throws SQLException {
    part = ofThis;
    checkNotCancelled();
  }

  /** A cancel that came between two physical statements counts too. */
  final void checkNotCancelled() throws SQLException {
    if (deadline.isUp()) {
      throw deadline.exceeded("", null);
    }
    if (cancelled) {
      throw SqlErrors.of(
          ErrorCode.SCATTER_TIMEOUT, "the statement was cancelled; nothing was applied");
    }
  }

  /** The same where the time is kept otherwise. */
  final void checkNotCancelledByCaller() throws SQLException {
    if (cancelled) {
      checkNotCancelled();
    }
  }

  /** Its time, for the execution that begins. */
  final Deadline startDeadline(Plan plan) {
    leaseWait.reset();
    connection.leaseWait(leaseWait);
    deadline = Deadline.start(this, plan);
    return deadline;
  }

  final Deadline deadline() {
    return deadline;
  }

  final void stopDeadline() {
    deadline.stop();
    connection.leaseWait(LeaseWait.UNENDED);
  }

  final LeaseWait leaseWait() {
    return leaseWait;
  }

  private ShardCall[] runningNow() {
    ShardCall alone = runningAlone;
    return alone == null ? running : new ShardCall[] {alone};
  }

  /** From any thread: what runs is cancelled, and nothing else is begun. */
  final void cancelRunning() {
    ShardwrightStatement runningPart = part;
    if (runningPart != null) {
      runningPart.cancelRunning();
    }
    for (ShardCall call : runningNow()) {
      try {
        call.cancel();
      } catch (SQLException e) {
        call.lease().pool().discarded(e);
      }
    }
  }

  /** More rows than the caller allows are an error; {@link Long#MAX_VALUE}: any number. */
  final void allowRows(long rows) {
    rowsAllowed = rows;
  }

  /** How many rows matter, as {@link StatementSettings#maxRows()}: one more shows an excess. */
  final long rowsWanted() {
    long max = settings.maxRows();
    if (rowsAllowed == Long.MAX_VALUE) {
      return max;
    }
    return max == 0 ? rowsAllowed + 1 : Math.min(max, rowsAllowed + 1);
  }

  /**
   * @param rows that the answer has up to now
   * @throws SQLException SW417
   */
  final void checkRows(long rows) throws SQLException {
    if (rows > rowsAllowed) {
      throw SqlErrors.of(
          ErrorCode.ROWS_EXCEEDED,
          "the result has more than the "
              + rowsAllowed
              + " rows that max_rows allows; narrow the statement, or allow more");
    }
  }

  /** Where the current answer's rows are counted. */
  final ShapeCounters counters() {
    return counters;
  }

  final void ended() {
    running = NOT_RUNNING;
    runningAlone = null;
    part = null;
  }

  final boolean isCancelled() {
    return cancelled;
  }

  /** Rows or keys that the caller may still read. */
  final boolean hasResults() throws SQLException {
    return (rows != null && !rows.isClosed()) || (keys != null && !keys.isClosed());
  }

  final void answerRows(ResultSet answer) {
    rows = answer;
  }

  final void answerCount(long answer) {
    count = answer;
  }

  final void answerKeys(ResultSet answer) {
    keys = answer;
  }

  final void answerWarnings(SQLWarning answer) {
    if (warnings == null) {
      warnings = answer;
    } else if (answer != null) {
      warnings.setNextWarning(answer);
    }
  }

  /** Before the rows that it describes. */
  final void answerCompleteness(Completeness answer) {
    completeness = answer;
    if (!answer.isComplete()) {
      counters.partial();
      answerWarnings(partialWarning());
    }
  }

  /** Null for an answer that is not made of several shards'. */
  final Completeness completeness() {
    return completeness;
  }

  /** Before the rows that they choose. */
  final void answerFrom(Set<String> lagging) {
    laggingIndexes = lagging;
  }

  /** List indexes that may have lacked something. */
  final Set<String> laggingIndexes() {
    return laggingIndexes;
  }

  /** Null for a complete answer. A new one each time: warnings become links of chains. */
  final SQLWarning partialWarning() {
    return completeness == null || completeness.isComplete()
        ? null
        : SqlErrors.warning(
            ErrorCode.PARTIAL_ANSWER,
            completeness.answered().size()
                + " of "
                + completeness.expected().size()
                + " shards answered, and rows, counts and sums are those of these; missing: "
                + completeness.missing());
  }

  /** The update count, -1 when there is none. */
  final long count() {
    return count;
  }

  final void resultClosed(ResultSet result) throws SQLException {
    if (closeOnCompletion && result == rows) {
      close();
    }
  }

  // Execution

  private enum Answer {
    ROWS,
    COUNT,
    EITHER
  }

  final void executeForRows(Planned plan, Parameters parameters) throws SQLException {
    execute(plan, parameters, Answer.ROWS);
  }

  final long executeForCount(Planned plan, Parameters parameters) throws SQLException {
    execute(plan, parameters, Answer.COUNT);
    return count;
  }

  final boolean executeForEither(Planned plan, Parameters parameters) throws SQLException {
    execute(plan, parameters, Answer.EITHER);
    return rows != null;
  }

  final ResultSet rows() {
    return rows;
  }

  private void execute(Planned plan, Parameters parameters, Answer wanted) throws SQLException {
    checkOpen();
    if (wanted != Answer.EITHER) {
      checkAnswer(plan.plan(), wanted);
    }
    closeResults();
    cancelled = false;
    counters = plan.counters();
    new Execution(connection, this, plan, parameters).run();
  }

  private void checkAnswer(Plan plan, Answer wanted) throws SQLException {
    boolean givesRows = plan.returnsRows() && settings.keys() == null;
    if (givesRows != (wanted == Answer.ROWS)) {
      throw SqlErrors.of(
          ErrorCode.JDBC_CALL_INVALID,
          givesRows
              ? "the statement returns rows; nothing was sent; use executeQuery() or execute()"
              : "the statement returns no rows; nothing was sent; use executeUpdate() or"
                  + " execute()");
    }
  }

  private Planned plan(String sql, GeneratedKeys wantedKeys) throws SQLException {
    checkNotPrepared();
    settings.keys(wantedKeys);
    return connection.planText(sql);
  }

  private void checkNotPrepared() throws SQLException {
    checkOpen();
    if (settings.prepared()) {
      throw SqlErrors.of(
          ErrorCode.JDBC_CALL_INVALID,
          "a text was given to a PreparedStatement; use the method without a text");
    }
  }

  @Override
  public final ResultSet executeQuery(String sql) throws SQLException {
    executeForRows(plan(sql, null), Parameters.NONE);
    return rows;
  }

  @Override
  public final int executeUpdate(String sql) throws SQLException {
    return asInt(executeLargeUpdate(sql));
  }

  @Override
  public final int executeUpdate(String sql, int keysFlag) throws SQLException {
    return asInt(executeLargeUpdate(sql, keysFlag));
  }

  @Override
  public final int executeUpdate(String sql, int[] columns) throws SQLException {
    return asInt(executeLargeUpdate(sql, columns));
  }

  @Override
  public final int executeUpdate(String sql, String[] columns) throws SQLException {
    return asInt(executeLargeUpdate(sql, columns));
  }

  @Override
  public final long executeLargeUpdate(String sql) throws SQLException {
    return executeForCount(plan(sql, null), Parameters.NONE);
  }

  @Override
  public final long executeLargeUpdate(String sql, int keysFlag) throws SQLException {
    return executeForCount(plan(sql, GeneratedKeys.of(keysFlag)), Parameters.NONE);
  }

  @Override
  public final long executeLargeUpdate(String sql, int[] columns) throws SQLException {
    return executeForCount(plan(sql, GeneratedKeys.of(columns)), Parameters.NONE);
  }

  @Override
  public final long executeLargeUpdate(String sql, String[] columns) throws SQLException {
    return executeForCount(plan(sql, GeneratedKeys.of(columns)), Parameters.NONE);
  }

  @Override
  public final boolean execute(String sql) throws SQLException {
    return executeForEither(plan(sql, null), Parameters.NONE);
  }

  @Override
  public final boolean execute(String sql, int keysFlag) throws SQLException {
    return executeWithKeys(sql, GeneratedKeys.of(keysFlag));
  }

  @Override
  public final boolean execute(String sql, int[] columns) throws SQLException {
    return executeWithKeys(sql, GeneratedKeys.of(columns));
  }

  @Override
  public final boolean execute(String sql, String[] columns) throws SQLException {
    return executeWithKeys(sql, GeneratedKeys.of(columns));
  }

  /** A SELECT has no generated keys: the wish is void then. */
  private boolean executeWithKeys(String sql, GeneratedKeys wanted) throws SQLException {
    Planned plan = plan(sql, wanted);
    if (plan.plan().kind() == Plan.Kind.SELECT) {
      settings.keys(null);
    }
    return executeForEither(plan, Parameters.NONE);
  }

  static int asInt(long count) throws SQLException {
    if (count > Integer.MAX_VALUE) {
      throw SqlErrors.of(
          ErrorCode.JDBC_CALL_INVALID, count + " rows were changed; use executeLargeUpdate()");
    }
    return (int) count;
  }

  // Batches

  final void addBatch(Planned plan, Parameters parameters) throws SQLException {
    checkOpen();
    if (batch.isEmpty()) {
      batch = new ArrayList<>();
    }
    batch.add(new BatchEntry(plan, parameters));
  }

  @Override
  public final void addBatch(String sql) throws SQLException {
    checkNotPrepared();
    settings.keys(null);
    // Entries of one text are sent together, which ours with their values written out are not.
    addBatch(connection.planWholeText(sql), Parameters.NONE);
  }

  @Override
  public final void clearBatch() throws SQLException {
    checkOpen();
    batch = List.of();
  }

  @Override
  public final int[] executeBatch() throws SQLException {
    long[] counts = executeLargeBatch();
    int[] small = new int[counts.length];
    for (int i = 0; i < counts.length; i++) {
      small[i] = asInt(counts[i]);
    }
    return small;
  }

  @Override
  public final long[] executeLargeBatch() throws SQLException {
    checkOpen();
    closeResults();
    cancelled = false;
    counters = ShapeCounters.UNCOUNTED;
    List<BatchEntry> entries = batch;
    batch = List.of();
    if (entries.isEmpty()) {
      return new long[0];
    }
    return new BatchExecution(connection, this, entries).run();
  }

  // Answers

  final void closeResults() throws SQLException {
    ResultSet oldRows = rows;
    ResultSet oldKeys = keys;
    rows = null;
    keys = null;
    warnings = null;
    completeness = null;
    laggingIndexes = Set.of();
    count = -1;
    if (oldRows != null) {
      oldRows.close();
    }
    if (oldKeys != null) {
      oldKeys.close();
    }
  }

  @Override
  public final ResultSet getResultSet() throws SQLException {
    checkOpen();
    return rows;
  }

  @Override
  public final int getUpdateCount() throws SQLException {
    return asInt(getLargeUpdateCount());
  }

  @Override
  public final long getLargeUpdateCount() throws SQLException {
    checkOpen();
    return count;
  }

  @Override
  public final boolean getMoreResults() throws SQLException {
    return getMoreResults(CLOSE_CURRENT_RESULT);
  }

  @Override
  public final boolean getMoreResults(int current) throws SQLException {
    checkOpen();
    if (current == KEEP_CURRENT_RESULT) {
      throw SqlErrors.unsupported("KEEP_CURRENT_RESULT", "a statement has one result at a time");
    }
    closeResults();
    return false;
  }

  @Override
  public final ResultSet getGeneratedKeys() throws SQLException {
    checkOpen();
    if (keys == null) {
      keys = AggregateResultSet.empty(this);
    }
    return keys;
  }

  // Settings

  @Override
  public final int getMaxFieldSize() throws SQLException {
    checkOpen();
    return settings.maxFieldSize();
  }

  @Override
  public final void setMaxFieldSize(int max) throws SQLException {
    checkOpen();
    settings.maxFieldSize(max);
  }

  @Override
  public final int getMaxRows() throws SQLException {
    return asInt(getLargeMaxRows());
  }

  @Override
  public final void setMaxRows(int max) throws SQLException {
    setLargeMaxRows(max);
  }

  @Override
  public final long getLargeMaxRows() throws SQLException {
    checkOpen();
    return settings.maxRows();
  }

  @Override
  public final void setLargeMaxRows(long max) throws SQLException {
    checkOpen();
    settings.maxRows(max);
  }

  @Override
  public final void setEscapeProcessing(boolean enabled) throws SQLException {
    checkOpen();
    settings.escapeProcessing(enabled);
  }

  @Override
  public final int getQueryTimeout() throws SQLException {
    checkOpen();
    return settings.queryTimeoutSeconds();
  }

  @Override
  public final void setQueryTimeout(int seconds) throws SQLException {
    checkOpen();
    settings.queryTimeoutSeconds(seconds);
  }

  @Override
  public final void setFetchDirection(int direction) throws SQLException {
    checkOpen();
    if (direction != ResultSet.FETCH_FORWARD) {
      throw SqlErrors.unsupported("a fetch direction other than forward", "use FETCH_FORWARD");
    }
  }

  @Override
  public final int getFetchDirection() throws SQLException {
    checkOpen();
    return ResultSet.FETCH_FORWARD;
  }

  @Override
  public final void setFetchSize(int size) throws SQLException {
    checkOpen();
    settings.fetchSize(size);
  }

  @Override
  public final int getFetchSize() throws SQLException {
    checkOpen();
    return settings.fetchSize();
  }

  @Override
  public final int getResultSetConcurrency() throws SQLException {
    checkOpen();
    return ResultSet.CONCUR_READ_ONLY;
  }

  @Override
  public final int getResultSetType() throws SQLException {
    checkOpen();
    return settings.type();
  }

  @Override
  public final int getResultSetHoldability() throws SQLException {
    checkOpen();
    return ResultSet.CLOSE_CURSORS_AT_COMMIT;
  }

  @Override
  public final void setCursorName(String name) throws SQLException {
    throw SqlErrors.unsupported("a named cursor", "send an UPDATE with the route key");
  }

  /** A hint for statement pools; nothing here depends on it. */
  @Override
  public final void setPoolable(boolean enabled) throws SQLException {
    checkOpen();
    poolable = enabled;
  }

  @Override
  public final boolean isPoolable() throws SQLException {
    checkOpen();
    return poolable;
  }

  @Override
  public final SQLWarning getWarnings() throws SQLException {
    checkOpen();
    return warnings;
  }

  @Override
  public final void clearWarnings() throws SQLException {
    checkOpen();
    warnings = null;
  }

  // End

  /** From any thread. */
  @Override
  public final void cancel() throws SQLException {
    cancelled = true;
    leaseWait.end("it was cancelled");
    for (ShardCall call : runningNow()) {
      call.cancel();
    }
    ShardwrightStatement runningPart = part;
    if (runningPart != null) {
      runningPart.cancel();
    }
  }

  /** From any thread: what runs is broken off, what was answered is freed. */
  final void abort(Executor executor) throws SQLException {
    ShardCall[] calls = runningNow();
    for (ShardCall call : calls) {
      call.lease().connection().abort(executor);
    }
    if (calls.length == 0) {
      closeResults();
    }
  }

  @Override
  public final void close() throws SQLException {
    if (!closed) {
      closed = true;
      try {
        closeResults();
      } finally {
        connection.closed(this);
      }
    }
  }

  @Override
  public final boolean isClosed() {
    return closed;
  }

  @Override
  public final void closeOnCompletion() throws SQLException {
    checkOpen();
    closeOnCompletion = true;
  }

  @Override
  public final boolean isCloseOnCompletion() throws SQLException {
    checkOpen();
    return closeOnCompletion;
  }

  final void checkOpen() throws SQLException {
    if (closed) {
      throw SqlErrors.of(ErrorCode.JDBC_CALL_INVALID, "the statement is closed; make a new one");
    }
  }

  final ShardwrightConnection connection() {
    return connection;
  }

  @Override
  public final Connection getConnection() throws SQLException {
    checkOpen();
    return connection;
  }

  @Override
  public final boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }

  @Override
  public final <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw SqlErrors.unsupported(
        "unwrapping a statement to " + type.getName(), "use java.sql.Statement");
  }
}
