package io.shardwright.catalog;

/**
 * What statements did to one bucket, as driver processes counted it.
 *
 * @param group of tables, or a lookup index by its {@link IndexName#placement}
 * @param bucket its number, or {@link #SCATTERED}
 * @param reads statements that read it, as they were sent to its shard
 * @param writes statements that change rows, as they were sent
 * @param rows that were returned or changed; those of a statement about several buckets are divided
 *     evenly among them, and so is its time
 * @param nanos from when a statement was sent until its shard answered
 */
public record BucketHeat(String group, int bucket, long reads, long writes, long rows, long nanos) {
  /** Stands for statements that name no bucket; they read or write all that a shard has. */
  public static final int SCATTERED = -1;

  public boolean isScattered() {
    return bucket == SCATTERED;
  }

  public boolean isNothing() {
    return reads == 0 && writes == 0 && rows == 0 && nanos == 0;
  }
}
