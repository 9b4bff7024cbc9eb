package io.shardwright.lookup;

import io.shardwright.routing.BucketId;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Where an index says that rows may be. Equal ones mean that nothing was written between.
 *
 * @param byToken bucket of each candidate's row, by the token of who wrote the candidate last
 */
record Places(Map<Long, BucketId> byToken) {
  Places {
    byToken = Map.copyOf(byToken);
  }

  boolean isEmpty() {
    return byToken.isEmpty();
  }

  int size() {
    return byToken.size();
  }

  SortedSet<BucketId> buckets() {
    return new TreeSet<>(byToken.values());
  }
}
