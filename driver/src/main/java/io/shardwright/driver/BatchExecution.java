package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.IndexWork;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route;
import io.shardwright.sql.Route.ShardStatement;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A batch: every entry is routed before anything is sent, then each shard gets its entries in the
 * caller's order, as physical batches. In autocommit mode a batch on several shards is one
 * transaction per shard, in shard order, committed when all have succeeded ({@link
 * MultiShardWrite}).
 */
final class BatchExecution {
  // Long because: routing, sending and answering of a batch share its entries and shards.

  private final ShardwrightConnection connection;
  private final ShardwrightStatement statement;
  private final List<ShardwrightStatement.BatchEntry> entries;
  private final SortedMap<ShardId, ShardBatch> shards = new TreeMap<>();
  private final List<IssuedRoute> issued = new ArrayList<>();
  private final boolean[] everyShard;

  /** By which this attempt is routed, and what its shards must confirm. */
  private KnownState known;

  private Ownership ownership;
  private final long[] counts;

  /** Of the entries whose generated keys are the ids that were issued for them. */
  private final List<IssuedRoute> issuedKeys = new ArrayList<>();

  /** Of all entries. */
  private Optional<Maintenance> maintenance = Optional.empty();

  BatchExecution(
      ShardwrightConnection connection,
      ShardwrightStatement statement,
      List<ShardwrightStatement.BatchEntry> entries) {
    this.connection = connection;
    this.statement = statement;
    this.entries = entries;
    this.everyShard = new boolean[entries.size()];
    this.counts = new long[entries.size()];
  }

  /** One count per entry, in the caller's order. */
  long[] run() throws SQLException {
    Tracing tracing = connection.cluster().tracing();
    long start = tracing.isOn() ? System.nanoTime() : 0;
    Deadline deadline = statement.startDeadline(entries.get(0).plan());
    SQLException failure = null;
    List<Route> routes = new ArrayList<>();
    try {
      routeAndSend(routes);
      return counts;
    } catch (SQLException e) {
      failure = deadline.explain(e, "; its cause tells what of the batch was applied");
      throw failure;
    } finally {
      statement.stopDeadline();
      boolean sent = routes.size() == entries.size();
      for (int i = 0; i < entries.size(); i++) {
        Route route = i < routes.size() ? routes.get(i) : null;
        entries
            .get(i)
            .planned()
            .counters()
            .executed(entries.get(i).plan(), route, sent ? physical(route) : 0, failure);
        if (start != 0) {
          tracing.executed(
              entries.get(i).plan(),
              route,
              new Tracing.Result(sent ? 1 : 0, failure == null ? counts[i] : -1, failure, start));
        }
      }
    }
  }

  /** Again on a newer bucket map, when it met a bucket that had moved and nothing is applied. */
  private void routeAndSend(List<Route> routes) throws SQLException {
    Repeats repeats = null;
    while (true) {
      begin();
      try {
        routes.clear();
        for (int i = 0; i < entries.size(); i++) {
          routes.add(route(i));
        }
        send(routes);
        connection.sent(entries.get(0).plan());
        return;
      } catch (SQLException e) {
        if (!Repeats.isMoved(e) || entries.stream().anyMatch(i -> i.planned().isOutdated(known))) {
          connection.sent(entries.get(0).plan());
          throw e;
        }
        if (repeats == null) {
          repeats = new Repeats(connection, statement);
        }
        repeats.await(known, e);
      }
    }
  }

  private void begin() {
    known = connection.cluster().catalogMaps().current();
    ownership = Ownership.before(connection, known);
    shards.clear();
    issuedKeys.clear();
    Arrays.fill(counts, 0);
    maintenance = Optional.empty();
  }

  private int physical(Route route) {
    return route.target() == Route.Target.EVERY_SHARD
        ? connection.cluster().pools().size()
        : Math.max(1, route.statements().size());
  }

  private Route route(int entry) throws SQLException {
    Plan plan = entries.get(entry).plan();
    if (plan.kind() == Plan.Kind.SELECT
        || plan.kind() == Plan.Kind.DDL
        || (plan.returnsRows() && statement.settings().keys() == null)) {
      throw SqlErrors.unsupported(
          "a statement that returns rows or changes the schema, in a batch", "execute it alone");
    }
    entries.get(entry).parameters().checkComplete();
    if (!entries.get(entry).planned().fits(known)) {
      throw Ownership.grown();
    }
    Route route;
    statement.routePolicy().beginInBatch(ownership);
    try {
      connection.cluster().indexes().maintenance(plan).ifPresent(this::maintain);
      route =
          issueIds(
              entry, plan.route(entries.get(entry).parameters(), known, statement.routePolicy()));
    } catch (ShardwrightException e) {
      throw SqlErrors.of(e);
    }
    everyShard[entry] = route.target() == Route.Target.EVERY_SHARD;
    BucketCounters heat =
        route.map().isPresent() ? connection.cluster().heat().of(route.map().get()) : null;
    for (ShardStatement part : parts(route)) {
      shards
          .computeIfAbsent(part.shard(), shard -> new ShardBatch(part, plan))
          .add(entry, part, entries.get(entry).parameters(), heat);
    }
    return route;
  }

