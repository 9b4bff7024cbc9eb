package io.shardwright.migration;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogMoves;
import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Options;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * What an operator does with moves. Each is on record in the catalog, and whoever runs it, here
 * ({@link #run}) or elsewhere ({@link MoveWorkers}), goes by what the record says. Thread-safe.
 *
 * <p>Methods throw {@link ShardwrightException}: SW411 to SW413 of the catalog; SW603 when a move
 * is not in a state that allows what is asked of it.
 */
public final class Moves implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(500);

  private final Configuration configuration;
  private final CatalogMoves record;
  private final MoveWorker worker;
  private volatile boolean stopped;

  /**
   * @param worker for people: which process it is that runs moves here
   * @throws ShardwrightException SW415 without a catalog
   */
  public Moves(Configuration configuration, String worker) {
    if (configuration.catalog().isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.CATALOG_READ_ONLY,
          "no bucket can move: the configuration names no catalog, so the map is static; add"
              + " catalog: and run shardwright apply -c FILE");
    }
    this.configuration = configuration;
    this.record = new CatalogMoves(configuration);
    this.worker = new MoveWorker(configuration, worker);
  }

  /** All that ever were, in order of creation. */
  public List<Move> list() {
    return record.all();
  }

  /**
   * @throws ShardwrightException SW603: there is none
   */
  public Move find(long id) {
    return record.find(id);
  }

  /**
   * Records a move for each shard that has some of the buckets. Nothing is touched yet.
   *
   * @param group or the placement of a lookup index, {@code group.index}
   * @return in order of the sources' names; empty when all buckets are at the target already
   * @throws ShardwrightException SW602 with all that would make the moves fail
   */
  public List<Move> create(String group, BucketSet buckets, ShardId target, Options options) {
    if (!configuration.shards().containsKey(target)) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "there is no shard "
              + target
              + " in the configuration, which has "
              + configuration.shards().keySet()
              + "; shardwright shard add puts one there");
    }
    if (configuration.mover().isEmpty()) {
      throw MoverConnection.noMover();
    }
    preflight(group, buckets, target);
    return record.create(group, buckets, target, options);
  }

  private void preflight(String group, BucketSet buckets, ShardId target) {
    try (Catalog catalog = Catalog.open(configuration)) {
      BucketMap map = catalog.load().maps().get(group);
      boolean known = map != null && !buckets.isEmpty() && buckets.end() <= map.buckets();
      List<String> problems =
          known
              ? new Preflight(configuration, catalog, group).problems(buckets, target)
              : List.of();
      if (!problems.isEmpty()) {
        throw new ShardwrightException(
            ErrorCode.CHECK_FAILED,
            "the buckets cannot move yet, and nothing was touched: " + String.join("; ", problems));
      }
    }
  }

  /** Whoever works on it stops at the next safe point, within about a second. */
  public Move pause(long id) {
    return record.wish(id, Wish.PAUSE);
  }

  public Move resume(long id) {
    return record.wish(id, Wish.RUN);
  }

  /**
   * Before the first bucket has changed its owner: everything will be as if it had not been. Where
   * the target cannot be reached it is {@link MoveState#ABANDONED}: {@link #cleanUp} ends it later.
   */
  public Move cancel(long id) {
    return record.wish(id, Wish.CANCEL);
  }

  /** After that: the buckets go back, with what was written since. */
  public Move rollBack(long id) {
    return record.wish(id, Wish.ROLL_BACK);
  }

  /** Ends the time in which it can be rolled back: the former owner's rows are deleted. */
  public Move cleanUp(long id) {
    return record.wish(id, Wish.CLEAN_UP);
  }

  /**
   * Compares both sides of a move whose rows are copied: see {@link Comparison#isEqual}.
   *
   * @throws ShardwrightException SW413 while a worker is busy with it
   */
  public Comparison verify(long id) {
    return verify(id, Optional.empty());
  }

  /**
   * The same; writes statements that would make the target equal, with the values of rows, to a
   * file that is not there yet and that only its owner may read. There is none when nothing
   * differs.
   *
   * @throws ShardwrightException SW603 unless the move is paused or switched, so that nobody
   *     applies later changes before the statements are run
   */
  public Comparison verify(long id, Path repairSql) {
    Move move = find(id);
    if (move.wish() != Wish.PAUSE && move.state() != MoveState.SWITCHED) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          move
              + " does not rest, and would apply later changes before the statements of --repair-sql"
              + " are run; shardwright move pause "
              + id
              + " lets it rest");
    }
    RepairSql.create(repairSql);
    boolean done = false;
    try {
      Comparison comparison = verify(id, Optional.of(repairSql));
      done = true;
      return comparison;
    } finally {
      if (!done) {
        RepairSql.delete(repairSql);
      }
    }
  }

  private Comparison verify(long id, Optional<Path> repairSql) {
    Move move = find(id);
    return worker
        .verify(id, repairSql)
        .orElseThrow(
            () ->
                new ShardwrightException(
                    move.state().hasEnded()
                        ? ErrorCode.COMMAND_INVALID
                        : ErrorCode.CATALOG_CONFLICT,
                    move.state().hasEnded()
                        ? move + " has ended; shardwright verify --placement reads where rows are"
                        : move
                            + " is in the hands of worker "
                            + move.worker().orElse("that has just come")
                            + "; pause it first, or wait until it rests"));
  }

  /** What its time was spent on so far, in the order of the work. */
  public List<CatalogMoves.StageTimes> stages(long id) {
    return record.stages(id);
  }

  /** The last time that both sides were compared; empty when they never were. */
  public Optional<Verified> verified(long id) {
    return worker.verified(id);
  }

  /**
   * Brings shards that were failed over, or restored, back into use: what they say of their buckets
   * becomes what the catalog's map says. Nothing is done where no shard was.
   *
   * @return what was done, for people
   * @throws ShardwrightException SW002 when catalog and shards contradict each other
   */
  public List<String> reconcile() {
    return new Reconciliation(configuration, record.all(), worker).run();
  }

  /**
   * Works on a move, or watches the worker that has it, until it has ended or waits for the
   * operator, or this thread is interrupted.
   *
   * @param listener hears about each second how far it is, on any thread
   * @return the move as it is then
   * @throws ShardwrightException why it cannot go on; it may be run again
   */
  public Move run(long id, Consumer<Move> listener) {
    Move move = find(id);
    listener.accept(move);
    while (!Thread.currentThread().isInterrupted() && isUnderWay(move)) {
      Optional<MoveState> left =
          move.worker().isPresent() ? Optional.empty() : worker.run(id, listener);
      if (left.isEmpty()) {
        LockSupport.parkNanos(LOOK.toNanos());
      }
      move = find(id);
      listener.accept(move);
    }
    return move;
  }

  private boolean isUnderWay(Move move) {
    boolean paused = move.wish() == Wish.PAUSE;
    return !stopped && (isDue(move) || (paused && move.worker().isPresent()));
  }

  /** There is work to do on it, whoever does it. */
  boolean isDue(Move move) {
    if (move.state().hasEnded() || move.wish() == Wish.PAUSE) {
      return false;
    }
    if (move.state() == MoveState.ABANDONED) {
      return move.wish() == Wish.CLEAN_UP;
    }
    return move.state() != MoveState.SWITCHED
        || move.wish() == Wish.CLEAN_UP
        || move.wish() == Wish.ROLL_BACK
        || move.options()
            .window()
            .filter(window -> move.changedAt().plus(window).isBefore(record.now()))
            .isPresent();
  }

  /** What {@link #run} does, for a worker that looks after many. */
  MoveWorker worker() {
    return worker;
  }

  /** What runs here comes to rest at its next safe point; another process may go on. */
  public void stop() {
    stopped = true;
    worker.stop();
  }

  @Override
  public void close() {
    worker.close();
    record.close();
  }
}
