package io.shardwright.driver;

import io.shardwright.driver.ShardPool.Purpose;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.ListUse;
import io.shardwright.sql.Merge;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route;
import io.shardwright.sql.Route.ShardStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * A read of several shards: all are asked at once, and the answers are merged. The first failure
 * ends it, unless the caller allows a partial answer: then shards that cannot be reached, do not
 * answer in time or cannot serve are left out, and the result says so. An error of the statement
 * itself, such as a division by zero on one shard, is an error all the same.
 */
final class ScatterRead {
  private final ShardwrightConnection connection;
  private final ShardwrightStatement statement;
  private final Plan plan;
  private final Route route;
  private final Parameters parameters;
  private final Owners owners;
  private final boolean partial;

  /** One per shard; null where no connection was to be had. */
  private final ShardCall[] calls;

  /** Why a shard is left out, by position; each is written by the one thread that runs its part. */
  private final SQLException[] missing;

  private final Map<ShardId, Duration> elapsed = new TreeMap<>();
  private int retries;
  private int physicalStatements;
  private long rowsOfPage;

  /** That a shard owns what it answers of, and what it is counted for. */
  interface Owners {
    /** Before the shard's part is sent. */
    void count(ShardCall call, ShardStatement to);

    /**
     * Before the shard's part is sent.
     *
     * @return true when nothing is left to be confirmed
     */
    boolean enter(ShardCall call, ShardStatement to) throws SQLException;

    /** When it has answered. */
    void confirm(ShardCall call, ShardStatement to) throws SQLException;
  }

  ScatterRead(
      ShardwrightStatement statement,
      Plan plan,
      Route route,
      Parameters parameters,
      Owners owners) {
    this.connection = statement.connection();
    this.owners = owners;
    this.statement = statement;
    this.plan = plan;
    this.route = route;
    this.parameters = parameters;
    this.calls = new ShardCall[route.statements().size()];
    this.missing = new SQLException[calls.length];
    this.partial = !statement.settings().isPart() && connection.allowsPartial(plan);
  }

  int physicalStatements() {
    return physicalStatements;
  }

  /** That the shards gave, when it is a page that may be short. */
  long rowsOfPage() {
    return rowsOfPage;
  }

  void run() throws SQLException {
    parameters.checkRepeatable();
    if (statement.settings().type() != ResultSet.TYPE_FORWARD_ONLY) {
      throw SqlErrors.unsupported(
          "a scrollable result set over several shards", "use TYPE_FORWARD_ONLY");
    }
    boolean answered = false;
    try {
      if (isBounded(statement, plan, route)) {
        askWithin(connection.scatterLimits(plan));
      } else {
        lease();
        prepare();
        execute();
      }
      answer(present());
      answered = true;
    } finally {
      statement.ended();
      if (!answered) {
        ShardCall.closeAll(calls);
      }
    }
  }

  /** Whether it waits for its shards no longer than the connection says. */
  static boolean isBounded(ShardwrightStatement statement, Plan plan, Route route) {
    return statement.connection().scatterLimits(plan) != null
        && !statement.settings().isPart()
        && statement.settings().type() == ResultSet.TYPE_FORWARD_ONLY
        && statement.settings().fetchSize() == 0
        && route.list().isEmpty()
        && !route.readsEntries();
  }

  private void askWithin(ScatterLimits limits) throws SQLException {
    SeveralShardsFailure failures = new SeveralShardsFailure(connection, statement, plan, route);
    BoundedScatter scatter =
        new BoundedScatter(
            statement,
            limits,
            new BoundedScatter.Parts() {
              @Override
              public int size() {
                return calls.length;
              }

              @Override
              public ShardId shard(int part) {
                return route.statements().get(part).shard();
              }

              @Override
              public ShardCall lease(int part, LeaseWait wait) throws SQLException {
                return connection.callAside(shard(part), wait);
              }

              @Override
              public void ask(int part, ShardCall call) throws SQLException {
                prepare(part, call, statement.settings(), rowsPerShard());
                execute(call, route.statements().get(part));
              }

              @Override
              public boolean isNoAnswer(SQLException e) {
                return ScatterRead.isNoAnswer(e);
              }

              @Override
              public void answered(int part, ShardCall call, Duration time) {
                elapsed.put(shard(part), time);
                calls[part] = call;
              }

              @Override
              public void missing(int part, ShardCall call, SQLException why, Duration time)
                  throws SQLException {
                elapsed.put(shard(part), time);
                SQLException told = call == null ? why : failures.of(call, why);
                if (!partial || !isNoAnswer(why)) {
                  throw told;
                }
                missing[part] = told;
              }
            });
    try {
      scatter.run();
    } finally {
      retries = scatter.retries();
      physicalStatements = present().length + retries;
    }
    requireOne();
  }

  /** In shard order, so that statements never wait for each other in a circle. */
  private void lease() throws SQLException {
    for (int i = 0; i < calls.length; i++) {
      try {
        ShardId shard = route.statements().get(i).shard();
        calls[i] =
            route.readsEntries()
                ? connection.callOutside(shard)
                : connection.callOneOfSeveral(shard, Purpose.READ);
      } catch (SQLException e) {
        leaveOut(i, e);
      }
    }
    physicalStatements = present().length;
  }

