package io.shardwright.lookup;

import io.shardwright.catalog.SqlFailure;
import io.shardwright.lookup.Outbox.Pending;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * Brings changes of rows from the outboxes on their shards into indexes that are not unique.
 *
 * <p>Problem: two databases, no two-phase commit, writers that no driver sees. Idea: triggers leave
 * each change with a number that grows with each change of the row; whoever delivers it writes
 * entries on condition that they have a smaller number, commits, and then removes the change. So a
 * change may be delivered twice, late, and in any order. Invariant: a change is removed only after
 * all entries that it means were committed. A crash before that leaves it for others: its lock ends
 * with the session. See docs/decisions/list-index.md. Thread-safe.
 */
public final class Feed {
  /** Changes in one transaction. */
  public static final int BATCH = 500;

  /** Entries in one statement: 200 of 30 columns are far below the 65,535 parameters of one. */
  private static final int STATEMENT_ENTRIES = 200;

  private static final int REFUSALS_MAX = 10;

  /** Deadlocks of feeds with each other; each ends with one of them through. */
  private static final int DEADLOCKS_MAX = 20;

  private static final Duration DAY = Duration.ofHours(24);

  private final IndexShards shards;
  private final Outages outages;
  private final ConcurrentMap<FeedCounters.Key, FeedCounters> counters = new ConcurrentHashMap<>();

  public Feed(IndexShards shards, LongSupplier nanoTime) {
    this.shards = shards;
    this.outages = new Outages(nanoTime);
  }

  IndexShards shards() {
    return shards;
  }

  /** What this process has delivered, by {@code group.index} and shard of the rows. */
  public Map<String, Map<ShardId, FeedCounters>> counters() {
    Map<String, Map<ShardId, FeedCounters>> all = new TreeMap<>();
    counters.forEach(
        (key, counted) ->
            all.computeIfAbsent(key.index(), index -> new TreeMap<>()).put(key.shard(), counted));
    return all;
  }

  private FeedCounters counters(ListIndex index, ShardId shard) {
    return counters.computeIfAbsent(
        new FeedCounters.Key(index.name().placement(), shard), key -> new FeedCounters());
  }

