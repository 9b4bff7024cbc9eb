package io.shardwright.routing;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which shard owns each bucket of a group, at one version. Immutable; a new version is a new object
 * and leaves every bucket that it does not name where it was.
 */
public final class BucketMap {
  private final String group;
  private final long version;
  private final ShardId[] owners;
  private final List<ShardId> shards;
  private final Optional<BucketMap> routed;

  private BucketMap(String group, long version, ShardId[] owners) {
    this.group = group;
    this.version = version;
    this.owners = owners;
    SortedSet<ShardId> distinct = new TreeSet<>(Arrays.asList(owners));
    this.shards = List.copyOf(distinct);
    this.routed = Optional.of(this);
  }

  /** Version 1: contiguous ranges of nearly equal length, in the order of {@code shards}. */
  public static BucketMap initial(String group, int buckets, List<ShardId> shards) {
    if (shards.isEmpty() || shards.size() > buckets) {
      throw new IllegalArgumentException(
          "group "
              + group
              + ": 1 to "
              + buckets
              + " shards can hold its buckets, not "
              + shards.size());
    }
    ShardId[] owners = new ShardId[buckets];
    for (int bucket = 0; bucket < buckets; bucket++) {
      owners[bucket] = shards.get((int) ((long) bucket * shards.size() / buckets));
    }
    return new BucketMap(group, 1, owners);
  }

  /** The map as it was persisted: {@code owners.get(b)} owns bucket b. */
  public static BucketMap of(String group, long version, List<ShardId> owners) {
    if (version < 1 || owners.isEmpty()) {
      throw new IllegalArgumentException("group " + group + ": version " + version + " of a map");
    }
    return new BucketMap(group, version, owners.toArray(ShardId[]::new));
  }

  /** The next version, in which {@code moved} belong to {@code target}. */
  public BucketMap withMoved(Collection<BucketId> moved, ShardId target) {
    ShardId[] next = owners.clone();
    for (BucketId bucket : moved) {
      next[bucket.value()] = target;
    }
    return new BucketMap(group, version + 1, next);
  }

  public String group() {
    return group;
  }

  /** Starts at 1 and grows by one with each change. */
  public long version() {
    return version;
  }

  /** This map as routes tell it, made once: it is on the path of every statement. */
  public Optional<BucketMap> routed() {
    return routed;
  }

  public int buckets() {
    return owners.length;
  }

  /**
   * @throws ShardwrightException SW001 of a bucket that only newer maps have
   */
  public ShardId shardOf(BucketId bucket) {
    if (bucket.value() >= owners.length) {
      throw new ShardwrightException(
          ErrorCode.BUCKET_MOVED, this + " is older than bucket " + bucket + " of a directory");
    }
    return owners[bucket.value()];
  }

  /** The shards that own at least one bucket, in name order. */
  public List<ShardId> shards() {
    return shards;
  }

  /** In ascending order. */
  public List<BucketId> bucketsOf(ShardId shard) {
    List<BucketId> buckets = new ArrayList<>();
    for (int bucket = 0; bucket < owners.length; bucket++) {
      if (owners[bucket].equals(shard)) {
        buckets.add(new BucketId(bucket));
      }
    }
    return buckets;
  }

  /**
   * Ranges that together hold those of the buckets that the shard does not own, and none that it
   * owns: as few as that allows.
   */
  public List<BucketSet.Range> foreign(ShardId shard, BucketSet buckets) {
    if (buckets.isEmpty()) {
      return List.of();
    }
    List<BucketSet.Range> ranges = new ArrayList<>();
    int first = -1;
    int last = -1;
    for (BucketId bucket : buckets) {
      if (owners[bucket.value()].equals(shard)) {
        continue;
      }
      if (first < 0 || ownsBetween(shard, last, bucket.value())) {
        if (first >= 0) {
          ranges.add(new BucketSet.Range(first, last));
        }
        first = bucket.value();
      }
      last = bucket.value();
    }
    if (first >= 0) {
      ranges.add(new BucketSet.Range(first, last));
    }
    return ranges;
  }

  private boolean ownsBetween(ShardId shard, int from, int to) {
    for (int bucket = from + 1; bucket < to; bucket++) {
      if (owners[bucket].equals(shard)) {
        return true;
      }
    }
    return false;
  }

  /** Those of the buckets that the shard owns. */
  public BucketSet owned(ShardId shard, BucketSet buckets) {
    List<BucketId> owned = new ArrayList<>();
    for (BucketId bucket : buckets) {
      if (owners[bucket.value()].equals(shard)) {
        owned.add(bucket);
      }
    }
    return BucketSet.of(owned);
  }

  @Override
  public String toString() {
    return "bucket map of "
        + group
        + ", version "
        + version
        + ", "
        + owners.length
        + " buckets on "
        + shards;
  }
}
