package io.shardwright.driver;

import io.shardwright.driver.ShardPool.Purpose;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.IndexWork;
import io.shardwright.lookup.Lookups;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.ListUse;
import io.shardwright.sql.Merge;
import io.shardwright.sql.Merge.Window;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route;
import io.shardwright.sql.Route.ShardStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * One execution of one statement: bind, route, lease, send, and hand the answer to the logical
 * statement. Everything that a refusal needs is decided before the first byte is sent.
 */
final class Execution implements ScatterRead.Owners {
  // Long because: the ways of one statement from its route to its answer stand side by side.

  /** A look-up is repeated when its row moved meanwhile; so often, then it is a fault. */
  private static final int LOOKUP_ATTEMPTS = 8;

  private final ShardwrightConnection connection;
  private final ShardwrightStatement statement;
  private final StatementSettings settings;
  private final Planned planned;
  private final Plan plan;
  private final Parameters parameters;
  private Optional<Maintenance> maintenance = Optional.empty();
  private Route route;

  /** By which this attempt is routed. */
  private KnownState known;

  /** What its shards must confirm; null: nothing as long as the state is vouched for. */
  private Ownership ownership;

  /** Null until ids were issued, which stay the same when the statement is repeated. */
  private IssuedRoute issued;

  private boolean idsAreKeys;
  private int physicalStatements;

  /** That the shards gave, where the route is a page that may be short. */
  private long rowsOfPage;

  Execution(
      ShardwrightConnection connection,
      ShardwrightStatement statement,
      Planned planned,
      Parameters parameters) {
    this.connection = connection;
    this.statement = statement;
    this.settings = statement.settings();
    this.planned = planned;
    this.plan = planned.plan();
    this.parameters = parameters;
  }

  void run() throws SQLException {
    Tracing tracing = connection.cluster().tracing();
    long start = tracing.isOn() ? System.nanoTime() : 0;
    Deadline deadline = statement.startDeadline(plan);
    SQLException failure = null;
    try {
      dispatch();
    } catch (SQLException e) {
      failure =
          deadline.explain(e, plan.kind() == Plan.Kind.SELECT ? "" : "; nothing of it was applied");
      throw failure;
    } finally {
      statement.stopDeadline();
      planned.counters().executed(plan, route, physicalStatements, failure);
      if (start != 0) {
        tracing.executed(
            plan, route, new Tracing.Result(physicalStatements, statement.count(), failure, start));
      }
    }
  }

  /** Again on a newer bucket map, when it met a bucket that had moved. */
  private void dispatch() throws SQLException {
    parameters.checkComplete();
    Repeats repeats = null;
    while (true) {
      try {
        dispatchOnce();
        connection.sent(plan);
        return;
      } catch (SQLException e) {
        if (!Repeats.isMoved(e) || planned.isOutdated(known)) {
          connection.sent(plan);
          throw e;
        }
        if (repeats == null) {
          repeats = new Repeats(connection, statement);
        }
        repeats.await(known, e);
      }
    }
  }

  private void dispatchOnce() throws SQLException {
    statement.routePolicy().askForKeysOnce();
    int asked = 0;
    for (int attempt = 1; attempt <= LOOKUP_ATTEMPTS; attempt++) {
      asked += answer();
      Lookups lookups = statement.routePolicy().lookups();
      if (lookups == null) {
        physicalStatements += asked;
        return;
      }
      boolean stands = stands(lookups);
      asked += lookups.statements();
      if (stands) {
        physicalStatements += asked;
        return;
      }
      asked += physicalStatements;
      statement.closeResults();
    }
    throw SqlErrors.of(
        ErrorCode.LOCK_TIMEOUT,
        "rows moved from one place to another "
            + LOOKUP_ATTEMPTS
            + " times while they were looked up ("
            + route.reason()
            + "); repeat the statement");
  }

  /**
   * Sends the statement; again when it is a page that rows were missing of, with more keys.
   *
   * @return physical statements beside those that gave the answer
   */
  private int answer() throws SQLException {
    RoutePolicy policy = statement.routePolicy();
    int asked = 0;
    while (true) {
      route = route();
      statement.answerFrom(policy.lagging(route));
      send();
      asked += policy.listStatements();
      if (!isShort()) {
        return asked;
      }
      asked += physicalStatements;
      policy.askForMoreKeys();
      statement.closeResults();
    }
  }

