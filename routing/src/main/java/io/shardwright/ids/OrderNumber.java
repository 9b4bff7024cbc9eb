package io.shardwright.ids;

import io.shardwright.routing.BucketId;
import java.time.Instant;

/**
 * A readable order number taken apart; its text is {@link OrderNumberFormat}'s.
 *
 * @param version generation of the group, 0 to 9
 * @param createdAt whole seconds
 * @param gene the bucket of the row, never a shard
 * @param sequence counts per second, bucket and node, 0 to 9999
 */
public record OrderNumber(int version, Instant createdAt, BucketId gene, int node, int sequence) {}