  /** Of a batch that is repeated the ids stay the same. */
  private Route issueIds(int entry, Route route) throws SQLException {
    boolean repeated = entry < issued.size();
    IssuedRoute withIds =
        connection
            .cluster()
            .ids()
            .issue(route, repeated ? issued.get(entry).idsByRow() : Collections.emptySortedMap());
    if (!repeated) {
      issued.add(withIds);
    }
    if (withIds.areKeys(statement.settings().keys(), connection.cluster().physical())) {
      issuedKeys.add(withIds);
    }
    return withIds.route();
  }

  /** Whether generated keys are read from the shards. */
  private boolean readsKeys() {
    return statement.settings().keys() != null && issuedKeys.isEmpty();
  }

  private void maintain(Maintenance how) {
    maintenance = Optional.of(maintenance.map(how::and).orElse(how));
  }

  private List<ShardStatement> parts(Route route) {
    return switch (route.target()) {
      case SHARDS -> route.statements();
      case ANY_SHARD, FIRST_SHARD ->
          List.of(
              new ShardStatement(
                  connection.cluster().pools().firstKey(), List.of(), route.anyShardStatement()));
      case EVERY_SHARD ->
          connection.cluster().pools().keySet().stream()
              .map(shard -> new ShardStatement(shard, List.of(), route.anyShardStatement()))
              .toList();
      case GATHERED ->
          throw new ShardwrightException(
              ErrorCode.STATEMENT_UNSUPPORTED,
              "INSERT ... SELECT in a batch; nothing was sent; execute it by itself");
    };
  }

  private void send(List<Route> routes) throws SQLException {
    List<ShardBatch> batches = List.copyOf(shards.values());
    if (batches.size() > 1) {
      connection.checkSeveralShards(routes.get(firstOf(batches.get(1))));
      for (ShardwrightStatement.BatchEntry entry : entries) {
        entry.parameters().checkRepeatable();
      }
    }
    boolean answered = false;
    boolean sent = false;
    boolean transactions =
        connection.isAutoCommit()
            && (maintenance.isPresent() || mayMove(routes) || !isOnePhysicalBatch(batches));
    IndexWork work = connection.isAutoCommit() ? connection.ownWork() : connection.work();
    try {
      for (ShardBatch batch : batches) {
        batch.lease(connection);
      }
      if (transactions) {
        begin(batches);
      }
      sent = true;
      execute(batches, transactions, work);
      confirm(batches, routes, connection.isAutoCommit() && !transactions);
      if (transactions || batches.size() > 1) {
        checkShardsAgree(batches);
        readKeys(batches);
      }
      if (transactions) {
        // From here on a cancel comes too late.
        statement.ended();
        MultiShardWrite.commit(batches.stream().map(ShardBatch::lease).toList(), work);
      }
      if (connection.isAutoCommit()) {
        batches.forEach(batch -> connection.wrote(batch.shard()));
      }
      collect(batches);
      answerKeys(batches);
      answered = true;
    } finally {
      statement.ended();
      if (!answered || !readsKeys()) {
        if (sent && !answered && !transactions) {
          connection.statementFailed(batches.get(0).shard());
        }
        if (!answered && transactions) {
          MultiShardWrite.rollback(
              batches.stream().map(ShardBatch::lease).filter(lease -> lease != null).toList());
          work.rolledBack();
        }
        batches.forEach(ShardBatch::close);
      }
    }
  }

  /** Then it is applied as a whole or not at all, so that it can be repeated. */
  private boolean mayMove(List<Route> routes) {
    return ownership != null
        && routes.stream()
            .anyMatch(
                route -> route.statements().stream().anyMatch(to -> ownership.concerns(route, to)));
  }

  private static int firstOf(ShardBatch batch) {
    return batch.segments().get(0).entries().get(0);
  }

  private static boolean isOnePhysicalBatch(List<ShardBatch> batches) {
    return batches.size() == 1 && batches.get(0).segments().size() == 1;
  }