  /** Whether more keys of the page could give rows that it lacks. */
  private boolean isShort() {
    Optional<Window> unfilled = route.list().flatMap(ListUse::unfilled);
    if (unfilled.isEmpty()) {
      return false;
    }
    boolean merged = route.statements().size() > 1;
    long rows = merged ? rowsOfPage - unfilled.get().offset() : rowsOfPage;
    long limit = unfilled.get().limit().orElse(Long.MAX_VALUE);
    long wanted = statement.rowsWanted();
    return rows < (wanted == 0 ? limit : Math.min(wanted, limit));
  }

  /** Where it would go; nothing is sent but questions to indexes. */
  Route explain() {
    begin();
    RoutePolicy policy = statement.routePolicy();
    policy.begin(plan, this);
    return plan.route(parameters, known, policy);
  }

  private void begin() {
    known = connection.cluster().catalogMaps().current();
    ownership = Ownership.before(connection, known);
  }

  private Route route() throws SQLException {
    begin();
    if (!planned.fits(known)) {
      throw Ownership.grown();
    }
    RoutePolicy policy = statement.routePolicy();
    policy.begin(plan, this);
    try {
      maintenance = connection.cluster().indexes().maintenance(plan);
      Route routed = plan.route(parameters, known, policy);
      return plan.kind() == Plan.Kind.INSERT ? issueIds(routed) : routed;
    } catch (ShardwrightException e) {
      throw SqlErrors.of(e);
    }
  }

  ShardwrightConnection connection() {
    return connection;
  }

  KnownState known() {
    return known;
  }

  /** Null when nothing moves. */
  Ownership ownership() {
    return ownership;
  }

  private Route issueIds(Route routed) throws SQLException {
    SortedMap<Integer, Long> before =
        issued == null ? Collections.emptySortedMap() : issued.idsByRow();
    issued = connection.cluster().ids().issue(routed, before);
    idsAreKeys = issued.areKeys(settings.keys(), connection.cluster().physical());
    return issued.route();
  }

  /**
   * Whether the answer is one of a moment. Between the question to the index and the statement the
   * value may have gone from one row to another. A row that was found is one, and a write sees what
   * is there when it runs, as in one database.
   */
  private boolean stands(Lookups lookups) throws SQLException {
    if (plan.kind() != Plan.Kind.SELECT || lookups.isNothing()) {
      return true;
    }
    boolean found = lookups.isOneCandidate() && plan.showsRows() && hasRows();
    return found || lookups.isUnchanged();
  }

  private boolean hasRows() throws SQLException {
    return route.target() == Route.Target.SHARDS
        && route.statements().size() == 1
        && statement.rows().isBeforeFirst();
  }

  private void send() throws SQLException {
    statement.allowRows(rowsAllowed());
    switch (route.target()) {
      case SHARDS -> shards(route.statements());
      case ANY_SHARD -> onOne(connection.anyShard(plan.locksOrWrites()));
      case FIRST_SHARD -> onOne(connection.firstShard());
      case EVERY_SHARD -> everyShard();
      case GATHERED -> gathered((Merge.Gathered) route.merge());
    }
    if (plan.locksOrWrites() && connection.isAutoCommit()) {
      if (route.target() == Route.Target.SHARDS) {
        route.statements().forEach(sent -> connection.wrote(sent.shard()));
      } else {
        connection.cluster().pools().keySet().forEach(connection::wrote);
      }
    }
  }

  /** Parts first, as statements of their own; then one shard runs the last step over their rows. */
  private void gathered(Merge.Gathered merge) throws SQLException {
    parameters.checkRepeatable();
    if (settings.type() != ResultSet.TYPE_FORWARD_ONLY) {
      throw SqlErrors.unsupported(
          "a scrollable result set over several shards", "use TYPE_FORWARD_ONLY");
    }
    if (merge.inserting().isPresent()) {
      QueryInsert insert =
          new QueryInsert(
              merge.inserting().get(),
              connection.cluster().physical(),
              connection.cluster().database().schema().hasLocalTimes());
      readPart(merge.parts().get(0), insert::add);
      insert(insert);
      return;
    }
    Gathering gathering = new Gathering(merge, connection.cluster().physical(), parameters);
    for (Merge.Part part : merge.parts()) {
      readPart(part, gathering::add);
    }
    ShardCall last = connection.anyShard(false);
    boolean answered = false;
    try {
      gathering.prepare(last, settings);
      last.rowsGathered(gathering.rows());
      physicalStatements++;
      statement.answerRows(LastStep.answer(connection, statement, plan, last));
      answered = true;
    } finally {
      statement.ended();
      if (!answered) {
        last.close();
      }
    }
  }