  private void prepare() throws SQLException {
    StatementSettings settings =
        isUnfilledPage() ? statement.settings().ofPage() : statement.settings();
    long rowsPerShard = rowsPerShard();
    for (int i = 0; i < calls.length; i++) {
      if (calls[i] != null) {
        prepare(i, calls[i], settings, rowsPerShard);
      }
    }
  }

  private void prepare(int part, ShardCall call, StatementSettings settings, long rowsPerShard)
      throws SQLException {
    ShardStatement to = route.statements().get(part);
    owners.count(call, to);
    call.prepareQuery(settings, plan, to.text(), parameters);
    call.limitRows(rowsPerShard);
  }

  private long rowsPerShard() throws SQLException {
    return route.merge() instanceof Merge.Staged
        ? CollectedRows.MAX_ROWS + 1L
        : Merging.rowsPerShard(route.merge(), statement.rowsWanted());
  }

  private boolean isUnfilledPage() {
    return route.list().flatMap(ListUse::unfilled).isPresent();
  }

  private void execute() throws SQLException {
    SeveralShardsFailure failures = new SeveralShardsFailure(connection, statement, plan, route);
    statement.running(present());
    Parallel.Failure failed =
        Parallel.run(
            connection.cluster().executor(),
            new Parallel.Parts() {
              @Override
              public int size() {
                return calls.length;
              }

              @Override
              public void run(int part) throws SQLException {
                ask(part);
              }

              @Override
              public void cancel(int part) throws SQLException {
                if (calls[part] != null) {
                  calls[part].cancel();
                }
              }
            });
    if (failed != null) {
      throw failures.of(calls[failed.part()], failed.reason());
    }
    closeMissing(failures);
  }

  private void ask(int part) throws SQLException {
    if (calls[part] == null) {
      return;
    }
    try {
      statement.checkNotCancelled();
      execute(calls[part], route.statements().get(part));
    } catch (SQLException e) {
      leaveOut(part, e);
    }
  }

  private void execute(ShardCall call, ShardStatement to) throws SQLException {
    boolean confirmed = owners.enter(call, to);
    call.executeQuery();
    call.readColumns();
    if (!confirmed) {
      owners.confirm(call, to);
    }
  }

  /**
   * @throws SQLException that failure, when the answer must not be without the shard
   */
  private void leaveOut(int part, SQLException e) throws SQLException {
    if (!partial || statement.isCancelled() || !isNoAnswer(e)) {
      throw e;
    }
    missing[part] = e;
  }

  /** True for a shard that could not answer, false for a statement that it refused. */
  private static boolean isNoAnswer(SQLException e) {
    if (e instanceof ShardwrightError error) {
      return error.code() == ErrorCode.SHARD_UNAVAILABLE
          || error.code() == ErrorCode.SCATTER_TIMEOUT
          || error.code() == ErrorCode.SHARD_POOL_EXHAUSTED;
    }
    return PhysicalErrors.isConnectionBroken(e)
        || PhysicalErrors.isInterrupted(e)
        || e instanceof SQLTimeoutException
        || PhysicalErrors.cannotServe(e);
  }

  private void closeMissing(SeveralShardsFailure failures) throws SQLException {
    for (int i = 0; i < calls.length; i++) {
      if (missing[i] != null && calls[i] != null) {
        missing[i] = failures.of(calls[i], missing[i]);
        calls[i].close();
        calls[i] = null;
      }
    }
    requireOne();
  }

  private void requireOne() throws SQLException {
    if (present().length == 0) {
      throw missing[0];
    }
  }

  private ShardCall[] present() {
    return Arrays.stream(calls).filter(Objects::nonNull).toArray(ShardCall[]::new);
  }

  private void answer(ShardCall[] present) throws SQLException {
    ShardColumns.requireEqual(
        List.of(present),
        route.merge() instanceof Merge.Staged
            ? ShardColumns.Agreement.DECLARED_TYPES
            : ShardColumns.Agreement.LABELS_AND_TYPES);
    for (ShardCall call : present) {
      statement.answerWarnings(call.warnings());
      rowsOfPage += isUnfilledPage() ? call.countAll() : 0;
    }
    statement.answerCompleteness(completeness());
    if (calls.length == 1) {
      statement.answerRows(new ShardResultSet(statement, present[0]));
    } else if (route.merge() instanceof Merge.Staged staged) {
      statement.answerRows(lastStep(staged, present));
    } else {
      statement.answerRows(Merging.rows(statement, route.merge(), present));
    }
  }

  private Completeness completeness() {
    List<ShardId> expected = new ArrayList<>();
    Map<ShardId, String> without = new TreeMap<>();
    for (int i = 0; i < calls.length; i++) {
      ShardId shard = route.statements().get(i).shard();
      expected.add(shard);
      if (missing[i] != null) {
        without.put(shard, missing[i].getMessage());
      }
    }
    return new Completeness(expected, without, elapsed, retries, route.mapVersion(), Set.of());
  }

  private ResultSet lastStep(Merge.Staged staged, ShardCall[] present) throws SQLException {
    ShardCall last = LastStep.prepare(staged, present, statement.settings(), parameters);
    physicalStatements++;
    ResultSet answer = LastStep.answer(connection, statement, plan, last);
    for (ShardCall call : present) {
      if (call != last) {
        call.close();
      }
    }
    return answer;
  }
}
