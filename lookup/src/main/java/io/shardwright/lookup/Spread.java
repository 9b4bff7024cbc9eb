package io.shardwright.lookup;

import io.shardwright.catalog.ListRecord;
import io.shardwright.routing.BucketId;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * How the entries of one value are laid over buckets: those of most values are in one, those of
 * giants in several, evenly over all buckets from that one on. Persisted: it says where entries
 * are.
 *
 * @param buckets in all
 * @param perGiant buckets of a giant; 1: no value has several
 * @param giants hashes of their values, all 64 bits. Another value of the same hash is spread too,
 *     by all who write and read it alike.
 */
public record Spread(int buckets, int perGiant, Set<Long> giants) {
  public Spread {
    giants = Set.copyOf(giants);
  }

  static Spread of(ListRecord recorded, int buckets) {
    return new Spread(buckets, recorded.spread(), Set.copyOf(recorded.giants()));
  }

  boolean isGiant(long hash) {
    return giants.contains(hash);
  }

  /** Of a value, by its hash. */
  List<BucketId> buckets(long hash) {
    return IntStream.range(0, giants.contains(hash) ? perGiant : 1)
        .mapToObj(part -> bucket(hash, part))
        .toList();
  }

  /**
   * Of one entry.
   *
   * @param rowHash of bucket and primary key of its row
   */
  BucketId bucket(long hash, long rowHash) {
    return giants.contains(hash)
        ? bucket(hash, (int) Long.remainderUnsigned(rowHash, perGiant))
        : bucket(hash, 0);
  }

  private BucketId bucket(long hash, int part) {
    long first = Long.remainderUnsigned(hash, buckets);
    return new BucketId((int) ((first + (long) part * buckets / perGiant) % buckets));
  }
}
