package io.shardwright.lookup;

import io.shardwright.routing.BucketId;
import java.util.List;

/**
 * An entry of an index that is not unique. Which of two counts is told by their versions.
 *
 * @param values indexed, then covering ones, as texts; all null when it is not live
 * @param version number of the change that made it so; 0: it was copied from the row
 * @param live false: the row is not here any more
 */
record ListEntry(Place place, List<Object> values, long version, boolean live) {

  /**
   * Where a row has its entry, as long as its values are there.
   *
   * @param bucket of the shard_by values
   * @param row by texts
   */
  record Place(BucketId bucket, RowId row) {}
}
