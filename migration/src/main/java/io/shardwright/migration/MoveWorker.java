package io.shardwright.migration;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogMoves;
import io.shardwright.catalog.CatalogMoves.Held;
import io.shardwright.catalog.Move;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Works on moves. Any number of workers may run, in any processes: each move is one worker's at a
 * time, by a lease in the catalog, and when a worker dies another one takes its moves over within
 * {@link #LEASE}. One thread per move.
 */
public final class MoveWorker implements AutoCloseable {
  /** After it others take a move over whose worker says nothing. */
  public static final Duration LEASE = Duration.ofSeconds(5);

  private static final long BEAT_MILLIS = 1_000;

  private final String name;
  private final Catalog catalog;
  private final CatalogMoves moves;
  private final MoveRun.Means means;
  private final ScheduledExecutorService beats =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "shardwright-mover-lease");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param configuration with a catalog and a mover
   * @param name for people: which process it is
   */
  public MoveWorker(Configuration configuration, String name) {
    this(configuration, name, Steps.NONE, Copy.CHUNK_ROWS);
  }

  MoveWorker(Configuration configuration, String name, Steps steps, int chunkRows) {
    this.name = name;
    this.catalog = Catalog.open(configuration);
    this.moves = new CatalogMoves(configuration);
    this.means =
        new MoveRun.Means(
            configuration,
            catalog,
            moves,
            time -> LockSupport.parkNanos(time.toNanos()),
            steps,
            chunkRows);
  }

  /**
   * Works on a move until it has ended or waits for the operator.
   *
   * @return the state in which it was left; empty when another worker has it, or it has ended
   * @throws ShardwrightException what keeps it from going on, which the move's note says, too: the
   *     call may be repeated
   */
  public Optional<MoveState> run(long id) {
    Optional<Held> taken = moves.take(id, name, LEASE);
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    Held held = taken.get();
    AtomicReference<ShardwrightException> lost = new AtomicReference<>();
    AtomicReference<Move> latest = new AtomicReference<>(moves.keep(held, LEASE));
    Future<?> beat =
        beats.scheduleWithFixedDelay(
            () -> beat(held, latest, lost), BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    try (MoveRun run = new MoveRun(means, held, () -> current(latest, lost))) {
      return Optional.of(run.run());
    } catch (SQLException e) {
      noteFailure(held, e);
      throw new ShardwrightException(
          ErrorCode.SHARD_UNAVAILABLE,
          "move " + id + " cannot go on: " + e.getMessage() + "; it is resumed where it stopped",
          e);
    } catch (ShardwrightException e) {
      noteFailure(held, e);
      throw e;
    } finally {
      beat.cancel(false);
      release(held);
    }
  }

  private void beat(
      Held held, AtomicReference<Move> latest, AtomicReference<ShardwrightException> lost) {
    try {
      latest.set(moves.keep(held, LEASE));
    } catch (ShardwrightException e) {
      // A catalog that is down is no reason to stop: what needs it fails by itself.
      if (e.code() == ErrorCode.CATALOG_CONFLICT) {
        lost.set(e);
      }
    }
  }

  private static Move current(
      AtomicReference<Move> latest, AtomicReference<ShardwrightException> lost) {
    if (lost.get() != null) {
      throw lost.get();
    }
    return latest.get();
  }

  private void noteFailure(Held held, Exception e) {
    try {
      moves.note(held, MoveRun.reason(e));
    } catch (ShardwrightException unknown) {
      e.addSuppressed(unknown);
    }
  }

  private void release(Held held) {
    try {
      moves.release(held);
    } catch (ShardwrightException e) {
      // The lease runs out by itself.
    }
  }

  @Override
  public void close() {
    beats.shutdownNow();
    moves.close();
    catalog.close();
  }
}
