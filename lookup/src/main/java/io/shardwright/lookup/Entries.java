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
    return LockedValue.of(table(value.index()), connection, value);
  }

  /**
   * The candidates of several values of one index, as they are now.
   *
   * @throws SQLException of the entries' shards
   */
  Answer read(UniqueIndex index, Collection<Value> values) throws SQLException {
    BucketMap map = shards.map(index.name().placement());
    Map<ShardId, List<Value>> byShard = new TreeMap<>();
    for (Value value : values) {
      byShard.computeIfAbsent(map.shardOf(value.bucket()), s -> new ArrayList<>()).add(value);
    }
    List<Candidate> candidates = new ArrayList<>();
    int statements = 0;
    for (Map.Entry<ShardId, List<Value>> asked : byShard.entrySet()) {
      try (Connection connection = shards.open(asked.getKey(), Lane.ENTRIES)) {
        List<Value> all = asked.getValue();
        for (int from = 0; from < all.size(); from += CHUNK) {
          List<Value> chunk = all.subList(from, Math.min(all.size(), from + CHUNK));
          candidates.addAll(table(index).read(connection, chunk));
          statements++;
        }
      }
    }
    return new Answer(candidates, statements);
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
