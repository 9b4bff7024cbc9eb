package io.shardwright.migration;

import io.shardwright.catalog.CatalogMoves;
import io.shardwright.catalog.CatalogMoves.Held;
import io.shardwright.catalog.CatalogMoves.Stage;
import io.shardwright.catalog.CatalogMoves.Took;
import io.shardwright.catalog.Move.Intent;
import io.shardwright.migration.MoverConnection.Numbered;
import io.shardwright.routing.BucketSet;
import io.shardwright.schema.Fence.State;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Gives a batch of buckets to the target. What holds at each step, and what a crash there leaves,
 * is in docs/decisions/moves.md, steps 7 to 13; {@link Ownership} mends it.
 */
final class Cutover {
  /**
   * Prepared transactions hold no lock on MariaDB: a closed bucket waits for those that came just
   * before it was closed so long, and is opened again.
   */
  private static final Duration PREPARED_WAIT = Duration.ofMillis(100);

  private static final long LOOK_NANOS = Duration.ofMillis(2).toNanos();

  private final CatalogMoves moves;
  private final Held held;
  private final Route route;
  private final boolean noting;
  private final List<String> numbered;
  private final Steps steps;

  /**
   * What came of an attempt.
   *
   * @param switched the buckets that are the target's now; others were in use
   * @param pauseNanos in which nobody could write them
   * @param took what the pause was spent on
   */
  record Outcome(BucketSet switched, long pauseNanos, List<Took> took) {
    static final Outcome NONE = new Outcome(BucketSet.EMPTY, 0, List.of());
  }

  /** The stages of a pause, each from the end of the one before. */
  private static final class Pause {
    private final long start = System.nanoTime();
    private final List<Took> took = new ArrayList<>();
    private long last = start;

    void ended(Stage stage, long rows) {
      long now = System.nanoTime();
      took.add(new Took(stage, rows, Duration.ofNanos(now - last)));
      last = now;
    }
  }

  /**
   * @param noting whether the target notes changes, for the way back
   * @param numbered tables and sequences whose numbers go on at the target
   */
  Cutover(
      CatalogMoves moves,
      Held held,
      Route route,
      boolean noting,
      List<String> numbered,
      Steps steps) {
    this.moves = moves;
    this.held = held;
    this.route = route;
    this.noting = noting;
    this.numbered = numbered;
    this.steps = steps;
  }

  /**
   * Buckets that transactions are using are left out; all are while some may be by prepared ones.
   */
  Outcome attempt(BucketSet batch) throws SQLException {
    if (!route.source().preparedUnlocked().isEmpty()) {
      return Outcome.NONE;
    }
    // Most of it is done, and looked up, while everybody writes.
    Map<Numbered, Long> raised = route.source().numbers(numbered);
    route.target().raise(raised);
    steps.reached("before intent");
    Intent intent = moves.intend(held, batch);
    steps.reached("intent");
    MoverConnection source = route.source();
    boolean locking = true;
    try {
      BucketSet locked = source.tryLock(route.group(), batch);
      if (locked.isEmpty()) {
        source.unlock();
        locking = false;
        moves.giveUp(held, intent);
        return Outcome.NONE;
      }
      Pause pause = new Pause();
      if (!close(locked)) {
        moves.giveUp(held, intent);
        source.change(
            route.group(), locked, route.token(), "state = '" + State.OPEN.stored() + "'");
        source.unlock();
        locking = false;
        return Outcome.NONE;
      }
      pause.ended(Stage.CLOSE, 0);
      long applied = new CatchUp(route).lastPass(locked);
      pause.ended(Stage.LAST_PASS, applied);
      steps.reached("drained");
      raiseFurther(raised);
      pause.ended(Stage.SEQUENCES, 0);
      steps.reached("sequences");
      long version = moves.publish(held, intent, locked, route.target().shard());
      pause.ended(Stage.PUBLISH, 0);
      steps.reached("published");
      handOver(locked, version);
      source.unlock();
      locking = false;
      pause.ended(Stage.HAND_OVER, 0);
      moves.endIntent(held);
      steps.reached("intent ended");
      return new Outcome(locked, pause.last - pause.start, pause.took);
    } finally {
      if (locking) {
        // Locks end with the session, and so does what is not committed.
        source.close();
      }
    }
  }

  /** What was numbered since, by whoever wrote between then and the close. */
  private void raiseFurther(Map<Numbered, Long> raised) throws SQLException {
    Map<Numbered, Long> further = new LinkedHashMap<>(route.source().numbers(numbered));
    further.entrySet().removeAll(raised.entrySet());
    route.target().raise(further);
  }

  /** False when prepared transactions may still write them. */
  private boolean close(BucketSet buckets) throws SQLException {
    MoverConnection source = route.source();
    steps.reached("locked");
    source.change(route.group(), buckets, route.token(), "state = '" + State.CLOSED.stored() + "'");
    source.commitLocked();
    steps.reached("closed");
    List<String> prepared = source.preparedUnlocked();
    long start = System.nanoTime();
    while (!prepared.isEmpty() && System.nanoTime() - start < PREPARED_WAIT.toNanos()) {
      LockSupport.parkNanos(LOOK_NANOS);
      List<String> now = source.preparedUnlocked();
      prepared = prepared.stream().filter(now::contains).toList();
    }
    return prepared.isEmpty();
  }

  /** The source first: nobody may read its rows as current once the target is written. */
  void handOver(BucketSet buckets, long version) throws SQLException {
    route
        .source()
        .change(
            route.group(),
            buckets,
            route.token(),
            "state = '" + State.AWAY.stored() + "', epoch = ?, foreign_rows = TRUE",
            version);
    steps.reached("away");
    route
        .target()
        .change(
            route.group(),
            buckets,
            route.token(),
            "state = '" + State.OPEN.stored() + "', epoch = ?, foreign_rows = FALSE, captured = ?",
            version,
            noting);
    steps.reached("open");
  }
}
