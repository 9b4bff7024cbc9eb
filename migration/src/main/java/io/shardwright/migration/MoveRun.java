package io.shardwright.migration;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogMoves;
import io.shardwright.catalog.CatalogMoves.Held;
import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Counters;
import io.shardwright.catalog.Move.Intent;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.migration.Verification.Checks;
import io.shardwright.migration.Verification.Found;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Fence;
import io.shardwright.schema.Fence.State;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's time with one move: from taking it to its end, or to when it has to stop. Everything
 * is found out anew at the start, from the catalog and from the shards, so a run may end anywhere
 * and another one goes on. Not thread-safe.
 */
final class MoveRun implements AutoCloseable {
  // Long because: the states of a move stand one after the other.

  private static final Logger LOG = LoggerFactory.getLogger(MoveRun.class);

  /**
   * A pass that finds no more than this is followed by a cutover: the last pass is in the pause.
   */
  private static final long SHORT_PASS = 200;

  /** Buckets of one cutover: few, so that others of the same locks wait less. */
  private static final int BATCH = 64;

  /** Copies of rows are deleted in pieces of so many. */
  private static final int DELETE_ROWS = 5_000;

  private static final Duration SEEN_LOOK = Duration.ofSeconds(1);
  private static final Duration REFERENCE_LOOK = Duration.ofSeconds(1);

  private final Configuration configuration;
  private final Catalog catalog;
  private final CatalogMoves moves;
  private final Verifications verifications;
  private final Held held;
  private final Latest latest;
  private final Waiter waiter;
  private final Steps steps;
  private final int chunkRows;
  private final Move move;
  private final MovingTables tables;
  private final ReferenceTables referenceTables;
  private final Route route;
  private Counters counters;

  /** What the operator wants by now; throws when the move is another worker's. */
  interface Latest {
    Move move();
  }

  /** Lets time pass. */
  interface Waiter {
    void pause(Duration time);
  }

  /**
   * What a run needs beside the move.
   *
   * @param chunkRows of one transaction of the copy
   */
  record Means(
      Configuration configuration,
      Catalog catalog,
      CatalogMoves moves,
      Verifications verifications,
      Waiter waiter,
      Steps steps,
      int chunkRows) {}

  /** The operator wants something else, or wants it to wait. */
  private static final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  MoveRun(Means means, Held held, Latest latest) throws SQLException {
    this.configuration = means.configuration;
    this.catalog = means.catalog;
    this.moves = means.moves;
    this.verifications = means.verifications;
    this.waiter = means.waiter;
    this.steps = means.steps;
    this.chunkRows = means.chunkRows;
    this.held = held;
    this.latest = latest;
    this.move = latest.move();
    this.counters = move.counters();
    this.tables = new MovingTables(configuration, move.group());
    this.referenceTables = new ReferenceTables(configuration);
    MoverConnection source = MoverConnection.open(configuration, move.source());
    MoverConnection target = null;
    boolean opened = false;
    try {
      target = MoverConnection.open(configuration, move.target());
      this.route = new Route(move.group(), source, target, tables.on(source), held.epoch());
      opened = true;
    } finally {
      if (!opened) {
        source.close();
        if (target != null) {
          target.close();
        }
      }
    }
  }

  @Override
  public void close() {
    route.source().close();
    route.target().close();
  }

  /**
   * Goes on until the move has ended or waits for the operator.
   *
   * @return the state that it is in
   */
  MoveState run() throws SQLException {
    MoveState state = takeOver();
    while (!state.hasEnded()) {
      Optional<MoveState> next = step(state);
      if (next.isEmpty()) {
        return state;
      }
      steps.reached("before " + next.get());
      OptionalLong unused = moves.advance(held, next.get());
      steps.reached(next.get().toString());
      state = next.get();
    }
    return state;
  }

  /**
   * From here on no worker before this one changes anything, and what such a one began is ended.
   *
   * @return the state to go on from
   */
  MoveState takeOver() throws SQLException {
    boolean failedOver = false;
    for (MoverConnection shard : List.of(route.source(), route.target())) {
      shard.requireNoLater(move.group(), move.buckets(), held.epoch());
      shard.endOthers(move.id());
      shard.takeToken(move.group(), move.buckets(), held.epoch());
      failedOver |= !shard.failedOver(move.group(), move.buckets()).isEmpty();
    }
    steps.reached("tokens");
    if (failedOver) {
      return afterFailOver();
    }
    mend();
    return move.state();
  }

