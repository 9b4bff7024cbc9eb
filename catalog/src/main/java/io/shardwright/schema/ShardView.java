package io.shardwright.schema;

import io.shardwright.routing.ShardId;
import java.util.Map;

/**
 * One shard as a run of {@link Apply} saw it.
 *
 * @param referenceDigests of the reference tables that exist here
 */
record ShardView(ShardId shard, ShardSchema schema, Map<String, ReferenceDigest> referenceDigests) {
  ShardView {
    referenceDigests = Map.copyOf(referenceDigests);
  }
}
