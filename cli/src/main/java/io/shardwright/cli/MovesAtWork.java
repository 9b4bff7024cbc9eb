package io.shardwright.cli;

import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.migration.Moves;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Works on moves while a person watches: a line of progress, and an end by Ctrl-C that leaves each
 * move where it can be gone on with.
 */
final class MovesAtWork implements AutoCloseable {
  private static final long REST_SECONDS = 20;
  private static final double NANOS = 1e9;

  private final Console console;
  private final Moves moves;
  private final boolean quiet;
  private final Progress progress;
  private final CountDownLatch rested = new CountDownLatch(1);
  private final Thread onEnd = new Thread(this::interrupted, "shardwright-move-end");
  private volatile long current;

  /** Of the move at work, when its first look was and what it showed. */
  private long startNanos;

  private long startRows;

  /**
   * @param quiet without progress
   */
  MovesAtWork(Console console, Configuration configuration, boolean quiet) {
    this.console = console;
    this.quiet = quiet;
    this.moves = new Moves(configuration, processName());
    this.progress = new Progress(console);
    Runtime.getRuntime().addShutdownHook(onEnd);
  }

  /** For people who look who has a move. */
  static String processName() {
    String host = System.getenv().getOrDefault("HOSTNAME", "");
    return (host.isEmpty() ? "" : host + ":") + ProcessHandle.current().pid();
  }

  Moves moves() {
    return moves;
  }

  /** One after the other, each until it has ended or waits for the operator. */
  List<Move> run(List<Move> several) {
    List<Move> left = new ArrayList<>();
    for (Move move : several) {
      left.add(run(move.id()));
    }
    return left;
  }

  Move run(long id) {
    current = id;
    startNanos = 0;
    try {
      return moves.run(id, this::show);
    } finally {
      if (!quiet) {
        progress.end();
      }
      current = 0;
    }
  }

  private synchronized void show(Move move) {
    if (quiet) {
      return;
    }
    long now = System.nanoTime();
    if (startNanos == 0 && move.state() == MoveState.COPYING) {
      startNanos = now;
      startRows = move.counters().copied();
    }
    long rows = move.counters().copied() - startRows;
    double seconds = (now - startNanos) / NANOS;
    long rate = startNanos == 0 || seconds < 1 ? 0 : Math.round(rows / seconds);
    progress.step(Printable.text(MoveWords.progress(move, rate), console.charset()));
  }

  /** Of the JVM, by Ctrl-C or SIGTERM. */
  private void interrupted() {
    long id = current;
    if (id == 0) {
      return;
    }
    moves.stop();
    try {
      boolean inTime = rested.await(REST_SECONDS, TimeUnit.SECONDS);
      console
          .err()
          .println(
              "\nmove "
                  + id
                  + (inTime ? " rests" : " did not come to rest and is free in seconds")
                  + "; go on with: shardwright move resume "
                  + id
                  + ", undo it with: shardwright move cancel "
                  + id
                  + "; other workers go on with it at once");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What a person does next. */
  static String next(Move move) {
    String id = Long.toString(move.id());
    if (move.state() == MoveState.SWITCHED) {
      return move.options().rollback()
          ? "; back again: shardwright move rollback "
              + id
              + ", or for good: shardwright move cleanup "
              + id
          : "; shardwright move cleanup " + id + " deletes the rows on " + move.source();
    }
    if (move.state() == MoveState.ABANDONED) {
      return "; when shard "
          + move.target()
          + " is back, shardwright move cleanup "
          + id
          + " deletes what it has of copies";
    }
    if (move.wish() == Wish.PAUSE && !move.state().hasEnded()) {
      return "; go on with: shardwright move resume " + id;
    }
    return move.state().hasEnded() ? "" : "; it rests, go on with: shardwright move resume " + id;
  }

  @Override
  public void close() {
    rested.countDown();
    moves.close();
    try {
      Runtime.getRuntime().removeShutdownHook(onEnd);
    } catch (IllegalStateException e) {
      // The JVM is ending: the hook has been waiting for this.
    }
  }
}
