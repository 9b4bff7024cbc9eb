package io.shardwright.sql;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ScatterRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is decided for a part of a statement: the same as for the whole, but for what it says. */
interface InnerContext extends RouteContext {
  RouteContext whole();

  @Override
  default ScatterRule reads(String group) {
    return whole().reads(group);
  }

  @Override
  default ScatterRule writes(String group) {
    return whole().writes(group);
  }

  @Override
  default Optional<BucketId> bucket(String group) {
    return whole().bucket(group);
  }

  @Override
  default Optional<String> bound() {
    return whole().bound();
  }

  @Override
  default BucketSet announced(String group) {
    return whole().announced(group);
  }

  @Override
  default Optional<Set<BucketId>> lookUp(Schema.LookupIndex index, List<List<Object>> values) {
    return whole().lookUp(index, values);
  }

  @Override
  default Optional<ListAccess> open(ListIndex index, List<List<Object>> values, boolean complete) {
    return whole().open(index, values, complete);
  }

  /** A list index that is asked in another way. */
  interface InnerAccess extends ListAccess {
    ListAccess whole();

    @Override
    default List<ListIndex.Row> pending() {
      return whole().pending();
    }

    @Override
    default int pageFactor() {
      return whole().pageFactor();
    }
  }
}