  /** On one shard the server sees every cycle of waits, so nothing needs a bound there. */
  private void begin(List<ShardBatch> batches) throws SQLException {
    List<Lease> leases = batches.stream().map(ShardBatch::lease).toList();
    if (leases.size() == 1) {
      leases.get(0).connection().setAutoCommit(false);
      return;
    }
    Parallel.Failure failure = MultiShardWrite.begin(connection.cluster().executor(), leases);
    if (failure != null) {
      throw failure(batches.get(failure.part()), failure.reason(), true);
    }
  }

  private void execute(List<ShardBatch> batches, boolean transactions, IndexWork work)
      throws SQLException {
    for (ShardBatch batch : batches) {
      batch.prepare(statement.settings());
      if (maintenance.isPresent()) {
        batch.calls().forEach(call -> call.maintaining(maintenance.get().in(work)));
      }
    }
    statement.running(
        batches.stream().flatMap(batch -> batch.calls().stream()).toArray(ShardCall[]::new));
    Parallel.Failure failure =
        Parallel.inOrder(
            new Parallel.Parts() {
              @Override
              public int size() {
                return batches.size();
              }

              @Override
              public void run(int part) throws SQLException {
                statement.checkNotCancelled();
                batches.get(part).execute();
              }

              @Override
              public void cancel(int part) throws SQLException {
                batches.get(part).cancel();
              }
            });
    if (failure != null) {
      ShardBatch failed = batches.get(failure.part());
      if (!transactions && failed.calls().stream().anyMatch(ShardCall::isUnmaintained)) {
        connection.abortTransaction(failed.shard());
      }
      throw failure(failed, failure.reason(), transactions);
    }
  }

  /**
   * Rows that an UPDATE or DELETE did not find fire no trigger, so that the fence does not see
   * them.
   */
  private void confirm(List<ShardBatch> batches, List<Route> routes, boolean committed)
      throws SQLException {
    Ownership owners = ownership == null ? Ownership.after(connection, known) : ownership;
    if (owners == null) {
      return;
    }
    try {
      for (ShardBatch batch : batches) {
        confirm(owners, batch, routes);
      }
    } catch (SQLException e) {
      throw committed && Repeats.isMoved(e) ? Repeats.partlyApplied("the batch", e) : e;
    }
  }

  /** One question for all entries of a group. */
  private void confirm(Ownership owners, ShardBatch batch, List<Route> routes) throws SQLException {
    Map<String, SortedSet<BucketId>> buckets = new TreeMap<>();
    Map<String, Integer> firstOfGroup = new TreeMap<>();
    for (int entry : batch.entries()) {
      Plan.Kind kind = entries.get(entry).plan().kind();
      for (ShardStatement to : routes.get(entry).statements()) {
        if (to.shard().equals(batch.shard())
            && (kind == Plan.Kind.UPDATE || kind == Plan.Kind.DELETE)) {
          String group = entries.get(entry).plan().group().orElse("");
          firstOfGroup.putIfAbsent(group, entry);
          buckets.computeIfAbsent(group, g -> new TreeSet<>()).addAll(to.buckets());
          if (to.buckets().isEmpty()) {
            owners.confirm(batch.owner(), entries.get(entry).plan(), routes.get(entry), to);
          }
        }
      }
    }
    for (Map.Entry<String, SortedSet<BucketId>> group : buckets.entrySet()) {
      if (!group.getValue().isEmpty()) {
        int first = firstOfGroup.get(group.getKey());
        owners.confirm(
            batch.owner(),
            entries.get(first).plan(),
            routes.get(first),
            new ShardStatement(
                batch.shard(),
                List.copyOf(group.getValue()),
                routes.get(first).anyShardStatement()));
      }
    }
  }

  /** Reference tables: each shard must have changed as many rows. */
  private void checkShardsAgree(List<ShardBatch> batches) throws SQLException {
    long[] first = batches.get(0).counts(entries.size());
    for (ShardBatch batch : batches) {
      long[] other = batch.counts(entries.size());
      for (int entry = 0; entry < other.length; entry++) {
        if (everyShard[entry] && other[entry] != first[entry]) {
          throw SqlErrors.of(
              ErrorCode.REFERENCE_DRIFT,
              "entry "
                  + (entry + 1)
                  + " of the batch changed "
                  + first[entry]
                  + " rows of a reference table on shard "
                  + batches.get(0).shard()
                  + " and "
                  + other[entry]
                  + " on shard "
                  + batch.shard()
                  + ", so the copies differ; nothing was applied; make them equal first");
        }
      }
    }
  }

  /** Before the commit, so that keys which cannot be merged leave nothing behind. */
  private void readKeys(List<ShardBatch> batches) throws SQLException {
    if (!readsKeys()) {
      return;
    }
    List<ShardCall> calls = batches.stream().flatMap(batch -> batch.calls().stream()).toList();
    for (ShardCall call : calls) {
      call.generatedKeys();
      call.readColumns();
    }
    ShardColumns.requireEqual(calls, ShardColumns.Agreement.LABELS_AND_TYPES);
  }

