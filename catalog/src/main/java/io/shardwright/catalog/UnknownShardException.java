package io.shardwright.catalog;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;

/** SW416: the catalog's state names a shard that the configuration lacks, as one just added. */
public final class UnknownShardException extends ShardwrightException {
  private static final long serialVersionUID = 1L;

  private final transient ShardId shard;

  /**
   * @param what names it
   */
  UnknownShardException(String what, ShardId shard) {
    super(
        ErrorCode.CATALOG_MISMATCH,
        what + " names shard " + shard + ", which the configuration lacks; add it under shards:");
    this.shard = shard;
  }

  public ShardId shard() {
    return shard;
  }
}
