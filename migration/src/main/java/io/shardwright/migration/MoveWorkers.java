package io.shardwright.migration;

import io.shardwright.catalog.Move;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ShardwrightException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on all moves that are due, those of workers that died among them, until it is closed. Any
 * number may run, in any processes. Thread-safe.
 */
public final class MoveWorkers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MoveWorkers.class);
  private static final long LOOK_MILLIS = 1_000;
  private static final Duration RETRY_MAX = Duration.ofMinutes(1);

  /** How long closing waits for moves to come to rest; what does not is taken over by others. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Moves moves;
  private final int parallel;
  private final Listener listener;
  private final ExecutorService runs;
  private final ScheduledExecutorService looks;
  private boolean closed;

  /** Those that run here now; guarded by this. */
  private final Set<Long> running = new HashSet<>();

  /** After a failure, when to try again; guarded by this. */
  private final Map<Long, Retry> retries = new HashMap<>();

  private record Retry(Duration pause, long atNanos) {}

  /** Hears of moves that run here, on several threads. */
  public interface Listener {
    /** Each second, and when it is left. */
    void at(Move move);

    /** It is tried again after a pause. */
    default void failed(Move move, ShardwrightException why) {}

    /** The catalog cannot be read; it goes on trying. */
    default void failed(ShardwrightException why) {}
  }

  /**
   * @param name for people: which process it is
   * @param parallel moves at a time, at most
   */
  public MoveWorkers(Configuration configuration, String name, int parallel, Listener listener) {
    this.moves = new Moves(configuration, name);
    this.parallel = parallel;
    this.listener = listener;
    this.runs = Executors.newCachedThreadPool(task -> daemon(task, "shardwright-mover"));
    this.looks =
        Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "shardwright-mover-looks"));
  }

  /** Once. */
  public void start() {
    var unused = looks.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private void look() {
    try {
      for (Move move : moves.list()) {
        if (moves.isDue(move) && move.worker().isEmpty() && begin(move)) {
          runs.execute(() -> run(move));
        }
      }
    } catch (ShardwrightException e) {
      listener.failed(e);
    } catch (RuntimeException e) {
      LOG.warn("looking for moves failed; it goes on", e);
    }
  }

  private synchronized boolean begin(Move move) {
    Retry retry = retries.get(move.id());
    boolean early = retry != null && System.nanoTime() - retry.atNanos < 0;
    return !closed && !early && running.size() < parallel && running.add(move.id());
  }

  private void run(Move move) {
    try {
      boolean done = moves.worker().run(move.id(), listener::at).isPresent();
      if (done) {
        listener.at(moves.find(move.id()));
      }
      ended(move, true);
    } catch (ShardwrightException e) {
      ended(move, false);
      listener.failed(move, e);
    } catch (RuntimeException e) {
      ended(move, false);
      LOG.warn("{} failed; it is tried again", move, e);
    }
  }

  private synchronized void ended(Move move, boolean well) {
    running.remove(move.id());
    if (well) {
      retries.remove(move.id());
    } else {
      Retry before = retries.get(move.id());
      Duration pause = before == null ? Duration.ofSeconds(1) : before.pause.multipliedBy(2);
      pause = pause.compareTo(RETRY_MAX) > 0 ? RETRY_MAX : pause;
      retries.put(move.id(), new Retry(pause, System.nanoTime() + pause.toNanos()));
    }
    notifyAll();
  }

  /** Waits until what runs here has come to rest, 20 seconds at most; others may go on with it. */
  @Override
  public void close() {
    looks.shutdownNow();
    moves.stop();
    awaitRest();
    runs.shutdownNow();
    moves.close();
  }

  private synchronized void awaitRest() {
    closed = true;
    long end = System.nanoTime() + PATIENCE.toNanos();
    try {
      long left = PATIENCE.toNanos();
      while (!running.isEmpty() && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = end - System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
