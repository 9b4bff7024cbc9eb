package io.shardwright.lookup;

import io.shardwright.routing.BucketId;
import java.util.Collections;
import java.util.List;

/**
 * A row of an indexed table.
 *
 * @param primaryKey without bucket_id, as the database gives it
 */
public record RowId(BucketId bucket, List<Object> primaryKey) {
  /** Where there is no row. */
  static final RowId NONE = new RowId(new BucketId(0), List.of());

  public RowId {
    primaryKey = Collections.unmodifiableList(primaryKey);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowId row
        && bucket.equals(row.bucket)
        && Value.equal(primaryKey, row.primaryKey);
  }

  @Override
  public int hashCode() {
    return 31 * bucket.hashCode() + Value.hash(primaryKey);
  }
}
