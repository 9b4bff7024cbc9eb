package io.shardwright.lookup;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The entries of all indexes, over all shards. Thread-safe. */
public final class Entries {
  /** Values in one statement. */
  private static final int CHUNK = 100;

  private final IndexShards shards;
  private final Map<UniqueIndex, EntryTable> tables = new ConcurrentHashMap<>();

  public Entries(IndexShards shards) {
    this.shards = shards;
  }

  IndexShards shards() {
    return shards;
  }

  EntryTable table(UniqueIndex index) {
    return tables.computeIfAbsent(index, EntryTable::new);
  }

  /** The shard of a value's entries. */
  ShardId shardOf(Value value) {
    return shards.map(value.index().name().placement()).shardOf(value.bucket());
  }

  /** The shard of a row. */
  ShardId shardOf(UniqueIndex index, RowId row) {
    return shards.map(index.name().group()).shardOf(row.bucket());
  }

  /** Waits for those who write the value, with a bound. */
  LockedValue lock(Value value) throws SQLException {
    Connection connection = shards.open(shardOf(value), Lane.CANDIDATES);
    long sent = System.nanoTime();
    LockedValue locked = LockedValue.of(table(value.index()), connection, value);
    changed(value, 0, System.nanoTime() - sent);
    return locked;
  }

  /** An entry of the value was written, or locked for that. */
  void changed(Value value, long rows, long nanos) {
    BucketMap map = shards.map(value.index().name().placement());
    shards.changed(new IndexShards.Work(map, List.of(value.bucket()), rows, nanos));
  }

  /**
   * The candidates of several values of one index, as they are now.
   *
   * @throws SQLException of the entries' shards
   */
  Answer read(UniqueIndex index, Collection<Value> values) throws SQLException {
    OwnedWork work = new OwnedWork(shards);
    while (true) {
      Optional<Answer> answer = read(work, shards.map(index.name().placement()), index, values);
      if (answer.isPresent()) {
        return answer.get();
      }
    }
  }

  /** Empty when a bucket of entries has moved. */
  private Optional<Answer> read(
      OwnedWork work, BucketMap map, UniqueIndex index, Collection<Value> values)
      throws SQLException {
    Map<ShardId, List<Value>> byShard = new TreeMap<>();
    for (Value value : values) {
      byShard.computeIfAbsent(map.shardOf(value.bucket()), s -> new ArrayList<>()).add(value);
    }
    List<Candidate> candidates = new ArrayList<>();
    int statements = 0;
    for (Map.Entry<ShardId, List<Value>> asked : byShard.entrySet()) {
      List<Value> all = asked.getValue();
      Optional<List<Candidate>> read =
          work.read(
              map,
              asked.getKey(),
              all.stream().map(Value::bucket).toList(),
              Lane.ENTRIES,
              connection -> read(connection, index, all));
      if (read.isEmpty()) {
        return Optional.empty();
      }
      candidates.addAll(read.get());
      statements += (all.size() + CHUNK - 1) / CHUNK;
    }
    return Optional.of(new Answer(candidates, statements));
  }

  private List<Candidate> read(Connection connection, UniqueIndex index, List<Value> values)
      throws SQLException {
    List<Candidate> candidates = new ArrayList<>();
    for (int from = 0; from < values.size(); from += CHUNK) {
      List<Value> chunk = values.subList(from, Math.min(values.size(), from + CHUNK));
      candidates.addAll(table(index).read(connection, chunk));
    }
    return candidates;
  }

  /**
   * What the index says.
   *
   * @param statements that it took
   */
  record Answer(List<Candidate> candidates, int statements) {
    Places places() {
      Map<Long, BucketId> byToken = new HashMap<>();
      candidates.stream()
          .filter(candidate -> !candidate.isReservation())
          .forEach(candidate -> byToken.put(candidate.token(), candidate.row().bucket()));
      return new Places(byToken);
    }
  }
}
