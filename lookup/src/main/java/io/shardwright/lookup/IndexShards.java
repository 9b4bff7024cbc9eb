package io.shardwright.lookup;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;

/** What indexes need of the shards. Thread-safe. */
public interface IndexShards {

  /**
   * A connection in autocommit and READ COMMITTED; its {@code close} gives it back and rolls back
   * what is open.
   *
   * @throws SQLException when none is to be had
   */
  Connection open(ShardId shard, Lane lane) throws SQLException;

  /** The current map of a group, or of an index by its name. */
  BucketMap map(String name);

  /**
   * After a read, in its transaction if it has one.
   *
   * @param map by which the shard owns the buckets
   * @return false when the shard need not have been the owner: then what was read counts for
   *     nothing
   */
  boolean confirms(
      Connection connection, ShardId shard, BucketMap map, Collection<BucketId> buckets)
      throws SQLException;

  /** A shard was asked for rows or entries of these buckets, which is counted. */
  void asked(Work work);

  /** Rows or entries of these buckets were changed on a shard, which is counted. */
  void changed(Work work);

  /**
   * What a shard did.
   *
   * @param map of a group, or of an index
   * @param rows that came back or were changed, as far as it is known
   * @param nanos until it was done
   */
  record Work(BucketMap map, Collection<BucketId> buckets, long rows, long nanos) {}

  /** Waits for a newer map, some milliseconds at most: a bucket that it names has moved. */
  void awaitNewer(BucketMap map);

  /** How long one piece of work is repeated for a bucket that changes its shard. */
  Duration cutoverWait();
}
