package io.shardwright.lookup;

import io.shardwright.catalog.SqlFailure;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * One piece of work on rows or entries whose buckets may move under it: what was read where a
 * bucket is not any more, or what the fence refused, is done again by the next map. One thread.
 */
final class OwnedWork {
  private final IndexShards shards;
  private final long start = System.nanoTime();

  OwnedWork(IndexShards shards) {
    this.shards = shards;
  }

  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** Reads of one bucket. */
  static <T> T read(IndexShards shards, String name, BucketId bucket, Lane lane, Work<T> work)
      throws SQLException {
    OwnedWork owned = new OwnedWork(shards);
    while (true) {
      BucketMap map = shards.map(name);
      Optional<T> result = owned.read(map, map.shardOf(bucket), List.of(bucket), lane, work);
      if (result.isPresent()) {
        return result.get();
      }
    }
  }

  /**
   * Reads of buckets that one shard owns by the map.
   *
   * @return empty when a bucket has moved: to be done again, by another map
   */
  <T> Optional<T> read(
      BucketMap map, ShardId shard, Collection<BucketId> buckets, Lane lane, Work<T> work)
      throws SQLException {
    T result;
    boolean owned;
    try (Connection connection = shards.open(shard, lane)) {
      long sent = System.nanoTime();
      result = work.on(connection);
      int rows = result instanceof Collection<?> several ? several.size() : 0;
      shards.asked(new IndexShards.Work(map, buckets, rows, System.nanoTime() - sent));
      owned = shards.confirms(connection, shard, map, buckets);
    }
    if (!owned) {
      await(map, null);
    }
    return owned ? Optional.of(result) : Optional.empty();
  }

  /** Writes of one bucket, which the fence refuses where it is not. */
  static <T> T write(IndexShards shards, String name, BucketId bucket, Lane lane, Work<T> work)
      throws SQLException {
    OwnedWork owned = new OwnedWork(shards);
    while (true) {
      BucketMap map = shards.map(name);
      try (Connection connection = shards.open(map.shardOf(bucket), lane)) {
        long sent = System.nanoTime();
        T result = work.on(connection);
        shards.changed(new IndexShards.Work(map, List.of(bucket), 0, System.nanoTime() - sent));
        return result;
      } catch (SQLException e) {
        owned.await(map, e);
      }
    }
  }

  /**
   * Waits for another map.
   *
   * @param refused by the shard; null: the shard did not confirm
   * @throws SQLException the given one, when it says something else
   * @throws ShardwrightException SW001 when it has been long enough
   */
  void await(BucketMap map, SQLException refused) throws SQLException {
    if (refused != null && !SqlFailure.isBucketMoved(refused)) {
      throw refused;
    }
    if (System.nanoTime() - start > shards.cutoverWait().toNanos()) {
      throw new ShardwrightException(
          ErrorCode.BUCKET_MOVED,
          "a bucket of "
              + map.group()
              + " changes its shard, and did not within "
              + shards.cutoverWait().toMillis()
              + " ms (moves.cutover_wait)"
              + (refused == null ? "" : " (" + refused.getMessage() + ")")
              + "; roll back and repeat",
          refused);
    }
    shards.awaitNewer(map);
  }
}