  private void insert(QueryInsert insert) throws SQLException {
    if (!insert.isEmpty()) {
      Execution execution =
          new Execution(
              connection,
              statement,
              new Planned(
                  connection.cluster().planOnce(insert.text()),
                  planned.counters(),
                  planned.reserved()),
              insert.parameters(parameters));
      execution.dispatch();
      physicalStatements += execution.physicalStatements;
    } else if (answersRows() || settings.keys() != null) {
      int read = physicalStatements;
      ShardCall any = connection.anyShard(true);
      single(any, new ShardStatement(any.shard(), List.of(), insert.nothing()));
      physicalStatements += read;
    } else {
      statement.answerCount(0);
    }
  }

  interface RowsReader {
    void read(ResultSet rows) throws SQLException;
  }

  private void readPart(Merge.Part part, RowsReader reader) throws SQLException {
    physicalStatements += readAlone(part, reader);
  }

  /**
   * Reads the rows of a part.
   *
   * @return physical statements
   */
  int readAlone(Merge.Part part, RowsReader reader) throws SQLException {
    try (ShardwrightStatement reading = new ShardwrightStatement(connection, settings.ofPart())) {
      statement.runningPart(reading);
      Execution execution =
          new Execution(
              connection,
              reading,
              new Planned(part.plan(), ShapeCounters.UNCOUNTED, planned.reserved()),
              parameters.select(part.parameters()));
      execution.known = known;
      execution.ownership = ownership;
      execution.readPart(part.route());
      reader.read(reading.rows());
      return execution.physicalStatements;
    } finally {
      statement.ended();
    }
  }

  /** Where it goes has been decided with the whole statement. */
  private void readPart(Route decided) throws SQLException {
    route = decided;
    switch (route.target()) {
      case SHARDS -> {
        if (!route.readsEntries()) {
          connection.checkScatter(route, plan);
        }
        if (route.statements().size() == 1) {
          ShardStatement only = route.statements().get(0);
          single(
              route.readsEntries()
                  ? connection.callOutside(only.shard())
                  : connection.callOneOfSeveral(only.shard(), Purpose.READ),
              only);
        } else {
          scatter();
        }
      }
      case ANY_SHARD -> onOne(connection.anyShard(false));
      case FIRST_SHARD -> onOne(connection.firstShard());
      case GATHERED -> gathered((Merge.Gathered) route.merge());
      case EVERY_SHARD ->
          throw SqlErrors.of(ErrorCode.INVARIANT_BROKEN, "a part goes to " + route.target());
    }
  }

  private long rowsAllowed() throws SQLException {
    if (plan.kind() != Plan.Kind.SELECT) {
      return Long.MAX_VALUE;
    }
    OptionalLong hint = plan.hints().maxRows();
    OptionalLong max = hint.isPresent() ? hint : connection.settings().maxRows();
    if (max.isPresent() && settings.type() != ResultSet.TYPE_FORWARD_ONLY) {
      throw SqlErrors.unsupported(
          "max_rows for a scrollable result set", "use TYPE_FORWARD_ONLY, or setMaxRows");
    }
    return max.orElse(Long.MAX_VALUE);
  }

  private void shards(List<ShardStatement> statements) throws SQLException {
    if (statements.size() == 1) {
      ShardStatement only = statements.get(0);
      if (ScatterRead.isBounded(statement, plan, route)) {
        scatter();
        return;
      }
      if (connection.isAutoCommit() && (maintenance.isPresent() || mayMissRows(only))) {
        write(statements);
      } else {
        single(call(only), only);
      }
      return;
    }
    if (plan.kind() == Plan.Kind.SELECT) {
      if (!route.readsEntries()) {
        connection.checkScatter(route, plan);
      }
      warnOfMany(statements);
      scatter();
    } else {
      connection.checkSeveralShards(route);
      warnOfMany(statements);
      write(statements);
    }
  }

  /** It is committed only when no bucket that it is about had moved. */
  private boolean mayMissRows(ShardStatement only) {
    return ownership != null
        && changesRows()
        && (only.buckets().size() != 1 || plan.returnsRows())
        && ownership.concerns(route, only);
  }

