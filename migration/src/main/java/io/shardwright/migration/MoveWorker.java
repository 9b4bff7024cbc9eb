package io.shardwright.migration;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogMoves;
import io.shardwright.catalog.CatalogMoves.Held;
import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on moves. Any number of workers may run, in any processes: each move is one worker's at a
 * time, by a lease in the catalog, and when a worker dies another one takes its moves over within
 * {@link #LEASE}. One thread per move.
 */
public final class MoveWorker implements AutoCloseable {
  /** After it others take a move over whose worker says nothing. */
  public static final Duration LEASE = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(MoveWorker.class);
  private static final long BEAT_MILLIS = 1_000;

  private final String name;
  private final Catalog catalog;
  private final CatalogMoves moves;
  private final Verifications verifications;
  private final MoveRun.Means means;
  private volatile boolean stopping;
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
    this.verifications = new Verifications(configuration.catalog().orElseThrow());
    this.means =
        new MoveRun.Means(
            configuration,
            catalog,
            moves,
            verifications,
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
    return run(id, move -> {});
  }

  /**
   * The same; the thread may be interrupted, which is as if the move were paused for this worker.
   *
   * @param listener hears each second how far it is, on another thread
   */
  public Optional<MoveState> run(long id, Consumer<Move> listener) {
    return with(
        id,
        listener,
        (held, latest) -> {
          Abandonment abandonment = new Abandonment(means, held, latest);
          return abandonment.isCase() ? abandonment.run() : inRun(held, latest, MoveRun::run);
        });
  }

  /**
   * Compares source and target of a move whose rows are all copied, as it is done before the
   * cutover; afterwards the former source is compared with what was written since.
   *
   * @param repair a new file for statements that would make the target equal; the move has to rest
   * @return what was found; empty when another worker has the move, or it has ended
   * @throws ShardwrightException SW603 when there is nothing to compare
   */
  Optional<Comparison> verify(long id, Optional<Path> repair) {
    return with(id, move -> {}, (held, latest) -> inRun(held, latest, run -> run.verify(repair)));
  }

  /**
   * Takes a move, which brings its buckets in order on a shard that was failed over, and lets go.
   *
   * @return empty when another worker has it
   */
  Optional<MoveState> settle(long id) {
    return with(id, move -> {}, (held, latest) -> inRun(held, latest, MoveRun::takeOver));
  }

  /** The last comparison; empty when there was none. */
  Optional<Verified> verified(long id) {
    return verifications.of(id);
  }

  /** What is under way comes to rest at its next safe point, as if it were paused. */
  public void stop() {
    stopping = true;
  }

  private interface Work<T> {
    T on(MoveRun run) throws SQLException;
  }

  private <T> T inRun(Held held, MoveRun.Latest latest, Work<T> work) throws SQLException {
    try (MoveRun run = new MoveRun(means, held, latest)) {
      return work.on(run);
    }
  }

  private interface LeasedWork<T> {
    T on(Held held, MoveRun.Latest latest) throws SQLException;
  }

  private <T> Optional<T> with(long id, Consumer<Move> listener, LeasedWork<T> work) {
    Optional<Held> taken = moves.take(id, name, LEASE);
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    Held held = taken.get();
    Beats lease = new Beats(held, listener);
    try {
      return Optional.of(work.on(held, lease::move));
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
      lease.release();
    }
  }

  /** Keeps the lease of a move, and what the catalog says of it. */
  private final class Beats {
    private final Held held;
    private final Consumer<Move> listener;
    private final Future<?> beat;
    private Move latest;
    private ShardwrightException lost;
    private boolean released;

    Beats(Held held, Consumer<Move> listener) {
      this.held = held;
      this.listener = listener;
      this.latest = moves.keep(held, LEASE);
      this.beat =
          beats.scheduleWithFixedDelay(this::keep, BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** As of the last beat. */
    synchronized Move move() {
      if (lost != null) {
        throw lost;
      }
      boolean rest = stopping || Thread.currentThread().isInterrupted();
      return rest && latest.wish() != Wish.PAUSE ? latest.wishing(Wish.PAUSE) : latest;
    }

    private synchronized void keep() {
      if (released) {
        return;
      }
      try {
        latest = moves.keep(held, LEASE);
        tell(latest);
      } catch (ShardwrightException e) {
        // A catalog that is down is no reason to stop: what needs it fails by itself.
        if (e.code() == ErrorCode.CATALOG_CONFLICT) {
          lost = e;
        }
      } catch (RuntimeException e) {
        LOG.warn("the lease of move {} was not renewed; it is tried again", held.id(), e);
      }
    }

    /** A beat that throws would be the last one. */
    private void tell(Move move) {
      try {
        listener.accept(move);
      } catch (RuntimeException e) {
        LOG.warn("a listener failed to hear of {}; the move goes on", move, e);
      }
    }

    synchronized void release() {
      released = true;
      beat.cancel(false);
      try {
        moves.release(held);
      } catch (ShardwrightException e) {
        // The lease runs out by itself.
      }
    }
  }

  private void noteFailure(Held held, Exception e) {
    try {
      moves.note(held, MoveRun.reason(e));
    } catch (ShardwrightException unknown) {
      e.addSuppressed(unknown);
    }
  }

  @Override
  public void close() {
    beats.shutdownNow();
    verifications.close();
    moves.close();
    catalog.close();
  }
}
