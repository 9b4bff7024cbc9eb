package io.shardwright.routing;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.time.Instant;

/**
 * A gene id taken apart.
 *
 * @param version generation of the group, 0 to 3
 * @param createdAt the tick, in milliseconds
 * @param gene the bucket of the row, never a shard
 */
public record GeneId(
    long value, int version, Instant createdAt, BucketId gene, int node, int sequence) {

  /**
   * @throws ShardwrightException SW305 when {@code id} is negative
   */
  public static GeneId decode(long id, GeneIdLayout layout) {
    if (id < 0) {
      throw new ShardwrightException(
          ErrorCode.ID_MALFORMED, "id " + id + " is negative; gene ids use 63 bits and sign 0");
    }
    int afterTime = layout.geneBits() + layout.geneShift();
    long tick = (id >>> afterTime) & ((1L << layout.timeBits()) - 1);
    return new GeneId(
        id,
        (int) (id >>> (afterTime + layout.timeBits())),
        GeneIdLayout.EPOCH.plusMillis(tick),
        layout.gene(id),
        (int) (id >>> layout.sequenceBits()) & (layout.nodes() - 1),
        (int) id & (layout.idsPerGeneNodeAndTick() - 1));
  }
}
