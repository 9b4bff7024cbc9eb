package io.shardwright.lookup;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes candidates whose rows have other values, off the path of statements. What it is offered
 * is a hint: what it drops, or cannot do while a shard is down, the scheduled reconciliation does.
 * Thread-safe.
 */
public final class Sweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
  private static final int QUEUE_MAX = 10_000;
  private static final long IDLE_SECONDS = 10;

  private final Entries entries;
  private final LookupCaches caches;
  private final Judge judge;
  private final ThreadPoolExecutor executor;
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong removed = new AtomicLong();

  public Sweeper(Entries entries, LookupCaches caches, ThreadFactory threads) {
    this.entries = entries;
    this.caches = caches;
    this.judge = new Judge(entries);
    this.executor =
        new ThreadPoolExecutor(
            1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE_MAX), threads);
    executor.allowCoreThreadTimeOut(true);
  }

  /** For one transaction. */
  public IndexWork begin() {
    return begin(Set::of);
  }

  /**
   * The same.
   *
   * @param reservations tokens of those whose values it may take
   */
  public IndexWork begin(Supplier<Set<Long>> reservations) {
    return new IndexWork(entries, this, caches, reservations);
  }

  void offer(Collection<Value> values) {
    if (!values.isEmpty()) {
      List<Value> all = List.copyOf(values);
      execute(all.size(), () -> all.forEach(this::sweepQuietly));
    }
  }

  void offerRemoval(Collection<Candidate> candidates) {
    if (!candidates.isEmpty()) {
      List<Candidate> all = List.copyOf(candidates);
      execute(all.size(), () -> all.forEach(this::removeQuietly));
    }
  }

  private void execute(int size, Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      dropped.addAndGet(size);
    }
  }

  private void sweepQuietly(Value value) {
    try {
      sweep(value);
    } catch (SQLException | ShardwrightException e) {
      dropped.incrementAndGet();
      LOG.debug("sweeping a value of index {}", value.index().name(), e);
    }
  }

  private void removeQuietly(Candidate candidate) {
    try {
      remove(candidate);
    } catch (SQLException | ShardwrightException e) {
      dropped.incrementAndGet();
      LOG.debug("removing an entry of index {}", candidate.value().index().name(), e);
    }
  }

  /**
   * Judges the candidates of a value.
   *
   * @return how many were removed
   * @throws ShardwrightException SW409 when a writer of the value does not end in time
   */
  int sweep(Value value) throws SQLException {
    int count = 0;
    for (Candidate candidate : entries.read(value.index(), List.of(value)).candidates()) {
      // Its token was read before its row is looked at: whoever gives the row the value again
      // renews it first.
      if (!judge.isAlive(candidate, false) && remove(candidate)) {
        count++;
      }
    }
    return count;
  }

  boolean remove(Candidate candidate) throws SQLException {
    OwnedWork work = new OwnedWork(entries.shards());
    while (true) {
      BucketMap map = entries.shards().map(candidate.value().index().name().placement());
      try {
        return removeNow(candidate);
      } catch (SQLException e) {
        // The entry's bucket may have moved.
        work.await(map, e);
      }
    }
  }

  private boolean removeNow(Candidate candidate) throws SQLException {
    try (LockedValue locked = entries.lock(candidate.value())) {
      // It may have moved to slot 0 meanwhile; its token tells.
      Optional<Candidate> found =
          locked.candidates().stream().filter(c -> c.token() == candidate.token()).findFirst();
      if (found.isEmpty()) {
        return false;
      }
      locked.remove(found.get());
      locked.commit();
      removed.incrementAndGet();
      return true;
    }
  }

  /** Candidates that were removed. */
  public long removed() {
    return removed.get();
  }

  /** Values that were not judged: the queue was full, a shard down, or a writer too slow. */
  public long dropped() {
    return dropped.get();
  }

  /** What is queued is dropped. */
  @Override
  public void close() {
    executor.shutdownNow();
  }
}
