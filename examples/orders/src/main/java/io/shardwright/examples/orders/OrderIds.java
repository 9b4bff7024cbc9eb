package io.shardwright.examples.orders;

import io.shardwright.ids.GeneIdGenerator;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import java.util.List;

/** Issues order ids that carry the bucket of their buyer. Thread-safe. */
public record OrderIds(BucketFunction buckets, GeneIdGenerator generator) {
  public long next(long tenantId, long buyerId) {
    BucketId bucket = buckets.bucket(List.of(tenantId, buyerId)).orElseThrow();
    return generator.next(bucket);
  }
}