  /** Rows that it does not find fire no trigger, so that the fence does not see them. */
  private boolean changesRows() {
    return plan.kind() == Plan.Kind.UPDATE || plan.kind() == Plan.Kind.DELETE;
  }

  private ShardCall call(ShardStatement only) throws SQLException {
    if (route.list().isEmpty()) {
      return connection.call(only, plan);
    }
    return route.readsEntries()
        ? connection.callOutside(only.shard())
        : connection.callForNamedRows(only, plan);
  }

  private void warnOfMany(List<ShardStatement> statements) {
    statement.answerWarnings(
        connection
            .cluster()
            .statistics()
            .manyShards(statements.size(), planned.counters(), route.reason()));
  }

  private void everyShard() throws SQLException {
    if (plan.kind() == Plan.Kind.DDL) {
      connection.checkNoTransaction();
      connection.cluster().ddl().run(plan.sql(), settings.queryTimeoutSeconds());
      physicalStatements = connection.cluster().pools().size();
      statement.answerCount(0);
      return;
    }
    List<ShardStatement> statements = new ArrayList<>();
    for (ShardId shard : connection.cluster().pools().keySet()) {
      statements.add(new ShardStatement(shard, List.of(), route.anyShardStatement()));
    }
    if (statements.size() == 1) {
      single(connection.call(statements.get(0), plan), statements.get(0));
      return;
    }
    connection.checkSeveralShards(route);
    write(statements);
  }

  private void onOne(ShardCall call) throws SQLException {
    single(call, new ShardStatement(call.shard(), List.of(), route.anyShardStatement()));
  }

  private boolean answersRows() {
    return plan.returnsRows() && settings.keys() == null;
  }

  private void single(ShardCall call, ShardStatement to) throws SQLException {
    boolean answered = false;
    physicalStatements = 1;
    count(call, to);
    if (maintenance.isPresent()) {
      maintain(call, maintenance.get(), connection.work());
    }
    try {
      boolean rows = answersRows();
      boolean page = route.list().flatMap(ListUse::unfilled).isPresent();
      boolean confirmed = enter(call, to);
      if (rows) {
        call.prepareQuery(page ? settings.ofPage() : settings, plan, to.text(), parameters);
        call.limitRows(statement.rowsWanted());
      } else {
        call.prepare(settings, to.text(), parameters);
      }
      statement.running(call);
      if (rows) {
        call.executeQuery();
        if (!confirmed) {
          confirm(call, to);
        }
        rowsOfPage = page ? call.countAll() : 0;
        statement.answerWarnings(call.warnings());
        statement.answerRows(new ShardResultSet(statement, call));
      } else {
        call.executeUpdate();
        confirm(call, to);
        statement.answerWarnings(call.warnings());
        statement.answerCount(call.count());
        if (idsAreKeys) {
          statement.answerKeys(AggregateResultSet.ids(statement, List.of(issued)));
          call.close();
        } else if (settings.keys() != null) {
          call.generatedKeys();
          statement.answerKeys(new ShardResultSet(statement, call));
        } else {
          call.close();
        }
      }
      answered = true;
    } catch (SQLException e) {
      if (call.isUnmaintained()) {
        connection.abortTransaction(call.shard());
      }
      throw connection.failed(call, plan, e);
    } finally {
      statement.ended();
      if (!answered) {
        call.close();
      }
    }
  }

  @Override
  public void count(ShardCall call, ShardStatement to) {
    if (route.map().isPresent()) {
      call.countedBy(connection.cluster().heat().of(route.map().get()), plan, to);
    }
  }

  @Override
  public boolean enter(ShardCall call, ShardStatement to) throws SQLException {
    return ownership != null && ownership.enter(call, plan, route, to);
  }

  @Override
  public void confirm(ShardCall call, ShardStatement to) throws SQLException {
    if (plan.kind() == Plan.Kind.SELECT) {
      confirmOwner(call, to);
    } else if (changesRows() && (to.buckets().size() != 1 || call.changedNothing())) {
      try {
        confirmOwner(call, to);
      } catch (SQLException e) {
        throw Repeats.isMoved(e) && call.isCommitted() && !call.changedNothing()
            ? Repeats.partlyApplied("the statement", e)
            : e;
      }
    }
  }

  private void confirmOwner(ShardCall call, ShardStatement to) throws SQLException {
    Ownership owners = ownership == null ? Ownership.after(connection, known) : ownership;
    if (owners != null) {
      owners.confirm(call, plan, route, to);
    }
  }