  /**
   * A shard's server is another one, which may lack what was last done: rows, notes, and rows of
   * the fence. The order of the steps is that of docs/decisions/moves.md, Fail-over: the server is
   * recorded last, so that after a crash all of it is done again.
   */
  private MoveState afterFailOver() throws SQLException {
    if (move.state() == MoveState.PLANNED || move.state() == MoveState.ROLLING_BACK) {
      throw new ShardwrightException(
          ErrorCode.SHARD_INCARNATION,
          move.state() == MoveState.PLANNED
              ? "a shard of " + move + " was failed over; run shardwright apply -c FILE first"
              : "a shard was failed over while "
                  + move
                  + " was on its way back, which Shardwright does not mend: compare the rows of both"
                  + " shards and see docs/moves.md, Fail-over");
    }
    boolean published =
        move.intent().isPresent() && moves.giveUp(held, move.intent().get()).isPresent();
    BucketSet ahead = ahead();
    BucketSet switched = move.buckets().minus(ahead);
    boolean again =
        !ahead.isEmpty() && (move.state().canCancel() || move.state() == MoveState.CUTOVER);
    if (!switched.isEmpty()) {
      moves.noWayBack(held);
    }
    if (again) {
      OptionalLong unused = moves.advance(held, MoveState.COPYING);
      counters = counters.again();
      moves.count(held, counters);
    }
    String note =
        "a shard was failed over: "
            + (again ? "what had been copied is copied anew" : "its buckets are as the map says")
            + (switched.isEmpty() ? "" : "; there is no way back any more");
    LOG.warn("{}: {}", move, note);
    steps.reached("fail-over recorded");
    settle(route.target(), ahead, State.AWAY);
    steps.reached("target emptied of progress");
    settle(route.source(), ahead, State.OPEN);
    settle(route.source(), switched, State.AWAY);
    steps.reached("source settled");
    settle(route.target(), switched, State.OPEN);
    if (published) {
      moves.endIntent(held);
    }
    moves.note(held, note);
    steps.reached("settled");
    return again ? MoveState.COPYING : move.state();
  }

  private void settle(MoverConnection shard, BucketSet buckets, State state) throws SQLException {
    String set =
        "state = '"
            + state.stored()
            + "', epoch = "
            + moves.map(move.group()).version()
            + ", foreign_rows = "
            + (state == State.AWAY ? "TRUE" : "FALSE");
    shard.adopt(move.group(), shard.failedOver(move.group(), buckets), set);
    String other = "state <> '" + state.stored() + "'";
    BucketSet others = shard.where(move.group(), buckets, other);
    if (!others.isEmpty()) {
      shard.change(move.group(), others, held.epoch(), set);
    }
  }

  /** Buckets that have not changed their owner: after a fail-over a part may have. */
  private BucketSet ahead() {
    return ownedBy(move.source(), move.buckets());
  }

