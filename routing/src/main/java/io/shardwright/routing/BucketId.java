package io.shardwright.routing;

/** A logical slot of a table group, 0 to V-1. */
public record BucketId(int value) implements Comparable<BucketId> {
  public BucketId {
    if (value < 0) {
      throw new IllegalArgumentException("bucket " + value + " is negative");
    }
  }

  @Override
  public int compareTo(BucketId other) {
    return Integer.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Integer.toString(value);
  }
}