  /**
   * Delivers changes of one shard that are due, {@link #BATCH} at most.
   *
   * @return how many it found; those that it could not deliver are due later; {@link #BATCH} when
   *     it met with others in a deadlock
   * @throws SQLException of the shard of the rows; those of the index's shards are dealt with
   */
  public int round(ListIndex index, ShardId shard) throws SQLException {
    Outbox outbox = new Outbox(index);
    try (Connection connection = shards.open(shard, Lane.FEED)) {
      connection.setAutoCommit(false);
      try {
        List<ListChange> changes = outbox.take(connection, BATCH);
        if (!changes.isEmpty()) {
          Delivery delivery = new Delivery(index, changes);
          deliver(index, delivery);
          settle(connection, outbox, delivery, counters(index, shard));
        }
        connection.commit();
        return changes.size();
      } catch (SQLException e) {
        if (SqlFailure.isDeadlock(e)) {
          return BATCH;
        }
        throw e;
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
  }

  private void deliver(ListIndex index, Delivery delivery) {
    BucketMap map = shards.map(index.name().placement());
    Map<ShardId, List<ListEntry>> byShard = new TreeMap<>();
    for (ListEntry entry : delivery.entries()) {
      byShard
          .computeIfAbsent(map.shardOf(entry.place().bucket()), s -> new ArrayList<>())
          .add(entry);
    }
    byShard.forEach((shard, entries) -> deliver(index, delivery, map, shard, entries));
  }

  private void deliver(
      ListIndex index, Delivery delivery, BucketMap map, ShardId shard, List<ListEntry> entries) {
    if (outages.isDown(shard)) {
      unanswered(delivery, shard, entries);
      return;
    }
    int from = 0;
    try (Connection connection = shards.open(shard, Lane.LISTS)) {
      for (; from < entries.size(); from += STATEMENT_ENTRIES) {
        List<ListEntry> some =
            entries.subList(from, Math.min(entries.size(), from + STATEMENT_ENTRIES));
        long sent = System.nanoTime();
        write(index, delivery, connection, some);
        count(map, some, System.nanoTime() - sent);
      }
      outages.answered(shard);
    } catch (SQLException e) {
      if (SqlFailure.isBucketMoved(e)) {
        shards.awaitNewer(map);
      } else {
        outages.failed(shard);
      }
      unanswered(delivery, shard, entries.subList(Math.min(from, entries.size()), entries.size()));
    }
  }

  /** Each entry is a write of its bucket. */
  private void count(BucketMap map, List<ListEntry> entries, long nanos) {
    for (ListEntry entry : entries) {
      List<BucketId> bucket = List.of(entry.place().bucket());
      shards.changed(new IndexShards.Work(map, bucket, 1, nanos / entries.size()));
    }
  }

  private static void unanswered(Delivery delivery, ShardId shard, List<ListEntry> entries) {
    Delivery.Failure failure = new Delivery.Failure(false, shard.name());
    entries.forEach(entry -> delivery.fail(entry.place().row(), failure));
  }

  /** All at once; one by one when one of them is refused. */
  private static void write(
      ListIndex index, Delivery delivery, Connection connection, List<ListEntry> entries)
      throws SQLException {
    Optional<SQLException> refusal = write(index, connection, entries);
    if (refusal.isPresent() && entries.size() == 1) {
      delivery.fail(
          entries.get(0).place().row(), new Delivery.Failure(true, refusal.get().getMessage()));
    } else if (refusal.isPresent()) {
      for (ListEntry entry : entries) {
        write(index, delivery, connection, List.of(entry));
      }
    }
  }

  private static Optional<SQLException> write(
      ListIndex index, Connection connection, List<ListEntry> entries) throws SQLException {
    for (int deadlocks = 0; ; deadlocks++) {
      try {
        new ListEntries(index).write(connection, entries);
        return Optional.empty();
      } catch (SQLException e) {
        if (SqlFailure.isRefusal(e)) {
          return Optional.of(e);
        }
        if (!SqlFailure.isDeadlock(e) || deadlocks == DEADLOCKS_MAX) {
          throw e;
        }
      }
    }
  }

  private void settle(Connection connection, Outbox outbox, Delivery delivery, FeedCounters counted)
      throws SQLException {
    List<ListChange> delivered = delivery.delivered();
    outbox.delete(connection, delivered);
    counted.delivered(delivered.size());
    for (Map.Entry<Delivery.Failure, List<ListChange>> failed : delivery.failed().entrySet()) {
      if (failed.getKey().refused()) {
        refused(connection, outbox, failed.getValue(), failed.getKey().error(), counted);
      } else {
        outbox.postpone(
            connection,
            failed.getValue(),
            false,
            outages.pause(new ShardId(failed.getKey().error())));
        counted.retried(failed.getValue().size());
      }
    }
  }

  private static void refused(
      Connection connection,
      Outbox outbox,
      List<ListChange> changes,
      String error,
      FeedCounters counted)
      throws SQLException {
    for (ListChange change : changes) {
      if (change.attempts() + 1 >= REFUSALS_MAX) {
        outbox.bury(connection, change, error);
        counted.dead(1);
      } else {
        Duration pause = Outages.FIRST_PAUSE;
        for (int i = 0; i < change.attempts(); i++) {
          pause = Outages.doubled(pause);
        }
        outbox.postpone(connection, List.of(change), true, pause);
        counted.retried(1);
      }
    }
  }

  /** What waits on a shard, and what was given up there. */
  public FeedStatus status(ListIndex index, ShardId shard) throws SQLException {
    try (Connection connection = shards.open(shard, Lane.FEED)) {
      Pending pending = new Outbox(index).pending(connection);
      return new FeedStatus(shard, pending.changes(), pending.oldest(), pending.dead());
    }
  }

  /**
   * Lets changes that were given up be delivered again.
   *
   * @return how many
   */
  public int replay(ListIndex index, ShardId shard) throws SQLException {
    Outbox outbox = new Outbox(index);
    int all = 0;
    try (Connection connection = shards.open(shard, Lane.FEED)) {
      connection.setAutoCommit(false);
      try {
        int some;
        do {
          some = outbox.replay(connection);
          connection.commit();
          all += some;
        } while (some > 0);
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
    return all;
  }

  /**
   * Removes tombstones that are a day old, unless a change as old waits somewhere, dead or not: it
   * would bring an entry back.
   *
   * @return how many
   * @throws SQLException of a shard
   */
  public int purge(ListIndex index) throws SQLException {
    for (ShardId shard : shards.map(index.name().group()).shards()) {
      FeedStatus status = status(index, shard);
      if (status.dead() > 0 || status.oldest().compareTo(DAY) >= 0) {
        return 0;
      }
    }
    int purged = 0;
    BucketMap map = shards.map(index.name().placement());
    ListEntries entries = new ListEntries(index);
    for (int bucket = 0; bucket < map.buckets(); bucket++) {
      BucketId id = new BucketId(bucket);
      try (Connection connection = shards.open(map.shardOf(id), Lane.LISTS)) {
        purged += entries.purge(connection, id);
      }
    }
    return purged;
  }
}