  /**
   * Compares the rows of both sides, where all are copied.
   *
   * @param repair a file for statements that make them equal
   */
  Comparison verify(Optional<Path> repair) throws SQLException {
    MoveState state = takeOver();
    boolean copied =
        switch (state) {
          case CATCHING_UP, VERIFYING, CUTOVER, SWITCHED -> true;
          default -> false;
        };
    BucketSet ahead = copied ? ownedBy(move.source(), move.buckets()) : BucketSet.EMPTY;
    BucketSet since =
        copied && move.options().rollback()
            ? ownedBy(move.target(), move.buckets())
            : BucketSet.EMPTY;
    if (ahead.isEmpty() && since.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          move
              + " is "
              + state.name().toLowerCase(Locale.ROOT)
              + ", where the two shards are not to be equal; shardwright verify --placement reads"
              + " where all rows are");
    }
    if (repair.isPresent() && !ahead.isEmpty() && !since.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          move
              + " is switched in part, and what differs would be repaired on two shards; let it go"
              + " on, or roll it back, before --repair-sql");
    }
    Route way = ahead.isEmpty() ? route.back() : route;
    Optional<RepairSql> statements = repair.map(file -> new RepairSql(way));
    List<Found> found = new ArrayList<>();
    if (!ahead.isEmpty()) {
      found.add(verification(route, latest::move, statements).run(ahead));
    }
    if (!since.isEmpty()) {
      found.add(verification(route.back(), latest::move, statements).run(since));
    }
    statements.ifPresent(made -> made.writeTo(repair.orElseThrow()));
    return record(found, state, ahead.size() + since.size());
  }

  private Verification verification(Route way, Runnable interrupt, Optional<RepairSql> repair) {
    Pace pace = new Pace(move.options().rowsPerSecond(), waiter);
    return new Verification(way, interrupt, pace, checks(), repair);
  }

  private Checks checks() {
    return new Checks(tables.notCompared(), tables.invariants());
  }

  private Comparison record(List<Found> found, MoveState state, int buckets) {
    Verified verified =
        new Verified(
            moves.now(),
            moves.map(move.group()).version(),
            state,
            found.get(0).from(),
            found.get(found.size() - 1).to(),
            buckets,
            found.stream().mapToLong(Found::rows).sum(),
            found.stream().mapToLong(Found::differing).sum(),
            found.stream().mapToInt(way -> way.broken().size()).sum(),
            tables.notCompared());
    verifications.record(move.id(), verified);
    return new Comparison(
        verified,
        found.stream().flatMap(way -> way.differences().stream()).toList(),
        found.stream().flatMap(way -> way.broken().stream()).toList());
  }

  private void verifyBeforeCutover() throws SQLException {
    Found found = verification(route, this::checkWish, Optional.empty()).run(ahead());
    Comparison comparison = record(List.of(found), MoveState.VERIFYING, ahead().size());
    if (!comparison.isEqual()) {
      throw new ShardwrightException(
          ErrorCode.CHECK_FAILED,
          "source and target differ in "
              + comparison.told()
              + "; no bucket has changed its owner: find out why, then resume or cancel the move;"
              + " shardwright move verify "
              + move.id()
              + " --repair-sql FILE writes what would make the target equal");
    }
    if (!comparison.isGood()) {
      throw new ShardwrightException(
          ErrorCode.CHECK_FAILED,
          String.join("; ", comparison.broken())
              + "; no bucket has changed its owner: correct the rows, or the invariant in"
              + " shardwright.yaml, then shardwright move resume "
              + move.id());
    }
  }

  /** The new owner is written meanwhile: what each query shows is one moment. */
  private void checkAfterCutover() throws SQLException {
    Invariants invariants = new Invariants(tables.invariants());
    List<BucketId> all = move.buckets().toList();
    for (int from = 0; from < all.size(); from += BATCH) {
      checkWish();
      BucketSet some = BucketSet.of(all.subList(from, Math.min(all.size(), from + BATCH)));
      invariants.check(route.target(), "new owner", some);
    }
    if (!invariants.broken().isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.CHECK_FAILED,
          String.join("; ", invariants.broken())
              + "; all buckets have changed their owner, and stay there: shardwright move rollback "
              + move.id()
              + " takes them back with what was written since; or correct the rows, or the"
              + " invariant in shardwright.yaml, then shardwright move resume "
              + move.id());
    }
  }

  /** Empty: it waits. */
  private Optional<MoveState> step(MoveState state) throws SQLException {
    Wish wish = latest.move().wish();
    if (wish == Wish.PAUSE) {
      return Optional.empty();
    }
    if (wish == Wish.CANCEL && state.canCancel()) {
      return Optional.of(state == MoveState.PLANNED ? MoveState.CANCELLED : MoveState.CANCELLING);
    }
    if (wish == Wish.ROLL_BACK && state.canRollBack()) {
      return Optional.of(MoveState.ROLLING_BACK);
    }
    try {
      return Optional.ofNullable(work(state, wish));
    } catch (Interrupted e) {
      return step(state);
    }
  }

  /** Null: it waits. */
  private MoveState work(MoveState state, Wish wish) throws SQLException {
    return switch (state) {
      case PLANNED -> MoveState.COPYING;
      case COPYING -> {
        copy();
        yield MoveState.CATCHING_UP;
      }
      case CATCHING_UP -> {
        catchUp(route, ahead());
        yield MoveState.VERIFYING;
      }
      case VERIFYING -> {
        verifyBeforeCutover();
        yield MoveState.CUTOVER;
      }
      case CUTOVER -> {
        cutOver(route, move.options().rollback());
        checkAfterCutover();
        yield MoveState.SWITCHED;
      }
      case SWITCHED -> wish == Wish.CLEAN_UP || isWindowOver() ? MoveState.CLEANING : null;
      case CLEANING -> {
        clean(route);
        yield MoveState.DONE;
      }
      case CANCELLING -> {
        clean(route.back());
        if (!ahead().equals(move.buckets())) {
          clean(route);
        }
        yield MoveState.CANCELLED;
      }
      case ROLLING_BACK -> {
        rollBack();
        yield MoveState.CLEANING_BACK;
      }
      case CLEANING_BACK -> {
        clean(route.back());
        yield MoveState.ROLLED_BACK;
      }
      case ABANDONED, DONE, CANCELLED, ROLLED_BACK -> null;
    };
  }

  private boolean isWindowOver() {
    return move.options()
        .window()
        .filter(window -> latest.move().changedAt().plus(window).isBefore(moves.now()))
        .isPresent();
  }

  private void checkWish() {
    Wish wish = latest.move().wish();
    if (wish == Wish.PAUSE || wish == Wish.CANCEL || wish == Wish.ROLL_BACK) {
      throw new Interrupted();
    }
  }

  // What another worker, or this one, may have left

  /** Ends a batch that was begun: forwards when it was published, else backwards. */
  private void mend() throws SQLException {
    Optional<Intent> intent = move.intent();
    boolean back = move.state() == MoveState.ROLLING_BACK;
    Route way = back ? route.back() : route;
    if (intent.isPresent()) {
      OptionalLong version = moves.giveUp(held, intent.get());
      if (version.isPresent()) {
        BucketSet switched = ownedBy(way.target().shard(), intent.get().buckets());
        cutover(way, back || move.options().rollback()).handOver(switched, version.getAsLong());
        moves.endIntent(held);
      }
      steps.reached("mended intent");
    }
    for (MoverConnection shard : List.of(route.source(), route.target())) {
      BucketSet closed =
          shard.where(move.group(), ownedBy(shard.shard(), move.buckets()), "state = 'closed'");
      if (!closed.isEmpty()) {
        shard.change(move.group(), closed, held.epoch(), "state = '" + State.OPEN.stored() + "'");
      }
    }
  }

  private Cutover cutover(Route way, boolean noting) {
    return new Cutover(moves, held, way, noting, tables.numbered(), steps);
  }

  private BucketSet ownedBy(ShardId shard, BucketSet buckets) {
    BucketMap map = moves.map(move.group());
    List<BucketId> owned = new ArrayList<>();
    for (BucketId bucket : buckets) {
      if (map.shardOf(bucket).equals(shard)) {
        owned.add(bucket);
      }
    }
    return BucketSet.of(owned);
  }

  // The states' work

  /** Nothing is copied while a driver may not know of it. */
  private void awaitSeen(long version) {
    List<UUID> behind = catalog.awaitSeen(version, SEEN_LOOK);
    while (!behind.isEmpty()) {
      moves.note(
          held,
          "waits for driver processes to hear of the move: "
              + behind
              + "; one that is cut off from the catalog takes 12 s, one whose shardwright.yaml lacks"
              + " shard "
              + move.target()
              + " goes on when the file has it");
      checkWish();
      behind = catalog.awaitSeen(version, SEEN_LOOK);
    }
  }

  /** A process that did not know the target wrote reference tables on the others only. */
  private void awaitReferenceTables() {
    List<String> differing = referenceTables.differing(move.source(), move.target());
    while (!differing.isEmpty()) {
      moves.note(
          held,
          "waits for reference tables "
              + differing
              + " to be the same on shards "
              + move.source()
              + " and "
              + move.target()
              + "; shardwright shard fill "
              + move.target()
              + " copies them");
      checkWish();
      waiter.pause(REFERENCE_LOOK);
      differing = referenceTables.differing(move.source(), move.target());
    }
  }

  private void copy() throws SQLException {
    awaitSeen(catalog.load().version());
    awaitReferenceTables();
    MoverConnection target = route.target();
    BucketSet fresh = target.where(move.group(), ahead(), "state = 'away'");
    if (!fresh.isEmpty()) {
      deleteRows(target, route.tables(), fresh);
      steps.reached("target emptied");
      target.change(
          move.group(),
          fresh,
          held.epoch(),
          "state = '" + State.INCOMING.stored() + "', foreign_rows = TRUE");
      steps.reached("incoming");
    }
    note(route);
    estimate();
    Pace pace = new Pace(move.options().rowsPerSecond(), waiter);
    long start = System.nanoTime();
    long before = counters.copied();
    new Copy(
            route,
            ahead(),
            (rows, applied) -> {
              steps.reached("chunk");
              count(rows, applied);
              checkWish();
              pace.passed(rows);
            },
            chunkRows)
        .run();
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    took(CatalogMoves.Stage.COPY, counters.copied() - before, time);
    steps.reached("copied");
  }

  private void estimate() throws SQLException {
    if (counters.total() == 0) {
      long total = 0;
      for (MovedTable table : route.tables()) {
        String sql =
            "SELECT count(*) FROM "
                + route.source().quote(table.name())
                + " WHERE "
                + MoverConnection.ofBuckets(move.buckets());
        total += route.source().numbers(sql).get(0);
      }
      counters = counters.estimated(total);
      moves.count(held, counters);
    }
  }

  /** From here on every change of the buckets is noted at the way's source. */
  private void note(Route way) throws SQLException {
    change(way.source(), "captured = FALSE", "captured = TRUE");
    steps.reached("captured");
    awaitPrepared(way.source());
  }

  /** Those that were prepared before may have written without a note, and hold no lock. */
  private void awaitPrepared(MoverConnection shard) throws SQLException {
    List<String> prepared = shard.preparedUnlocked();
    while (!prepared.isEmpty()) {
      waitFor(shard, move.buckets());
      List<String> now = shard.preparedUnlocked();
      prepared = prepared.stream().filter(now::contains).toList();
    }
  }

  /** Under the lock of writers: when it returns, all write under the rows as they are then. */
  private void change(MoverConnection shard, String from, String to) throws SQLException {
    BucketSet rest = shard.where(move.group(), move.buckets(), from);
    while (!rest.isEmpty()) {
      BucketSet locked = shard.tryLock(move.group(), rest);
      try {
        if (!locked.isEmpty()) {
          shard.change(move.group(), locked, held.epoch(), to);
          shard.commitLocked();
        }
      } finally {
        shard.unlock();
      }
      rest = rest.minus(locked);
      if (!rest.isEmpty()) {
        waitFor(shard, rest);
      }
    }
  }

  /** Says whose transaction it is, and waits a little. */
  private void waitFor(MoverConnection shard, BucketSet buckets) throws SQLException {
    moves.note(
        held,
        "waits for transactions on shard "
            + shard.shard()
            + " that use buckets "
            + buckets
            + shard.blocker(move.group(), buckets).map(who -> ": " + who).orElse(""));
    if (move.state().canCancel()) {
      checkWish();
    }
    waiter.pause(Duration.ofMillis(50));
  }

  private void count(long copied, long applied) {
    counters = counters.worked(copied, applied);
    moves.count(held, counters);
  }

  private void catchUp(Route way, BucketSet buckets) throws SQLException {
    CatchUp passes = new CatchUp(way);
    long applied = Long.MAX_VALUE;
    while (applied > SHORT_PASS) {
      checkWishOn(way);
      long start = System.nanoTime();
      applied = passes.pass(buckets, Frontier.END);
      Duration time = Duration.ofNanos(System.nanoTime() - start);
      if (applied > SHORT_PASS) {
        took(CatalogMoves.Stage.CATCH_UP, applied, time);
      }
      count(0, applied);
      steps.reached("pass");
    }
  }

  private void took(CatalogMoves.Stage stage, long rows, Duration time) {
    moves.took(held, List.of(new CatalogMoves.Took(stage, rows, time)));
  }

  /** On the way back there is no other way. */
  private void checkWishOn(Route way) {
    if (way.target() == route.target()) {
      checkWish();
    }
  }

  private void cutOver(Route way, boolean noting) throws SQLException {
    BucketSet rest = ownedBy(way.source().shard(), move.buckets());
    Cutover cutover = cutover(way, noting);
    Duration pause = Duration.ZERO;
    while (!rest.isEmpty()) {
      checkWishOn(way);
      catchUp(way, rest);
      BucketSet switched = BucketSet.EMPTY;
      for (BucketSet batch : batches(rest)) {
        checkWishOn(way);
        Cutover.Outcome outcome = cutover.attempt(batch);
        switched = switched.plus(outcome.switched());
        counted(outcome);
      }
      rest = rest.minus(switched);
      if (!rest.isEmpty()) {
        waitFor(way.source(), rest);
        pause = Backoff.after(pause);
        waiter.pause(pause);
      }
    }
    counters = counters.settled();
    moves.count(held, counters);
  }

  private void counted(Cutover.Outcome outcome) {
    counters = counters.attempted();
    moves.count(held, counters);
    if (!outcome.switched().isEmpty()) {
      moves.paused(held, Duration.ofNanos(outcome.pauseNanos()));
      moves.took(held, outcome.took());
    }
  }

  /** Of few locks each: a lock is that of several buckets, and all of them wait. */
  private static List<BucketSet> batches(BucketSet buckets) {
    List<BucketId> byLock = new ArrayList<>(buckets.toList());
    byLock.sort(
        Comparator.comparingInt((BucketId b) -> b.value() % Fence.STRIPES)
            .thenComparing(Comparator.naturalOrder()));
    List<BucketSet> batches = new ArrayList<>();
    for (int from = 0; from < byLock.size(); from += BATCH) {
      batches.add(BucketSet.of(byLock.subList(from, Math.min(byLock.size(), from + BATCH))));
    }
    return batches;
  }

  /** The rows that are still at the source are what the target has noted no change of. */
  private void rollBack() throws SQLException {
    BucketSet away =
        route
            .source()
            .where(move.group(), ownedBy(move.target(), move.buckets()), "state = 'away'");
    if (!away.isEmpty()) {
      route
          .source()
          .change(move.group(), away, held.epoch(), "state = '" + State.INCOMING.stored() + "'");
    }
    cutOver(route.back(), true);
  }

  /** Deletes what the way's source still has of buckets that are the target's, and ends noting. */
  private void clean(Route way) throws SQLException {
    MoverConnection loser = way.source();
    BucketSet foreign = loser.where(move.group(), move.buckets(), "foreign_rows = TRUE");
    deleteRows(loser, way.tables(), foreign);
    steps.reached("rows deleted");
    if (!foreign.isEmpty()) {
      loser.change(
          move.group(),
          foreign,
          held.epoch(),
          "state = '" + State.AWAY.stored() + "', foreign_rows = FALSE");
    }
    for (MoverConnection shard : List.of(way.source(), way.target())) {
      change(shard, "captured = TRUE", "captured = FALSE");
      for (MovedTable table : way.tables()) {
        deleteInPieces(shard, table.captureTable(), move.buckets());
      }
    }
    steps.reached("cleaned");
  }

  private void deleteRows(MoverConnection shard, List<MovedTable> parentsFirst, BucketSet buckets)
      throws SQLException {
    if (buckets.isEmpty()) {
      return;
    }
    for (int i = parentsFirst.size() - 1; i >= 0; i--) {
      deleteInPieces(shard, parentsFirst.get(i).name(), buckets);
    }
  }

  private void deleteInPieces(MoverConnection shard, String table, BucketSet buckets)
      throws SQLException {
    int deleted = DELETE_ROWS;
    while (deleted == DELETE_ROWS) {
      Move unused = latest.move();
      deleted =
          shard.inTransaction(
              () -> {
                shard.requireToken(move.group(), move.buckets(), held.epoch());
                return shard.deleteSome(table, MoverConnection.ofBuckets(buckets), DELETE_ROWS);
              });
      steps.reached("piece deleted");
    }
  }

  /** Says why the move does not go on, for whoever looks. */
  static String reason(Exception e) {
    return e instanceof ShardwrightException own
        ? own.getMessage()
        : ErrorCode.SHARD_UNAVAILABLE.code() + ": " + e.getMessage();
  }
}