  private void scatter() throws SQLException {
    ScatterRead read = new ScatterRead(statement, plan, route, parameters, this);
    try {
      read.run();
    } finally {
      physicalStatements = read.physicalStatements();
      rowsOfPage = read.rowsOfPage();
    }
  }

  private void write(List<ShardStatement> statements) throws SQLException {
    if (statements.size() > 1) {
      parameters.checkRepeatable();
    }
    boolean answersRows = answersRows();
    // Copies must agree on how many rows they changed, so their rows come beside a count.
    boolean copies = route.target() == Route.Target.EVERY_SHARD;
    boolean rows = answersRows && !copies;
    GeneratedKeys wanted = idsAreKeys ? null : settings.keys();
    GeneratedKeys keys = answersRows && copies ? GeneratedKeys.ALL : wanted;
    ShardCall[] calls = connection.calls(statements);
    boolean answered = false;
    physicalStatements = calls.length;
    List<Lease> leases = new ArrayList<>();
    for (ShardCall call : calls) {
      leases.add(call.lease());
    }
    boolean transaction = !connection.isAutoCommit();
    IndexWork work = transaction ? connection.work() : connection.ownWork();
    try {
      if (!transaction) {
        introduce(leases);
        check(calls, MultiShardWrite.begin(connection.cluster().executor(), leases));
      }
      for (int i = 0; i < calls.length; i++) {
        count(calls[i], statements.get(i));
        if (maintenance.isPresent()) {
          maintain(calls[i], maintenance.get(), work);
        }
        calls[i].prepare(settings, keys, statements.get(i).text(), parameters);
      }
      statement.running(calls);
      check(calls, Parallel.inOrder(executions(calls, statements, rows)));
      addWarnings(calls);
      WriteAnswer answer = new WriteAnswer(statement, route, calls);
      answer.checkShardsAgree();
      answer.checkColumnsAgree();
      if (!transaction) {
        // From here on a cancel comes too late.
        statement.ended();
        MultiShardWrite.commit(leases, work);
      }
      answer.give(answersRows);
      if (idsAreKeys) {
        statement.answerKeys(AggregateResultSet.ids(statement, List.of(issued)));
      }
      answered = true;
    } finally {
      statement.ended();
      if (!answered) {
        if (transaction) {
          // Some shards have done their part.
          connection.statementFailed(calls[0].shard());
        } else {
          MultiShardWrite.rollback(leases);
          work.rolledBack();
        }
        ShardCall.closeAll(calls);
      }
    }
  }

  private void introduce(List<Lease> leases) throws SQLException {
    if (maintenance.isPresent() && tellsOfInserted()) {
      for (Lease lease : leases) {
        connection.cluster().indexes().introduce(lease);
      }
    }
  }

  /** Before the call is prepared. */
  private void maintain(ShardCall call, Maintenance how, IndexWork work) throws SQLException {
    call.maintaining(how.in(work));
    if (tellsOfInserted() && connection.cluster().indexes().knowsInserted(how, call.lease())) {
      call.tellingOfInserted();
    }
  }

  /** Rows that are limited would not all be told of, and generated keys are told so, too. */
  private boolean tellsOfInserted() {
    return plan.insertsPlainRows() && settings.keys() == null && statement.rowsWanted() == 0;
  }

  private Parallel.Parts executions(
      ShardCall[] calls, List<ShardStatement> statements, boolean rows) {
    return new Parallel.Parts() {
      @Override
      public int size() {
        return calls.length;
      }

      @Override
      public void run(int part) throws SQLException {
        statement.checkNotCancelled();
        if (rows) {
          calls[part].executeQuery();
          calls[part].readColumns();
        } else {
          calls[part].executeUpdate();
          if (calls[part].hasKeys()) {
            calls[part].generatedKeys();
            calls[part].readColumns();
          }
        }
        confirm(calls[part], statements.get(part));
      }

      @Override
      public void cancel(int part) throws SQLException {
        calls[part].cancel();
      }
    };
  }

  private void check(ShardCall[] calls, Parallel.Failure failure) throws SQLException {
    if (failure != null) {
      throw new SeveralShardsFailure(connection, statement, plan, route)
          .of(calls[failure.part()], failure.reason());
    }
  }

  private void addWarnings(ShardCall[] calls) throws SQLException {
    for (ShardCall call : calls) {
      statement.answerWarnings(call.warnings());
    }
  }
}