  private void collect(List<ShardBatch> batches) {
    for (ShardBatch batch : batches) {
      for (ShardBatch.Segment segment : batch.segments()) {
        for (int i = 0; i < segment.entries().size(); i++) {
          int entry = segment.entries().get(i);
          long count = segment.counts()[i];
          if (count < 0 || counts[entry] < 0) {
            counts[entry] = Statement.SUCCESS_NO_INFO;
          } else {
            counts[entry] = everyShard[entry] ? count : counts[entry] + count;
          }
        }
      }
    }
  }

  /** Keys in the caller's order: each entry has as many as it changed rows. */
  private void answerKeys(List<ShardBatch> batches) throws SQLException {
    if (!issuedKeys.isEmpty()) {
      statement.answerKeys(AggregateResultSet.ids(statement, issuedKeys));
    }
    if (!readsKeys()) {
      return;
    }
    List<ShardCall> sources = new ArrayList<>();
    List<List<Integer>> byEntry = new ArrayList<>();
    entries.forEach(entry -> byEntry.add(new ArrayList<>()));
    for (ShardBatch batch : batches) {
      for (ShardBatch.Segment segment : batch.segments()) {
        int source = sources.size();
        segment.call().generatedKeys();
        sources.add(segment.call());
        for (int i = 0; i < segment.entries().size(); i++) {
          for (long row = 0; row < segment.counts()[i]; row++) {
            byEntry.get(segment.entries().get(i)).add(source);
          }
        }
      }
    }
    List<ShardCall> calls = new ArrayList<>(sources);
    // Closed last: they hold the leases.
    batches.forEach(batch -> calls.add(batch.owner()));
    int[] sequence = byEntry.stream().flatMap(List::stream).mapToInt(source -> source).toArray();
    statement.answerKeys(
        new MergedResultSet(
            statement,
            calls.toArray(ShardCall[]::new),
            new RowOrder.Sequenced(sources, sequence),
            MergedResultSet.View.ALL));
  }

  private SQLException failure(ShardBatch batch, Exception reason, boolean transactions) {
    if (!(reason instanceof SQLException e)) {
      return SqlErrors.of(
          ErrorCode.INVARIANT_BROKEN, "shard " + batch.shard() + ": " + reason, reason);
    }
    if (e instanceof ShardwrightError) {
      return e;
    }
    SQLException own = own(e);
    Optional<SQLException> fence = connection.fence(batch.shard(), own);
    if (fence.isPresent() && (transactions || !connection.isAutoCommit() || batch.didNothing(e))) {
      return fence.get();
    }
    if (transactions && shards.size() > 1 && PhysicalErrors.isLockTimeout(own)) {
      return MultiShardWrite.lockTimeout(batch.shard(), own);
    }
    if (PhysicalErrors.isConnectionBroken(own)) {
      return broken(batch, own, transactions);
    }
    long[] outcome = new long[entries.size()];
    Arrays.fill(outcome, Statement.EXECUTE_FAILED);
    if (!transactions) {
      batch.copyOutcome(e, outcome);
    }
    BatchUpdateException failure =
        new BatchUpdateException(
            String.valueOf(own.getMessage()).lines().findFirst().orElse("")
                + " (shard "
                + batch.shard()
                + (transactions ? "; nothing of the batch was applied on any shard)" : ")"),
            own.getSQLState(),
            own.getErrorCode(),
            outcome,
            own);
    failure.setNextException(own);
    return failure;
  }

  /**
   * The database's error without the physical batch's, whose message shows the values of the entry.
   * Further lines of its message (Detail) may show values of a row.
   */
  private static SQLException own(SQLException e) {
    if (!(e instanceof BatchUpdateException)) {
      return e;
    }
    if (e.getNextException() != null) {
      return e.getNextException();
    }
    return e.getCause() instanceof SQLException cause ? cause : e;
  }

  private SQLException broken(ShardBatch batch, SQLException e, boolean transactions) {
    batch.lost(connection);
    String what =
        "the connection to shard " + batch.shard() + " broke during a batch (" + e.getMessage();
    if (transactions || !connection.isAutoCommit()) {
      return SqlErrors.of(
          ErrorCode.SHARD_UNAVAILABLE,
          what + "); nothing of it was applied; repeat it, in a transaction after rollback()",
          e);
    }
    return new UnknownOutcomeException(
        what + "): read rows that it writes, by their keys, before repeating it", e);
  }
}
