package io.shardwright.lookup;

/**
 * How a cache of look-ups did since its index became readable to this process.
 *
 * @param hits look-ups that it answered, misses that are kept included
 * @param misses look-ups that went on to Redis or to the index
 * @param size values that it holds
 * @param redisFailures times that Redis did not answer, of all indexes of this process
 */
public record LookupCacheStatistics(long hits, long misses, long size, long redisFailures) {
  /** From 0 to 1; 0 before the first look-up. */
  public double hitRate() {
    return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
  }
}
