package io.shardwright.advisor.review;

import io.shardwright.catalog.IndexState;
import io.shardwright.catalog.MoveState;
import io.shardwright.routing.BucketMap;
import io.shardwright.schema.SchemaCheck;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What catalog and shards tell.
 *
 * @param unread what could not be read, and why; empty: all was
 * @param maps of groups, by name; empty when the catalog could not be read
 * @param rows of groups, by name; without those that were not counted
 * @param partitions of tables that have any, by name, on the shard with the most
 * @param heat empty when nothing was recorded
 * @param moves all on record, also those that ended
 * @param indexes lookup indexes on record
 * @param pendingDdl changes of the schema that stopped halfway; empty when it was not read
 */
public record DatabaseFacts(
    List<String> unread,
    SchemaCheck.Report schema,
    Map<String, BucketMap> maps,
    Map<String, Rows> rows,
    Map<String, Integer> partitions,
    Optional<Heat> heat,
    List<MoveFacts> moves,
    List<IndexFacts> indexes,
    Optional<Integer> pendingDdl) {
  public DatabaseFacts {
    unread = List.copyOf(unread);
    maps = Map.copyOf(maps);
    rows = Map.copyOf(rows);
    partitions = Map.copyOf(partitions);
    moves = List.copyOf(moves);
    indexes = List.copyOf(indexes);
  }

  /**
   * @param byBucket of all tables of the group together
   * @param bytes stored, with indexes
   */
  public record Rows(List<Long> byBucket, long bytes) {
    public Rows {
      byBucket = List.copyOf(byBucket);
    }
  }

  /** Traffic of groups, by name, in the time that was recorded. */
  public record Heat(Duration measured, Map<String, GroupHeat> groups) {
    public Heat {
      groups = Map.copyOf(groups);
    }
  }

  /**
   * @param keyed statements on buckets
   * @param scattered statements without a key
   * @param skew the busiest shard's time by the mean of all
   * @param hottestShare of the busiest bucket in the time of all, 0 to 1
   */
  public record GroupHeat(
      long keyed, long scattered, double skew, int hottestBucket, double hottestShare) {}

  /**
   * @param rollback whether what the target takes is noted, for the way back
   */
  public record MoveFacts(
      long id, String group, MoveState state, boolean rollback, Optional<Compared> compared) {}

  /** The last comparison of both sides of a move. */
  public record Compared(long rows, long differences, int brokenInvariants) {}

  /**
   * @param sinceCompared empty: never on schedule
   * @param result of the last comparison
   */
  public record IndexFacts(
      String name, IndexState state, Optional<Duration> sinceCompared, String result) {}
}
