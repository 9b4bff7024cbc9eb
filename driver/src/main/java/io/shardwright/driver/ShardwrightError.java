package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;

/**
 * What every {@link java.sql.SQLException} that Shardwright itself raises can be asked. Errors of a
 * shard's database are passed on as they are and do not implement it.
 */
public interface ShardwrightError {
  ErrorCode code();
}
