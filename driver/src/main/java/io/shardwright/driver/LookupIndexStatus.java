package io.shardwright.driver;

import io.shardwright.catalog.IndexState;
import io.shardwright.lookup.FeedStatus;
import io.shardwright.routing.ShardId;
import java.util.List;
import java.util.Optional;

/**
 * A lookup index now.
 *
 * @param name {@code group.index}
 * @param table empty when the file does not say it and {@code apply} has not found it yet
 * @param state empty when the catalog does not record it
 * @param declared in the file
 * @param shards all of them; none when it is not both declared and recorded
 * @param feeds what of an index that is not unique waits, by shard; none before it is maintained
 */
public record LookupIndexStatus(
    String name,
    Optional<String> table,
    List<String> columns,
    Optional<IndexState> state,
    boolean declared,
    List<OnShard> shards,
    List<FeedStatus> feeds) {
  public LookupIndexStatus {
    feeds = List.copyOf(feeds);
    columns = List.copyOf(columns);
    shards = List.copyOf(shards);
  }

  /**
   * What a shard lacks.
   *
   * @param foreignTables that have other columns than they should
   * @param missingTriggers none before every write maintains the index
   */
  public record OnShard(
      ShardId shard,
      List<String> missingTables,
      List<String> foreignTables,
      List<String> missingTriggers) {
    public OnShard {
      missingTables = List.copyOf(missingTables);
      foreignTables = List.copyOf(foreignTables);
      missingTriggers = List.copyOf(missingTriggers);
    }
  }
}
