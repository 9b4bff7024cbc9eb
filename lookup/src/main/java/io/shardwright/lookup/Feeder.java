package io.shardwright.lookup;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers in the background, for as long as there are indexes: shard by shard, at once when there
 * is more or somebody has written, else after a pause that doubles while nothing comes. What it
 * cannot do now it does later. Thread-safe.
 */
public final class Feeder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Feeder.class);
  private static final int THREADS = 4;
  private static final long IDLE_SECONDS = 10;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LAST_PAUSE = Duration.ofSeconds(1);
  private static final Duration PURGES = Duration.ofHours(1);

  private final Feed feed;
  private final ScheduledThreadPoolExecutor executor;
  private final Map<ShardId, Beat> beats = new ConcurrentHashMap<>();
  private final AtomicBoolean purging = new AtomicBoolean();
  private volatile List<ListIndex> indexes = List.of();

  public Feeder(Feed feed, ThreadFactory threads) {
    this.feed = feed;
    this.executor = new ScheduledThreadPoolExecutor(THREADS, threads);
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    executor.setRemoveOnCancelPolicy(true);
  }

  /**
   * From now on these indexes; none: it rests.
   *
   * @param shards those that may have rows
   */
  public void serve(Collection<ListIndex> served, Collection<ShardId> shards) {
    indexes = List.copyOf(served);
    if (indexes.isEmpty()) {
      return;
    }
    if (purging.compareAndSet(false, true)) {
      Future<?> unused =
          executor.scheduleWithFixedDelay(
              this::purge, PURGES.toMillis(), PURGES.toMillis(), TimeUnit.MILLISECONDS);
    }
    for (ShardId shard : shards) {
      beats.computeIfAbsent(shard, Beat::new).wake();
    }
  }

  /** Somebody has written to the shard. */
  public void wake(ShardId shard) {
    Beat beat = beats.get(shard);
    if (beat != null) {
      beat.wake();
    }
  }

  private void purge() {
    for (ListIndex index : indexes) {
      try {
        feed.purge(index);
      } catch (SQLException | ShardwrightException e) {
        LOG.debug("removing old entries of index {}", index.name(), e);
      }
    }
  }

  /** What is not delivered stays for others. */
  @Override
  public void close() {
    executor.shutdownNow();
  }

  /** One shard's turn: waiting for its time, or running. */
  private final class Beat {
    private final ShardId shard;
    private Duration pause = FIRST_PAUSE;
    private ScheduledFuture<?> next;
    private boolean running;
    private boolean woken;

    Beat(ShardId shard) {
      this.shard = shard;
    }

    synchronized void wake() {
      if (indexes.isEmpty()) {
        return;
      }
      woken = true;
      if (!running && (next == null || next.getDelay(TimeUnit.NANOSECONDS) > 0)) {
        if (next != null) {
          next.cancel(false);
        }
        schedule(Duration.ZERO);
      }
    }

    private void run() {
      synchronized (this) {
        running = true;
        woken = false;
      }
      boolean more = false;
      boolean any = false;
      for (ListIndex index : indexes) {
        try {
          int found = feed.round(index, shard);
          any |= found > 0;
          more |= found == Feed.BATCH;
        } catch (SQLException | ShardwrightException e) {
          LOG.debug("delivering changes of shard {} to index {}", shard, index.name(), e);
        }
      }
      end(any, more);
    }

    private synchronized void end(boolean any, boolean more) {
      running = false;
      next = null;
      pause = any ? FIRST_PAUSE : longer(pause);
      if (!indexes.isEmpty()) {
        schedule(more || woken ? Duration.ZERO : pause);
      }
    }

    private void schedule(Duration delay) {
      try {
        next = executor.schedule(this::run, delay.toMillis(), TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        LOG.debug("the feed of shard {} is closed", shard);
      }
    }

    private Duration longer(Duration last) {
      Duration next = last.multipliedBy(2);
      return next.compareTo(LAST_PAUSE) < 0 ? next : LAST_PAUSE;
    }
  }
}
