package io.shardwright.sql;

import io.shardwright.routing.BucketId;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rows of a table that a statement goes to, as a list index names them.
 *
 * @param found distinct
 */
record ListedRows(ListUse use, ListIndex index, Set<ListIndex.Row> found) {

  /** Where a statement on these rows goes, whose other tables hang on them. */
  Placement in(Placement placement) {
    NavigableSet<BucketId> buckets = new TreeSet<>();
    found.forEach(row -> buckets.add(row.bucket()));
    List<KeyAlternative> places = KeyAlternative.Named.of("list index " + index.name(), buckets);
    Schema.Sharding sharding = placement.root().orElseThrow().sharding().orElseThrow();
    return placement.allIn(new KeyCondition(sharding, places, Optional.empty()));
  }

  String describe(String tables) {
    return index.describe(tables)
        + (use.path() == ListUse.Path.PAGE ? ", keys of a page: " : ", keys of all rows: ")
        + found.size();
  }
}
